"""Definitions of metrics: read from files, or one of the sets that come with the project."""

from functools import cache
from pathlib import Path

from hemcore.datasets.readers.format import ReadResult
from hemcore.datasets.readers.metrics import definition_files
from hemcore.datasets.readers.uploaded_files import UploadedFile, expand
from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.datasets.tables.typed_table import Repairs, with_repairs
from hemcore.errors import ReadError, UnknownNameError
from hemcore.events.spelling import EventColumns

_FOLDER = Path(__file__).parent
# For whose events each set is.
OURS = {
    "generic": "events that perf, PAPI and LIKWID count on most processors",
    "valgrind": "Valgrind's events (the samples)",
    "cortex-a15": "Arm Cortex-A15",
    "t2080": "NXP T2080 (e6500 core)",
    "synthetic": "the synthetic processor (a sample)",
}


def read_definitions(*paths: str | Path | UploadedFile) -> MetricDefinitions:
    """The metrics of files and folders, as one set.

    paths: what `perf list -j --details` or `perf list --details` printed, Intel's `*_metrics.json` with its `*_core.json`, Arm's JSON,
    LIKWID's groups (a file or a folder), or our own CSV or JSON; archives are opened. What was left out is in the table's `repairs`.

    Raises ReadError if a file is not there, is none of these or holds no metric; TableError for metrics in a circle.
    """
    files = [each for path in paths for each in _files(path)]
    if not files:
        raise ReadError("definitions: no file was given. For example: read_definitions('skylakex_metrics.json', 'skylakex_core.json')")
    result: ReadResult[MetricDefinitions] = definition_files.read(expand(files))
    return with_repairs(result.table, Repairs(frame=result.repairs, notes=result.notes))


@cache
def our_definitions(name: str) -> MetricDefinitions:
    """One of the sets in OURS. Raises UnknownNameError for any other name."""
    if name not in OURS:
        raise UnknownNameError(
            f"definitions: {name[:60]!r} is no set of the project; there are {', '.join(OURS)}. Correct it or read a file."
        )
    return read_definitions(_FOLDER / f"{name}.csv")


def best_of_ours(events: EventColumns) -> str:
    """The set that finds the most of its metrics' events in `events`; "" if none finds all events of a single metric."""
    scores = {name: len(with_events(our_definitions(name), events)) for name in OURS}
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] else ""


def with_events(definitions: MetricDefinitions, events: EventColumns) -> list[str]:
    """The metrics all of whose events are in `events`, in their order; constants aside."""
    found = {event: events.find(event) is not None for needed in definitions.needed_events.values() for event in needed}
    return [name for name, needed in definitions.needed_events.items() if all(found[event] for event in needed)]


def _files(path: str | Path | UploadedFile) -> list[UploadedFile]:
    if isinstance(path, UploadedFile):
        return [path]
    place = Path(path).expanduser()
    try:
        inside = sorted(each for each in place.iterdir() if each.is_file()) if place.is_dir() else [place]
        return [UploadedFile(each.name, each.read_bytes()) for each in inside]
    except (OSError, ValueError) as error:
        raise ReadError(f"{str(path)[:200]}: it cannot be read ({error}). Correct the path.") from None
