"""Collections that disagree are found, by the subexperiment that is off, and sound ones are left in peace."""

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets import load
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.merge.analysis import COPULA
from hemcore.merge.params import CopulaParams
from hemcore.merge.trust.subexperiment_agreement import agreement


def sample(name: str) -> list[pd.DataFrame]:
    table = load(f"sample-subexperiments-{name}")
    assert isinstance(table, Subexperiments)
    return [frame.copy() for frame in table.frames]


@pytest.mark.parametrize("name", ["much", "hrm"])
def test_sound_collections_agree(name: str) -> None:
    found = agreement(sample(name))
    assert (found.named, found.text, found.either) == ([], "", False)
    assert found.compared == {"much": 14, "hrm": 3}[name]


def test_the_t2080_readings_agree(much_frames: list[pd.DataFrame], hrm_frames: list[pd.DataFrame]) -> None:
    assert agreement(much_frames).named == agreement(hrm_frames).named == []


def test_a_sound_collection_is_named_about_never() -> None:
    random = np.random.default_rng(0)
    for _ in range(40):
        assert not agreement([pd.DataFrame(random.normal(100, 9, (60, 3)), columns=list("ABC")) for _ in range(8)]).named


@pytest.mark.parametrize("name", ["much", "hrm"])
@pytest.mark.parametrize("at", [0, 1, 2])
@pytest.mark.parametrize(("what", "change"), [
    ("another clock", lambda frame: frame.assign(CYCLES=frame["CYCLES"] * 1.25) if "CYCLES" in frame else frame * 1.25),
    ("a shifted unit", lambda frame: frame.assign(**{frame.columns[0]: frame.iloc[:, 0] / 1000})),
    ("another program", lambda frame: frame ** 0.5 * 900),
])  # fmt: skip
def test_the_one_that_is_off_is_named(name: str, at: int, what: str, change) -> None:  # type: ignore[no-untyped-def]
    frames = sample(name)
    frames[at] = change(frames[at])
    found = agreement(frames)
    assert found.named == [f"subexperiment {at + 1}"], what
    assert not found.either
    assert found.text.startswith(
        f"'subexperiment {at + 1}' does not agree with the other subexperiments: in 'subexperiment {at + 1}' the median of "
    )


def test_two_that_are_off_are_both_named() -> None:
    frames = sample("much")
    frames[1], frames[4] = frames[1] * 3, frames[4] / 1000
    assert set(agreement(frames).named) == {"subexperiment 2", "subexperiment 5"}


def test_of_two_alone_nobody_knows_which() -> None:
    level = np.random.default_rng(1).normal(1000, 100, 200)
    found = agreement([pd.DataFrame({"A": level, "B": 1.0}), pd.DataFrame({"A": level[::-1] * 2, "C": 1.0})])
    assert found.either
    assert set(found.named) == {"subexperiment 1", "subexperiment 2"}
    assert "do not agree: in 'subexperiment 1' the median of A is 0.5 times that of the others. No third" in found.text


def test_equal_readings_and_few_runs() -> None:
    ties = [pd.DataFrame({"A": np.repeat([1, 2, 3], 50)}) for _ in range(3)]
    assert not agreement(ties).named
    assert agreement([*ties, pd.DataFrame({"A": np.full(150, 9)})]).named == ["subexperiment 4"]
    few = [pd.DataFrame({"A": np.arange(5.0)}), pd.DataFrame({"A": np.arange(5.0) + 100})]
    assert not agreement(few).named  # five runs prove nothing
    assert agreement([pd.DataFrame({"A": [1.0]}), pd.DataFrame({"B": [1.0]})]).compared == 0


def test_the_verdict_says_it_first_and_trusts_the_merge_no_more() -> None:
    frames = sample("hrm")
    frames[2] = frames[2] * 1.5
    report = COPULA.of(Subexperiments(frames=tuple(frames), n_pmcs=6), CopulaParams(swaps=1000, n_runs=100))
    assert COPULA.verdict is not None
    said = COPULA.verdict(report)
    assert said.level == "poor"
    assert said.trust.startswith("'subexperiment 3' disagrees with the other subexperiments")
