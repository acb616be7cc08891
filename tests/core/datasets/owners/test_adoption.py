"""One user's store becomes a team's: killed at every step, nothing is lost."""

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hemcore.datasets.owners import people, whose
from hemcore.datasets.owners.adoption import adopt
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf.store import DatasetStore

ADA, BOB = whose.key_of("i", "ada"), whose.key_of("i", "bob")
# What the adoption asks of the system, in any order.
STEPS = ("rename", "replace", "fsync", "mkdir", "unlink", "open")


def filled(root: Path) -> dict[str, bytes]:
    """A store of one user; every file that must survive, by its place in an owner's folder."""
    store = DatasetStore(root)
    ids = [store.add([UploadedFile("a.csv", f"A,B\n{n}00,200\n300,400\n500,{n}00\n".encode())]).id for n in (1, 2, 3)]
    store.delete(ids[0])
    for place in ("reports", "reports/deleted", "models", "answers"):
        (root / place).mkdir(parents=True, exist_ok=True)
        (root / place / "one.json").write_text(place)
    (root / "reports" / "lock").touch()
    return contents(root)


def contents(root: Path) -> dict[str, bytes]:
    names = ("datasets", "deleted", "reports", "models", "answers")
    paths = [path for name in names for path in (root / name).rglob("*") if path.is_file() and path.name != "lock"]
    return {str(path.relative_to(root)): path.read_bytes() for path in paths}


def test_the_first_owner_gets_what_is_there(tmp_path) -> None:
    before = filled(tmp_path)
    assert len(before) > 10
    assert adopt(ADA, tmp_path) == 7  # three datasets, one of them deleted, and a file in each of four folders
    assert contents(whose.folder_of(ADA, tmp_path)) == before
    assert contents(tmp_path) == {}
    assert adopt(BOB, tmp_path) == 0
    assert len(DatasetStore(whose.folder_of(ADA, tmp_path)).records()) == 2


def test_everyone_gets_it_if_told(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("HEM_ADOPT", "everyone")
    before = filled(tmp_path)
    adopt(ADA, tmp_path)
    assert contents(whose.folder_of(people.EVERYONE, tmp_path)) == before


def test_what_the_owner_has_already_is_put_aside(tmp_path) -> None:
    before = filled(tmp_path)
    own = DatasetStore(whose.folder_of(ADA, tmp_path))
    own.add([UploadedFile("mine.csv", b"A,B\n200,200\n300,400\n500,200\n")])
    adopt(ADA, tmp_path)
    aside = contents(tmp_path / "duplicates")
    assert {name.split("/")[0] for name in aside} == {"datasets"}
    assert before.items() <= (contents(own.root) | aside).items()
    assert {record.name for record in own.records()} == {"mine.csv", "a.csv"}


def killed_at(step: int, work: Callable[[], object]) -> bool:
    """Do `work` in a process that ends, as by a power cut, before its `step`-th call of the system; whether it did."""
    child = os.fork()
    if child == 0:
        count = 0

        def ending(call):
            def counted(*args, **kwargs):
                nonlocal count
                count += 1
                if count == step:
                    os._exit(9)
                return call(*args, **kwargs)

            return counted

        for name in STEPS:
            setattr(os, name, ending(getattr(os, name)))
        try:
            work()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


@pytest.fixture(scope="module")
def one_user(tmp_path_factory) -> tuple[Path, dict[str, bytes]]:
    root = tmp_path_factory.mktemp("one-user")
    return root, filled(root)


@pytest.mark.slow
@pytest.mark.parametrize("every", [9, pytest.param(1, marks=pytest.mark.long)])
def test_killed_at_a_step_the_next_start_finishes(one_user, tmp_path, every: int) -> None:
    source, before = one_user
    for step in range(1, 1000, every):
        root = tmp_path / f"{step}"
        shutil.copytree(source, root)
        if not killed_at(step, lambda root=root: adopt(ADA, root)):
            break
        adopt(BOB, root)  # who is first now gets it only if the plan was not written yet
        found = contents(whose.folder_of(ADA, root)) or contents(whose.folder_of(BOB, root))
        assert found == before, f"killed at step {step}"
    assert step > 30


@pytest.mark.long
def test_killed_200_times_nothing_is_lost(one_user, tmp_path) -> None:
    source, before = one_user
    chance, kills = random.Random(1), 0
    while kills < 200:
        root = tmp_path / f"{kills}"
        shutil.copytree(source, root)
        while killed_at(chance.randint(1, 25), lambda root=root: adopt(ADA, root)):
            kills += 1
        assert contents(whose.folder_of(ADA, root)) == before
