"""A table as one file of CSV, Parquet or JSON, with every value as it is: for programs."""

import io

import pandas as pd

from hemcore.datasets.tables import kinds
from hemcore.datasets.tables.kinds import Table


def long_table(table: Table) -> pd.DataFrame:
    """A typed table as one frame; subexperiments get a column with their name."""
    frames = kinds.frames(table)
    if len(frames) == 1:
        return next(iter(frames.values()))
    return pd.concat([frame.assign(subexperiment=name) for name, frame in frames.items()], ignore_index=True)


def frame_bytes(frame: pd.DataFrame, form: str) -> bytes:
    """`frame` without its index, as "csv", "parquet" or "json"; JSON is a list of rows. UTF-8."""
    if form == "csv":
        return str(frame.to_csv(index=False)).encode()
    if form == "json":
        return (str(frame.to_json(orient="records", date_format="iso", double_precision=15, force_ascii=False)) + "\n").encode()
    buffer = io.BytesIO()
    frame.to_parquet(buffer, index=False)
    return buffer.getvalue()
