"""A typed table and the repairs of its reading as Parquet files in a folder, and back; nothing is parsed before its sum was checked."""

import hashlib
import io
import json
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from hemcore.datasets.reading_progress import step
from hemcore.datasets.tables.kinds import KINDS, AnyKind, Table, kind_of
from hemcore.errors import StoreError, TableError

_SUMS = "SHA256SUMS"
_LARGE = 16 * 2**20
REPAIRS = "repairs.parquet"


def write(folder: Path, table: Table, repairs: pd.DataFrame | None = None) -> None:
    """Write the frames of `table` as numbered Parquet files, table.json with what is not in a frame, repairs.parquet where they are given,
    and SHA256SUMS of them all; its last line is the sum of those before it.

    Raises TableError for a column of values that Parquet does not keep, OSError when the disk does not take a file.
    """
    step("writing the dataset")
    frames, rest = kind_of(table).to_files(table)
    for number, frame in enumerate(frames):
        _write_frame(frame, folder / f"{number:04d}.parquet")
    (folder / "table.json").write_text(json.dumps({"files": len(frames), **rest}))
    written = [path.name for path in sorted(folder.glob("[0-9][0-9][0-9][0-9].parquet"))] + ["table.json"]
    if repairs is not None:
        repairs.to_parquet(folder / REPAIRS, index=False)
        written.append(REPAIRS)
    lines = "".join(f"{_digest(folder / name)}  {name}\n" for name in written)
    (folder / _SUMS).write_text(f"{lines}{hashlib.sha256(lines.encode()).hexdigest()}  {_SUMS}\n")


def sums(folder: Path) -> dict[str, str]:
    """File name -> SHA-256 of the files of the table that `write` wrote to `folder`, without the repairs.

    Raises OSError when there is no list of them, ValueError where it is damaged.
    """
    return {name: digest for name, digest in _listed(folder).items() if name != REPAIRS}


def rows(folder: Path) -> int:
    """The rows of all frames that `write` wrote to `folder`, from the ends of the files; 0 where there are none. Raises OSError or
    ArrowException where they are damaged."""
    return sum(pq.read_metadata(path).num_rows for path in folder.glob("[0-9][0-9][0-9][0-9].parquet"))


def read_repairs(folder: Path) -> pd.DataFrame:
    """The repairs that `write` wrote. Raises OSError, ValueError, TypeError or ArrowException where they are damaged."""
    content = (folder / REPAIRS).read_bytes()
    said = (_listed(folder) if (folder / _SUMS).exists() else {}).get(REPAIRS)
    # Of lists of before they had a sum, there is none.
    if said is not None and said != hashlib.sha256(content).hexdigest():
        raise ValueError(f"{REPAIRS} is not what was written")
    return pd.read_parquet(io.BytesIO(content))


def read(folder: Path, kind: str) -> Table:
    """The table that `write` wrote; `kind` is the name of its type. Raises OSError, KeyError or ValueError where files are damaged."""
    if kind not in KINDS:
        raise ValueError(f"kind {kind!r} is not known")
    _check_sums(folder)
    try:
        rest = json.loads((folder / "table.json").read_text())
        if (found := _begun(folder / "0000.parquet", KINDS[kind])) is not None:
            return found
        frames = [_read_frame(folder / f"{number:04d}.parquet") for number in range(rest["files"])]
        table: Table = KINDS[kind].from_files(frames, rest)
        return table
    except (TableError, TypeError, IndexError, pa.ArrowException) as error:
        raise ValueError(str(error)) from None


def _begun(path: Path, kind: AnyKind) -> Table | None:
    """The table of a large file, of which only the columns that a page begins with are read; None where it is read whole."""
    if kind.first is None or kind.from_first is None or path.stat().st_size <= _LARGE:
        return None
    columns = pq.read_schema(path).names
    first = kind.first(columns)
    others = [name for name in columns if name not in first]
    table: Table = kind.from_first(_read_frame(path, first), columns, lambda: _others(path, others))
    return table


def _others(path: Path, columns: list[str]) -> pd.DataFrame:
    try:
        return _read_frame(path, columns)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise StoreError(
            f"dataset {path.parent.name[:8]}: its files cannot be read any more ({error}). Restore it, or upload it again."
        ) from None


def _read_frame(path: Path, columns: list[str] | None = None) -> pd.DataFrame:
    # A large frame is left in columns as it is read: to join them takes as long again, and twice the memory.
    if path.stat().st_size <= _LARGE:
        return pd.read_parquet(path, engine="pyarrow", columns=columns)
    apart: dict[str, bool] = {"split_blocks": True, "self_destruct": True}
    if pd.__version__.startswith("2."):  # its read_parquet does not pass them on
        return pq.read_table(path, columns=columns).to_pandas(**apart)
    return pd.read_parquet(path, engine="pyarrow", columns=columns, to_pandas_kwargs=apart)


def _check_sums(folder: Path) -> None:
    """A bit that the disk flipped shall be told and not shown as a count. Folders of before there were sums are taken as they are."""
    if not (folder / _SUMS).exists():
        return
    for name, digest in sums(folder).items():
        if digest != _digest(folder / Path(name).name):
            raise ValueError(f"{Path(name).name} is not what was written")


def _listed(folder: Path) -> dict[str, str]:
    """File name -> SHA-256 of every file in the list. Raises OSError without it, ValueError where its own sum is another."""
    text = (folder / _SUMS).read_bytes().decode(errors="replace")
    lines = text.removesuffix("\n").split("\n")
    found = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    own = found.pop(_SUMS, None)
    before = "".join(f"{line}\n" for line in lines[:-1])
    # Lists of before repairs had a sum have none of their own.
    if (own is None and REPAIRS in found) or (own is not None and own != hashlib.sha256(before.encode()).hexdigest()):
        raise ValueError(f"{_SUMS} is not what was written")
    return found


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_frame(frame: pd.DataFrame, path: Path) -> None:
    try:
        frame.to_parquet(path, index=False)
    except (pa.ArrowException, TypeError, OverflowError):
        for name in frame.columns:
            try:
                pa.array(frame[name], from_pandas=True)
            except (pa.ArrowException, TypeError, OverflowError) as error:
                raise TableError(f"column {name!r} cannot be kept ({error}). Correct its values or leave the column out.") from None
        raise
