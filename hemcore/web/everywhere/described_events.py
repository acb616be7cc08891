"""What uploaded definitions of metrics say of events, for every hover in which such an event is named."""

import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from hemcore.datasets.owners import whose
from hemcore.datasets.shelf import library
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.errors import HemError
from hemcore.events.spelling import EventKey, event_key

# Shelves, and lists of definitions on them, that are remembered: a page asks for fifty hovers, which st.cache_data would copy and
# its key would cost more than the answer.
_SHELVES, _LISTS = 256, 16

# Words that can be names of events only: with a capital, a digit or a mark inside.
_NAMED = re.compile(r"(?<![\w.\-])(?=[\w.:/\-]*[A-Z0-9_.\-])[A-Za-z]\w*(?:[.:/\-]\w+)*")


def described_event(name: str) -> str | None:
    """What the event `name`, in any spelling, counts: by the newest upload that says so; None if none does."""
    return _known().get(_counted(name))


def are_described() -> bool:
    """Whether an upload says of any event what it counts."""
    return bool(_known())


def described_in(text: str) -> list[tuple[str, str]]:
    """The events that `text` names, each once in the order of its first use, with what they count; empty if it names none."""
    known = _known()
    names = dict.fromkeys(_NAMED.findall(text)) if known else {}
    return [(name, known[key]) for name in names if (key := _counted(name)) in known]


def _known() -> dict[EventKey, str]:
    root = whose.folder()
    # A dataset appears and goes by a rename in this folder; a page asks for many hovers.
    try:
        changed = (root / "datasets").stat().st_mtime_ns
    except FileNotFoundError:
        return {}
    return _descriptions(_uploads(str(root), changed))


@lru_cache(maxsize=_SHELVES)
def _uploads(root: str, changed: int) -> tuple[str, ...]:
    """The ids of the definitions on the shelf, the newest first."""
    return tuple(entry.id for entry in library.entries(DatasetStore(Path(root)), MetricDefinitions.__name__) if not entry.bundled)


@lru_cache(maxsize=_LISTS)
def _descriptions(ids: tuple[str, ...]) -> dict[EventKey, str]:
    found: dict[EventKey, str] = {}
    for id in ids:
        try:
            table = library.load(id)
        except HemError:
            continue  # a damaged upload is told where it is opened, not in hovers
        assert isinstance(table, MetricDefinitions)
        for event, description in zip(table.events["event"], table.events["description"], strict=True):
            if description:
                found.setdefault(_counted(event), description)
    return found


def _counted(name: str) -> EventKey:
    """The event whether in user or kernel code."""
    return replace(event_key(name), modes="")
