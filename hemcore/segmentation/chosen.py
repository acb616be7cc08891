"""Which samples a question is about: names filled in where they are empty, runs remembered."""

from weakref import WeakKeyDictionary

from hemcore.analysis import Progress
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import HemError, ParameterError
from hemcore.segmentation.event_runs import RunSamples, application_runs, application_shape, run_samples
from hemcore.segmentation.params import SegmentationParams

_taken: WeakKeyDictionary[CounterSeries, tuple[tuple[str, str, int, int], tuple[RunSamples, ...]]] = WeakKeyDictionary()


def named(table: CounterSeries, params: SegmentationParams) -> SegmentationParams:
    """`params` with application, event and run filled in where they are empty: the first application, the first event that one of its
    runs counted, and the first run that the trims leave a count of it.

    Raises UnknownNameError for an application that is not in the table, ParameterError for one of which nothing was counted.
    """
    asked = of_event(table, params)
    if asked.run is not None:
        return asked
    try:
        return asked.but(run=runs_of(table, asked)[0].run)
    except HemError:  # no run has a count of it: what is computed says so, with the reason
        return asked.but(run=application_shape(table, asked.application).runs[0])


def tell(progress: Progress | None, note: str) -> None:
    if progress is not None:
        progress(0.02, note)


def of_event(table: CounterSeries, params: SegmentationParams) -> SegmentationParams:
    """`params` with application and event filled in, as `named` does."""
    if params.application and params.event:
        return params
    application = params.application or table.applications[0]
    events = application_shape(table, application).events
    if not events:
        raise ParameterError(f"application: no event of {application!r} was counted in any interval. Choose another application.")
    return params.but(application=application, event=params.event or events[0])


def runs_of(table: CounterSeries, params: SegmentationParams) -> tuple[RunSamples, ...]:
    """The event's runs; those taken last are remembered with their table, since each move of the slider asks for the same."""
    key = (params.application, params.event, params.trim_head, params.trim_tail)
    taken = _taken.get(table)
    if taken is None or taken[0] != key:
        taken = key, tuple(application_runs(table, *key[:2], trim_head=params.trim_head, trim_tail=params.trim_tail))
        _taken[table] = taken
    return taken[1]


def run_of(table: CounterSeries, params: SegmentationParams) -> RunSamples:
    assert params.run is not None
    trims = {"trim_head": params.trim_head, "trim_tail": params.trim_tail}
    return run_samples(table, params.application, params.event, params.run, **trims)
