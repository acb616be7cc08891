"""The tasks of one job: where each is, what it is called, how it failed."""

import json
from collections.abc import Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Any

from hemcore.analysis import AskedQuestion
from hemcore.errors import Remedy
from hemcore.jobs.job import Place
from hemcore.jobs.tasks import Task
from hemcore.jobs.worker import Stopped
from hemcore.params import control
from hemcore.registry import analysis_named


@dataclass(eq=False)
class Piece:
    """One task on the scheduler.

    label: which part it is, in words. name: of the file for its result; None where another task takes it on. done: its share.
    withdrawn, asked: when it was taken from the queue, and when the worker was asked to stop it.
    """

    task: Task
    label: str = ""
    results: Sequence[object] = ()
    name: str | None = None
    priority: int = 0
    starts: int = 0
    key: str = ""
    future: Any = None
    place: Place | None = None
    done: float = 0.0
    ended: bool = False
    withdrawn: float | None = None
    asked: float | None = None

    @property
    def runs(self) -> bool:
        """Whether a worker is at it."""
        return self.place is not None and not self.ended and (self.withdrawn is not None or not self.future.done())

    @property
    def waits(self) -> bool:
        """Whether it is in the scheduler's queue."""
        return self.place is None and self.withdrawn is None and not self.future.done()


class PieceFailed(Exception):
    """A piece failed of its __cause__; label: which part."""

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self.label = label


def remedies_of(error: BaseException) -> tuple[Remedy, ...]:
    """What the function that failed offers as buttons."""
    stopped = error.__cause__ if isinstance(error, PieceFailed) else error
    return stopped.remedies if isinstance(stopped, Stopped) else ()


def error_of(future: Any) -> BaseException | None:
    """What the future failed of, None where it did not."""
    # Of what was cancelled, also by the loss of the scheduler, distributed says that it has no exception.
    return CancelledError() if future.cancelled() else future.exception()


def labels_of(parts: Sequence[AskedQuestion]) -> list[str]:
    """What each part is in words: its number and the parameters by which it differs from others."""
    if not parts:
        return []
    model = analysis_named(parts[0]["analysis"]).params
    differ = [name for name in parts[0]["params"] if len({json.dumps(part["params"][name]) for part in parts}) > 1]
    titles = {name: control(model, name).title.lower() for name in differ}
    labels = []
    for number, part in enumerate(parts):
        differs = ", ".join(f"{title} {part['params'][name]}" for name, title in titles.items())
        labels.append(f"part {number + 1} of {len(parts)}" + (f" ({differs})" if differs else ""))
    return labels
