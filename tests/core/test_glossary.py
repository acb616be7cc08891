"""Names are looked up whatever their case and number, and found in sentences; no definition is missing or runs on."""

import pytest

from hemcore.datasets.shelf.samples import EVENTS
from hemcore.events.t2080 import T2080_EVENTS
from hemcore.glossary import GLOSSARY, define, define_event, explain

ASKED_FOR = (
    "HEM, PMC, subexperiment, anchor HEM, dep_lvl, HRM, MUCH, MPX, OCOE, RA, WA, DTW-cost, threshold, residual error, segment, "
    "change point, granularity, phase, load, signature, CPI, TPI, GFLOPS, MEM_GBS, medoid, ridge point, roofline, covering, "
    "Hausdorff, CoV, rms, run, interval, CYCLES, PCA, loading, rank correlation, k-medoids, Kendall's tau-b"
).split(", ")


@pytest.mark.parametrize("name", [*ASKED_FOR, *EVENTS])
def test_every_name_of_the_field_and_every_event_of_the_samples_is_defined(name: str) -> None:
    assert define(name) == GLOSSARY[name].definition


@pytest.mark.parametrize("word", GLOSSARY.values(), ids=lambda word: word.name)
def test_a_definition_is_one_sentence_that_says_more_than_the_name(word) -> None:
    assert word.definition.endswith(".")
    assert ". " not in word.definition
    assert word.definition[0].isupper()
    assert word.definition.rstrip(".").lower() != word.name.lower()
    assert word.group


def test_names_and_numbers_of_the_t2080_come_from_its_table() -> None:
    assert define("L2_MISSES") == "L2 misses; event 457 of the NXP e6500."
    assert {word.name for word in GLOSSARY.values() if "T2080" in word.group} == set(T2080_EVENTS.values())


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("hem", "HEM"),
        ("HEMs", "HEM"),
        ("Segments", "segment"),
        ("change  points", "change point"),
        ("true boundaries", "true boundary"),
        ("l2_misses", "L2_MISSES"),
        ("hardware event monitors", "HEM"),
    ],
)
def test_case_plural_spaces_and_other_names_are_passed_over(written: str, name: str) -> None:
    assert define(written) == GLOSSARY[name].definition


@pytest.mark.parametrize("written", ["Cycles", "", "s", "frobnicate", "Ir.1"])
def test_what_is_unknown_or_could_be_two_names_has_no_definition(written: str) -> None:
    assert define(written) is None


def test_cycles_are_two_events_that_only_the_case_tells_apart() -> None:
    assert define("CYCLES") == GLOSSARY["CYCLES"].definition != define("cycles") == GLOSSARY["cycles"].definition


def test_an_event_is_defined_as_it_is_written_and_no_word_passes_for_one() -> None:
    assert define_event("Dr") == "Data reads."
    assert define_event("branch-misses") == "Branches that were mispredicted."
    assert define_event("dr") is None
    assert define_event("load") is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Dr shows 10 phases in run 1: 9 change points.", ["Dr", "phase", "run", "change point"]),
        ("14 of 14 HEMs from 7 subexperiments; the HEMs above dep_lvl", ["HEM", "subexperiment", "dep_lvl"]),
        ("The Anchor HEM of HRM", ["anchor HEM", "HRM"]),
        ("Phases, phase", ["phase"]),
        ("How much, from RA in the Mediterranean", ["RA"]),
        ("cycles of instructions, but branch-misses", ["branch-misses"]),
        ("sensor_run and run-time and overload", []),
        ("", []),
    ],
)
def test_names_are_found_in_a_sentence_once_in_their_order(text: str, names: list[str]) -> None:
    assert [name for name, _ in explain(text)] == names
    assert all(definition == GLOSSARY[name].definition for name, definition in explain(text))
