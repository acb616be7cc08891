"""The level of an event as an analysis."""

from dataclasses import dataclass

import pandas as pd

from hemcore.analysis import Analysis, Kept, Progress
from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import ParameterError, UnknownNameError
from hemcore.headline import Card, Verdict
from hemcore.trial.params import LevelsParams


@dataclass(frozen=True, kw_only=True)
class Levels:
    """The mean of an event over a window, one row per interval of a run."""

    params: LevelsParams
    levels: pd.DataFrame


def levels(table: CounterSeries, params: LevelsParams, progress: Progress | None = None) -> Levels:
    """The level of each interval of the first run: a window never reaches into another run; one without any count is left out.

    Raises UnknownNameError for an event that is not there, ParameterError for one that was never counted.
    """
    application = table.applications[0]
    run = table.run(application, table.runs(application)[0])
    event = params.event or str(table.counts.columns[0])
    if event not in run.counts:
        raise UnknownNameError(f"event: {event!r} is not in this series; it has {listed(run.counts.columns)}.")
    mean = run.counts[event].rolling(params.window, min_periods=1).mean()
    found = pd.DataFrame({"interval": run.intervals["interval"], "level": mean}).dropna(ignore_index=True)
    if found.empty:
        raise ParameterError(f"event: {event!r} was never counted in the first run. Choose another event.")
    return Levels(params=params, levels=found)


LEVELS: Analysis[CounterSeries, LevelsParams, Levels] = Analysis(
    name="trial.levels",
    title="Levels",
    params=LevelsParams,
    reads=("event", "window"),
    compute=levels,
    gives="levels",
    named_by=("event",),
    keeps=(Kept(name="series", description="the series once more", kind="CounterSeries", make=lambda result, table: table),),
    cards=lambda found: [Card(label="Highest level", value=float(found.levels["level"].max()), form=",.0f")],
    verdict=lambda found: Verdict(answer=f"The level goes up to {found.levels['level'].max():,.0f}.", trust="It is a mean."),
)
