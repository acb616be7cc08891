"""Readings of one program in pieces: in each subexperiment, the HEMs that the PMCs could count at once."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from hemcore.datasets.tables.checks import check_column_names, check_counts, check_has_rows
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.typed_table import TypedTable
from hemcore.errors import TableError


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Subexperiments(TypedTable):
    """Subexperiments of one program; the rows of different subexperiments are different runs.

    frames: one DataFrame per subexperiment, at least one; rows are runs (at least one, the numbers may differ), columns HEM names,
        at most `n_pmcs`; values are counts per run, at least 0, NaN = not counted.
    n_pmcs: how many HEMs the machine counts at once, at least 1.
    labels: the name of each subexperiment; default "subexperiment 1" and so on.
    truth: further runs that read all HEMs together (rows runs, columns HEM names, counts per run), for checking a merge, which never
        uses them; None if there are none.
    not_read: HEMs that were planned or sent and are in no frame, because they were not measured or reading left them out; what is said of
        the HEMs of a merge counts them.
    places: where the frames are sums over the machine, the total of each run by core, thread, socket or node (one interval each), from
        which `hardware_levels` and `library` take the runs of one place; None if they are not, or it is not known.

    Raises TableError where one of these does not hold. The frames are copies: changing the arguments later changes nothing here.
    Source: mergingTools vignette (https://CRAN.R-project.org/package=mergingTools).
    """

    frames: tuple[pd.DataFrame, ...]
    n_pmcs: int
    labels: tuple[str, ...] = ()
    truth: pd.DataFrame | None = None
    not_read: tuple[str, ...] = ()
    places: CounterSeries | None = None

    def __post_init__(self) -> None:
        frames: Sequence[pd.DataFrame] = tuple(self.frames)
        labels = tuple(self.labels) or tuple(f"subexperiment {number}" for number in range(1, len(frames) + 1))
        if not frames:
            raise TableError("frames: no subexperiment; at least one is needed. Is the file empty?")
        if self.n_pmcs < 1:
            raise TableError(f"n_pmcs: {self.n_pmcs} must be at least 1. Give the number of HEMs that were counted at once.")
        if len(labels) != len(frames):
            raise TableError(f"labels: {len(labels)} labels for {len(frames)} subexperiments. Give one label per subexperiment, or none.")
        for label, frame in zip(labels, frames, strict=True):
            check_has_rows(frame, label)
            check_column_names(frame.columns, label)
            if frame.shape[1] > self.n_pmcs:
                raise TableError(
                    f"{label}: {frame.shape[1]} HEMs, but {self.n_pmcs} PMCs cannot count more than that at once."
                    " Correct n_pmcs, or split the subexperiment."
                )
            check_counts(frame, label)
        if self.truth is not None:
            check_has_rows(self.truth, "truth")
            check_column_names(self.truth.columns, "truth")
            check_counts(self.truth, "truth")
            object.__setattr__(self, "truth", self.truth.reset_index(drop=True))
        object.__setattr__(self, "frames", tuple(frame.reset_index(drop=True) for frame in frames))
        object.__setattr__(self, "labels", labels)
        object.__setattr__(self, "not_read", tuple(dict.fromkeys(hem for hem in self.not_read if hem not in self.hems)))

    @property
    def hems(self) -> list[str]:
        """Every HEM read, once each, in the order of first reading."""
        return list(dict.fromkeys(hem for frame in self.frames for hem in frame.columns))

    @property
    def sets(self) -> int:
        """How many sets of runs these are where all subexperiments read the same HEMs in two runs or more each, as one per configuration;
        else 1."""
        same = len({frozenset(frame.columns) for frame in self.frames}) == 1
        return len(self.frames) if same and all(len(frame) > 1 for frame in self.frames) else 1

    @property
    def common_hems(self) -> list[str]:
        """The HEMs read in every subexperiment (possible anchors), in the order of first reading; empty when there is none."""
        return [hem for hem in self.hems if all(hem in frame.columns for frame in self.frames)]
