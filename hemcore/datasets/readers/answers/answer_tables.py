"""Answers that are tables to go on with, read as the datasets that Keep makes of them: merged runs, metrics by phase and over time."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from hemcore.datasets.importing.dataset_archive import unguarded
from hemcore.datasets.readers import csv_text
from hemcore.datasets.readers.answers.own_answers import BY_PHASE, COMPUTED_BY, MERGED, OVER_TIME, answer_of
from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult, read_result
from hemcore.datasets.readers.number_marks import plain_numbers
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables import counter_series, phase_table
from hemcore.datasets.tables.checks import LARGEST
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.kinds import Table
from hemcore.datasets.tables.phase_table import PhaseTable, merged_runs
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.errors import ReadError

_READ = (*MERGED, BY_PHASE, OVER_TIME)
# Columns that name a row; the others are metrics.
_KEYS = {BY_PHASE: (*phase_table.KEYS, "region"), OVER_TIME: counter_series.KEYS}
_TEXTS = ("program", "granularity", "load", "region", "application")
_STRATEGIES = ("default", "roofline", "k-medoids")
_REMEDY = "Send the file as it was downloaded."


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(1, why) for one file that is marked as merged runs, or as metrics by phase or over time; else 0."""
    answer = answer_of(files[0]) if len(files) == 1 else None
    return (1.0, f"its column {COMPUTED_BY} names {answer}") if answer in _READ else (0.0, "")


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[Table]:
    """Merged runs as phases that are whole runs; metrics as the counters of phases or the events of a series, as Keep makes them.

    A metric that is negative somewhere, or has no value, is left out with a repair. Raises ReadError for another file, and for a cell that
    is not a number; TableError as the tables do.
    """
    answer = answer_of(files[0]) if len(files) == 1 else None
    if answer not in _READ:
        raise ReadError(f"{files[0].name if files else 'answer'}: no merged runs and no metrics as they are downloaded. {_REMEDY}")
    file = files[0]
    frame = _frame(file)
    note = f"{file.name}: computed by HEM Workbench ({answer}), not read from counters."
    if answer in MERGED:
        return read_result(merged_runs(frame), [], [note])
    keys = [name for name in frame.columns if name in _KEYS[answer]]
    values = frame.drop(columns=keys)
    numbers = values.to_numpy(dtype=float)
    with np.errstate(invalid="ignore"):
        odd = np.asarray(((numbers < 0) | (numbers > LARGEST)).any(axis=0))
    empty = np.asarray(~np.isfinite(numbers).any(axis=0))
    repairs = [
        Repair(file.name, str(name), "a metric without a value, left out" if none else "a metric that is negative somewhere, left out", 1)
        for name, none, out in zip(values.columns, empty.tolist(), odd.tolist(), strict=True)
        if none or out
    ]
    values = values.loc[:, ~(empty | odd)]
    if not values.shape[1]:
        raise ReadError(f"{file.name}: no metric has a value that is never negative, so none can be analysed further. Send the readings.")
    if answer == OVER_TIME:
        return read_result(CounterSeries(intervals=frame[keys], counts=values, mode="OCOE"), repairs, [note])
    return read_result(PhaseTable(frame=frame[[*keys, *values.columns]], counters=tuple(values.columns)), repairs, [note])


def with_classes(name: str, table: SignatureTable) -> tuple[SignatureTable, str]:
    """Signatures that were downloaded with their classes, with the columns that Keep gives the classes, and a note; `name`: of the file."""
    strategies = [column for column in table.frame.columns if column in _STRATEGIES]
    classes = {"class": "CLASS"} | {column: f"CLASS_{column.upper().replace('-', '')}" for column in strategies}
    out = [column for column in table.frame.columns if column in ("row", "agree", COMPUTED_BY) or str(column).startswith("why ")]
    kept = SignatureTable(frame=table.frame.drop(columns=out).rename(columns=classes))
    return kept, f"{name}: {', '.join(classes.values())}: classes that HEM Workbench computed, kept as columns; the page classifies anew."


def _frame(file: UploadedFile) -> pd.DataFrame:
    """The table without its mark; every column but those that name a row holds numbers."""
    cells, separator, text = csv_text.header_of(file.name, file.content)
    csv_text.check_widths(file.name, text, separator, len(cells))
    text, _ = plain_numbers(file.name, cells, text, separator)
    texts = pd.read_csv(csv_text.source_of(text), sep=separator, dtype=str, keep_default_na=False, skipinitialspace=True)
    texts.columns = pd.Index([unguarded(name) for name in cells], dtype=object)
    found: dict[str, pd.Series] = {}
    for name, column in ((str(name), texts[name]) for name in texts.columns if name != COMPUTED_BY):
        numbers = pd.to_numeric(column.where(column != ""), errors="coerce")
        wrong = (numbers.isna() & (column != "")).to_numpy()
        if name in _TEXTS and (name != "granularity" or wrong.any()):
            found[name] = column.map(unguarded)
        elif wrong.any():
            row = int(wrong.argmax())
            raise ReadError(f"{file.name}: row {row + 1}, column {name!r}: {column[row][:60]!r} is not a number. {_REMEDY}")
        else:
            found[name] = numbers
    return pd.DataFrame(found)


FORMAT = Format(
    key="hem_answer",
    title="an answer downloaded from HEM Workbench that is a table to go on with",
    kind="PhaseTable",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        "merged.csv": f"cycles,instructions,{COMPUTED_BY}\n"
        "812000.5,640100,HEM Workbench: merge.much\n"
        "808400,639800,HEM Workbench: merge.much\n"
        "821700,641000,HEM Workbench: merge.much\n",
    },
)
