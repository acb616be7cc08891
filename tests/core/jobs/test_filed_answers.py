"""What survives a restart: which files are taken for an answer, which are not, how many there are, and what a killed server leaves."""

import errno
import json
import logging
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore import jobs, plugins
from hemcore.analysis import Question
from hemcore.jobs import codec, filed_answers, filed_results, known_jobs
from hemcore.jobs.filed_results import Filed
from tests.core.jobs.asked import trial
from tests.core.jobs.patience import PATIENCE, ROOT, alive, until

MIB = 2**20


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEM_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(filed_results, "_in_memory", [])
    monkeypatch.setattr(filed_answers, "_since_room", 0)
    return tmp_path


def restarted() -> None:
    """This process knows as little as a server that has just started."""
    known_jobs._jobs.clear()
    filed_answers._listed.clear()


def keep(root: Path, question: Question, result: object, size: int = 100) -> Filed:
    filed = filed_answers.keep(question.to_dict(), result, size, root)
    assert filed is not None
    return filed


def names(root: Path) -> set[str]:
    return {path.name for path in (root / "answers").iterdir()}


def test_an_answer_is_found_after_a_restart(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Nothing that can be read again stays in memory.
    monkeypatch.setattr(filed_results, "IN_MEMORY", 0)
    question = trial("hems", factor=3)
    filed = keep(root, question, "three")
    assert names(root) == {filed.name}
    restarted()
    job = jobs.find(question.id)
    assert job is not None
    assert (job.state, job.progress, job.question, job.kind, job.started) == ("done", 1.0, question, "trial hems", None)
    assert jobs.find(question) is job
    assert jobs.submit(question) is job
    for other in (trial("hems", factor=4), trial("deaf", factor=3), trial("hems", "0" * 64, factor=3)):
        assert jobs.find(other) is None
    # A small one stays whatever becomes of its file.
    (root / "answers" / filed.name).unlink()
    assert job.result() == "three"


def test_the_file_of_a_large_answer_outlives_its_job(root: Path) -> None:
    question = trial("hems", factor=3)
    frame = pd.DataFrame({"a": np.arange(MIB / 4)})
    filed = keep(root, question, frame)
    restarted()
    job = jobs.find(question)
    assert job is not None
    pd.testing.assert_frame_equal(job.result(), frame)
    job.drop()
    assert names(root) == {filed.name}
    pd.testing.assert_frame_equal(job.result(), frame)


def test_another_version_of_the_code_finds_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    question = trial("hems")
    keep(root, question, 1)
    with monkeypatch.context() as patch:
        patch.setattr(filed_answers, "code_version", lambda: "another")
        assert jobs.find(question) is None
    assert jobs.find(question) is not None


def test_the_version_is_of_code_samples_and_libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package, samples = tmp_path / "some_plugin", tmp_path / "samples"
    contents = {package / "__init__.py": "", package / "room" / "deep.py": "A = 1", samples / "runs.csv": "Ir\n1\n"}
    for path, text in contents.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(plugins, "packages", lambda: {"some_plugin", "no_such_plugin"})
    monkeypatch.setattr(filed_answers, "SAMPLES", samples)
    version = filed_answers.versions.__wrapped__
    first = version()
    assert version() == first
    for path, text in contents.items():
        path.write_text(text + "#")
        assert version() != first, path
        path.write_text(text)
    for path in (package / "__pycache__" / "deep.nbi", samples / "answers" / "one.zip"):
        path.parent.mkdir()
        path.write_text("x")
    assert version() == first
    (package / "room" / "deep.py").rename(package / "room" / "other.py")
    assert version() != first
    (package / "room" / "other.py").rename(package / "room" / "deep.py")
    monkeypatch.setattr(metadata, "version", lambda name: "0")
    assert version() != first


def test_hemcore_itself_is_part_of_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []
    original = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read.append(path) or original(path))
    filed_answers.versions.__wrapped__()
    assert {ROOT / "hemcore/jobs/codec.py", ROOT / "hemcore/mpx/estimators/__init__.py"} <= {path.resolve() for path in read}


def flipped(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:90] + bytes([content[90] ^ 1]) + content[91:])


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def replaced(path: Path) -> None:
    codec.write(path, "what somebody put there")


@pytest.mark.parametrize("damage", [flipped, cut, emptied, replaced])
def test_a_damaged_file_is_ignored_unread(
    root: Path, damage: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    question = trial("hems")
    for asked in ("found", "taken"):
        filed = keep(root, question, list(range(100)))
        damage(root / "answers" / filed.name)
        monkeypatch.setattr(codec, "read", _not_to_be_called)
        restarted()
        if asked == "found":
            assert jobs.find(question) is None
        else:
            assert filed_answers.taken(filed, root) == []
        [record] = caplog.records
        assert (record.levelno, "is ignored: the result's file" in record.getMessage()) == (logging.WARNING, True)
        assert "its checksum does not match" in record.getMessage()
        caplog.clear()
        assert names(root) == set()


def _not_to_be_called(path: Path) -> Any:
    raise AssertionError("parsed before its sum was checked")


class Harm:
    def __reduce__(self) -> Any:
        return os._exit, (3,)


def zipped(path: Path, **members: bytes) -> None:
    with zipfile.ZipFile(path, "w") as file:
        for name, content in members.items():
            file.writestr(name.replace("_", "."), content)


def as_tree(value: object) -> bytes:
    return json.dumps({"value": value, "pools": {}}).encode()


@pytest.mark.parametrize("content", ["pickle", "no question", "another question", "harmful class", "deep", "pickled array"])
def test_a_foreign_file_with_the_right_sum_is_ignored(root: Path, content: str, caplog: pytest.LogCaptureFixture) -> None:
    question = trial("hems")
    asked, path = json.dumps(question.to_dict()).encode(), root / "foreign"
    if content == "pickle":
        path.write_bytes(pickle.dumps(Harm()))
    elif content == "no question":
        zipped(path, result_json=as_tree(1))
    elif content == "another question":
        zipped(path, result_json=as_tree(1), question_json=json.dumps(trial("deaf").to_dict()).encode())
    elif content == "harmful class":
        zipped(path, result_json=as_tree({"class": "os:_exit", "fields": {}}), question_json=asked)
    elif content == "deep":
        zipped(path, result_json=b'{"pools": {}, "value": ' + b'{"list": [' * 100_000 + b"]}" * 100_000 + b"}", question_json=asked)
    else:
        with zipfile.ZipFile(path, "w") as file, file.open("0.npy", "w") as member:
            np.lib.format.write_array(member, np.array([Harm()], dtype=object), allow_pickle=True)
        with zipfile.ZipFile(path, "a") as file:
            file.writestr("result.json", as_tree({"array": {"member": "0.npy"}, "frozen": False}))
            file.writestr("question.json", asked)
    filed_results.folder_of(root, "answers")
    path.rename(root / "answers" / f"{filed_answers.key_of(question.id)}.{filed_results._sum(path)}.sample")
    assert jobs.find(question) is None
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert names(root) == set()


def test_files_of_other_names_are_no_answers_and_stay(root: Path) -> None:
    folder = filed_results.folder_of(root, "answers")
    others = {"notes.txt", f"{filed_answers.key_of(trial('hems').id)}.{'0' * 64}.{'x' * 16}", "0" * 32}
    for name in others:
        (folder / name).write_text("x")
    assert filed_answers.listed(root) == {}
    filed_answers.make_room(root)
    assert names(root) == others


def test_a_full_disk_costs_nothing_but_the_file(root: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def full(path: Path, value: Any) -> None:
        path.write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(codec, "write", full)
    assert filed_answers.keep(trial("hems").to_dict(), 1, 8, root) is None
    assert "trial.hems: its answer will not survive a restart: The disk of" in caplog.text
    assert names(root) == set()


def test_what_cannot_be_written_to_a_file_is_not_filed(root: Path) -> None:
    assert filed_answers.keep(trial("hems").to_dict(), threading.Lock(), 8, root) is None
    assert names(root) == set()


def filed_at(root: Path, number: int, seconds: float, mebibytes: float = 1.0) -> str:
    """The name of an answer of that size, last used at that time."""
    name = keep(root, trial("hems", factor=number), np.zeros(int(mebibytes * MIB / 8))).name
    os.utime(root / "answers" / name, (seconds, seconds))
    return name


def test_those_used_longest_ago_make_room(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [filed_at(root, number, 1000.0 + number) for number in range(5)]
    monkeypatch.setattr(filed_answers, "MOST_BYTES", int(3.5 * MIB))
    # Reading one is using it.
    assert filed_answers.taken(filed_answers.listed(root)[made[0].partition(".")[0]], root)
    filed_answers.make_room(root)
    assert names(root) == {made[0], made[3], made[4]}
    monkeypatch.setattr(filed_answers, "MOST_FILES", 2)
    filed_answers.make_room(root)
    assert names(root) == {made[0], made[4]}


def test_room_is_made_now_and_then(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Path | None] = []
    monkeypatch.setattr(filed_answers, "make_room", made.append)
    for number in range(101):
        keep(root, trial("hems", factor=number), 1)
    assert made == [root, root], "after fifty files each"
    monkeypatch.setattr(filed_answers, "ROOM_EVERY", 3 * MIB)
    monkeypatch.setattr(filed_answers, "_since_room", 0)
    for number in range(5):
        filed_at(root, number, 1000.0)
    assert made == [root] * 3, "after three mebibytes"


def test_one_that_would_take_half_the_room_is_not_filed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filed_answers, "MOST_BYTES", 200)
    assert filed_answers.keep(trial("hems").to_dict(), 1, 101, root) is None
    assert filed_answers.keep(trial("hems").to_dict(), 1, 100, root) is not None


def test_answers_go_with_their_dataset_and_what_was_half_written_after_a_day(root: Path) -> None:
    ids = [digit * 64 for digit in "abc"]
    made = [keep(root, trial("hems", id), 1).name for id in (*ids, "sample-phases")]
    (root / "datasets" / ids[0]).mkdir()
    (root / "deleted" / ids[1]).mkdir()
    for name, hours in (("old.partial", 25), ("new.partial", 23)):
        (root / "answers" / name).write_text("x")
        then = time.time() - hours * 3600
        os.utime(root / "answers" / name, (then, then))
    known_jobs._cleaned.discard(str(root))
    # Also at the first job of a server.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(known_jobs, "_connected", lambda: 1 / 0)
        patch.setattr(threading, "excepthook", lambda given: None)
        assert jobs.submit(trial("deaf")).wait(PATIENCE)
    assert names(root) == {made[0], made[1], made[3], "new.partial"}


def test_what_another_server_answered_meanwhile_is_taken_when_asked(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connected: list[int] = []
    monkeypatch.setattr(known_jobs, "_connected", lambda: connected.append(1) or 1 / 0)
    question = trial("hems")
    assert jobs.find(question) is None
    keep(root, question, "from there")
    with monkeypatch.context() as patch:
        # Pages look for jobs at every move of a slider: that touches no folder.
        patch.setattr(filed_results, "folder_of", _not_to_be_called)
        patch.setattr(os, "scandir", _not_to_be_called)
        assert jobs.find(question) is None
    job = jobs.submit(question)
    assert job.result(PATIENCE) == "from there"
    for thread in threading.enumerate():
        if thread.name.startswith("hem-job"):
            thread.join(PATIENCE)
    assert connected == []


def test_servers_that_write_the_same_answer_do_not_disturb_each_other(root: Path, caplog: pytest.LogCaptureFixture) -> None:
    question = trial("hems")

    def write(number: int) -> None:
        for _ in range(20):
            keep(root, question, np.full(50_000, number))
            filed_answers.make_room(root)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert caplog.records == []
    assert len(names(root)) >= 4  # their bytes hold when they were written
    for name in names(root):
        [found] = filed_answers.taken(Filed(name, name.split(".")[1], 0, "answers"), root)
        assert len(set(found)) == 1


@pytest.mark.slow
def test_only_the_parts_that_are_missing_are_computed(root: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    question = trial("counted_parts", stop=str(log), parts=6)
    first = jobs.submit(question).result(PATIENCE)
    assert sorted(log.read_text().split()) == list("012345")
    files = filed_answers.listed(root)
    of_part = {k: files[filed_answers.key_of(trial("counted", stop=str(log), part=k).id)].name for k in range(6)}
    assert len(files) == 7
    # Asked as a whole it is there; without its own file it is put together from its parts, of which one is gone and one damaged.
    (root / "answers" / files[filed_answers.key_of(question.id)].name).unlink()
    (root / "answers" / of_part[2]).unlink()
    flipped(root / "answers" / of_part[4])
    restarted()
    job = jobs.submit(question)
    found = job.result(PATIENCE)
    assert sorted(log.read_text().split()[6:]) == ["2", "4"]
    # What is damaged is known when it is read.
    assert (job.trail[0], (1.0, "6 of 6 done") in job.trail) == ((5 / 6, "5 of 6 done"), True)
    pd.testing.assert_frame_equal(found.frame.drop(columns="pid"), first.frame.drop(columns="pid"))
    # Another question takes the parts that it shares, from the files of the whole.
    more = jobs.submit(trial("counted_parts", stop=str(log), parts=7))
    assert more.result(PATIENCE).frame["part"].tolist() == list(range(7))
    assert log.read_text().split()[8:] == ["6"]


@pytest.mark.slow
def test_work_is_done_although_nothing_can_be_filed(root: Path) -> None:
    (root / "answers").write_text("not a folder")
    assert len(jobs.submit(trial("piece_parts", parts=3)).result(PATIENCE).frame) == 3
    job = jobs.submit(trial("hems", mebibytes=2.0))
    assert job.result(PATIENCE).factor == 1
    assert [path.name.partition(".")[0] for path in (root / "results").iterdir()] == [job.id]


@pytest.mark.slow
@pytest.mark.long
def test_a_killed_server_leaves_what_was_done(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, go = tmp_path / "log", tmp_path / "go"
    question = trial("counted_parts", stop=str(log), other=str(go), parts=6, bad=3)
    program = f"""
from tests.core.jobs import trial_room
from hemcore import jobs
from tests.core.jobs.asked import trial
jobs.submit(trial("counted_parts", stop={str(log)!r}, other={str(go)!r}, parts=6, bad=3)).result()
"""
    server = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT)
    try:
        until(lambda: len(filed_answers.listed(root)) == 5 and log.read_text().count("3") == 1)
        workers = [int(pid) for each in Path(f"/proc/{server.pid}/task").glob("*/children") for pid in each.read_text().split()]
    finally:
        server.send_signal(signal.SIGKILL)
        server.wait(PATIENCE)
    assert workers
    until(lambda: not any(alive(pid) for pid in workers))
    restarted()
    job = jobs.submit(question)
    until(lambda: job.note.endswith("halfway"))
    assert (job.trail[0], job.taken) == ((5 / 6, "5 of 6 done"), 5 / 6)
    assert job.note.startswith("5 of 6 done, part 4 of 6")
    assert job.progress == pytest.approx(5.5 / 6)
    assert job.trail.count(job.trail[0]) == 1, "what was there is reported together"
    go.touch()
    assert job.result(PATIENCE).frame["total"].tolist() == list(range(6))
    assert sorted(log.read_text().split()) == list("0123345")
    # The next server has nothing left to do.
    restarted()
    monkeypatch.setattr(known_jobs, "_connected", _not_to_be_called)
    found = jobs.find(question)
    assert found is not None
    assert found.result().frame["part"].tolist() == list(range(6))


def test_answers_to_parts_are_found_while_the_whole_is_not_done(root: Path) -> None:
    done, to_come = trial("hems", factor=3), trial("hems", factor=4)
    assert jobs.filed([done, to_come]) == [None, None]
    keep(root, done, 7)
    assert jobs.filed([done, to_come]) == [7, None]
