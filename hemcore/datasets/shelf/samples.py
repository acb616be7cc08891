"""The project's own readings, by name: real programs read under Valgrind and natively (see sample_data/README.md)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq

from hemcore import resources
from hemcore.datasets.readers.eacct import read_eacct
from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hem_list import HemList
from hemcore.datasets.tables.kinds import Table
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ReadError, UnknownNameError

FOLDER = resources.SAMPLES
EVENTS = ("Ir", "Dr", "Dw", "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw", "Bc", "Bcm", "Bi", "Bim")
N_PMCS = 6
_PARTS = "subexperiment_*.csv.gz"


@dataclass(frozen=True)
class Sample:
    """A sample dataset: its `name`, a `title` for people, its table type, how to load it, its file or folder and, if known, its truth."""

    name: str
    title: str
    kind: type
    load: Callable[[], Table]
    path: str
    truth: Callable[[], Table | pd.Series] | None = None


def names() -> list[str]:
    """The names of the sample datasets."""
    return list(_SAMPLES)


def title(name: str) -> str:
    """What to call the sample dataset `name` before people. Raises UnknownNameError when there is none of that name."""
    return _sample(name).title


def kind(name: str) -> str:
    """The name of the table type of `name`, such as "Subexperiments". Raises UnknownNameError when there is none of that name."""
    return _sample(name).kind.__name__


def load(name: str) -> Table:
    """The sample dataset `name` as a typed table; read from disk anew at each call.

    Raises UnknownNameError when there is none of that name, ReadError when its file is missing.
    """
    return _sample(name).load()


def files(name: str) -> list[Path]:
    """The files that load(name) reads, in order of name. Raises as load does."""
    path = _path(_sample(name).path)
    return sorted(path.glob(_PARTS)) if path.is_dir() else [path]


def has_truth(name: str) -> bool:
    """Whether truth(name) exists. Raises UnknownNameError when there is no dataset of that name."""
    return _sample(name).truth is not None


def truth(name: str) -> Table | pd.Series:
    """What an analysis of `name` should find.

    "subexperiments-hrm", "subexperiments-much": Subexperiments with one frame, further runs with all 14 HEMs read together.
    "series-ocoe": Series, the stage of the program in each interval, aligned with the rows of load(name).intervals.
    "series-mpx": CounterSeries, the same intervals with every slot counted.
    "signatures": Series, the kind of each job, aligned with the rows of load(name).frame.

    Raises UnknownNameError when there is no such dataset or it has no truth.
    """
    sample = _sample(name)
    if sample.truth is None:
        raise UnknownNameError(f"{name}: no truth is known; it is for {listed(known for known, each in _SAMPLES.items() if each.truth)}.")
    return sample.truth()


def _sample(name: str) -> Sample:
    if name not in _SAMPLES:
        raise UnknownNameError(f"{name!r} is not a sample dataset; they are {listed(_SAMPLES)}.")
    return _SAMPLES[name]


def _path(relative: str) -> Path:
    path = FOLDER / relative
    if not path.exists():
        raise ReadError(f"{path}: the sample file is missing. Restore sample_data/ from the repository, or collect it: make sample-data")
    return path


def _subexperiments(collection: str) -> Subexperiments:
    folder = _path(f"subexperiments/{collection}_separate")
    frames = tuple(pd.read_csv(path) for path in sorted(folder.glob(_PARTS)))
    return Subexperiments(frames=frames, n_pmcs=N_PMCS, truth=_all_together().frames[0])


def _all_together() -> Subexperiments:
    frame = pd.read_csv(_path("subexperiments/truth.csv.gz"))
    return Subexperiments(frames=(frame,), n_pmcs=frame.shape[1], labels=("all HEMs read together",))


def _phases() -> PhaseTable:
    frame = _parquet("phases/phases.parquet")
    return PhaseTable(frame=frame, counters=("CYCLES", *EVENTS))


def _series(file: str, mode: str) -> CounterSeries:
    frame = _parquet(f"series/{file}")
    blocks = int(frame["blocks"].iloc[0])
    counts = frame[list(EVENTS)].astype(float)
    return CounterSeries(
        intervals=frame.drop(columns=list(EVENTS)).rename(columns={"program": "application", "slot": "interval"}),
        counts=counts,
        mode="MPX" if mode == "MPX" else "OCOE",
        share=counts.notna().astype(float) if mode == "MPX" else None,
        interval_unit=f"{blocks:,} basic blocks",
        truth=_parquet("series/mpx_truth.parquet")[list(EVENTS)].astype(float) if mode == "MPX" else None,
    )


def _stages() -> pd.Series:
    return _parquet("series/ocoe.parquet")["stage"]


def _kinds() -> pd.Series:
    return pd.read_csv(_path("signatures/signatures_synthetic_kinds.csv.gz"), sep=";")["KIND"]


def _parquet(relative: str) -> pd.DataFrame:
    return pq.read_table(_path(relative)).to_pandas()


_SAMPLES = {
    sample.name: sample
    for sample in (
        *(
            Sample(
                f"subexperiments-{collection}",
                f"Request server, {collection.upper()} collection",
                Subexperiments,
                partial(_subexperiments, collection),
                f"subexperiments/{collection}_separate",
                _all_together,
            )
            for collection in ("hrm", "much")
        ),
        Sample("phases", "32 programs in phases, three loads", PhaseTable, _phases, "phases/phases.parquet"),
        Sample(
            "series-ocoe",
            "Eight staged programs, every event counted",
            CounterSeries,
            lambda: _series("ocoe.parquet", "OCOE"),
            "series/ocoe.parquet",
            _stages,
        ),
        Sample(
            "series-mpx",
            "Eight staged programs, one slot in four counted",
            CounterSeries,
            lambda: _series("mpx.parquet", "MPX"),
            "series/mpx.parquet",
            lambda: _series("mpx_truth.parquet", "OCOE"),
        ),
        Sample(
            "hems-t2080",
            "16 HEMs of an NXP T2080",
            HemList,
            lambda: HemList(frame=pd.read_csv(_path("hems/t2080.csv"), dtype=str)),
            "hems/t2080.csv",
        ),
        Sample(
            "signatures",
            "5,000 jobs' signatures (synthetic)",
            SignatureTable,
            lambda: read_eacct(_path("signatures/signatures_synthetic.csv.gz")),
            "signatures/signatures_synthetic.csv.gz",
            _kinds,
        ),
    )
}
