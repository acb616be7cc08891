"""The collector repeats itself: the same seed gives the shipped counts."""

import itertools
import json
import re
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.shelf import samples
from sample_data.collect import cache, pairs, subexperiments
from sample_data.collect.build import CollectError, Program, build, long_programs, request_server, short_programs, toolchain
from sample_data.collect.read import EVENTS, Reading, read_cycles, read_events
from sample_data.collect.series import SLOT_BLOCKS

FOLDER = Path(__file__).parents[2] / "sample_data"
missing = [tool for tool in ("gcc", "valgrind") if shutil.which(tool) is None]
needs_tools = pytest.mark.skipif(bool(missing), reason=f"{' and '.join(missing)} not installed: apt-get install gcc libc6-dev valgrind")


@pytest.fixture(scope="module")
def same_tools() -> None:
    shipped = json.loads((FOLDER / "machine.json").read_text())
    here = toolchain()
    if any(here[name] != shipped[name] for name in here):
        pytest.skip(f"counts depend on the compiler: shipped with {[shipped[name] for name in here]}, here are {list(here.values())}")


@needs_tools
@pytest.mark.slow
@pytest.mark.usefixtures("same_tools")
@pytest.mark.long
def test_a_whole_run_gives_the_shipped_counts() -> None:
    program = request_server()
    build(program)
    truth = pd.read_csv(FOLDER / "subexperiments" / "truth.csv.gz")
    runs = pd.read_csv(FOLDER / "subexperiments" / "runs.csv.gz").query("collection == 'truth'")
    for row in (0, 999):
        reading = read_events(program, int(runs["seed"].iloc[row]))
        assert dict(zip(EVENTS, reading.phases[0], strict=True)) == truth[list(EVENTS)].iloc[row].to_dict()


@needs_tools
@pytest.mark.slow
@pytest.mark.usefixtures("same_tools")
@pytest.mark.parametrize("number", [0, 13, 31])
@pytest.mark.long
def test_phases_of_a_program_give_the_shipped_counts(number: int) -> None:
    program = short_programs()[number]
    build(program)
    frame = samples.load("phases").frame  # type: ignore[union-attr]
    shipped = frame[(frame["program"] == program.name) & (frame["granularity"] == 10_000) & (frame["load"] == "single core")]
    reading = read_events(program, 1, granularity=10_000)
    np.testing.assert_array_equal(np.array(reading.phases), shipped[list(EVENTS)].to_numpy())
    assert reading.last_blocks == shipped["blocks"].iloc[-1]


@needs_tools
@pytest.mark.slow
@pytest.mark.usefixtures("same_tools")
@pytest.mark.long
@pytest.mark.parametrize("number", [0, 1])
def test_a_series_gives_the_shipped_counts(number: int) -> None:
    program = long_programs()[number]
    build(program)
    reading = read_events(program, 7, granularity=SLOT_BLOCKS)
    run = samples.load("series-ocoe").run(program.name, 7)  # type: ignore[union-attr]
    np.testing.assert_array_equal(np.array(reading.phases), run.counts.to_numpy())


@needs_tools
@pytest.mark.slow
def test_native_phases_are_those_under_valgrind() -> None:
    program = short_programs()[0]
    build(program)
    native, counted = read_cycles(program, 5, scale=20, granularity=3_000), read_events(program, 5, scale=20, granularity=3_000)
    assert len(native.phases) == len(counted.phases) > 10
    assert (native.stages, native.last_blocks, native.result) == (counted.stages, counted.last_blocks, counted.result)
    assert all(cycles > 0 for (cycles,) in native.phases)


@needs_tools
@pytest.mark.slow
def test_a_seed_decides_the_run() -> None:
    program = short_programs()[0]
    build(program)
    one, again, other = (read_cycles(program, seed, scale=10) for seed in (1, 1, 2))
    assert one.result == again.result != other.result


@needs_tools
@pytest.mark.slow
def test_a_program_that_calls_a_library_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "printer.c"
    source.write_text(
        '#include "hem.h"\nextern int puts(const char *);\nvoid hem_main(uint32_t a, uint32_t b) { (void)a; (void)b; puts("x"); }\n'
    )
    with pytest.raises(CollectError, match="calls puts; a sample program uses nothing but hem.h"):
        build(Program("test_printer", "test", source))


def test_there_are_programs_of_every_domain() -> None:
    domains = {
        domain: len(list(programs))
        for domain, programs in itertools.groupby(sorted(short_programs(), key=lambda p: p.domain), lambda p: p.domain)
    }
    assert len(domains) == 8
    assert min(domains.values()) >= 3
    assert sum(domains.values()) >= 24
    assert len(long_programs()) >= 8


def test_program_names_are_unique_and_each_says_what_it_does() -> None:
    programs = [*short_programs(), *long_programs(), request_server()]
    assert len({program.name for program in programs}) == len(programs)
    for program in programs:
        assert program.source.read_text().startswith("/* "), program.source


def test_much_groups_are_seven_of_six_covering_every_pair() -> None:
    groups = subexperiments.much_groups()
    assert [len(group) for group in groups] == [6] * 7
    assert len({frozenset(pair) for group in groups for pair in itertools.combinations(group, 2)}) == 91


def test_no_seed_serves_two_subexperiments() -> None:
    seeds = [seed for each in subexperiments.collections() for group in range(len(each.groups)) for seed in each.seeds(group)]
    assert len(seeds) == len(set(seeds)) == 6_000


def test_a_stopped_collection_goes_on_where_it_stopped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cache, "READINGS", tmp_path)
    made: list[int] = []

    def maker(number: int) -> Reading:
        if number == 3 and len(made) == 3:
            raise KeyboardInterrupt
        made.append(number)
        return Reading([[number]], [], 0, "ok")

    makers = [(f"some/{number}", lambda number=number: maker(number)) for number in range(5)]  # type: ignore[misc]
    with pytest.raises(KeyboardInterrupt):
        cache.make_all("test", makers, workers=1)
    assert all(cache.kept(f"some/{number}").exists() for number in range(3))
    assert not cache.kept("some/3").exists()
    before = list(made)
    made.append(99)
    cache.make_all("test", makers, workers=1)
    after = made[len(before) + 1 :]
    assert 3 in after
    assert not set(after) & {0, 1, 2}
    assert sorted({*before, *after}) == [0, 1, 2, 3, 4]
    assert cache.load("some/4").phases == [[4]]
    assert not list(tmp_path.rglob("*.partial"))


def test_the_fingerprint_changes_with_the_source(tmp_path: Path) -> None:
    first, second = tmp_path / "a.c", tmp_path / "b.c"
    first.write_text("1")
    second.write_text("2")
    prints = [Program("same", "test", path).fingerprint for path in (first, second)]
    assert prints[0] != prints[1]
    assert all(re.fullmatch(r"same-[0-9a-f]{12}", text) for text in prints)


@needs_tools
@pytest.mark.slow
@pytest.mark.usefixtures("same_tools")
@pytest.mark.parametrize("variant", pairs.VARIANTS, ids=lambda each: each.name)
def test_a_run_of_a_pair_gives_the_shipped_counts(variant: pairs.Variant) -> None:
    build(variant.program)
    truth = pd.read_csv(FOLDER / "pairs" / f"{variant.name}_truth.csv.gz")
    reading = read_events(variant.program, pairs.seeds(3)[7], scale=variant.scale)
    assert dict(zip(EVENTS, reading.phases[0], strict=True)) == truth[list(EVENTS)].iloc[7].to_dict()


def test_further_flags_are_part_of_the_fingerprint() -> None:
    assert len({each.program.fingerprint for each in pairs.VARIANTS}) == 3  # the larger input is read from the same executable
    assert len({each.key("events", 1) for each in pairs.VARIANTS}) == 4
