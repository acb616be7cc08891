"""The samples that parameters select: empty names filled in, runs cached."""

from weakref import WeakKeyDictionary

from hemcore.analysis import Progress
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import HemError, ParameterError
from hemcore.segmentation.detrend import without_trend
from hemcore.segmentation.event_runs import RunSamples, application_runs, application_shape, run_samples
from hemcore.segmentation.params import Detrend, SegmentationParams

_cached: WeakKeyDictionary[CounterSeries, tuple[tuple[str, str, int, int, Detrend], tuple[RunSamples, ...]]] = WeakKeyDictionary()


def with_event_and_run(table: CounterSeries, params: SegmentationParams) -> SegmentationParams:
    """`params` with application, event and run filled in: the first application, the first event that one of its runs counted, and the
    first run with a counted sample after trimming.

    Raises UnknownNameError for an application that is not in the table, ParameterError if none of its events was counted.
    """
    params = with_event(table, params)
    if params.run is not None:
        return params
    try:
        return params.but(run=runs_of(table, params)[0].run)
    except HemError:  # no run has a sample: the computation raises with the reason
        return params.but(run=application_shape(table, params.application).runs[0])


def report_start(progress: Progress | None, note: str) -> None:
    """Report 2%, so that a page shows what is being computed."""
    if progress is not None:
        progress(0.02, note)


def with_event(table: CounterSeries, params: SegmentationParams) -> SegmentationParams:
    """`params` with application and event filled in, as in `with_event_and_run`."""
    if params.application and params.event:
        return params
    application = params.application or table.applications[0]
    events = application_shape(table, application).events
    if not events:
        raise ParameterError(f"application: no event of {application!r} was counted in any interval. Choose another application.")
    return params.but(application=application, event=params.event or events[0])


def runs_of(table: CounterSeries, params: SegmentationParams) -> tuple[RunSamples, ...]:
    """The event's runs; the latest are cached with their table, since each move of the slider needs them again."""
    key = (params.application, params.event, params.trim_head, params.trim_tail, params.detrend)
    cached = _cached.get(table)
    if cached is None or cached[0] != key:
        runs = application_runs(table, *key[:2], trim_head=params.trim_head, trim_tail=params.trim_tail)
        cached = key, tuple(without_trend(each, params.detrend) for each in runs)
        _cached[table] = cached
    return cached[1]


def run_of(table: CounterSeries, params: SegmentationParams) -> RunSamples:
    """The samples of params.run, which must be filled in. Raises as `run_samples` does."""
    assert params.run is not None
    found = run_samples(table, params.application, params.event, params.run, trim_head=params.trim_head, trim_tail=params.trim_tail)
    return without_trend(found, params.detrend)
