"""Where the real readings are that are not part of the project; no test depends on how fast the machine is."""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

T2080 = Path(__file__).resolve().parents[2] / "shared" / "data" / "t2080"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where tests are dealt to processes, those of a file stay together, and all that draw the same answers."""
    for item in items:
        group = "tests/charts" if "tests/charts/" in item.nodeid else item.nodeid.partition("::")[0]
        item.add_marker(pytest.mark.xdist_group(group))


@pytest.fixture(scope="session")
def t2080() -> Path:
    if not T2080.is_dir():
        pytest.skip(f"the T2080 readings are not at {T2080}")
    return T2080
