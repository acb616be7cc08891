"""The level of an event as an analysis."""

from dataclasses import dataclass

import pandas as pd

from hemcore.analysis import Analysis, Kept
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.headline import Card, Verdict
from hemcore.trial.params import LevelsParams


@dataclass(frozen=True, kw_only=True)
class Levels:
    """The mean of an event over a window, one row an interval."""

    params: LevelsParams
    levels: pd.DataFrame


def levels(table: CounterSeries, params: LevelsParams, progress: object = None) -> Levels:
    """The level of each interval."""
    event = params.event or str(table.counts.columns[0])
    mean = table.counts[event].rolling(params.window, min_periods=1).mean()
    return Levels(params=params, levels=pd.DataFrame({"interval": table.intervals["interval"], "level": mean}))


LEVELS = Analysis(
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
