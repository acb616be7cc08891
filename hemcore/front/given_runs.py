"""Runs to be compared, from whatever a notebook holds."""

from pathlib import PurePath

import pandas as pd

from hemcore.datasets.readers.phases.wide import roles_of
from hemcore.datasets.readers.repairs import repairs_table
from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.datasets.tables.typed_table import Repairs, TypedTable, with_repairs
from hemcore.errors import TableError
from hemcore.front.frames import counters_of, frame_of, is_pieces, unrolled
from hemcore.front.given_tables import REMEDIES, Given, is_path, phases, subexperiments
from hemcore.front.read_files import load, read


def runs(data: object, *, program: str | None = None) -> Given:
    """Readings of any kind whose runs can be compared: a typed table, a sample, files, pieces (subexperiments), or a frame (a row per run).

    A frame with a column that names the program (`program`, or one of the usual names) is whole runs of several programs. Raises TableError
    for a list of HEMs, for metric definitions, and as `subexperiments` and `phases`.
    """
    data = unrolled(data)
    if isinstance(data, str) and not is_path(data) and data.removeprefix("sample-") in samples.names():
        data = load(data)
    elif isinstance(data, str | PurePath):
        data = read(data)
    if isinstance(data, Subexperiments | CounterSeries | PhaseTable | SignatureTable):
        return Given(table=data)
    if isinstance(data, TypedTable):
        raise TableError(f"compare: a {type(data).__name__} holds no runs. {REMEDIES[type(data).__name__]}")
    if is_pieces(data):
        return subexperiments(data)
    frame = frame_of(data, "compare").frame
    if program is not None or "program" in roles_of(list(frame.columns)):
        return _whole_runs(frame, program)
    counts, repairs = counters_of(frame, (), "compare")
    table = Subexperiments(frames=(counts,), n_pmcs=counts.shape[1], labels=("runs",))
    return Given(table=with_repairs(table, Repairs(frame=repairs_table(repairs))))


def _whole_runs(frame: pd.DataFrame, program: str | None) -> Given:
    if "granularity" in roles_of(list(frame.columns)):
        return phases(frame, program=program)
    return phases(frame.assign(granularity="whole run"), program=program)
