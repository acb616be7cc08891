"""Imports run one way: app -> pages -> hemcore.web -> hemcore.charts -> an analysis -> hemcore.datasets -> events, errors."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ANALYSES = ("merge", "mpx", "segmentation", "prediction", "signatures")
# What each room may import of the project, beside itself.
ALLOWED = {
    "hemcore.errors": (),
    "hemcore.events": ("hemcore.errors",),
    "hemcore.datasets": ("hemcore.events", "hemcore.errors"),
    **{f"hemcore.{name}": ("hemcore.datasets", "hemcore.events", "hemcore.errors") for name in ANALYSES},
    "hemcore.jobs": ("hemcore.datasets", "hemcore.errors", *(f"hemcore.{name}" for name in ANALYSES)),
    "hemcore.charts": ("hemcore.datasets", "hemcore.events", "hemcore.errors", *(f"hemcore.{name}" for name in ANALYSES)),
    "hemcore.web": ("hemcore",),
    "pages": ("hemcore",),
    "app": ("hemcore",),
}
FILES = sorted([*ROOT.glob("hemcore/**/*.py"), *ROOT.glob("pages/*.py"), ROOT / "app.py"])


def room(module: str) -> str:
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == "hemcore" else parts[0]


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_run_one_way(path: Path) -> None:
    here = room(".".join(path.relative_to(ROOT).with_suffix("").parts))
    if here == "hemcore.__init__":
        assert imported(path) == set()
        return
    for name in imported(path):
        if name.split(".")[0] in ("hemcore", "pages", "app", "sample_data"):
            assert room(name) == here or any(room(name) == allowed or allowed == "hemcore" for allowed in ALLOWED[here]), (
                f"{path.relative_to(ROOT)} imports {name}"
            )
            assert not (here == "pages" and room(name) == "pages"), f"{path.relative_to(ROOT)}: a page imports a page"
        if name.split(".")[0] == "streamlit":
            assert here in ("hemcore.web", "pages", "app"), f"{path.relative_to(ROOT)} imports streamlit"
        if name.split(".")[0] == "plotly":
            assert here in ("hemcore.charts", "hemcore.web"), f"{path.relative_to(ROOT)} imports plotly"


def test_the_analyses_work_with_neither_streamlit_nor_plotly() -> None:
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in FILES
        if path.parts[len(ROOT.parts)] == "hemcore" and not {"web", "charts"} & set(path.parts)
    ]
    program = "import sys\nsys.modules['streamlit'] = sys.modules['plotly'] = None\n" + "\n".join(f"import {name}" for name in modules)
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
