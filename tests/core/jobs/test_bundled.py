"""Answers that come with the samples: found without a worker, of this version's questions, and what computing gives."""

import json
import re
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from hemcore import jobs
from hemcore.analysis import Question
from hemcore.datasets import load
from hemcore.jobs import bundled, known_jobs
from hemcore.planning import PlanParams
from hemcore.planning.analysis import CUTS, PLAN

PATHS = sorted(bundled.FOLDER.glob("*.zip"))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem[:8])
def test_a_bundled_answer_is_that_of_its_question(path: Path) -> None:
    job = bundled.job_of(path.stem)
    assert job is not None, "an older version wrote it: run scripts/bundle-answers"
    assert job.question is not None
    assert job.question.id == path.stem, "its parameters have changed: run scripts/bundle-answers"
    assert job.state == "done"
    assert job.question.analysis.verdict is None or job.question.analysis.verdict(job.result()).answer


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem[:8])
def test_it_is_what_computing_gives(path: Path) -> None:
    job = bundled.job_of(path.stem)
    assert job is not None
    assert job.question is not None
    analysis, found = job.question.analysis, job.result()
    computed = job.question.answer(load(job.question.dataset))
    if analysis.verdict is not None:
        assert analysis.verdict(found).full_text == analysis.verdict(computed).full_text
    if analysis.cards is not None:
        assert [each.shown for each in analysis.cards(found)] == [each.shown for each in analysis.cards(computed)]
    given = analysis.table_of(found)
    if isinstance(given, pd.DataFrame):
        untimed = [name for name in given.columns if name != "seconds"]
        pd.testing.assert_frame_equal(given[untimed], analysis.table_of(computed)[untimed], rtol=1e-6)


def test_a_question_whose_answer_is_bundled_needs_no_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    question = Question(analysis=PLAN, dataset="sample-hems-t2080", params=PlanParams(seed=7))
    assert jobs.find(question) is None
    bundled.write(question, question.answer(load(question.dataset)), tmp_path)
    monkeypatch.setattr(bundled, "FOLDER", tmp_path)
    job = jobs.find(question)
    assert job is not None
    assert (job.state, job.progress, job.started) == ("done", 1.0, None)
    assert len(job.result().plan.subexperiments) == 10
    assert jobs.submit(question) is job
    # Forgotten, it is read again; its file stays.
    known_jobs._jobs.clear()
    job.drop()
    again = jobs.find(question)
    assert again is not None
    assert again is not job
    assert again.result().plan.subexperiments == job.result().plan.subexperiments


@pytest.mark.parametrize("id", ["../answers", "x" * 5_000, "a\0b", "", "<b>"])
def test_what_a_link_names_is_no_path(id: str) -> None:
    assert jobs.find(id) is None


@pytest.mark.parametrize("content", [b"", b"PK\x05\x06" + bytes(18)])
def test_one_that_cannot_be_read_is_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(bundled, "FOLDER", tmp_path)
    question = Question(analysis=CUTS, dataset="sample-hems-t2080", params=PlanParams())
    (tmp_path / f"{question.id}.zip").write_bytes(content)
    assert jobs.find(question) is None
    with zipfile.ZipFile(tmp_path / f"{question.id}.zip", "w") as file:
        file.writestr("question.json", json.dumps(question.to_dict()))
    assert jobs.find(question) is None


_PERCENT = re.compile(r"(\d[\d,]*(?:\.\d+)?)%")
_CHOSEN = {"2", "5", "80", "90"}  # what intervals promise and limits ask for


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem[:8])
def test_a_share_is_written_alike_in_the_verdict_and_on_its_card(path: Path) -> None:
    job = bundled.job_of(path.stem)
    assert job is not None
    analysis, found = job.question.analysis, job.result()
    if analysis.verdict is None or analysis.cards is None:
        return
    shares = {card.shown.strip("+−%"): 100 * abs(card.value) for card in analysis.cards(found) if card.form.endswith("%") and card.value}
    for text in set(_PERCENT.findall(analysis.verdict(found).full_text)) - _CHOSEN:
        half = 0.5 * 10 ** -len(text.partition(".")[2])
        near = {shown for shown, value in shares.items() if abs(float(text.replace(",", "")) - value) <= half}
        assert not near or text in near, f"{text}% in the verdict, {near} on cards"
