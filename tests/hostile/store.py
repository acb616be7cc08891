"""The store under kills and flipped bits: `python -m tests.hostile.store --kills 200 --flips 1600`, and a table of what was found."""

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pandas as pd

from hemcore.datasets import SignatureTable
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf.records import Lineage
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.errors import HemError

_UPLOADS = 6


def files(number: int) -> list[UploadedFile]:
    """Upload `number`: a stacked table with a repair in it."""
    rows = "".join(f"{2000 + row + number},{300 + row},{2100 + row},{'' if row == 3 else 400 + row}\n" for row in range(40))
    return [UploadedFile(f"readings {number}.csv", f"X1,X24,X1.1,X110\n{rows}".encode())]


def keep(store: DatasetStore, number: int) -> str:
    """Result `number` kept; its id."""
    frame = pd.DataFrame({"CPI": [0.5 + number], "TPI": [0.1], "MEM_GBS": [30.0], "GFLOPS": [100.0]})
    lineage = Lineage(parent="sample-x", parent_name="x", analysis="x", params={"number": number}, version="1", gives="x")
    return store.keep(SignatureTable(frame=frame), name=f"kept {number}", lineage=lineage).id


def kills(times: int, seed: int) -> Counter[str]:
    """What a store was like after each of `times` kills in upload, keep, rename, delete and restore; "whole" is sound, all else a fault."""
    root = Path(tempfile.mkdtemp(prefix="hem-kills-"))
    chance = random.Random(seed)
    found: Counter[str] = Counter()
    try:
        for number in range(times):
            said = _killed(lambda write, number=number: _work(root, seed * 100_000 + number, write), chance.uniform(0.0, 0.25))
            safe = {id for what, id in said if what == "done"} - {id for what, id in said if what == "leaves"}
            found[_answer(lambda write, safe=safe: write(_checked(root, safe)))] += 1
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return found


def flips(times: int, seed: int) -> Counter[str]:
    """What became of a store of two datasets in which one bit of a file of one of them was changed: "told" and "no change" are sound."""
    root = Path(tempfile.mkdtemp(prefix="hem-flips-"))
    chance = random.Random(seed)
    found: Counter[str] = Counter()
    try:
        store = DatasetStore(root)
        hurt, other = store.add(files(0)).id, keep(store, 1)
        before = _all_of(root, hurt)
        paths = sorted(path for path in (root / "datasets" / hurt).iterdir())
        for number in range(times):
            path = paths[number % len(paths)]
            whole = path.read_bytes()
            made = bytearray(whole)
            made[chance.randrange(len(made))] ^= 1 << chance.randrange(8)
            path.write_bytes(made)
            found[_after_flip(root, hurt, other, before)] += 1
            path.write_bytes(whole)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return found


def _all_of(root: Path, id: str) -> list[object]:
    store = DatasetStore(root)
    table = store.load(id)
    return [store.record(id), store.repairs(id).to_csv(), [frame.to_csv() for frame in table.frames]]  # type: ignore[union-attr]


def _after_flip(root: Path, hurt: str, other: str, before: list[object]) -> str:
    try:
        store = DatasetStore(root)
        if other not in {record.id for record in store.records()} or not len(store.load(other).frame):  # type: ignore[union-attr]
            return "another dataset lost"
        try:
            return "no change" if _all_of(root, hurt) == before else "changed untold"
        except HemError:
            return "told"
    except Exception as error:
        return f"crash: {type(error).__name__}"


def _work(root: Path, seed: int, write: Callable[[object], None]) -> None:
    """Work on the store without end; each step is told before and after."""
    chance = random.Random(seed)
    store = DatasetStore(root)
    while True:
        how = chance.randrange(5)
        records = store.records()
        if how < 2 or not records:
            id = store.add(files(chance.randrange(_UPLOADS))).id if how else keep(store, chance.randrange(_UPLOADS))
        else:
            id = chance.choice(records).id
            if how == 2:
                store.rename(id, f"name {chance.randrange(1_000)}")
            elif how == 3:
                write(("leaves", id))
                store.delete(id)
                continue
            else:
                write(("leaves", id))
                store.delete(id)
                store.restore(id)
        write(("done", id))


def _checked(root: Path, safe: set[str]) -> str:
    """ "whole", or what is wrong: every dataset on the list can be read, none is damaged, none of `safe` is gone."""
    try:
        store = DatasetStore(root)
        if store.damaged():
            return "damaged"
        for record in store.records():
            store.load(record.id)
            store.repairs(record.id)
        return "lost" if safe - {record.id for record in store.records()} else "whole"
    except Exception as error:
        return f"crash: {type(error).__name__}: {error}"


def _forked(work: Callable[[Callable[[object], None]], None]) -> tuple[int, int]:
    """(process, end of a pipe to read what it tells). This process itself never opens a store, so that it has no threads to fork."""
    out, into = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(out)
        try:
            work(lambda said: os.write(into, (json.dumps(said) + "\n").encode()) and None)
        finally:
            os._exit(0)
    os.close(into)
    return process, out


def _killed(work: Callable[[Callable[[object], None]], None], after_s: float) -> list[list[str]]:
    process, out = _forked(work)
    with os.fdopen(out) as pipe:
        # The clock runs from its first word: opening the store is no part of the work.
        first = pipe.readline()
        time.sleep(after_s)
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        return [json.loads(line) for line in [first, *pipe] if line.endswith("\n")]


def _answer(work: Callable[[Callable[[object], None]], None]) -> str:
    process, out = _forked(work)
    with os.fdopen(out) as pipe:
        said = pipe.readline()
    os.waitpid(process, 0)
    return str(json.loads(said)) if said else "crash: the process that looked ended"


def main() -> int:
    """Run both; 1 where anything but what is sound was found."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--kills", type=int, default=200)
    asked.add_argument("--flips", type=int, default=1_600)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    killed, flipped = kills(given.kills, given.seed), flips(given.flips, given.seed)
    print(f"{given.kills} kills: {dict(killed)}")
    print(f"{given.flips} flipped bits: {dict(flipped)}")
    return int(set(killed) != {"whole"} or not set(flipped) <= {"told", "no change"})


if __name__ == "__main__":
    sys.exit(main())
