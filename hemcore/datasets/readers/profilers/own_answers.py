"""Answers that the pages compute and let one download: recognised by their columns, so that no answer is read as readings.

A merged table, metrics by phase or interval and signatures with their classes are tables to go on with: they are read.
"""

import re

from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.uploaded_files import UploadedFile

_HEAD_BYTES = 8_192
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
)  # fmt: skip
_PLAN = "subexperiment,HEM 1,"
_SCRIPT = re.compile(r"\A#!/bin/sh\n# Measures [\d,]+ subexperiments? with ")
_SEGMENTS = re.compile(r'\A\s*\{\s*"application":[^\n]*\s+"event":[^\n]*\s+"unit":[^\n]*\s+"parameters":\s*\{')
_EAR_FILE = re.compile(r"(?:^|/)(?:roofline|medoids|extremes)\.[^/]+\.data$")
# Arrays of NumPy that saved models of Prediction and of Multiplexing hold, and no other file.
_OF_MODEL, _ARRAY = ("header.npy", "about.npy"), b"\x93NUMPY"
_ANSWER = (
    "is an answer that HEM Workbench computed, not readings. Send the readings; Keep, on the page of the answer, makes a dataset of it"
    " where it can be analysed further"
)


def why_own_answer(file: UploadedFile, *, alone: bool = True) -> str | None:
    """Why an answer that was downloaded is not read, with its first line and the remedy; None for any other file.

    alone: whether no other file was sent with it: a plan, or EAR's constants, may lie beside readings.
    """
    if alone and _EAR_FILE.search(file.name):
        return f"{file.name}: holds constants of EAR's strategies, not readings. Load it on the Signatures page, under EAR files."
    if file.name.rpartition("/")[2] in _OF_MODEL and file.content.startswith(_ARRAY):
        return "The file is a saved model, no readings. A saved model is used where it was saved: on the Prediction or Multiplexing page."
    head = decoding.head_text(file.content, _HEAD_BYTES)
    line = head.lstrip().partition("\n")[0].rstrip()
    columns = line.replace('"', "") + ","
    if alone and (columns.startswith(_PLAN) or _SCRIPT.match(head)):
        what = "is a plan of what to read together, not readings. Run its script (Plan, Script) and send the .zip that it writes"
    elif any(columns.startswith(f"{each},") for each in _COLUMNS) or _SEGMENTS.match(head):
        what = _ANSWER
    else:
        return None
    return f"{file.name}: line 1, {line.strip()[:60]!r}, {what}."
