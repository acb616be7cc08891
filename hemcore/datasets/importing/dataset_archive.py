"""A dataset as the app downloads it: a .zip of CSV files and dataset.json, which says what they are; read back, it is the same table."""

import io
import json
import re
import zipfile
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import Any

import numpy as np
import pandas as pd

from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.format import NO_OPTIONS, Format, NoOptions, ReadResult, read_result
from hemcore.datasets.readers.reading_limits import check_readings
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.kinds import KINDS, Table, kind_of
from hemcore.errors import HemError, ReadError

DESCRIPTION = "dataset.json"
_MARK = "hem_workbench_dataset"
_REMEDY = "Send the .zip as it was downloaded."
# What a download puts in front of texts that a spreadsheet would run.
_GUARDED = re.compile(r"'(?=[\s\u0000-\u001f\u200b-\u200f\u2060\ufeff]*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\n])")
_TYPES = re.compile(r"(?:u?int|float)(?:8|16|32|64)|bool|datetime64\[(?:s|ms|us|ns)(?:, UTC)?\]")


def unguarded(text: str) -> str:
    """`text` without the apostrophe that a download puts in front of what a spreadsheet would run."""
    return _GUARDED.sub("", text, count=1)


def archive_of(table: Table, make: Callable[[pd.DataFrame], bytes], ending: str = "csv") -> bytes:
    """A .zip of the frames of `table` as files that `make` writes, with dataset.json, from which CSV is read back as the same table."""
    frames, rest = kind_of(table).to_files(table)
    names = [f"{name}.{ending}" for name in _names(table, len(frames))]
    parts = [
        {"file": name, "columns": {str(key): str(frame[key].dtype) for key in frame}} for name, frame in zip(names, frames, strict=True)
    ]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(DESCRIPTION, json.dumps({_MARK: 1, "kind": kind_of(table).name, "rest": rest, "parts": parts}, indent=1))
        for name, frame in zip(names, frames, strict=True):
            archive.writestr(name, make(frame))
    return buffer.getvalue()


def recognise(files: Sequence[UploadedFile]) -> tuple[float, str]:
    """(1, why) where one of the files is a dataset.json of a download; else 0."""
    found = [file for file in files if _is_description(file)]
    return (1.0, f"{DESCRIPTION} of a downloaded dataset") if len(found) == 1 else (0.0, "")


def read(files: Sequence[UploadedFile], options: NoOptions = NO_OPTIONS) -> ReadResult[Table]:
    """The table as it was downloaded. Raises ReadError for a missing, strange or changed part, TableError as its kind does."""
    described = [file for file in files if _is_description(file)]
    if len(described) != 1:
        raise ReadError(f"downloaded dataset: {len(described)} files {DESCRIPTION}; exactly one is needed. {_REMEDY}")
    said = _description(described[0])
    by_name = {PurePosixPath(file.name).name: file for file in files}
    missing = [part["file"] for part in said["parts"] if part["file"] not in by_name]
    if missing:
        raise ReadError(f"{described[0].name}: {listed(missing)} is not among the files. {_REMEDY}")
    known = {DESCRIPTION, *(part["file"] for part in said["parts"])}
    strange = [name for name in by_name if name not in known]
    frames = [_frame(by_name[part["file"]], part["columns"]) for part in said["parts"]]
    try:
        table: Table = KINDS[said["kind"]].from_files(frames, said["rest"])
    except HemError:
        raise
    except (KeyError, TypeError, IndexError, ValueError) as error:
        raise ReadError(f"{described[0].name}: it does not fit its files ({error}). {_REMEDY}") from None
    return read_result(table, [], [f"{name}: left out: it is no part of the dataset." for name in strange])


def _names(table: Table, count: int) -> list[str]:
    """A plain name for each file, each once."""
    kind = kind_of(table)
    named = list(kind.frames(table))
    if kind.name == "CounterSeries":
        named = ["intervals", "counts", *kind.to_files(table)[1].get("beside", ["share"])]
    if kind.to_files(table)[1].get("truth"):
        named.append("truth")
    if "places" in kind.to_files(table)[1]:
        named += ["places", "places-counts"]
    plain = [re.sub(r"[^\w\-]+", "-", name.removesuffix(".csv")).strip("-")[:60] for name in named[:count]]
    return [f"{number:04d}_{name}" if plain.count(name) > 1 or not name else name for number, name in enumerate(plain, start=1)]


def _is_description(file: UploadedFile) -> bool:
    return PurePosixPath(file.name).name == DESCRIPTION and _MARK.encode() in decoding.head_of(file.content, 200)


def _description(file: UploadedFile) -> dict[str, Any]:
    """What dataset.json says, its form checked. Raises ReadError where it has another form."""
    try:
        said = json.loads(decoding.text_of(file.name, file.content, remedy=_REMEDY))
        fits = said["kind"] in KINDS and isinstance(said["rest"], dict) and len(said["parts"]) > 0
        for part in said["parts"]:
            fits &= isinstance(part["file"], str) and all(isinstance(kind, str) for kind in part["columns"].values())
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ReadError(f"{file.name}: damaged ({error}). {_REMEDY}") from None
    if not fits:
        raise ReadError(f"{file.name}: its kind {str(said['kind'])[:40]!r} or its parts are not known. {_REMEDY}")
    return dict(said)


def _frame(file: UploadedFile, columns: dict[str, str]) -> pd.DataFrame:
    # Parquet was made CSV when the upload was opened; what a download guards in CSV stands in it as it is.
    guarded = file.name.endswith(".csv")
    if not guarded and not file.name.endswith(".parquet"):
        raise ReadError(f"{file.name}: only a download as CSV or Parquet is read back. Download the dataset again.")
    text = decoding.text_of(file.name, file.content, remedy=_REMEDY)
    check_readings(file.name, text.count("\n"), len(columns))
    try:
        found = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)
    except (pd.errors.ParserError, pd.errors.EmptyDataError, ValueError) as error:
        raise ReadError(f"{file.name}: not the CSV that was downloaded ({error}). {_REMEDY}") from None
    if guarded:
        found.columns = pd.Index([unguarded(str(name)) for name in found.columns])
        texts = [name for name, kind in columns.items() if _TYPES.fullmatch(kind) is None and name in found]
        found[texts] = found[texts].apply(lambda column: column.str.replace(_GUARDED, "", n=1, regex=True))
    if list(found.columns) != list(columns):
        raise ReadError(f"{file.name}: line 1: its columns are {listed(found.columns)}, not {listed(columns)}. {_REMEDY}")
    return pd.DataFrame({name: _typed(file, name, found[name], kind) for name, kind in columns.items()})


def _typed(file: UploadedFile, name: str, texts: pd.Series, kind: str) -> pd.Series:
    if _TYPES.fullmatch(kind) is None:
        return texts.astype(object).where(texts != "", None)
    try:
        if kind.startswith("datetime64"):
            return pd.to_datetime(texts.where(texts != ""), format="ISO8601", utc="UTC" in kind).astype(pd.api.types.pandas_dtype(kind))
        if kind == "bool":
            return texts.map({"True": True, "False": False, "TRUE": True, "FALSE": False}).astype(bool)
        return pd.to_numeric(texts.where(texts != "")).astype(np.dtype(kind))
    except (ValueError, TypeError) as error:
        raise ReadError(f"{file.name}: column {name!r}: not the values that were downloaded ({error}). {_REMEDY}") from None


FORMAT = Format(
    key="hem_dataset",
    title="a dataset downloaded from HEM Workbench",
    kind="Subexperiments",
    recognise=recognise,
    read=read,
    options=NoOptions,
    example={
        DESCRIPTION: json.dumps(
            {
                _MARK: 1,
                "kind": "Subexperiments",
                "rest": {"n_pmcs": 2, "labels": ["first"]},
                "parts": [{"file": "first.csv", "columns": {"cycles": "float64", "instructions": "int64"}}],
            }
        )
        + "\n",
        "first.csv": "cycles,instructions\n812000.5,640100\n808400,639800\n821700,641000\n",
    },
)
