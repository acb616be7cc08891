"""The example plugin is built, installed and used; without it, nothing knows it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
USED = """
import io, json, sys, tempfile, logging
from pathlib import Path
import numpy as np
found = {}
from hemcore.web.pages import PAGES, page_named  # first, as app.py does: the plugin's room imports the registry
from hemcore import registry
from hemcore.datasets.readers.formats import format_of
from hemcore.mpx.estimators import ESTIMATORS
found["rooms"] = "example" in registry.rooms()
found["estimator"] = [list(ESTIMATORS).index("last-value") == len(ESTIMATORS) - 1, next(iter(ESTIMATORS)) == "fixed"]
text = format_of("example_counts_log").example["counts.log"]
import hemcore as hem
path = Path(tempfile.mkdtemp()) / "counts.log"
path.write_text(text)
table = hem.read(path)
found["counts"] = table.counts.to_numpy().tolist()
from hem_example import LevelsParams
levels = registry.analysis_named("example.levels")
result = levels.of(table, LevelsParams(event="CYCLES", window=2))
found["levels"] = result.levels["level"].tolist()
found["pictures"] = list(registry.pictures_of("example.levels"))
from hemcore.jobs import codec
kept = path.with_name("result.zip")
codec.write(kept, result)
found["again"] = codec.read(kept).levels["level"].tolist()
from hemcore.analysis import Question
question = Question(analysis=levels, dataset="x", params=LevelsParams())
found["question"] = registry.question_from(question.to_dict()).id == question.id
names = {}
exec(Question(analysis=levels, dataset="sample-series-ocoe", params=LevelsParams(event="Dw")).python(), names)
found["python"] = list(names["levels"].columns)
found["page"] = [PAGES[-1].name, page_named("levels").script.name, bool(page_named("levels").how)]
from streamlit.testing.v1 import AppTest
app = AppTest.from_file(sys.argv[1], default_timeout=120)
app.query_params["levels.event"] = "Dw"
from streamlit.util import calc_hash
app._page_hash = calc_hash("levels")  # switch_page knows pages/ alone
app.run()
found["title"] = [each.value for each in app.title]
found["exceptions"] = [each.message for each in app.exception]
print(json.dumps(found))
"""
REFUSED = """
import sys
from hemcore.jobs import codec
from hemcore import registry
from hem_example.analysis import Levels
from hem_example import LevelsParams
import pandas as pd
try:
    codec.write(sys.argv[1], Levels(params=LevelsParams(), levels=pd.DataFrame()))
except TypeError as error:
    print("example" in registry.rooms(), error)
"""


def run(program: str, *paths: Path, argument: str, data: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths)), "HEM_DATA_DIR": str(data)}
    done = subprocess.run([sys.executable, "-c", program, argument], cwd=data, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout.splitlines()[-1]


@pytest.mark.slow
def test_a_plugin_adds_a_reader_an_estimator_an_analysis_and_a_page(tmp_path: Path) -> None:
    source, installed, data = tmp_path / "plugin", tmp_path / "site", tmp_path / "data"
    shutil.copytree(ROOT / "examples" / "plugin", source)
    data.mkdir()
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([*command, "--target", str(installed), str(source)], check=True, capture_output=True, text=True)

    found = json.loads(run(USED, ROOT, installed, argument=str(ROOT / "app.py"), data=data))
    assert found["rooms"]
    assert found["estimator"] == [True, True]
    assert found["counts"] == [[100.0, 3.0], [120.0, 5.0]]
    assert found["levels"] == [100.0, 110.0]  # 100; the mean of 100 and 120
    assert found["again"] == found["levels"]
    assert found["pictures"] == ["levels"]
    assert found["question"]
    assert found["python"] == ["interval", "level"]
    assert found["page"] == ["levels", "page.py", True]
    assert found["title"] == ["Levels"]
    assert found["exceptions"] == []

    # The same code on the path without being installed is nobody's plugin: its classes are refused.
    refused = run(REFUSED, ROOT, source, argument=str(tmp_path / "refused.zip"), data=data)
    assert refused.startswith("False ")
    assert "is not a class of hemcore or of a plugin" in refused
