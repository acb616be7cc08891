"""Made-up analyses: what a worker may be asked to do, and what may become of it there."""

import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.analysis import Analysis, Progress
from hemcore.datasets import Subexperiments
from hemcore.errors import HemError, Remedy
from hemcore.params import Params, parameter


class TrialParams(Params):
    factor: int = parameter(1, title="Factor", description="What it is done with.")
    stop: str = parameter("", title="Stop", description="A file: the work ends when it is there.")
    other: str = parameter("", title="Other", description="Another file.")
    parts: int = parameter(8, title="Parts", description="How many parts.")
    part: int = parameter(0, title="Part", description="Which part.")
    bad: int = parameter(-1, title="Bad", description="Which part goes wrong.")
    mebibytes: float = parameter(0.0, title="Size", description="Of the result.")


@dataclass(frozen=True, kw_only=True, eq=False)
class Found:
    hems: tuple[str, ...]
    factor: int
    pid: int
    values: NDArray[np.float64]
    params: TrialParams


@dataclass(frozen=True, kw_only=True, eq=False)
class Pieces:
    frame: pd.DataFrame
    gathered_by: int
    params: TrialParams


def hems(table: Subexperiments, params: TrialParams, progress: Progress | None) -> Found:
    if progress is not None:
        progress(0.5, "half")
    size = int(params.mebibytes * 2**20 / 8)
    values = np.arange(params.factor, dtype=float) if size == 0 else np.random.default_rng(params.factor).random(size)
    return Found(hems=tuple(table.hems), factor=params.factor, pid=os.getpid(), values=values, params=params)


def twice(table: Subexperiments, params: TrialParams, progress: Progress, found: Found) -> int:
    return 2 * found.factor


def stepwise(table: Subexperiments, params: TrialParams, progress: Progress) -> str:
    """Until it is cancelled, or params.stop exists."""
    for step in range(100_000):
        progress(min(0.25 + step / 1000, 0.9), f"step {step}")
        if params.stop and Path(params.stop).exists():
            return "stopped"
        time.sleep(0.02)
    return "ran out"


def deaf(table: Subexperiments, params: TrialParams, progress: Progress) -> None:
    time.sleep(600)


def stuck(table: Subexperiments, params: TrialParams, progress: Progress) -> int:
    """Never lets go of the interpreter, so that the worker cannot even be spoken to."""
    return (3 ** (10**9)) % 7


REMEDY = Remedy(label="Give more runs", choose={"factor": 4, "other": "more"}, analysis="trial.hems")


def refused(table: Subexperiments, params: TrialParams, progress: Progress) -> None:
    raise HemError("n_runs: 3 must be at least 4. Give more runs.", remedies=[REMEDY])


def divided(table: Subexperiments, params: TrialParams, progress: Progress) -> float:
    return 1 / (params.factor - 1)


def leaving(table: Subexperiments, params: TrialParams, progress: Progress) -> None:
    sys.exit(3)


def killed(table: Subexperiments, params: TrialParams, progress: Progress) -> None:
    os.kill(os.getpid(), params.factor)


def vanishing(table: Subexperiments, params: TrialParams, progress: Progress) -> None:
    os._exit(0)


def locked(table: Subexperiments, params: TrialParams, progress: Progress) -> Any:
    return threading.Lock()


def meeting(table: Subexperiments, params: TrialParams, progress: Progress) -> str:
    """Done only when the other one runs at the same time."""
    Path(params.stop).touch()
    while not Path(params.other).exists():
        progress(0.1, "")
        time.sleep(0.02)
    return params.stop


def talkative(table: Subexperiments, params: TrialParams, progress: Progress) -> int:
    """Prints more than a pipe holds."""
    print("x" * 300_000)
    return 1


def busy(table: Subexperiments, params: TrialParams, progress: Progress) -> pd.DataFrame:
    """Nothing but the processor's work: params.factor million turns."""
    total = 0
    for million in range(params.factor):
        for turn in range(1_000_000):
            total += turn & 3
        progress((million + 1) / params.factor, f"million {million + 1}")
    return pd.DataFrame({"part": [params.part], "total": [total], "pid": [os.getpid()]})


def piece(table: Subexperiments, params: TrialParams, progress: Progress) -> pd.DataFrame:
    """Waits for params.stop; part params.bad goes as params.other says."""
    if params.part == params.bad:
        if params.other == "refuses":
            raise HemError("n_runs: 3 must be at least 4. Give more runs.", remedies=[REMEDY])
        if params.other == "divides":
            raise ZeroDivisionError
        if params.other == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        if params.other == "sleeps":
            time.sleep(600)
    while params.stop and not Path(params.stop).exists():
        progress(0.5, "halfway")
        time.sleep(0.02)
    return pd.DataFrame({"part": [params.part], "total": [params.part * params.factor], "pid": [os.getpid()]})


def piece_waits(table: Subexperiments, params: TrialParams, progress: Progress) -> pd.DataFrame:
    """As `piece`, but only part 0 waits."""
    return piece(table, params if params.part == 0 else params.but(stop=""), progress)


def counted(table: Subexperiments, params: TrialParams, progress: Progress) -> pd.DataFrame:
    """Writes its part into params.stop; part params.bad waits for params.other."""
    with Path(params.stop).open("a") as log:
        log.write(f"{params.part} ")
    while params.part == params.bad and not Path(params.other).exists():
        progress(0.5, "halfway")
        time.sleep(0.02)
    return pd.DataFrame({"part": [params.part], "total": [params.part * params.factor], "pid": [os.getpid()]})


def each_part(table: Subexperiments, params: TrialParams) -> list[TrialParams]:
    return [params.but(part=number) for number in range(params.parts)]


def together(table: Subexperiments, params: TrialParams, results: Sequence[pd.DataFrame]) -> Pieces:
    if params.other == "gathers in vain":
        raise HemError("parts: they do not fit together. Take others.")
    empty = pd.DataFrame({"part": [], "total": [], "pid": []})
    return Pieces(frame=pd.concat(results, ignore_index=True) if results else empty, gathered_by=os.getpid(), params=params)


def _analysis(compute: Any, *reads: str) -> Analysis:
    return Analysis(name=f"trial.{compute.__name__}", title=f"trial {compute.__name__}", params=TrialParams, reads=reads, compute=compute)


def _fan(part: Analysis) -> Analysis:
    name = f"{part.name}_parts"
    reads = tuple(field for field in TrialParams.model_fields if field != "part")
    title = part.title + " in parts"
    return Analysis(name=name, title=title, params=TrialParams, reads=reads, part=part, parts=each_part, gather=together)


HEMS = _analysis(hems, "factor", "mebibytes")
TWICE = Analysis(name="trial.twice", title="trial twice", params=TrialParams, reads=("factor",), compute=twice, inputs=(HEMS,))
STEPWISE = _analysis(stepwise, "stop")
DEAF = _analysis(deaf, "factor")
STUCK = _analysis(stuck, "factor")
REFUSED = _analysis(refused)
DIVIDED = _analysis(divided, "factor")
LEAVING = _analysis(leaving)
KILLED = _analysis(killed, "factor")
VANISHING = _analysis(vanishing, "factor")
LOCKED = _analysis(locked)
MEETING = _analysis(meeting, "stop", "other")
TALKATIVE = _analysis(talkative)
BUSY = _analysis(busy, "factor", "part")
BUSY_PARTS = _fan(BUSY)
PIECE = _analysis(piece, "factor", "stop", "other", "part", "bad")
PIECE_PARTS = _fan(PIECE)
COUNTED = _analysis(counted, "factor", "stop", "other", "part", "bad")
COUNTED_PARTS = _fan(COUNTED)
PIECE_WAITS = _analysis(piece_waits, "factor", "stop", "other", "part", "bad")
PIECE_WAITS_PARTS = _fan(PIECE_WAITS)
