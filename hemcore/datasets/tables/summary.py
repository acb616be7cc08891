"""What a table holds, for people: its shape in words, a frame to preview and a row of figures a column."""

import pandas as pd

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments

Table = Subexperiments | CounterSeries | PhaseTable | SignatureTable


def frames(table: Table) -> dict[str, pd.DataFrame]:
    """The frames of `table` by name: one a subexperiment, or one for the whole."""
    if isinstance(table, Subexperiments):
        return dict(zip(table.labels, table.frames, strict=True))
    if isinstance(table, CounterSeries):
        return {"intervals": pd.concat([table.intervals, table.counts], axis=1)}
    return {"phases" if isinstance(table, PhaseTable) else "signatures": table.frame}


def shape(table: Table) -> str:
    """The shape in words, such as "24 subexperiments, 16 HEMs, 1,000 runs each"."""
    if isinstance(table, Subexperiments):
        runs = sorted({len(frame) for frame in table.frames})
        each = _many(runs[0], "run") if len(runs) == 1 else f"{runs[0]:,} to {_many(runs[-1], 'run')}"
        parts = [_many(len(table.frames), "subexperiment"), _many(len(table.hems), "HEM"), _many(table.n_pmcs, "PMC"), f"{each} each"]
    elif isinstance(table, CounterSeries):
        runs_read = sum(len(table.runs(application)) for application in table.applications)
        parts = [_many(len(table.applications), "application"), _many(runs_read, "run"), _many(len(table.counts), "interval")]
        parts += [_many(len(table.events), "event"), table.mode]
    elif isinstance(table, PhaseTable):
        parts = [_many(len(table.programs), "program"), _many(len(table.frame), "phase")]
        parts += [_many(len(table.counters), "counter"), _many(len(table.loads), "load")]
    else:
        parts = [_many(len(table.frame), "signature")]
    return ", ".join(parts)


def _many(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def columns(frame: pd.DataFrame) -> pd.DataFrame:
    """One row a numeric column of `frame`: column, measured, missing, least, median, mean, largest, CoV % (NaN for mean 0)."""
    numbers = frame.select_dtypes("number")
    mean = numbers.mean()
    return pd.DataFrame(
        {
            "column": [str(name) for name in numbers.columns],
            "measured": numbers.notna().sum().to_numpy(),
            "missing": numbers.isna().sum().to_numpy(),
            "least": numbers.min().to_numpy(),
            "median": numbers.median().to_numpy(),
            "mean": mean.to_numpy(),
            "largest": numbers.max().to_numpy(),
            "CoV %": (100 * numbers.std() / mean.where(mean != 0)).to_numpy(),
        }
    )
