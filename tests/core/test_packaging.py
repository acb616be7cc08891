"""What gets installed: every distribution pinned once, ranges that admit the pins, and a wheel that works anywhere."""

import ast
import functools
import importlib.util
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
import zipfile
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from deploy.headers import HEADERS

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
CORE = [Requirement(each) for each in PROJECT["project"]["dependencies"]]
EXTRAS = {name: [Requirement(each) for each in lines] for name, lines in PROJECT["project"]["optional-dependencies"].items()}
OWN = PROJECT["project"]["name"]
# What requirements.txt has: the app's extra, those that it names, and EAR's database. The others are for the tests.
OF_APP = {"app", "database", *(name for each in EXTRAS["app"] if each.name == OWN for name in each.extras)}
APP = [each for each in (*CORE, *(each for name in sorted(OF_APP) for each in EXTRAS[name])) if each.name != OWN]
DEV = [Requirement(each) for each in PROJECT["dependency-groups"]["dev"]]
DEV += [each for name, extra in EXTRAS.items() if name not in OF_APP for each in extra]
FILES = {"requirements.txt": APP, "requirements-dev.txt": DEV}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
# Needed, and yet imported by no file of ours: distributed makes certificates with the one, plotly pictures with the next.
# SQLAlchemy finds its drivers itself.
NOT_IMPORTED = {"cryptography", "kaleido"}
REMEDY = "Run scripts/pin-requirements, then make check."


def pinned(file: str) -> list[tuple[str, str, str]]:
    """Name, version and comment of each line, in the order of the file; headings and `-r` left out."""
    lines = [line for line in (ROOT / file).read_text().splitlines() if line and not line.startswith(("#", "-r "))]
    found = [re.fullmatch(r"([\w.-]+)==([\w.!+]+)(?:  # (\S.*))?", line) for line in lines]
    assert all(found), f"{file}: not an exact pin: {[line for line, each in zip(lines, found, strict=True) if each is None]}"
    return [(canonicalize_name(each[1]), each[2], each[3] or "") for each in found if each]


def needed(direct: list[Requirement], python: str) -> set[str]:
    """What `direct` needs on that Python, itself included, by what the installed distributions say of themselves."""
    found: set[str] = set()
    seen: set[tuple[str, str]] = set()
    open_ = [(canonicalize_name(each.name), extra) for each in direct for extra in ("", *each.extras)]
    while open_:
        name, extra = open_.pop()
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        found.add(name)
        for line in metadata.requires(name) or ():
            each = Requirement(line)
            here = {"python_version": python, "python_full_version": f"{python}.0", "extra": extra}
            if each.marker is None or each.marker.evaluate(here):
                open_ += [(canonicalize_name(each.name), more) for more in ("", *each.extras)]
    return found


def test_nothing_is_pinned_twice() -> None:
    names = [name for file in FILES for name, _, _ in pinned(file)]
    assert len(names) == len(set(names)), sorted({name for name in names if names.count(name) > 1})


@pytest.mark.parametrize("file", FILES)
def test_installed_is_what_is_pinned(file: str) -> None:
    for name, version, _ in pinned(file):
        assert metadata.version(name) == version, f"{name}: {file} has changed since it was installed. Run make check."


@pytest.mark.parametrize("python", PYTHONS)
def test_everything_that_is_needed_is_pinned(python: str) -> None:
    app = {name for name, _, _ in pinned("requirements.txt")}
    assert needed(APP, python) <= app, f"requirements.txt lacks {sorted(needed(APP, python) - app)}. {REMEDY}"
    both = app | {name for name, _, _ in pinned("requirements-dev.txt")}
    assert needed(DEV, python) <= both, f"requirements-dev.txt lacks {sorted(needed(DEV, python) - both)}. {REMEDY}"


def test_nothing_is_pinned_that_nothing_needs() -> None:
    app = {name for name, _, _ in pinned("requirements.txt")}
    dev = {name for name, _, _ in pinned("requirements-dev.txt")}
    assert app == needed(APP, PYTHONS[0]), REMEDY
    assert dev == needed(DEV, PYTHONS[0]) - app, REMEDY


@pytest.mark.parametrize("file", FILES)
def test_direct_requirements_stand_on_top_with_a_reason(file: str) -> None:
    direct: dict[str, Requirement] = {canonicalize_name(each.name): each for each in FILES[file]}
    lines = pinned(file)
    assert [name for name, _, _ in lines[: len(direct)]] == sorted(direct), f"{file} and pyproject.toml do not name the same. {REMEDY}"
    assert [bool(why) for _, _, why in lines] == [name in direct for name, _, _ in lines]
    for name, version, _ in lines[: len(direct)]:
        assert direct[name].specifier.contains(version), f"{name}: pyproject.toml's {direct[name].specifier} leaves out {version}. {REMEDY}"


@functools.cache
def distributions() -> Mapping[str, list[str]]:
    """Which distributions bring each importable name; takes half a second."""
    return metadata.packages_distributions()


def imports_of(pattern: str) -> set[str]:
    """The distributions that those files import, at whatever depth."""
    modules: set[str] = set()
    for path in ROOT.glob(pattern):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                modules |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                modules.add(str(node.module).split(".")[0])
    own = {"hemcore", "sample_data", "pages", "app"}
    return {canonicalize_name(distributions()[module][0]) for module in modules - own - sys.stdlib_module_names}


@pytest.mark.slow
def test_an_extra_has_what_its_rooms_import() -> None:
    groups = (CORE, *(EXTRAS[name] for name in ("database", "jobs", "cluster", "train", "peers", "app")))
    core, database, jobs, cluster, train, peers, app = ({canonicalize_name(each.name) for each in group} for group in groups)
    drawn = {
        name
        for pattern in ("hemcore/web/**/*.py", "hemcore/charts/**/*.py", "hemcore/report/**/*.py", "pages/*.py", "app.py")
        for name in imports_of(pattern)
    }
    work = imports_of("hemcore/jobs/**/*.py")
    analyses = {
        name
        for room in (ROOT / "hemcore").iterdir()
        if room.name not in ("web", "charts", "report", "jobs", "front", "command", "__pycache__")
        for name in imports_of(f"hemcore/{room.name}" if room.is_file() else f"hemcore/{room.name}/**/*.py")
    } | imports_of("sample_data/**/*.py")
    assert analyses - database - train - peers == core
    assert analyses - core == (database | train | peers) - NOT_IMPORTED
    assert work - core == (jobs | cluster) - NOT_IMPORTED
    # What they ask for beyond the core, they say a sentence without.
    assert imports_of("hemcore/front/**/*.py") - core == {"plotly"}
    assert imports_of("hemcore/command/**/*.py") - core == {"streamlit"}
    assert drawn - core - jobs == app - NOT_IMPORTED - {PROJECT["project"]["name"]}


@pytest.mark.parametrize(
    ("target", "changed", "installs"),
    [
        ("test", "requirements.txt", "requirements-dev.txt"),
        ("test", "requirements-dev.txt", "requirements-dev.txt"),
        ("check", "requirements.txt", "requirements-dev.txt"),
        ("run", "requirements.txt", "requirements.txt"),
        ("run", "requirements-dev.txt", None),
        ("test", None, None),
        ("run", None, None),
    ],
)
def test_make_installs_again_when_requirements_change(tmp_path: Path, target: str, changed: str | None, installs: str | None) -> None:
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    shutil.copy(ROOT / "Makefile", tmp_path)
    for age, names in enumerate(((".venv/.app-ready", ".venv/.dev-ready"), ("requirements.txt", "requirements-dev.txt", "scripts/set-up"))):
        for name in names:
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).touch()
            os.utime(tmp_path / name, (2000 - age, 2000 - age))
    if changed:
        os.utime(tmp_path / changed, (3000, 3000))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    said = subprocess.run(["make", "-n", target], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout
    assert re.findall(r"^scripts/set-up \.venv (\S+)$", said, flags=re.MULTILINE) == ([installs] if installs else [])


ANYWHERE = """
import sys
for name in ("streamlit", "plotly", "kaleido", "dask", "distributed", "cryptography", "sqlalchemy"):
    sys.modules[name] = None
import hemcore
assert hemcore.__file__.startswith(sys.argv[1]), hemcore.__file__
names = {}
for snippet in {snippets!r}:
    alone = {}
    exec(snippet, alone)
    names |= alone
plan, change_points = names["plan"], names["found"].result.run.segmentation.change_points
assert change_points == (4, 7), change_points
assert len(plan.subexperiments) <= 198, len(plan.subexperiments)
from hemcore.datasets.shelf import samples
truth = samples.truth("subexperiments-much").frames[0]
merged = names["merged"].table
assert len(merged) > 0 and "CYCLES" in merged and set(merged.columns) <= set(truth.columns), merged
for name in samples.names():
    samples.load(name)
    if samples.has_truth(name):
        samples.truth(name)
    print(name)
"""


@pytest.mark.slow
def test_the_wheel_works_from_another_folder(tmp_path: Path) -> None:
    built, site, elsewhere = tmp_path / "built", tmp_path / "site", tmp_path / "elsewhere"
    elsewhere.mkdir()
    # Where the build backend is not installed, pip fetches it.
    isolation = ["--no-build-isolation"] if importlib.util.find_spec("hatchling") else []
    pip(["wheel", "--no-deps", *isolation, "--wheel-dir", str(built), str(ROOT)])
    (wheel,) = built.glob("*.whl")
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert packed == files_of("hemcore") | {
        f"hemcore/_app/{name}"
        for name in (
            *files_of("pages"),
            *files_of("sample_data"),
            "app.py",
            "deploy/serve.py",
            "deploy/headers.py",
            ".streamlit/config.toml",
        )
        if not name.startswith("sample_data/collect/")
    }

    pip(["install", "--no-deps", "--no-index", "--target", str(site), str(wheel)])
    compiled_already(site)
    snippets = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), flags=re.MULTILINE | re.DOTALL)
    assert len(snippets) == 5
    program = ANYWHERE.replace("{snippets!r}", repr(snippets[:-1]))  # the last takes half a minute; test_readme.py runs it
    environment = os.environ | {"PYTHONPATH": str(site)}
    done = subprocess.run(
        [sys.executable, "-c", program, str(site)], cwd=elsewhere, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert {"subexperiments-much", "series-ocoe", "phases", "signatures"} <= set(done.stdout.split())

    command = [sys.executable, str(site / "bin" / "hem-workbench")]
    for words, code, told in (
        (["--version"], 0, PROJECT["project"]["version"]),
        (["merge", "none.csv"], 1, "no such file"),
        (["x"], 2, "x"),
    ):
        done = subprocess.run([*command, *words], cwd=elsewhere, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        assert told in done.stdout + done.stderr
    assert_serves_with_headers([*command, "--data", "kept"], elsewhere, environment)
    assert (elsewhere / "kept").is_dir()


def assert_serves_with_headers(command: list[str], folder: Path, environment: Mapping[str, str]) -> None:
    """Start the app in `folder`, where there is nothing of it, and ask for a page."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = folder / "server.log"
    with log.open("w") as said:
        server = subprocess.Popen([*command, "--port", str(port)], cwd=folder, env=dict(environment), stdout=said, stderr=said)
    try:
        deadline = time.monotonic() + 120
        while True:
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            try:
                with urllib.request.urlopen(f"http://localhost:{port}/merge", timeout=10) as answer:
                    headers = dict(answer.headers)
                    break
            except OSError:
                time.sleep(0.2)
        assert {name: headers.get(name) for name in HEADERS} == HEADERS
    finally:
        server.terminate()
        server.wait(timeout=30)


def files_of(folder: str) -> set[str]:
    found = {str(path.relative_to(ROOT)) for path in (ROOT / folder).rglob("*") if path.is_file()}
    return {name for name in found if "__pycache__" not in name}


def compiled_already(site: Path) -> None:
    """What numba compiled of the same files here is compiled there too: it goes by their times and sizes."""
    for source in (ROOT / "hemcore").rglob("*.py"):
        there = site / source.relative_to(ROOT)
        times = source.stat()
        os.utime(there, ns=(times.st_atime_ns, times.st_mtime_ns))
        for cached in (source.parent / "__pycache__").glob(f"{source.stem}.*.nb[ic]"):
            (there.parent / "__pycache__").mkdir(exist_ok=True)
            shutil.copy(cached, there.parent / "__pycache__")


def pip(arguments: list[str]) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
