"""Answers that the pages compute and let one download: recognised by their mark or their columns, so that none is read as readings.

Each has a last column that names its analysis. Merged tables, metrics by phase or interval and signatures with their classes are tables
to go on with: they are read as what they are (answer_tables, eacct).
"""

import re

import pandas as pd

from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.uploaded_files import UploadedFile

COMPUTED_BY = "computed_by"
MERGED = ("merge.hrm", "merge.much", "merge.copula")
PLAN, BY_PHASE, OVER_TIME = "planning.plan", "metrics.by_phase", "metrics.over_time"
CLASSES = ("signatures.classify", "signatures.side_by_side", "signatures.kmedoids")
_WORKBENCH = "HEM Workbench: "
_NAME = re.compile(rf'[,;\t"]{_WORKBENCH}([a-z_]+\.[a-z_]+)"?[ \t]*\r?$', re.MULTILINE)
_MARKED = re.compile(rf'[,;\t]"?{COMPUTED_BY}"?[ \t]*\r?$', re.MULTILINE)
# The rooms of analyses whose pages are called otherwise, and those on whose pages there is Keep.
_PAGES = {"mpx": "Multiplexing", "planning": "Plan"}
# What the grid of a page calls the table that it exports, as any Streamlit app does.
_EXPORTED = re.compile(r"(?:^|/)\d{4}-\d\d-\d\dT\d\d-\d\d_export(?: ?\(\d+\))?\.csv$")
_HEAD_BYTES, _MARK_BYTES = 8_192, 1 << 16
# Answers that were downloaded before they were marked.
# The first columns of each answer, without quotation marks; they end a name.
_COLUMNS = (
    "metric,value,low,high,unit,scale", "begin,end,mean,deviation,intervals", "JOBID,STEPID,APPID,NODENAME,row",
    "run,interval,event,counted,estimate",
    "application,event,run,segment,start,stop,unit", "application,run,segment,start,stop,n_samples",
    "hem,measure,change,low,high", "hem_a,hem_b,before,after,change", "identity,found_in,checked_in,holds",
    "what,subexperiments,runs,seconds,auc",
    "counter,r,rows", "first,second,r,rows", "granularity,load,counter,r,rows", "row,PC1", "phase,weight,stands_for,share",
    "n,error,half_width,covered", "program,granularity,load,phase,measured", "granularity,load,model,programs,mape_mean",
    "model,shuffled,by_program", "model,mape,settings", "program,group,share,low,high,target",
    "run,mhz,volts,duration_s,watts,joules",
    "seed,loss,silhouette,rand_index", "application,policy,def_freq_khz,runs,nodes",
    "hem,place,set,change,low,high", "program,phase,hem,change,low,high", "application,users,jobs_before,jobs_after",
    "row,node,time_s,seconds,CPI,TPI",
)  # fmt: skip
_PLAN = "subexperiment,HEM 1,"
_SCRIPT = re.compile(r"\A#!/bin/sh\n# Measures [\d,]+ subexperiments? with ")
_SEGMENTS = re.compile(r'\A\s*\{\s*"application":[^\n]*\s+"event":[^\n]*\s+"unit":[^\n]*\s+"parameters":\s*\{')
_EAR_FILE = re.compile(r"(?:^|/)(?:roofline|medoids|extremes)\.[^/]+\.data$")
# Arrays of NumPy that saved models of Prediction and of Multiplexing hold, and no other file.
_OF_MODEL, _ARRAY = ("header.npy", "about.npy"), b"\x93NUMPY"
_KEEPS = ("compare", "merge", "metrics", "mpx", "segmentation", "signatures")
_ANSWER = (
    "is an answer that HEM Workbench computed, not readings. Send the readings; Keep, on the page of the answer, makes a dataset of it"
    " where it can be analysed further"
)


def marked(table: pd.DataFrame, analysis: str) -> pd.DataFrame:
    """The table of an answer with a last column that names the `analysis` ("merge.much") that computed it."""
    return table.assign(**{COMPUTED_BY: f"{_WORKBENCH}{analysis}"})


def answer_of(file: UploadedFile) -> str | None:
    """The name of the analysis whose answer the file is, by its mark; "" for an answer without rows and for a table exported from a
    page, None for any other file."""
    if _EXPORTED.search(file.name):
        return ""
    head = decoding.head_text(file.content, _MARK_BYTES)
    if (columns := _MARKED.search(head)) is None:
        return None
    if (name := _NAME.search(head, columns.end())) is not None:
        return name[1]
    return None if head[columns.end() :].strip() else ""


def why_own_answer(file: UploadedFile, *, alone: bool = True) -> str | None:
    """Why an answer that was downloaded is not read, with its first line and the remedy; None for any other file.

    alone: whether no other file was sent with it: a plan, or EAR's constants, may lie beside readings.
    """
    if alone and _EAR_FILE.search(file.name):
        return f"{file.name}: holds constants of EAR's strategies, not readings. Load it on the Signatures page, under EAR files."
    if file.name.rpartition("/")[2] in _OF_MODEL and file.content.startswith(_ARRAY):
        return "The file is a saved model, no readings. A saved model is used where it was saved: on the Prediction or Multiplexing page."
    answer = answer_of(file)
    if answer is not None and answer != PLAN:
        return _why_answer(file.name, answer)
    head = decoding.head_text(file.content, _HEAD_BYTES)
    if _SEGMENTS.match(head):
        return _why_answer(file.name, "segmentation.segments")
    line = head.lstrip().partition("\n")[0].rstrip()
    columns = line.replace('"', "") + ","
    if alone and (answer == PLAN or columns.startswith(_PLAN) or _SCRIPT.match(head)):
        what = "is a plan of what to read together, not readings. Run its script (Plan, Script) and send the .zip that it writes"
    elif any(columns.startswith(f"{each},") for each in _COLUMNS):
        what = _ANSWER
    else:
        return None
    return f"{file.name}: line 1, {line.strip()[:60]!r}, {what}."


def _why_answer(name: str, answer: str) -> str:
    """answer: the name of its analysis, "" where it has no rows."""
    if _EXPORTED.search(name):
        return (
            f"{name}: called as a table exported from a page: an answer or a part of the data, rounded, not readings. Download the dataset"
            " (Data) or the answer; or give the file another name if it holds readings."
        )
    room = answer.partition(".")[0]
    page = _PAGES.get(room, room.capitalize()) or "its page"
    keep = "; Keep, there, makes a dataset of what can be analysed further" if room in _KEEPS else ""
    which = f" ({answer})" if answer else ""
    return f"{name}: an answer that HEM Workbench computed{which}, not readings. Send the readings and open {page}{keep}."
