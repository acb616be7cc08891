"""An unexpected exception is a sentence with a report to copy; it is logged, and other pages keep working."""

import logging

import pytest

from hemcore.datasets.shelf import store as stores
from hemcore.errors import StoreError
from hemcore.web import ask, last_resort
from hemcore.web.data import upload

SAMPLE = "Request server, MUCH collection · sample"
SECRET = "a name and 1234567 counts"


def fails(*args: object, **kwargs: object) -> None:
    raise RuntimeError(SECRET)


@pytest.fixture
def unforeseen(nothing_unforeseen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(last_resort, "tell", nothing_unforeseen)


@pytest.mark.parametrize(("page", "query", "where"), [("data", {}, (upload, "panel")), ("merge", {"dataset": SAMPLE}, (ask, "answer"))])
def test_it_is_a_sentence_with_a_report(workbench, unforeseen, monkeypatch, caplog, page, query, where) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(*where, fails)
        with caplog.at_level(logging.ERROR):
            at = workbench.open(page, query)
    (sentence,) = workbench.sentences(at)
    assert sentence.startswith(last_resort.SENTENCE)
    told = at.code[-1].value
    for part in ("RuntimeError", "test_last_resort.py", "hemcore/web/navigation.py", "Python 3.", "streamlit 1.", "pandas ", "pyarrow "):
        assert part in told
    assert ("Dataset: Subexperiments, " in told) == (page == "merge")
    assert SECRET not in told + sentence
    assert SECRET in caplog.text
    assert not workbench.sentences(workbench.open("report"))
    assert not workbench.sentences(workbench.open(page, query))


def test_a_fault_of_the_store_is_its_own_sentence(workbench, unforeseen, monkeypatch) -> None:
    def full(*args: object) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(stores.DatasetStore, "damaged", full)
    assert workbench.sentences(workbench.open("data")) == ["The disk is full."]


def test_a_report_of_what_cannot_be_asked_says_so(monkeypatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("hemcore.web.shelf.store", fails)
        assert "Dataset: unknown (RuntimeError)" in last_resort.report(ValueError(SECRET), upload.PAGE)
    assert "the page (unknown)" in last_resort.report(ValueError(SECRET), None)
