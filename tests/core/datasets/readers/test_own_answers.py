"""Answers that the pages let one download are told from readings."""

import io
import json

import numpy as np
import pandas as pd
import pytest

import hemcore as hem
from hemcore.datasets.readers.answers.own_answers import _COLUMNS, why_own_answer
from hemcore.datasets.readers.recognition import unpack
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import ReadError

SEGMENTS = json.dumps({"application": "a", "event": "D1mr", "unit": "ms", "parameters": {"threshold": 3.0}, "segments": []}, indent=1)
SCRIPT = "#!/bin/sh\n# Measures 7 subexperiments with perf stat, 350 runs each\nset -eu\n"


def said(name: str, text: str, *others: UploadedFile) -> str:
    with pytest.raises(ReadError) as error:
        unpack([UploadedFile(name, text.encode()), *others]).read()
    return str(error.value)


@pytest.mark.parametrize("columns", _COLUMNS)
def test_every_answer_is_told(columns: str) -> None:
    names = [*columns.split(","), "further"]
    assert "is an answer that HEM Workbench computed" in said(
        "a.csv", pd.DataFrame([range(len(names))] * 3, columns=names).to_csv(index=False)
    )
    quoted = ",".join(f'"{name}"' for name in names)
    assert why_own_answer(UploadedFile("a.csv", f"{quoted}\n1,2\n".encode()))


def test_a_name_that_only_begins_so_is_no_answer() -> None:
    assert why_own_answer(UploadedFile("a.csv", b"counter,r,rowset\n1,2,3\n")) is None
    assert why_own_answer(UploadedFile("a.csv", b"counter,r,rows\n1,2,3\n"))


def test_segments_as_json_a_plan_and_ear_s_constants_name_where_they_belong() -> None:
    assert said("a.json", SEGMENTS) == (
        "a.json: an answer that HEM Workbench computed (segmentation.segments), not readings. Send the readings and open Segmentation;"
        " Keep, there, makes a dataset of what can be analysed further."
    )
    for name, text in (("plan.csv", "subexperiment,HEM 1,HEM 2\n1,CYCLES,Ir\n"), ("plan.sh", SCRIPT)):
        assert "is a plan of what to read together" in said(name, text)
    assert "under EAR files" in said("roofline.node.data", "614.4 7168.0\n")


def test_a_plan_beside_readings_does_not_keep_them_from_being_read() -> None:
    plan = UploadedFile("plan.csv", b"subexperiment,HEM 1,HEM 2\n1,CYCLES,Ir\n")
    assert why_own_answer(plan, alone=False) is None


def test_tables_to_go_on_with_are_read(tmp_path) -> None:
    path = tmp_path / "merged.csv"
    pd.DataFrame({"CYCLES": [900, 700, 800, 600], "Ir": [400, 500, 300, 600]}).to_csv(path, index=False)
    assert hem.read(path).frames[0]["Ir"].tolist() == [400, 500, 300, 600]


@pytest.mark.parametrize("first", ["header", "about"])
def test_a_saved_model_is_told_in_one_sentence(first: str) -> None:
    file = io.BytesIO()
    np.savez(file, **{first: np.zeros(3), "weights": np.ones(2)})
    with pytest.raises(ReadError, match=r"^The file is a saved model, no readings\. .* on the Prediction or Multiplexing page\.$"):
        unpack([UploadedFile("mine.npz", file.getvalue())]).read()
