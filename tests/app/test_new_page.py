"""A new page is its room and two places: the table of pages, and the registry of analyses. Everything else finds it.

The files of docs/templates/page, which docs/adding.md explains, are written into a copy of the project, opened through app.py in a process
of its own, and removed again.
"""

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
DRIVER = Path(__file__).with_name("new_page_driver.py")
TEMPLATE = ROOT / "docs" / "templates" / "page"
ROOM = {str(path.relative_to(TEMPLATE)): path.read_text() for path in sorted(TEMPLATE.rglob("*")) if path.suffix in (".py", ".md")}
PAGES = "hemcore/web/pages.py"
REGISTRY = "hemcore/registry.py"
ADDED = {
    PAGES: (
        ("from hemcore.web.segmentation import PAGE as SEGMENTATION\n", "from hemcore.web.trial import PAGE as TRIAL\n"),
        ("PAGES: tuple[Page, ...] = (HOME, DATA, PLAN, MERGE, ", "TRIAL, "),
    ),
    REGISTRY: (
        (
            "_LONGEST_ID = 200\n",
            """

def _trial() -> Analyses:
    from hemcore.trial.analysis import LEVELS

    return (LEVELS,)


def _trial_pictures() -> Galleries:
    from hemcore.charts.picture import Gallery
    from hemcore.charts.trial.pictures import PICTURES
    from hemcore.trial.analysis import LEVELS

    return (Gallery(analysis=LEVELS, pictures=PICTURES),)
""",
        ),
        (
            'Room(name="signatures", analyses=_signatures, galleries=_signatures_pictures),\n',
            '        Room(name="trial", analyses=_trial, galleries=_trial_pictures),\n',
        ),
    ),
}


def hashes(folder: Path) -> dict[str, str]:
    """The content of every file of the copy, but for what Python writes beside it."""
    found = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts and "sample_data" not in path.parts]
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def driven(folder: Path, data: Path) -> dict[str, Any]:
    """What the driver found in the copy of the project."""
    environment = {**os.environ, "HEM_DATA_DIR": str(data), "PYTHONPATH": str(folder)}
    environment.pop("DASK_DISTRIBUTED__WORKER__PRELOAD", None)  # names a module of these tests, which the copy has not
    command = [sys.executable, str(folder / DRIVER.name)]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout.splitlines()[-1])


def _copied(source: str, target: str) -> None:
    """With what is compiled beside it, so that it need not be again; another test may be writing that."""
    with contextlib.suppress(FileNotFoundError):
        shutil.copy2(source, target)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    for name in ("pages", "hemcore", ".streamlit"):
        shutil.copytree(ROOT / name, folder / name, copy_function=_copied)
    shutil.copy(ROOT / "app.py", folder)
    (folder / "sample_data").symlink_to(ROOT / "sample_data")
    return folder


@pytest.mark.long
@pytest.mark.slow
def test_a_new_page_is_its_room_and_two_places(project: Path, tmp_path: Path) -> None:
    before = hashes(project)
    told = {name: (project / name).read_text() for name in ADDED}
    for name, lines in ADDED.items():
        text = told[name]
        for place, added in lines:
            assert text.count(place) == 1
            text = text.replace(place, place + added)
        (project / name).write_text(text)
    for name, content in ROOM.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    after = hashes(project)
    assert after.keys() - before.keys() == ROOM.keys()
    assert sorted(name for name in before if after[name] != before[name]) == sorted(ADDED)  # the places to touch: 2

    shutil.copy(DRIVER, project)
    found = driven(project, tmp_path / "data")
    assert "Trial" in found["navigation"]
    assert found["home"] == {"card": True, "link": True, "picture": True}
    assert found["data"] == "Try the levels of these series"
    assert found["empty"] == ["Request server and 8 others, every event counted"]
    assert found["start"]["event"] == "Dw"
    assert found["start"]["window"] == 5
    assert found["start"]["metric"] == "Highest level"
    assert found["start"]["verdict"]
    assert found["start"]["charts"] == 1
    assert found["how"]
    assert found["pinned"] == "Compared with the baseline: **window 5 → 9**"
    assert found["kept"] == ["CounterSeries"]
    assert found["report"] == {"items": 1, "told": True, "picture": True, "page": True}
    assert found["snippet"] == ["interval", "level"]

    (project / DRIVER.name).unlink()
    for name, text in told.items():
        (project / name).write_text(text)
    for name in ROOM:
        (project / name).unlink()
    assert hashes(project) == before
    program = "from hemcore.registry import rooms; from hemcore.web.pages import PAGES; print('trial' in rooms(), [p.name for p in PAGES])"
    for name in ("hemcore/trial", "hemcore/web/trial"):
        shutil.rmtree(project / name)
    done = subprocess.run([sys.executable, "-c", program], cwd=project, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("False ")
    assert "trial" not in done.stdout
