"""Signatures out of EAR's database (MariaDB, MySQL, PostgreSQL; SQLite for trying), read-only, in chunks, to Parquet.

HEM_EAR_DATABASE_URL says where it is, with the password; messages and logs never show that. Values of filters are bound parameters: what
stands in them is compared, never run.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
import sqlalchemy as sa

from hemcore.analysis import Progress
from hemcore.datasets.tables.signature_table import METRICS, SignatureTable
from hemcore.errors import ParameterError
from hemcore.signatures.database.connection import VARIABLE, EarDatabaseError, opened
from hemcore.signatures.database.schema import JOB, LOOP, NEEDED, SIGNATURE, STEP

CHUNK_ROWS = 100_000
_TEXTS = {*(JOB[name] for name in ("user_id", "user_group", "user_acc", "app_id", "e_tag", "policy")), "NODENAME"}


@dataclass(frozen=True, kw_only=True)
class EarQuery:
    """Which signatures: of "applications" (a row a job step and node) or of "loops".

    start, end: jobs that ran at any time between them (with a time zone, or taken as UTC); None: from the first, to the last.
    user, application (the job's name), job: these alone; "" and None: all. Raises ParameterError where they do not fit.
    """

    kind: Literal["applications", "loops"] = "applications"
    start: datetime | None = None
    end: datetime | None = None
    user: str = ""
    application: str = ""
    job: int | None = None

    def __post_init__(self) -> None:
        if self.kind not in NEEDED:
            raise ParameterError(f"kind: {self.kind!r} is not known; it is one of {', '.join(NEEDED)}.")
        if self.start is not None and self.end is not None and _epoch(self.start) > _epoch(self.end):
            raise ParameterError(f"start: {self.start} is after the end, {self.end}. Exchange them.")
        for name in ("user", "application"):
            value = getattr(self, name)
            if not isinstance(value, str) or len(value) > 256 or "\x00" in value:
                raise ParameterError(f"{name}: {str(value)[:40]!r} does not fit; it must be a text of at most 256 letters.")
        if self.job is not None and (isinstance(self.job, bool) or not isinstance(self.job, int) or not 0 <= self.job < 2**63):
            raise ParameterError(f"job: {str(self.job)[:40]!r} must be a whole number of at least 0, as SLURM gives.")

    @property
    def words(self) -> str:
        """What is asked for, in words: "applications of user ann, from 2026-01-31"."""
        parts = [
            *([f"job {self.job}"] if self.job is not None else []),
            *(f"{name} {value}" for name, value in (("user", self.user), ("application", self.application)) if value),
        ]
        times = [f"{word} {moment:%Y-%m-%d}" for word, moment in (("from", self.start), ("to", self.end)) if moment is not None]
        return ", ".join([f"{self.kind} of {parts[0]}" if parts else self.kind, *parts[1:], *times])


@dataclass(frozen=True, kw_only=True)
class Fetched:
    """What was written: rows, and the Parquet files in order; none where no signature fits."""

    rows: int
    files: tuple[Path, ...]


def fetch(
    query: EarQuery,
    folder: Path,
    *,
    url: str | None = None,
    chunk_rows: int = CHUNK_ROWS,
    progress: Progress | None = None,
) -> Fetched:
    """Write the signatures to `folder` (made where it is not) as part-00000.parquet and so on, `chunk_rows` rows each.

    Columns are called as eacct's CSV calls them. EAR writes 0 for what it did not measure: where all four metrics are 0 they become NaN.
    url: default: HEM_EAR_DATABASE_URL. Raises EarDatabaseError where the database or the folder cannot be used.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files: list[Path] = []
    rows = 0
    with opened(url) as connection:
        total = _count(connection, query)
        for number, frame in enumerate(_chunks(connection, query, chunk_rows)):
            path = folder / f"part-{number:05d}.parquet"
            try:
                frame.to_parquet(path, index=False)
            except OSError as error:
                raise EarDatabaseError(f"{path}: could not be written ({error.strerror}). Is the folder writable, the disk full?") from None
            rows += len(frame)
            files.append(path)
            if progress is not None:
                progress(min(1.0, rows / max(total, 1)), f"{rows:,} of {total:,} signatures")
    return Fetched(rows=rows, files=tuple(files))


def load(
    query: EarQuery,
    *,
    url: str | None = None,
    most_rows: int = 1_000_000,
    progress: Progress | None = None,
) -> SignatureTable:
    """The signatures as a table in memory. Raises EarDatabaseError if there is none, or there are more than `most_rows`."""
    tell = progress if progress is not None else lambda done, note: None
    tell(0.0, "counting the signatures")
    with opened(url) as connection:
        total = _count(connection, query)
        if total == 0:
            raise EarDatabaseError("EAR's database: no signature fits. Widen the times, or leave out user, job or application.")
        if total > most_rows:
            raise EarDatabaseError(
                f"EAR's database: {total:,} signatures fit, more than {most_rows:,} at once. Narrow the times, or fetch them to Parquet."
            )
        frames, rows = [], 0
        for frame in _chunks(connection, query, CHUNK_ROWS // 10):
            frames.append(frame)
            rows += len(frame)
            if rows > most_rows:  # a server may count otherwise than it answers
                raise EarDatabaseError(f"{VARIABLE}: the server counted {total:,} signatures and sent over {most_rows:,}. Ask who runs it.")
            tell(0.95 * min(1.0, rows / total), f"{rows:,} of {total:,} signatures")
    return SignatureTable(frame=pd.concat(frames, ignore_index=True))


class _Names:
    """The tables and columns as this database writes them: PostgreSQL folds to lower case what EAR does not quote."""

    def __init__(self, connection: sa.Connection, kind: str) -> None:
        inspector = sa.inspect(connection)
        self._tables = {name.lower(): name for name in inspector.get_table_names()}
        missing = [name for name in NEEDED[kind] if name.lower() not in self._tables]
        if missing:
            raise EarDatabaseError(
                f"{VARIABLE}: the database has no table {', '.join(missing)}. Is it EAR's? Its name stands at the end of the address."
            )
        self._inspector = inspector

    def table(self, name: str) -> dict[str, sa.ColumnClause] | None:
        """The columns of a table by their names in small letters; None where there is no such table."""
        own = self._tables.get(name.lower())
        if own is None:
            return None
        names = [column["name"] for column in self._inspector.get_columns(own)]
        found = sa.table(own, *(sa.column(each) for each in names))
        return {each.lower(): found.c[each] for each in names}


def _select(connection: sa.Connection, query: EarQuery, *, counted: bool = False) -> sa.Select:
    names = _Names(connection, query.kind)
    step, job, signature = (names.table(name) for name in (NEEDED[query.kind][0], "Jobs", "Signatures"))
    assert step is not None
    assert job is not None
    assert signature is not None
    wanted: list[tuple[dict[str, sa.ColumnClause], dict[str, str]]] = [(step, STEP), (signature, SIGNATURE), (job, JOB)]
    if query.kind == "loops":
        wanted.insert(1, (step, LOOP))
    columns: list[sa.Label] = [
        table[own.lower()].label(name) for table, given in wanted for own, name in given.items() if own.lower() in table
    ]
    lacking = [metric for metric in METRICS if metric not in [column.name for column in columns]]
    if lacking:
        raise EarDatabaseError(f"{VARIABLE}: the table Signatures has no column for {', '.join(lacking)}. Is it EAR's database?")
    columns += _gpu_columns(names, signature)
    same_step = sa.and_(*(step[key] == job[key] for key in ("job_id", "step_id", "local_id") if key in step and key in job))
    tables = _table(step).join(_table(job), same_step).join(_table(signature), step["signature_id"] == signature["id"])
    chosen = sa.select(sa.func.count()) if counted else sa.select(*columns)
    chosen = chosen.select_from(tables)
    for condition in _conditions(query, job):
        chosen = chosen.where(condition)
    if counted:
        return chosen
    order = ("job_id", "step_id", "local_id", "node_id", "total_iterations")
    return chosen.order_by(*(step[key] for key in order if key in step))


def _table(columns: dict[str, sa.ColumnClause]) -> sa.FromClause:
    own = next(iter(columns.values())).table
    assert own is not None
    return own


def _gpu_columns(names: _Names, signature: dict[str, sa.ColumnClause]) -> list[sa.Label]:
    gpu = names.table("GPU_signatures")
    if gpu is None or not {"min_gpu_sig_id", "max_gpu_sig_id"} <= signature.keys() or "id" not in gpu:
        return []
    own = gpu["id"].between(signature["min_gpu_sig_id"], signature["max_gpu_sig_id"])
    figures: dict[str, sa.ColumnElement] = {}
    if "gpu_power" in gpu:
        figures["GPU_POWER_W"] = sa.func.sum(gpu["gpu_power"])
    if "gpu_util" in gpu:
        figures["GPU_UTIL_PERC"] = sa.func.max(gpu["gpu_util"])
    of_row = _table(signature)
    return [sa.select(each).where(own).correlate(of_row).scalar_subquery().label(name) for name, each in figures.items()]


def _conditions(query: EarQuery, job: dict[str, sa.ColumnClause]) -> list[sa.ColumnElement[bool]]:
    found: list[sa.ColumnElement[bool]] = []
    if query.start is not None:
        found.append(job["end_time"] >= _epoch(query.start))
    if query.end is not None:
        found.append(job["start_time"] <= _epoch(query.end))
    if query.user:
        # Cast: EAR's columns may be in a character set that has no letter of what is asked for.
        found.append(sa.cast(job["user_id"], sa.String) == query.user)
    if query.application:
        found.append(sa.cast(job["app_id"], sa.String) == query.application)
    if query.job is not None:
        found.append(job["job_id"] == query.job)
    return found


def _count(connection: sa.Connection, query: EarQuery) -> int:
    return int(connection.execute(_select(connection, query, counted=True)).scalar_one())


def _chunks(connection: sa.Connection, query: EarQuery, chunk_rows: int) -> Iterator[pd.DataFrame]:
    """The rows as frames of at most `chunk_rows`; the server keeps the rest."""
    streamed = connection.execution_options(stream_results=True, max_row_buffer=min(chunk_rows, 10_000))
    result = streamed.execute(_select(connection, query))
    names = list(result.keys())
    for rows in result.partitions(chunk_rows):
        frame = pd.DataFrame.from_records([tuple(row) for row in rows], columns=names)
        for name in names:
            if name in _TEXTS:
                frame[name] = frame[name].fillna("").astype(str)
            else:
                frame[name] = pd.to_numeric(frame[name]).astype(float if name not in ("JOBID", "STEPID", "APPID") else np.int64)
        unmeasured = (frame[list(METRICS)] == 0).all(axis=1)
        frame.loc[unmeasured, list(METRICS)] = np.nan
        yield frame


def _epoch(moment: datetime) -> int:
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
