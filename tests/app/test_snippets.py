"""The Python that the Merge page offers makes the table that the page shows, with hemcore alone."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from hemcore.datasets.shelf.library import entries
from hemcore.merge import HrmParams, MuchParams
from hemcore.web import shelf, snippets

ROOT = Path(__file__).resolve().parents[2]
MUCH = "Request server, MUCH collection · sample"
HRM = "Request server, HRM collection · sample"
OTHERS = {"dep_lvl": "0.6", "n_runs": "150", "seed": "5", "absolute": "true", "outlier_zscore": "4.0"}


def assert_snippet_makes_the_table_shown(workbench, at, folder: Path) -> None:
    assert not at.error
    shown = workbench.in_tab(at, "Table").dataframe[0].value
    assert len(shown) <= 1000  # the page shows no more: these merges fit whole
    script = folder / "snippet.py"
    script.write_text(at.code[0].value)
    pd.testing.assert_frame_equal(runpy.run_path(str(script))["merged"], shown)


@pytest.mark.parametrize(
    ("label", "query"),
    [
        (HRM, {}),
        (MUCH, {}),
        (MUCH, OTHERS),
        (MUCH, {"method": "simulated", "n_sims": "4", "n_runs": "100"}),
        (HRM, {"method_family": "MUCH", "unmeasured": "complete"}),
        (HRM, {"method_family": "MUCH", "unmeasured": "drop"}),
    ],
    ids=["HRM", "MUCH", "MUCH, other parameters", "simulated", "pairs completed", "pairs dropped"],
)
def test_on_a_sample(workbench, tmp_path, label, query) -> None:
    assert_snippet_makes_the_table_shown(workbench, workbench.merge(label, **query), tmp_path)


@pytest.mark.parametrize("name", ["plain.csv", "quotes \" and '\n\nimport nothing_of_this_name", "<img src=x>", "a\u2028b\\"])
@pytest.mark.parametrize("method", ["HRM", "MUCH"])
def test_on_an_upload(workbench, csv_of, readings, tmp_path, method, name) -> None:
    entry = workbench.stored(("given.csv", csv_of(readings(["A", "B", "C", "it's", 'so "called"', "back\\slash"]))), name=name)
    query = {"method_family": method} | ({"anchor_hem": "it's"} if method == "HRM" else {"dep_lvl": "0.9"})
    assert_snippet_makes_the_table_shown(workbench, workbench.merge(entry.label, **query), tmp_path)


@pytest.mark.parametrize("params", [HrmParams(anchor_hem="CYCLES"), MuchParams(n_runs=123, seed=9)], ids=["HRM", "MUCH"])
def test_names_every_parameter_and_the_dataset(workbench, params) -> None:
    entry = next(each for each in entries(shelf.store()) if each.label == HRM)
    text = snippets.merge(entry, params)
    assert "load('sample-subexperiments-hrm')" in text
    assert [name for name, value in params.model_dump().items() if f"{name}={value!r}" not in text] == []


@pytest.mark.slow
@pytest.mark.parametrize("method", ["HRM", "MUCH"])
@pytest.mark.parametrize("stored", [False, True], ids=["sample", "upload"])
def test_runs_in_a_python_of_its_own_without_the_app(workbench, csv_of, readings, data_dir, tmp_path, method, stored) -> None:
    label = HRM if method == "HRM" else MUCH
    if stored:
        label = workbench.stored(("mine.csv", csv_of(readings(["A", "B", "C"])))).label
    at = workbench.merge(label, method_family=method)
    program = "\n".join(
        [
            "import sys",
            "sys.modules.update(dict.fromkeys(('streamlit', 'plotly')))",  # importing either raises
            at.code[0].value,
            "merged.to_parquet('merged.parquet')",
        ]
    )
    environment = os.environ | {"HEM_DATA_DIR": str(data_dir), "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    shown = workbench.in_tab(at, "Table").dataframe[0].value
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "merged.parquet"), shown)
