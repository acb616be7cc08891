"""Signatures beyond one machine's memory: k-medoids and classes over a folder of Parquet parts, a part at a time, here or on workers.

Every function takes `each`, which applies a function to the parts: `map` does it here, `hemcore.jobs.each` on the jobs' workers. The
parts are read in blocks, so that memory does not grow with their number or size, and the result does not depend on where it was computed.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hemcore.analysis import Each, Progress
from hemcore.datasets.tables.checks import check_counts, listed
from hemcore.datasets.tables.signature_table import METRICS
from hemcore.errors import ReadError
from hemcore.signatures.class_rules import CLASSES, TABLE_CLASSES, Floats
from hemcore.signatures.classify import classify_default, classify_kmedoids, classify_roofline
from hemcore.signatures.clusters import clara
from hemcore.signatures.clusters.clara import BLOCK_ROWS, Scale
from hemcore.signatures.clusters.ear_kmedoids import KMedoidsModel, fit_parts
from hemcore.signatures.params import SignatureParams
from hemcore.signatures.signature_rows import SetAside, gpu_active, gpu_columns, left_out


@dataclass(frozen=True)
class ParquetPart:
    """A Part of one Parquet file with the columns CPI, TPI, MEM_GBS and GFLOPS; GPU jobs and rows to set aside are NaN."""

    path: str
    set_aside: SetAside = "nothing"
    n_cpus: int = 1

    def blocks(self) -> Iterator[Floats]:
        """The metrics in the order of the file. Raises ReadError where the file cannot be read, TableError for impossible values."""
        for frame in self.frames():
            values = frame[list(METRICS)].to_numpy(dtype=float, na_value=np.nan, copy=True)
            values[left_out(frame, self.set_aside, self.n_cpus) | gpu_active(frame)] = np.nan
            yield values

    def frames(self) -> Iterator[pd.DataFrame]:
        """The metrics, and what tells whether a GPU worked, in blocks. Raises as `blocks` does."""
        try:
            with pq.ParquetFile(self.path) as file:
                names = file.schema_arrow.names
                missing = [name for name in METRICS if name not in names]
                if missing:
                    raise ReadError(f"{self.path}: no column {listed(missing)}; a part of signatures has {listed(METRICS)}. Write it anew.")
                wanted = [*METRICS, *gpu_columns(names)]
                for batch in file.iter_batches(batch_size=BLOCK_ROWS, columns=wanted):
                    frame = batch.to_pandas()
                    check_counts(frame[list(METRICS)], Path(self.path).name)
                    yield frame
        except (OSError, pa.ArrowException) as error:
            raise ReadError(f"{self.path}: cannot be read as Parquet ({str(error).splitlines()[0]}). Write the part anew.") from None


@dataclass(frozen=True, kw_only=True, eq=False)
class PartsReport:
    """Classes of the signatures in a folder of parts.

    rows, counted: all, and those that have a class. counts: signatures by strategy (index) and class (columns CLASSES).
    agreement: the share of those counted on which all strategies say the same; NaN where none is counted. files: what was written, in
    the order of the parts, a row per signature: default, roofline and k-medoids (where there were medoids), -1 without a class, else the
    place in CLASSES.
    """

    rows: int
    counted: int
    counts: pd.DataFrame
    agreement: float
    files: tuple[Path, ...]


def parts_of(folder: Path, *, set_aside: SetAside = "nothing", n_cpus: int = 1) -> list[ParquetPart]:
    """The Parquet files of a folder as parts, by name. Raises ReadError if there is none."""
    files = sorted(folder.glob("*.parquet")) if folder.is_dir() else []
    if not files:
        raise ReadError(f"{folder}: no Parquet file is there. Give the folder into which signatures were fetched or written.")
    return [ParquetPart(str(path.resolve()), set_aside, n_cpus) for path in files]


def fit_folder(
    folder: Path,
    *,
    n_clusters: int = 3,
    scale: Scale = "cbrt",
    seed: int = 0,
    set_aside: SetAside = "nothing",
    n_cpus: int = 1,
    each: Each = map,
) -> KMedoidsModel:
    """`fit_kmedoids` of all parts of a folder, in two passes. No labels are kept. Raises ReadError, TableError or ParameterError as it."""
    return fit_parts(parts_of(folder, set_aside=set_aside, n_cpus=n_cpus), n_clusters=n_clusters, scale=scale, seed=seed, each=each)


def classify_folder(
    folder: Path,
    to: Path,
    params: SignatureParams,
    *,
    model: KMedoidsModel | None = None,
    each: Each = map,
    progress: Progress | None = None,
) -> PartsReport:
    """The classes of every signature of a folder's parts, written to `to` (made where it is not), a file a part of the same name.

    k-medoids: by params.medoids and params.extremes, else by `model` in its own space, else there are none.
    Raises ReadError where a part cannot be read or written, TableError for impossible values, ParameterError as the rules do.
    """
    parts = parts_of(folder, set_aside=params.set_aside, n_cpus=params.cpus)
    to.mkdir(parents=True, exist_ok=True)
    if to.resolve() == folder.resolve():
        raise ReadError(f"{to}: the classes would overwrite the signatures. Name another folder.")
    names = _strategies(params, model)
    rows, counted, agreed = 0, 0, 0
    counts = np.zeros((len(names), len(TABLE_CLASSES)), dtype=np.int64)
    work = partial(classify_part, to=str(to.resolve()), params=params, model=model and replace(model, clusters=None, index=None))
    for number, found in enumerate(each(work, parts)):
        rows, counted, agreed = rows + found[0], counted + found[1], agreed + found[2]
        counts += found[3]
        if progress is not None:
            progress((number + 1) / len(parts), f"{rows:,} signatures")
    return PartsReport(
        rows=rows,
        counted=counted,
        counts=pd.DataFrame(counts, index=pd.Index(names, name="strategy"), columns=list(TABLE_CLASSES)),
        agreement=agreed / judged if (judged := counted - int(counts[0, -1])) else float("nan"),
        files=tuple(to / Path(part.path).name for part in parts),
    )


def classify_part(
    part: ParquetPart, to: str, params: SignatureParams, model: KMedoidsModel | None
) -> tuple[int, int, int, NDArray[np.int64]]:
    """Rows, rows counted, rows without a GPU on which all agree, and counts (strategies, 4) of one part.

    Its classes are written to the folder `to`: their places in TABLE_CLASSES, -1 without one.
    """
    path = Path(to) / Path(part.path).name
    being_written = path.with_suffix(f".{os.getpid()}.tmp")
    names = _strategies(params, model)
    rows, counted, agreed = 0, 0, 0
    counts = np.zeros((len(names), len(TABLE_CLASSES)), dtype=np.int64)
    try:
        with pq.ParquetWriter(being_written, pa.schema([(name, pa.int8()) for name in names])) as writer:
            for frame in part.frames():
                codes = _codes_of(frame, part, params, model)
                known = codes["default"] >= 0
                every = np.column_stack(list(codes.values()))[known]
                rows, counted = rows + len(frame), counted + int(known.sum())
                agreed += int((every == every[:, :1])[every[:, 0] < len(CLASSES)].all(axis=1).sum())
                counts += np.stack([np.bincount(column, minlength=len(TABLE_CLASSES)) for column in every.T])
                writer.write_table(pa.table(codes))
        being_written.replace(path)
    except OSError as error:
        raise ReadError(f"{being_written}: cannot be written ({error.strerror}). Is the folder writable, the disk full?") from None
    finally:
        being_written.unlink(missing_ok=True)
    return rows, counted, agreed, counts


def _strategies(params: SignatureParams, model: KMedoidsModel | None) -> list[str]:
    return ["default", "roofline", *(["k-medoids"] if params.medoids or model is not None else [])]


def _codes_of(frame: pd.DataFrame, part: ParquetPart, params: SignatureParams, model: KMedoidsModel | None) -> dict[str, NDArray[np.int8]]:
    out = left_out(frame, part.set_aside, part.n_cpus)
    by = {"rules": params.rules, "n_cpus": params.cpus}
    found: dict[str, NDArray[np.int8]] = {
        "default": _of(classify_default(frame, params.thresholds, rules=params.rules)),
        "roofline": _of(classify_roofline(frame, params.peaks, bandwidth_share=params.bandwidth_share, **by)),  # type: ignore[arg-type]
    }
    medoids, extremes = params.ear_medoids, params.ear_extremes
    if medoids is not None and extremes is not None:
        found["k-medoids"] = _of(classify_kmedoids(frame, medoids, extremes, **by))  # type: ignore[arg-type]
    elif model is not None:
        values = frame[list(METRICS)].to_numpy(dtype=float, na_value=np.nan, copy=True)
        values[out] = np.nan
        found["k-medoids"] = model.class_codes[clara.nearest(values, model.fit)]
    gpu = gpu_active(frame)
    for codes in found.values():
        codes[gpu] = len(CLASSES)
        codes[out] = -1
    return found


def _of(classes: pd.Series) -> NDArray[np.int8]:
    return classes.cat.codes.to_numpy().astype(np.int8)
