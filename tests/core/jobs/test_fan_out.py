"""Work in parts, on our own workers: split, watched, put together, stopped, and what becomes of it when a part goes wrong."""

import os
from pathlib import Path

import pandas as pd
import pytest
from hemcore.trial.analysis import REMEDY

from hemcore import jobs
from hemcore.analysis import Question
from hemcore.datasets.shelf import samples
from hemcore.jobs.pieces import labels_of
from hemcore.segmentation.analysis import PROFILE
from tests.core.jobs.asked import trial
from tests.core.jobs.patience import PATIENCE, running, until

pytestmark = pytest.mark.slow


def test_parts_run_on_every_worker_and_come_together_in_order() -> None:
    job = jobs.submit(trial("busy_parts", factor=2, parts=8))
    found = job.result(PATIENCE)
    assert found.frame["part"].tolist() == list(range(8))
    assert found.frame["total"].tolist() == [3_000_000] * 8
    pids = set(found.frame["pid"])
    assert len(pids) == 2
    assert os.getpid() not in pids
    assert found.gathered_by in pids
    assert found.params.parts == 8
    assert (job.progress, job.places, job.note) == (1, (), "")


@pytest.mark.parametrize("parts", [0, 1])
def test_few_parts_are_parts_too(parts: int) -> None:
    assert len(jobs.submit(trial("piece_parts", parts=parts)).result(PATIENCE).frame) == parts


def test_a_profile_is_the_one_computed_here() -> None:
    question = Question(analysis=PROFILE, dataset="sample-series-ocoe", params=PROFILE.params())
    here = question.answer(samples.load("series-ocoe"))
    pd.testing.assert_frame_equal(jobs.submit(question).result(PATIENCE), here)


def test_progress_is_that_of_all_parts(tmp_path: Path) -> None:
    stop = tmp_path / "stop"
    job = jobs.submit(trial("piece_parts", stop=str(stop), parts=4))
    # Two of four run, and each is half done.
    until(lambda: running(job) and job.progress == 0.25)
    assert job.note.startswith("0 of 4 done, part ")
    assert job.note.endswith("): halfway")
    assert len(job.places) == 2
    started = job.started
    stop.touch()
    assert len(job.result(PATIENCE).frame) == 4
    assert job.started == started, "it began with its first part"


def test_work_asked_later_waits_for_one_part_at_most() -> None:
    long = jobs.submit(trial("busy_parts", factor=30, parts=40))
    until(lambda: running(long))
    assert jobs.submit(trial("hems")).result(PATIENCE).factor == 1
    assert not long.finished


@pytest.mark.parametrize(("bad", "other"), [(-1, ""), (1, "sleeps")], ids=["that report", "one of which does not report"])
def test_cancel_stops_every_part(bad: int, other: str, tmp_path: Path) -> None:
    job = jobs.submit(trial("piece_parts", stop=str(tmp_path / "stop"), parts=20, bad=bad, other=other))
    until(lambda: running(job) and len(job.places) == 2)
    job.cancel()
    assert job.wait(PATIENCE)
    assert (job.state, job.places) == ("cancelled", ())
    # Both workers are free again, and nothing of it is left in their way.
    both = [jobs.submit(trial("meeting", stop=str(tmp_path / a), other=str(tmp_path / b))) for a, b in ("ab", "ba")]
    assert [each.result(PATIENCE) for each in both] == [str(tmp_path / "a"), str(tmp_path / "b")]


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ("refuses", "Part 3 of 20 (part 2): n_runs: 3 must be at least 4. Give more runs."),
        (
            "divides",
            "Part 3 of 20 (part 2): trial.piece_waits stopped with ZeroDivisionError. This is a bug in the program: please report it.",
        ),
        (
            "dies",
            "trial piece_waits in parts, part 3 of 20 (part 2): the worker died before it finished. The usual cause is lack of memory",
        ),
    ],
)
def test_a_part_that_fails_says_which_and_ends_the_others(other: str, sentence: str, tmp_path: Path) -> None:
    # Part 0 sits on one worker until all is stopped; the others go through the other worker up to the bad one.
    job = jobs.submit(trial("piece_waits_parts", stop=str(tmp_path / "stop"), parts=20, bad=2, other=other))
    assert job.wait(PATIENCE)
    assert job.state == "failed"
    assert str(job.error).startswith(sentence)
    assert job.remedies == ((REMEDY,) if other == "refuses" else ())
    both = [jobs.submit(trial("meeting", stop=str(tmp_path / a), other=str(tmp_path / b))) for a, b in ("ab", "ba")]
    assert [each.result(PATIENCE) for each in both] == [str(tmp_path / "a"), str(tmp_path / "b")]
    assert jobs.submit(job.question) is not job


def test_what_the_gathering_refuses_is_its_own_sentence() -> None:
    job = jobs.submit(trial("piece_parts", other="gathers in vain", parts=3))
    assert job.wait(PATIENCE)
    assert (job.state, job.error) == ("failed", "parts: they do not fit together. Take others.")


def test_a_dataset_that_is_gone_has_no_parts() -> None:
    job = jobs.submit(trial("piece_parts", "0" * 64))
    assert job.wait(PATIENCE)
    assert job.state == "failed"
    assert str(job.error).startswith("dataset '0000")


def test_a_part_is_labelled_by_what_differs_but_not_by_a_long_list() -> None:
    parts = [trial("hems", factor=factor).to_dict() for factor in (3, 4)]
    first, second = labels_of(parts)
    assert (first.startswith("part 1 of 2 ("), second.endswith(" 4)")) == (True, True)
    (name,) = [name for name, value in parts[0]["params"].items() if value != parts[1]["params"][name]]
    parts[0]["params"][name] = "x" * 61
    assert labels_of(parts)[0] == "part 1 of 2"
