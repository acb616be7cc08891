"""The PDF: printed by the Chromium that is here, fetching nothing; one sentence where there is none or it fails."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hemcore.errors import HemError
from hemcore.report import Report, ReportItem, render_html, render_pdf
from hemcore.report import pdf as printing
from tests.core.report.conftest import hrm, table_of

PAGE = b"<!DOCTYPE html><html><head><title>x</title></head><body>y</body></html>"


def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> Path:
    """A browser that is a shell script, and what it was given."""
    program = tmp_path / "bin" / "chromium"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr("hemcore.report.pdf.shutil.which", lambda name: str(program) if name == "chromium" else None)
    return program


# Copies the page where the test sees it, and "prints" it.
PRINTS = """
for each; do
  case "$each" in
    --print-to-pdf=*) out="${each#*=}" ;;
    file://*) in="${each#file://}" ;;
    --user-data-dir=*) profile="${each#*=}" ;;
  esac
done
cp "$in" "$(dirname "$0")/seen.html"; echo "$profile" > "$(dirname "$0")/profile"; echo "$@" > "$(dirname "$0")/options"
printf '%%PDF-1.4 made' > "$out"
"""


def test_the_page_is_printed_on_its_paper_from_a_folder_that_goes(tmp_path, monkeypatch):
    program = stand_in(tmp_path, monkeypatch, PRINTS)
    assert render_pdf(PAGE, "Letter") == b"%PDF-1.4 made"
    seen = (program.parent / "seen.html").read_bytes()
    assert seen.count(b"@page { size: Letter; }") == 1
    assert seen.count(b'<html data-paper="Letter">') == 1
    assert seen.index(b"@page") < seen.index(b"</head>")
    assert not Path((program.parent / "profile").read_text().strip()).parent.exists()
    options = (program.parent / "options").read_text()
    assert "--headless" in options
    assert "--host-resolver-rules=MAP * ~NOTFOUND" in options
    assert ("--no-sandbox" in options) == (printing.os.geteuid() == 0)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("exit 7", "failed with exit code 7"),
        ("exit 0", "wrote no PDF"),
        (PRINTS.replace("%%PDF-1.4", "no"), "wrote no PDF"),
        ("exec sleep 60", "longer than 0.5 s"),
    ],
    ids=["fails", "nothing", "not a PDF", "hangs"],
)
def test_what_goes_wrong_is_one_sentence(tmp_path, monkeypatch, script, words):
    stand_in(tmp_path, monkeypatch, script)
    limit = 0.5 if "sleep" in script else 60.0
    with pytest.raises(HemError, match=re.escape(words)) as raised:
        render_pdf(PAGE, time_limit_s=limit)
    assert "\n" not in str(raised.value)


def test_no_browser_and_an_unknown_paper(tmp_path, monkeypatch):
    program = stand_in(tmp_path, monkeypatch, PRINTS)
    assert printing.missing() == ""
    with pytest.raises(HemError, match="A4, Letter"):
        render_pdf(PAGE, "A3; } body { color: red")
    program.write_bytes(b"\x00")
    with pytest.raises(HemError, match="cannot be started"):
        render_pdf(PAGE)
    monkeypatch.setattr("hemcore.report.pdf.shutil.which", lambda name: None)
    assert "Install chromium" in printing.missing()
    with pytest.raises(HemError, match="no Chromium is installed"):
        render_pdf(PAGE)


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize(("paper", "box"), [("A4", (595, 842)), ("Letter", (612, 792))])
def test_a_page_of_contents_a_page_per_item_and_what_was_done(paper, box):
    if printing.browser() is None:
        pytest.skip("chromium is not installed: apt-get install chromium")
    pictures = ("correlation", "pairs", "table")
    items = tuple(ReportItem(question=hrm(), picture=each, note="Look. " * 40) for each in pictures)
    content = render_pdf(render_html(Report(title="Printed", items=items), table_of=table_of()), paper)
    assert content.count(b"/Type /Page\n") == 1 + len(items) + 1
    boxes = {tuple(round(float(each)) for each in found.split()) for found in re.findall(rb"/MediaBox \[([^\]]*)\]", content)}
    assert boxes == {(0, 0, *box)}


@pytest.mark.browser
@pytest.mark.slow
def test_the_words_of_the_pdf_are_words(tmp_path):
    if printing.browser() is None or shutil.which("pdftotext") is None:
        pytest.skip("chromium or pdftotext is not installed: apt-get install chromium poppler-utils")
    file = tmp_path / "a.pdf"
    report = Report(title="Printed", author="<b>me</b>", items=(ReportItem(question=hrm(), picture="correlation"),))
    file.write_bytes(render_pdf(render_html(report, table_of=table_of())))
    text = subprocess.run(["pdftotext", "-layout", str(file), "-"], capture_output=True, text=True, check=True).stdout
    for words in ("Printed", "<b>me</b>", "How are the merged HEMs correlated?", "Appendix: what was done", "anchor"):
        assert words in text
