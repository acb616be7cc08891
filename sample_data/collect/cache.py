"""Readings kept on disk as they are made, so that a collection that was stopped resumes where it stopped."""

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path

from sample_data.collect.build import BUILD
from sample_data.collect.read import Reading

READINGS = BUILD / "readings"


def kept(key: str) -> Path:
    """Where the reading called `key` is kept."""
    return READINGS / f"{key}.json"


def load(key: str) -> Reading:
    """The reading called `key`, which must have been made."""
    return _from_text(kept(key).read_text())


def make_all(title: str, makers: Sequence[tuple[str, Callable[[], Reading]]], *, workers: int) -> None:
    """Make every reading that is not kept yet, `workers` at a time, and show how far it is.

    Native readings are made one at a time (workers=1): another program on the machine would be measured with them.
    """
    missing = [(key, make) for key, make in makers if not kept(key).exists()]
    done, started = len(makers) - len(missing), time.monotonic()
    _show(title, done, len(makers), None)
    with ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(_make_one, key, make) for key, make in missing]
        try:
            for number, future in enumerate(as_completed(futures), start=1):
                future.result()
                _show(title, done + number, len(makers), (time.monotonic() - started) / number * (len(missing) - number))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    print(file=sys.stderr)


def _make_one(key: str, make: Callable[[], Reading]) -> None:
    path = kept(key)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(asdict(make()), separators=(",", ":")))
    os.replace(partial, path)


def _from_text(text: str) -> Reading:
    record = json.loads(text)
    return Reading(record["phases"], [tuple(stage) for stage in record["stages"]], record["last_blocks"], record["result"])


def _show(title: str, done: int, total: int, left_s: float | None) -> None:
    left = "" if left_s is None else f", about {left_s / 60:.1f} min left"
    if sys.stderr.isatty():
        print(f"\r{title}: {done:,} of {total:,}{left}    ", end="", file=sys.stderr, flush=True)
    elif done == total or done % max(1, total // 10) == 0:
        print(f"{title}: {done:,} of {total:,}{left}", file=sys.stderr, flush=True)
