"""Which columns say how many cores were on, a count and not the number of one core; and which are temperatures."""

import pytest

from hemcore.events.hardware_tree import is_intensive, is_momentary
from hemcore.events.usual_names import is_core_count, is_temperature

COUNTS = ("Cores(#)", "Core(#)", "n_cores", "Core Count", "cpus_online", "Number of cores", "cores", "CPU cores", "num_cpu")
OTHERS = ("core", "cpu", "CPU", "core_number", "cpu-cycles", "core_temp", "cores-stalled")


@pytest.mark.parametrize(("name", "count"), [(name, True) for name in COUNTS] + [(name, False) for name in OTHERS])
@pytest.mark.whole
def test_a_count_of_cores_is_known_by_its_name(name: str, count: bool) -> None:
    assert is_core_count(name) is count


TEMPERATURES = ("Tctl", "Tdie", "Tccd1", "Tccd12", "k10temp-pci-00c3 Tctl", "zenpower_tdie", "Tdie [°C]", "Tccd1_C", "Tcase", "temp1_input")
TEMPERATURES += ("Temp", "TEMP0", "core_temp", "Temperatur", "CPU(4) Temperature(C)", "CoreTmp")
NO_TEMPERATURES = ("Tctlx", "lltctl", "die", "soldier", "temps_read", "temp_files", "tmp", "template", "attempt", "PAPI_TOT_CYC", "ctl")


@pytest.mark.parametrize(("name", "warm"), [(name, True) for name in TEMPERATURES] + [(name, False) for name in NO_TEMPERATURES])
@pytest.mark.whole
def test_a_temperature_is_known_by_its_name_and_neither_added_up_nor_a_counter(name: str, warm: bool) -> None:
    assert is_temperature(name) is warm
    assert not warm or (is_intensive(name) and is_momentary(name))
