"""python -m hemcore.report: files without a browser, and one sentence for what cannot be used."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hemcore.report import Report, ReportItem, ReportShelf
from hemcore.report.__main__ import main
from tests.core.report.conftest import much

ROOT = Path(__file__).parents[3]


@pytest.fixture
def file(tmp_path) -> Path:
    """A report that the shelf keeps."""
    (tmp_path / "data").mkdir()
    shelf = ReportShelf(tmp_path / "data")
    report = shelf.save(Report(title="Told", items=(ReportItem(question=much(n_runs=100), picture="ranking"),)))
    return tmp_path / "data" / "reports" / f"{report.id}.json"


def test_page_and_notebook_of_a_report_of_the_shelf(file, tmp_path, capsys):
    page, notebook = tmp_path / "a.html", tmp_path / "a.ipynb"
    assert main([str(file), "-o", str(page), "--notebook", str(notebook), "--data", str(tmp_path / "data")]) == 0
    assert b"Told" in page.read_bytes()
    assert json.loads(notebook.read_bytes())["nbformat"] == 4
    told = capsys.readouterr()
    assert told.out == ""
    assert "1 of 1" in told.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.html", "a.ipynb", "data"]


def test_the_page_lies_beside_the_report_unless_said(file, tmp_path):
    assert main([str(file), "--data", str(tmp_path / "data")]) == 0
    assert file.with_suffix(".html").stat().st_size > 4_000_000


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda file: file.write_bytes(b"{"), "not the JSON of a report"),
        (lambda file: file.write_bytes(file.read_bytes().replace(b"Told", b"Sold")), "SHA-256"),
        (lambda file: file.unlink(), "cannot be read"),
        (lambda file: (file.unlink(), file.mkdir()), "cannot be read"),
    ],
    ids=["no JSON", "altered", "missing", "a folder"],
)
def test_what_cannot_be_used_is_one_sentence_and_exit_code_2(file, tmp_path, capsys, change, words):
    change(file)
    assert main([str(file), "-o", str(tmp_path / "a.html")]) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1
    assert str(file) in told[0]
    assert words in told[0]
    assert not (tmp_path / "a.html").exists()


def test_a_place_that_cannot_be_written_and_a_shelf_that_is_none(file, tmp_path, capsys):
    assert main([str(file), "-o", str(tmp_path / "nowhere" / "a.html")]) == 2
    assert "it cannot be written" in capsys.readouterr().err.splitlines()[-1]
    assert main([str(file), "--data", str(tmp_path / "nowhere")]) == 2
    assert "is not a folder" in capsys.readouterr().err
    assert not (tmp_path / "nowhere").exists()


def test_a_pdf_alone_on_the_paper_that_was_asked_for(file, tmp_path, monkeypatch):
    printed = []
    monkeypatch.setattr("hemcore.report.__main__.missing", lambda: "")
    monkeypatch.setattr("hemcore.report.__main__.render_pdf", lambda page, paper: printed.append((page, paper)) or b"%PDF-1.4")
    made = tmp_path / "a.pdf"
    assert main([str(file), "--pdf", str(made), "--paper", "Letter", "--data", str(tmp_path / "data")]) == 0
    assert made.read_bytes() == b"%PDF-1.4"
    assert not file.with_suffix(".html").exists()
    assert (b"Told" in printed[0][0], printed[0][1]) == (True, "Letter")


def test_without_a_browser_a_pdf_is_refused_before_anything_is_computed(file, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("hemcore.report.pdf.shutil.which", lambda name: None)
    assert main([str(file), "--pdf", str(tmp_path / "a.pdf"), "--data", str(tmp_path / "data")]) == 2
    told = capsys.readouterr().err
    assert "no Chromium is installed" in told
    assert "1 of 1" not in told


@pytest.mark.slow
def test_as_a_program(file, tmp_path):
    command = [sys.executable, "-m", "hemcore.report", str(file), "-o", str(tmp_path / "a.html"), "--data", str(tmp_path / "data")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
    file.write_bytes(b"[]")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
