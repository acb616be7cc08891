"""Which columns say how many cores were on: a count, and not the number of one core."""

import pytest

from hemcore.events.usual_names import is_core_count

COUNTS = ("Cores(#)", "Core(#)", "n_cores", "Core Count", "cpus_online", "Number of cores", "cores", "CPU cores", "num_cpu")
OTHERS = ("core", "cpu", "CPU", "core_number", "cpu-cycles", "core_temp", "cores-stalled")


@pytest.mark.parametrize(("name", "count"), [(name, True) for name in COUNTS] + [(name, False) for name in OTHERS])
@pytest.mark.whole
def test_a_count_of_cores_is_known_by_its_name(name: str, count: bool) -> None:
    assert is_core_count(name) is count
