"""Imports run one way: app, pages, web, report, charts, an analysis, hemcore.analysis, datasets; last params, headline, events, errors.

Next to them: hemcore.registry names every analysis with its pictures and imports them when they are asked for; jobs runs what it names, and
web asks it. The front door of notebooks (hemcore.front) stands above the analyses and the charts; `import hemcore` alone imports none of
it. A page's files stay in its room of hemcore/web.
"""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from hemcore.registry import analyses_of, rooms

pytestmark = pytest.mark.whole
ROOT = Path(__file__).parents[2]
ANALYSES = rooms()
# What a stranger may ask for by a page; the frame of all pages knows none of it.
SUBJECTS = ("merge", "segmentation", "multiplexing", "prediction", "signatures")
GROUND = (
    "hemcore.resources",
    "hemcore.plugins",
    "hemcore.callable_room",
    "hemcore.params",
    "hemcore.headline",
    "hemcore.formulas",
    "hemcore.events",
    "hemcore.errors",
)
ROOMS = tuple(f"hemcore.{name}" for name in ANALYSES)
SHARED = (
    "hemcore.likeness",
    "hemcore.faster_pam",
    "hemcore.aligned_order",
    "hemcore.group_means",
    "hemcore.rank_correlation",
    "hemcore.slider_curve",
)
QUESTIONS = ("hemcore.analysis", "hemcore.durations", "hemcore.datasets", *SHARED, *GROUND)
SHOWING = ("hemcore.report", "hemcore.charts", "hemcore.jobs")
# What each room may import of the project, beside itself.
ALLOWED: dict[str, tuple[str, ...]] = {
    "hemcore.errors": (),
    # Where the files beside the code are, and where compiled code is kept.
    "hemcore.resources": (),
    # What packages of other projects add.
    "hemcore.plugins": (),
    # Makes rooms callable that have the name of a question of the front door.
    "hemcore.callable_room": (),
    "hemcore.compiled_cache": (),
    "hemcore.events": ("hemcore.errors",),
    "hemcore.headline": ("hemcore.errors",),
    # The grammar of metrics: readers take it from files, the analysis evaluates it.
    "hemcore.formulas": ("hemcore.errors",),
    "hemcore.params": ("hemcore.errors",),
    # What names mean, for whatever shows them.
    "hemcore.glossary": ("hemcore.events",),
    # What several analyses judge and group tables by.
    **dict.fromkeys(SHARED, ("hemcore.errors",)),
    # How long analyses take: measured, and remembered in the data folder.
    "hemcore.durations": ("hemcore.params", "hemcore.resources", "hemcore.datasets"),
    "hemcore.datasets": GROUND,
    "hemcore.analysis": ("hemcore", "hemcore.durations", "hemcore.datasets", *GROUND),
    **dict.fromkeys(ROOMS, QUESTIONS),
    # What a parameter does to an answer over its range.
    "hemcore.slider_curve": ("hemcore.headline",),
    # What cuts cost asks the copula merge, and plans for metrics ask metrics, which Analysis.asks declares.
    "hemcore.planning": ("hemcore.merge", "hemcore.metrics", *QUESTIONS),
    # A comparison has the classes of signatures, the searches of segmentation and what events cost, which Analysis.asks declares.
    "hemcore.compare": ("hemcore.segmentation", "hemcore.signatures", "hemcore.prediction", *QUESTIONS),
    # A metric over time asks the segmentation by its rule, which Analysis.asks declares.
    "hemcore.metrics": ("hemcore.segmentation", *QUESTIONS),
    # All that is not its own is imported when it is asked for; no chart knows of it.
    "hemcore.registry": ("hemcore.charts", *ROOMS, *QUESTIONS),
    "hemcore.jobs": ("hemcore.registry", *QUESTIONS),
    "hemcore.charts": (*ROOMS, *QUESTIONS),
    "hemcore.front": ("hemcore.charts", "hemcore.registry", *ROOMS, *QUESTIONS),
    "hemcore.report": ("hemcore", "hemcore.registry", "hemcore.glossary", "hemcore.charts", *ROOMS, *QUESTIONS),
    "hemcore.command": ("hemcore", "hemcore.front", "hemcore.report", *ROOMS, *QUESTIONS),
    "hemcore.__main__": ("hemcore", "hemcore.command"),
    "hemcore.web": ("hemcore", "hemcore.registry", "hemcore.glossary", *SHOWING, *ROOMS, *QUESTIONS),
    "pages": ("hemcore", "hemcore.web", "hemcore.report", "hemcore.charts", "hemcore.jobs", *ROOMS, *QUESTIONS),
    "app": ("hemcore.web",),
}
# hemcore.merge, metrics and compare are packages and questions of the front door: what makes them callable looks upward.
UPWARD = {(f"hemcore/{name}/__init__.py", "hemcore.front.questions") for name in ("merge", "metrics", "compare")}
FILES = sorted([*ROOT.glob("hemcore/**/*.py"), *ROOT.glob("pages/*.py"), ROOT / "app.py"])
MODULES = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in FILES}
# What the frame of all pages is made of; the other rooms of web are each a page's.
FRAME = [ROOT / "hemcore/web" / name for name in ("actions", "starts", "everywhere", "team", "api")]
WEB_ROOT = sorted(path for room in [ROOT / "hemcore/web", *FRAME] for path in room.glob("*.py") if path.stem != "__init__")
WEB_ROOMS = sorted(path for path in ROOT.glob("hemcore/web/*/**/*.py") if not set(FRAME) & set(path.parents))


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def room(module: str) -> str:
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == "hemcore" else parts[0]


@cache
def imported(path: Path) -> frozenset[str]:
    """The modules that a file imports, wherever in it; of other projects the names as they stand."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(module_of(name) for name in names)


def module_of(name: str) -> str:
    """The module of this project in which `name` is."""
    parts = name.split(".")
    known = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((each for each in known if each in MODULES), name)


def imported_for_use(path: Path, *, at_once: bool) -> set[str]:
    """The modules of this project that a file imports: at once, or in its functions too. What is for the types alone is left out."""
    names: set[str] = set()

    def visit(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                names.update(alias.name for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                names.update(f"{child.module}.{alias.name}" for alias in child.names)
            types_alone = isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING"
            if not types_alone and not (at_once and isinstance(child, ast.FunctionDef | ast.Lambda)):
                visit(child)

    visit(ast.parse(path.read_text()))
    return {module_of(name) for name in names} & MODULES.keys()


@pytest.mark.slow
@pytest.mark.parametrize("at_once", [True, False], ids=["at once", "in functions too"])
def test_no_imports_run_in_a_circle(at_once: bool) -> None:
    """At once: none of all modules; in functions too: none of web's. The registry's imports on demand are the one exception."""
    here = {module: path for module, path in MODULES.items() if at_once or room(module) == "hemcore.web"}
    steps = {module: (imported_for_use(path, at_once=at_once) & here.keys()) - {module} for module, path in here.items()}
    while ends := {module for module, there in steps.items() if not there}:
        steps = {module: there - ends for module, there in steps.items() if module not in ends}
    assert steps == {}


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_imports_run_one_way(path: Path) -> None:
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    here = room(module)
    if here == "hemcore.__init__":
        assert {room(name) for name in imported(path)} <= {
            "hemcore.front",
            "hemcore.errors",
            "hemcore.compiled_cache",
            "importlib",
            "pathlib",
            "typing",
        }
        return
    assert here in ALLOWED, f"{module}: say in ALLOWED where this room stands"
    for name in imported(path):
        if name.split(".")[0] in ("hemcore", "pages", "app", "sample_data"):
            there = room(name)
            inside = there in ALLOWED[here] or (there == here and here != "pages")
            assert inside or (name_of(path), name) in UPWARD, (
                f"{name_of(path)} imports {name}, which ALLOWED does not let it; a new analysis needs its Room in hemcore/registry.py"
            )
        if name.split(".")[0] == "streamlit":
            starts = name_of(path) == "hemcore/command/app.py"  # the command that starts the app
            assert starts or here in ("hemcore.web", "pages", "app"), f"{name_of(path)} imports streamlit"
        if name.split(".")[0] == "plotly":
            typed = here == "hemcore.front" and name == "plotly.graph_objects"  # the type of what `plot` gives
            assert typed or here in ("hemcore.charts", "hemcore.report", "hemcore.web"), f"{name_of(path)} imports plotly"


@pytest.mark.slow
def test_the_top_level_imports_nothing_until_it_is_asked() -> None:
    program = """
import sys
before = set(sys.modules)
import hemcore
after = {name.partition(".")[0] for name in set(sys.modules) - before}
assert not after & {"numpy", "pandas", "numba", "sklearn", "plotly", "streamlit"}, after
assert [name for name in sys.modules if name.startswith("hemcore.")] == ["hemcore.compiled_cache"]
assert set(hemcore.__all__) <= set(dir(hemcore))
for name in hemcore.__all__:
    assert getattr(hemcore, name) is not None
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_an_analysis_of_another_room_is_asked_where_it_is_declared() -> None:
    for here in rooms():
        others = {name.split(".")[1] for path in (ROOT / "hemcore" / here).rglob("*.py") for name in imported(path) if room(name) in ROOMS}
        declared = {asked.name.partition(".")[0] for analysis in analyses_of(here).values() for asked in analysis.asks()}
        assert others - {here} == declared - {here}, here


@pytest.mark.slow
def test_the_analyses_work_with_neither_streamlit_nor_plotly() -> None:
    drawing = ("hemcore.web", "hemcore.charts", "hemcore.report")
    modules = [name for name in MODULES if name.startswith("hemcore") and room(name) not in drawing]
    assert {"hemcore.merge.analysis", "hemcore.segmentation.analysis", "hemcore.jobs"} <= set(modules)
    program = "import sys\nsys.modules['streamlit'] = sys.modules['plotly'] = None\n" + "\n".join(f"import {name}" for name in modules)
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# The rooms of web


def importers(path: Path) -> list[Path]:
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    return [other for other in (*FILES, ROOT / "deploy/serve.py") if other != path and module in imported(other)]


def page_of(path: Path) -> str:
    """The page that a file belongs to; "" for one of the frame, or below web."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "pages":
        return path.stem
    return parts[2] if path in WEB_ROOMS else ""


@pytest.mark.parametrize("path", WEB_ROOMS, ids=name_of)
def test_what_is_of_one_page_is_imported_by_that_page_alone(path: Path) -> None:
    for other in importers(path):
        registers = other == ROOT / "hemcore/web/pages.py" and path.name == "__init__.py"
        assert registers or page_of(other) == page_of(path), f"{name_of(other)} imports {name_of(path)}"


@pytest.mark.parametrize("path", WEB_ROOMS, ids=name_of)
def test_a_room_of_web_is_a_pages(path: Path) -> None:
    assert (ROOT / "pages" / f"{page_of(path)}.py").is_file()


@pytest.mark.parametrize("path", WEB_ROOT, ids=name_of)
def test_what_stands_in_the_root_of_web_serves_more_than_one_page(path: Path) -> None:
    """What one room or its page alone imports lives in that room. What a file of the frame imports serves whom that serves."""
    served = {page_of(other) for other in importers(path)}
    assert len(served) > 1 or served == {""}, f"{name_of(path)} is imported by {sorted(map(name_of, importers(path)))} alone"


@pytest.mark.parametrize("path", WEB_ROOT, ids=name_of)
def test_the_root_of_web_names_no_analysis(path: Path) -> None:
    assert path.stem not in SUBJECTS
    if path != ROOT / "hemcore/web/pages.py":
        for name in imported(path):
            assert not set(name.split(".")) & {*SUBJECTS, *ANALYSES}, f"{name_of(path)} imports {name}"


def test_the_rules_of_web_have_files_to_hold() -> None:
    assert len(WEB_ROOT) > 5
    assert {page_of(path) for path in WEB_ROOMS} >= {"merge", "segmentation", "data"}
