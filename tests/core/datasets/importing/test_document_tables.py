"""Several tables in one document, each under its title: none of them is lost."""

import pytest

from hemcore.datasets import Subexperiments
from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.importing.other_forms.document_tables import tables_of_document
from hemcore.datasets.readers.uploaded_files import UploadedFile

ROWS = [(run, 100 + run * 7 % 5, 50 + run * 3 % 4) for run in range(1, 7)]
LATEX = (
    "\\begin{table}\\caption{%s}\\begin{tabular}{rrr}Run & %s & %s \\\\ \\hline\n%s\\end{tabular}\\end{table}\n",
    " & ",
    " \\\\",
)
HTML = ("<h2>%s</h2><table><tr><th>run</th><th>%s</th><th>%s</th></tr>%s</table>\n", "<td>", "")
MARKDOWN = ("## %s\n\n| run | %s | %s |\n|--|--|--|\n%s\n", " | ", " |")
PLAIN = ("%s\n  run     %s   %s\n-----  -------  ------\n%s\n", "     ", "")


def written(form: tuple[str, str, str], title: str, names: tuple[str, str]) -> str:
    outer, between, end = form
    before = {HTML: "<tr><td>", MARKDOWN: "| ", PLAIN: "    "}.get(form, "")
    return outer % (title, *names, "".join(before + between.join(map(str, row)) + end + "\n" for row in ROWS))


@pytest.mark.parametrize(("name", "form"), [("g.tex", LATEX), ("g.html", HTML), ("g.md", MARKDOWN), ("g.txt", PLAIN)])
def test_each_table_of_a_document_is_a_subexperiment(name: str, form: tuple[str, str, str]) -> None:
    text = written(form, "Group 1", ("cycles", "loads")) + written(form, "Group 2", ("cycles", "stores"))
    seen = inspect([UploadedFile(name, text.encode())])
    assert seen.result is not None, seen.fault
    table = seen.result.table
    assert isinstance(table, Subexperiments)
    assert [list(frame.columns) for frame in table.frames] == [["cycles", "loads"], ["cycles", "stores"]]
    assert table.frames[1]["stores"].tolist() == [row[2] for row in ROWS]
    assert not tables_of_document(UploadedFile(name, written(form, "Group 1", ("cycles", "loads")).encode()))


def test_a_name_of_two_words_does_not_move_the_columns() -> None:
    block = "   cycles  L2 misses\n0     105         53\n1     107         51\n"
    first, second = tables_of_document(UploadedFile("p.txt", f">>> show()\nfft\n{block}sha\n{block}".encode()))
    assert (first.name, second.name) == ("p fft.csv", "p sha.csv")
    assert first.content.splitlines() == [b"\tcycles\tL2 misses", b"0\t105\t53", b"1\t107\t51"]


def test_what_is_more_than_titles_and_tables_is_not_taken_apart() -> None:
    block = "run cycles loads\n1 5 7\n2 6 8\n"
    for text in (
        f"fft\n{block}sha\nrun cycles loads\n1 5 7\n",
        f"fft\n{block}and then it was run again, for the other program\n{block}",
        block,
    ):
        assert tables_of_document(UploadedFile("p.txt", text.encode())) == ()


def test_what_a_section_of_latex_is_called_names_its_table() -> None:
    rows = "".join(f"{run} & {100 + run * 7 % 5} & {50 + run * 3 % 4}\\\\\n" for run in range(1, 7))
    table = f"\\begin{{tabular}}{{rrr}}\nRun & cycles & loads\\\\\n\\endlastfoot\n{rows}\\end{{tabular}}\n"
    seen = inspect([UploadedFile("g.tex", f"\\subsection{{fft}}\n{table}\\paragraph{{sha}}\\label{{s}}\n{table}".encode())])
    assert [part.name for part in seen.parts] == ["g fft.tex", "g sha.tex"]
    assert [doubt.key for doubt in seen.doubts] == ["files of programs"]
