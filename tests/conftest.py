"""Where the real readings are that are not part of the project; no test depends on how fast the machine is."""

import gc
import os
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

# The same examples each time: what passes here passes elsewhere. HYPOTHESIS_PROFILE=new searches for others, as `make test-all` does.
settings.register_profile("same", deadline=None, derandomize=True)
settings.register_profile("new", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# Where a case takes milliseconds, unless its test is marked slow.
_QUICK, _JOBS = ("tests/core/", "tests/charts/"), "tests/core/jobs/"
_TOGETHER = ("tests/app/", "tests/charts/")
T2080 = Path(__file__).resolve().parents[2] / "shared" / "data" / "t2080"


class Together(LoadScopeScheduling):
    """Where tests are dealt to processes, those of a file stay together, all that draw the same answers, and those of all pages, which
    then start one set of workers and compute once what they show of the samples."""

    def _split_scope(self, nodeid: str) -> str:
        return next((room for room in _TOGETHER if nodeid.startswith(room)), nodeid.partition("::")[0])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Together | None:
    """For xdist's own `loadscope`, which `make test` asks for. (Its `loadgroup` has no effect with pytest 9: names of tests are fixed.)"""
    return Together(config, log) if config.getvalue("dist") == "loadscope" else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a sweep, a sixth of the cases (or one `of` so many) is not long: by their parameters, so that tests that share a fixture have
    the same cases. Of a slow test of more than eight cases, and of any of pages and jobs, a third, unless it is marked `whole`; of the
    details of one page half."""
    cases = Counter(item.nodeid.partition("[")[0] for item in items if not item.get_closest_marker("long"))
    for item in items:
        sweep = item.get_closest_marker("sweep")
        quick = item.nodeid.startswith(_QUICK) and not item.nodeid.startswith(_JOBS) and not item.get_closest_marker("slow")
        many = cases[item.nodeid.partition("[")[0]] > 8 and not quick and not item.get_closest_marker("whole")
        of = sweep.kwargs.get("of", 6) if sweep else 3 if many else 2 if item.get_closest_marker("detail") else 1
        if zlib.crc32((item.name.partition("[")[2] or item.name).encode()) % of:
            item.add_marker(pytest.mark.long)


# Thousands of tests and all that they import stay to the end: the garbage collector need not look at them while they are collected (a
# quarter of what that takes), nor each time later, and at what the tests make less often (a sixth of the processor's time).
gc.disable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    gc.freeze()
    gc.set_threshold(200_000, 50, 100)
    gc.enable()


@pytest.fixture(scope="session")
def t2080() -> Path:
    if not T2080.is_dir():
        pytest.skip(f"the T2080 readings are not at {T2080}")
    return T2080
