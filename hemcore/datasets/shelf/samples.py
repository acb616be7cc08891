"""The project's own readings, by name: of real programs under Valgrind and natively, and synthetic ones (see sample_data/README.md)."""

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
# Of the synthetic processor: six that can be programmed, two fixed.
_SYNTHETIC_PMCS = 8
_SYNTHETIC = "Synthetic processor"
_PHASES = "Request server and 32 others in phases, three loads"
# Sets of runs of one program: before, and after each of three changes.
_PAIRS = {
    "before": "before",
    "arrays": "arrays, not structs",
    "o1": "-O1, not -O2",
    "larger": "larger input",
}
_PARTS = "subexperiment_*.csv.gz"
_INTERVAL_KEYS = {"program": "application", "slot": "interval"}


@dataclass(frozen=True)
class Sample:
    """A sample dataset: its `name`, a `title` for people, its table type, how to load it, its file or folder and, if known, its truth.

    formerly: its titles in earlier versions, which links may carry. before: of the second set of a pair, the name of the first.
    only_for: the page that alone offers it ("compare"), "" = every page of its kind.
    """

    name: str
    title: str
    kind: type
    load: Callable[[], Table]
    path: str
    truth: Callable[[], Table | pd.Series | pd.DataFrame] | None = None
    formerly: tuple[str, ...] = ()
    before: str | None = None
    only_for: str = ""


def names() -> list[str]:
    """The names of the sample datasets."""
    return list(_SAMPLES)


def title(name: str) -> str:
    """What to call the sample dataset `name` before people. Raises UnknownNameError when there is none of that name."""
    return _sample(name).title


def renamed(former: str) -> str | None:
    """The name of the sample dataset whose title was `former` in an earlier version; None if there is none."""
    return next((each.name for each in _SAMPLES.values() if former in each.formerly), None)


def kind(name: str) -> str:
    """The name of the table type of `name`, such as "Subexperiments". Raises UnknownNameError when there is none of that name."""
    return _sample(name).kind.__name__


def before(name: str) -> str | None:
    """The name of the set that was read before `name` was changed; None if it is no part of a pair. Raises UnknownNameError."""
    return _sample(name).before


def is_for(name: str, page: str) -> bool:
    """Whether `page` ("merge") lists the sample among its datasets; one that tells only in a pair is left to Compare."""
    return _sample(name).only_for in ("", page)


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


def truth(name: str) -> Table | pd.Series | pd.DataFrame:
    """What an analysis of `name` should find.

    "subexperiments-hrm", "subexperiments-much": Subexperiments with one frame, further runs with all 14 HEMs read together;
    "pairs-before", "pairs-arrays", "pairs-o1", "pairs-larger": the same, of each set;
    "subexperiments-synthetic": the same, drawn so that the mean of each event is what the model says.
    "series-ocoe", "series-synthetic": Series, the stage of the program in each interval, aligned with the rows of load(name).intervals.
    "phases-synthetic": DataFrame, the true share of each node of the top-down tree (0 to 1) by phase and in the whole run.
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


def _subexperiments(collection: str, n_pmcs: int = N_PMCS, truth: str = "truth") -> Subexperiments:
    folder = _path(f"subexperiments/{collection}_separate")
    frames = tuple(pd.read_csv(path) for path in sorted(folder.glob(_PARTS)))
    return Subexperiments(frames=frames, n_pmcs=n_pmcs, truth=_all_together(f"subexperiments/{truth}").frames[0])


def _all_together(truth: str = "subexperiments/truth") -> Subexperiments:
    frame = pd.read_csv(_path(f"{truth}.csv.gz"))
    return Subexperiments(frames=(frame,), n_pmcs=frame.shape[1], labels=("all HEMs read together",))


def _pair(variant: str) -> Subexperiments:
    frames = tuple(pd.read_csv(path) for path in sorted(_path(f"pairs/{variant}").glob(_PARTS)))
    return Subexperiments(frames=frames, n_pmcs=N_PMCS, truth=_all_together(f"pairs/{variant}_truth").frames[0])


def _hems(file: str) -> HemList:
    return HemList(frame=pd.read_csv(_path(f"hems/{file}.csv"), dtype=str))


def _phases() -> PhaseTable:
    frame = _parquet("phases/phases.parquet")
    return PhaseTable(frame=frame, counters=("CYCLES", *EVENTS))


def _synthetic_phases() -> PhaseTable:
    frame = _parquet("phases/synthetic.parquet")
    return PhaseTable(frame=frame, counters=tuple(_synthetic_events(frame)))


def _power_phases() -> PhaseTable:
    frame = _parquet("phases/power.parquet")
    described = ("program", "granularity", "load", "phase", "time_s")
    return PhaseTable(frame=frame, counters=tuple(name for name in frame.columns if name not in described))


def _synthetic_series() -> CounterSeries:
    frame = _parquet("series/synthetic.parquet")
    events = _synthetic_events(frame)
    return CounterSeries(
        intervals=frame.drop(columns=events).rename(columns=_INTERVAL_KEYS),
        counts=frame[events].astype(float),
        mode="OCOE",
        interval_unit="10,000 cycles on average",
    )


def _synthetic_events(frame: pd.DataFrame) -> list[str]:
    return [name for name in frame.columns if name.startswith("SYN_")]


def _series(file: str, mode: str) -> CounterSeries:
    frame = _parquet(f"series/{file}")
    blocks = int(frame["blocks"].iloc[0])
    counts = frame[list(EVENTS)].astype(float)
    return CounterSeries(
        intervals=frame.drop(columns=list(EVENTS)).rename(columns=_INTERVAL_KEYS),
        counts=counts,
        mode="MPX" if mode == "MPX" else "OCOE",
        share=counts.notna().astype(float) if mode == "MPX" else None,
        interval_unit=f"{blocks:,} basic blocks",
        truth=_parquet("series/mpx_truth.parquet")[list(EVENTS)].astype(float) if mode == "MPX" else None,
    )


def _stages(file: str) -> pd.Series:
    return _parquet(f"series/{file}.parquet")["stage"]


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
        Sample("phases", _PHASES, PhaseTable, _phases, "phases/phases.parquet", formerly=("32 programs in phases, three loads",)),
        Sample(
            "series-ocoe",
            "Request server and 8 others, every event counted",
            CounterSeries,
            lambda: _series("ocoe.parquet", "OCOE"),
            "series/ocoe.parquet",
            partial(_stages, "ocoe"),
            ("Eight staged programs, every event counted",),
        ),
        Sample(
            "series-mpx",
            "Request server and 8 others, one slot in four counted",
            CounterSeries,
            lambda: _series("mpx.parquet", "MPX"),
            "series/mpx.parquet",
            lambda: _series("mpx_truth.parquet", "OCOE"),
            ("Eight staged programs, one slot in four counted",),
        ),
        Sample("hems-request-server", "Request server, its 14 HEMs", HemList, partial(_hems, "request_server"), "hems/request_server.csv"),
        Sample("hems-t2080", "16 HEMs of an NXP T2080", HemList, partial(_hems, "t2080"), "hems/t2080.csv"),
        Sample(
            "signatures",
            "5,000 jobs' signatures (synthetic)",
            SignatureTable,
            lambda: read_eacct(_path("signatures/signatures_synthetic.csv.gz")),
            "signatures/signatures_synthetic.csv.gz",
            _kinds,
        ),
        Sample(
            "subexperiments-synthetic",
            f"{_SYNTHETIC}, 45 events in 10 subexperiments",
            Subexperiments,
            partial(_subexperiments, "synthetic", _SYNTHETIC_PMCS, "synthetic_truth"),
            "subexperiments/synthetic_separate",
            partial(_all_together, "subexperiments/synthetic_truth"),
        ),
        Sample(
            "series-synthetic",
            f"{_SYNTHETIC}, a program in four phases",
            CounterSeries,
            _synthetic_series,
            "series/synthetic.parquet",
            partial(_stages, "synthetic"),
        ),
        Sample(
            "phases-synthetic",
            f"{_SYNTHETIC}, 12 runs in phases",
            PhaseTable,
            _synthetic_phases,
            "phases/synthetic.parquet",
            lambda: pd.read_csv(_path("subexperiments/synthetic_shares.csv.gz")),
        ),
        Sample("phases-power", "Watts of 24 programs, four clocks (synthetic)", PhaseTable, _power_phases, "phases/power.parquet"),
        *(
            Sample(
                f"pairs-{variant}",
                f"Particle box: {title}",
                Subexperiments,
                partial(_pair, variant),
                f"pairs/{variant}",
                partial(_all_together, f"pairs/{variant}_truth"),
                before=None if variant == "before" else "pairs-before",
                only_for="compare",
            )
            for variant, title in _PAIRS.items()
        ),
        Sample("hems-synthetic", f"{_SYNTHETIC}, its 45 events", HemList, partial(_hems, "synthetic"), "hems/synthetic.csv"),
    )
}
