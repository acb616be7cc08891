"""Every answer that a page lets one download is refused with a sentence, or comes back as the dataset that it is: never as readings.

The downloads are those of the registry: each page's analysis, or the one whose table it gives, and those of its pictures.
"""

import functools

import numpy as np
import pandas as pd
import pytest

from hemcore.analysis import AnyAnalysis
from hemcore.datasets.importing.inspection import Preview, inspect
from hemcore.datasets.readers.answers.own_answers import BY_PHASE, CLASSES, COMPUTED_BY, MERGED, OVER_TIME, marked
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.registry import _all_rooms, analyses_of, analysis_named, rooms
from hemcore.report import Report, render_notebook
from hemcore.web.actions.downloads import csv_bytes, parquet_bytes

COMES_BACK = dict.fromkeys((*MERGED, BY_PHASE), PhaseTable) | {OVER_TIME: CounterSeries} | dict.fromkeys(CLASSES, SignatureTable)
JOBS = pd.DataFrame({"JOBID": [7, 8], "CPI": [0.3, 2.0], "TPI": [0.5, 60.0], "MEM_GBS": [5.0, 180.0], "GFLOPS": [900.0, 9.0]})
PHASES = PhaseTable(
    frame=pd.DataFrame({"program": ["p", "p", "q"], "granularity": 1000, "load": "idle", "phase": [0, 1, 0]}).assign(
        cycles=[200, 300, 400], instructions=[100, 300, 800], **{"branch-misses": [0, 0, 0], "branches": [0, 0, 0]}
    ),
    counters=("cycles", "instructions", "branch-misses", "branches"),
)


@functools.cache
def downloads() -> dict[str, AnyAnalysis]:
    """By name, the analyses whose tables pages let one download."""
    found = {}
    for room in rooms():
        for gallery in _all_rooms()[room].galleries():
            taken = [gallery.analysis.table_from or gallery.analysis]
            taken += [picture.needs for picture in gallery.pictures if picture.needs is not None and picture.needs.gives]
            found |= {each.name: each for each in taken}
    return found


def seen(content: bytes, name: str = "x.csv") -> Preview:
    return inspect([UploadedFile(name, content)])


def names() -> list[str]:
    return sorted(name for room in rooms() if room != "trial" for name in analyses_of(room))


@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize("name", names())
def test_whatever_an_answer_holds_it_is_not_read_as_readings(name: str, form: str) -> None:
    """Its columns are those of plain readings, which only the mark tells from them."""
    columns = {"application": ["a"] * 4, "run": [1, 1, 1, 2], "interval": [0, 1, 2, 0]} if name == OVER_TIME else {}
    columns |= {"program": ["a"] * 4, "granularity": [9] * 4, "load": ["l"] * 4, "phase": [0, 1, 2, 3]} if name == BY_PHASE else {}
    columns |= {"JOBID": [1, 2, 3, 4], "CPI": [1.5] * 4, "TPI": [2.0] * 4, "MEM_GBS": [3.0] * 4, "GFLOPS": [4.0] * 4, "class": list("abab")}
    columns = {key: values for key, values in columns.items() if not (name in (*MERGED, BY_PHASE, OVER_TIME) and values == list("abab"))}
    table = marked(pd.DataFrame(columns), name)
    found = seen(csv_bytes(table) if form == "csv" else parquet_bytes(table), f"x.{form}")
    if name in COMES_BACK:
        assert found.result is not None
        assert type(found.result.table) is COMES_BACK[name]
        assert "HEM Workbench" in " ".join(found.repairs)
        assert COMPUTED_BY not in str(found.beginning)
    else:
        assert found.result is None
        what = "is a plan of what to read together" if name == "planning.plan" else f"an answer that HEM Workbench computed ({name})"
        assert f"{what}, not readings. " in found.fault


def test_what_comes_back_is_downloaded() -> None:
    assert set(COMES_BACK) <= set(downloads())


def test_merged_runs_come_back_as_keep_makes_them() -> None:
    table = samples.load("subexperiments-hrm")
    hrm = analysis_named("merge.hrm")
    report = hrm.of(table)
    found = seen(csv_bytes(marked(hrm.table_of(report), hrm.name)))
    kept = hrm.keeps[0].make(report, table)
    assert found.result is not None
    assert found.result.table.counters == kept.counters
    pd.testing.assert_frame_equal(found.result.table.frame, kept.frame, check_dtype=False)
    assert found.doubts == ()


def test_metrics_by_phase_come_back_without_those_that_have_no_value() -> None:
    by_phase = analysis_named(BY_PHASE)
    rows = pd.DataFrame(PHASES.frame[["program", "granularity", "load", "phase"]]).assign(IPC=[0.5, 1, 2], none=np.nan, Delta=[1, -1, 0])
    found = seen(csv_bytes(marked(rows, by_phase.name)))
    assert found.result is not None
    assert found.result.table.counters == ("IPC",)
    assert found.result.table.frame["IPC"].tolist() == [0.5, 1, 2]
    assert found.result.table.frame["granularity"].tolist() == [1000] * 3
    assert [line.partition(": ")[2] for line in found.repairs] == [
        "none: a metric without a value, left out (1)",
        "Delta: a metric that is negative somewhere, left out (1)",
        "computed by HEM Workbench (metrics.by_phase), not read from counters.",
    ]
    none = seen(csv_bytes(marked(rows[["program", "granularity", "load", "phase", "Delta"]], by_phase.name)))
    assert none.fault == "x.csv: no metric has a value that is never negative, so none can be analysed further. Send the readings."


def test_metrics_over_time_come_back_in_their_intervals() -> None:
    rows = pd.DataFrame({"application": ["a", "a", "=b"], "run": [1, 1, 2], "interval": [0, 2, 0], "IPC": [0.5, np.nan, 2]})
    found = seen(csv_bytes(marked(rows, OVER_TIME)))
    assert found.result is not None
    assert found.result.table.intervals.to_dict("list") == {"application": ["a", "a", "=b"], "run": [1, 1, 2], "interval": [0, 2, 0]}
    assert found.result.table.counts["IPC"].fillna(-1).tolist() == [0.5, -1, 2]
    odd = seen(csv_bytes(marked(rows, OVER_TIME)).replace(b"0.5", b"half"))
    assert odd.fault == "x.csv: row 1, column 'IPC': 'half' is not a number. Send the file as it was downloaded."


def test_signatures_come_back_with_their_classes_as_keep_names_them() -> None:
    table = SignatureTable(frame=JOBS)
    classify = analysis_named("signatures.classify")
    classes = classify.table_of(classify.of(table))
    found = seen(csv_bytes(marked(classes, classify.name)))
    assert found.result is not None
    frame = found.result.table.frame
    assert frame[list(JOBS)].to_dict("list") == JOBS.to_dict("list")
    assert frame["CLASS"].tolist() == frame["CLASS_DEFAULT"].tolist() == classes["class"].tolist()
    assert len(set(frame["CLASS"])) == 2
    assert not {"row", "agree", "class", "default", "why default", COMPUTED_BY} & set(frame)


def test_a_mark_is_a_last_column_with_a_name_in_it() -> None:
    plain = "cycles,misses\n" + "".join(f"{9 + row},{row * 7 % 5}\n" for row in range(9))
    assert seen(plain.encode()).result is not None
    other = plain.replace("misses\n", f"misses,{COMPUTED_BY}\n").replace("0\n", "0,me\n")
    assert "that HEM Workbench computed" not in seen(other.encode()).fault
    empty = seen(f"cycles,{COMPUTED_BY}\n".encode())
    assert empty.fault == "x.csv: an answer that HEM Workbench computed, not readings. Send the readings and open its page."


def test_semicolons_of_a_spreadsheet_keep_the_mark() -> None:
    rows = "".join(f"{row},5;{row % 3};HEM Workbench: merge.much\r\n" for row in (1, 3, 5))
    text = f"cycles;misses;{COMPUTED_BY}\r\n{rows}"
    found = seen(text.encode())
    assert found.result is not None
    assert found.result.table.frame["cycles"].tolist() == [1.5, 3.5, 5.5]


@pytest.mark.parametrize("name", ["2026-11-27T11-02_export.csv", "2026-11-27T11-02_export (1).csv"])
@pytest.mark.parametrize("text", ["cycles,misses\n9,4\n8,3\n7,5\n", "JOBID,CPI,TPI,MEM_GBS,GFLOPS\n1,0.5,2,3,4\n2,0.6,2,3,4\n"])
def test_a_table_exported_from_a_page_is_read_only_where_that_is_asked_for(name: str, text: str) -> None:
    found = seen(text.encode(), name)
    assert found.result is None
    assert "called as a table exported from a page" in found.fault
    assert [answer for doubt in found.doubts for answer, _ in doubt.answers]
    assert seen(text.encode(), "export.csv").result is not None


def test_a_marked_answer_is_not_offered_as_readings() -> None:
    rows = "".join(f"61,{row},Dr,{row * 7 % 5},9\n" for row in range(9))
    plain = f"run,interval,name,read,guessed\n{rows}"
    found = seen(plain.replace("guessed\n", f"guessed,{COMPUTED_BY}\n").replace(",9\n", ",9,HEM Workbench: mpx.estimate\n").encode())
    assert "computed (mpx.estimate)" in found.fault
    assert found.doubts == ()
    assert seen(plain.encode()).result is not None


def test_a_picture_is_told() -> None:
    assert "is a picture (SVG)" in seen(b'<svg class="main-svg" width="9"><text>1 2 3</text></svg>', "x.svg").fault


def test_a_report_and_its_notebook_are_no_readings() -> None:
    report = Report(title="r")
    for name, content in (("r.json", report.to_json()), ("r.ipynb", render_notebook(report))):
        assert seen(content if isinstance(content, bytes) else content.encode(), name).result is None
