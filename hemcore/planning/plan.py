"""A measurement plan: which HEMs are read together in which subexperiment."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.errors import ParameterError
from hemcore.planning.commands import Tool, papi_list, papi_script, perf_script
from hemcore.planning.search.point_pairs import as_groups, components_of, together


@dataclass(frozen=True, kw_only=True, eq=False)
class Plan:
    """Subexperiments that read `hems` with `n_pmcs` PMCs.

    subexperiments: the HEMs of each, in the order of `hems`. goal, anchor, seed, time_limit: the arguments.
    wanted: (pairs, 2) positions in `hems` of the pairs to read together; never: the pairs that no group can hold.
    bound, bound_name: a lower bound of the subexperiments needed to read every wanted pair, and its source. greedy: subexperiments of a
    greedy plan (goal "budget": wanted pairs it reads in the same number of subexperiments).
    found: (work done, subexperiments or pairs) of each better plan as it was found, including the first.
    ended: why the search ended: "bound" (nothing better exists), "work" (the allowed work was done) or "time" (the clock ended it first:
    the same seed may give another plan next time).
    metrics: metric -> the HEMs it needs, if the plan is for metrics.
    """

    hems: tuple[str, ...]
    n_pmcs: int
    goal: str
    anchor: str | None
    subexperiments: tuple[tuple[str, ...], ...]
    wanted: NDArray[np.int64]
    never: tuple[tuple[str, str], ...]
    bound: int
    bound_name: str
    greedy: int
    found: tuple[tuple[float, int], ...]
    ended: str
    seed: int
    time_limit: float
    metrics: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @functools.cached_property
    def positions(self) -> tuple[tuple[int, ...], ...]:
        """The subexperiments as positions in `hems`."""
        number = {hem: at for at, hem in enumerate(self.hems)}
        return tuple(tuple(map(number.__getitem__, group)) for group in self.subexperiments)

    @functools.cached_property
    def pairs_together(self) -> pd.DataFrame:
        """HEM x HEM: number of subexperiments that read both; on the diagonal, number that read the HEM."""
        return pd.DataFrame(together(as_groups(self.positions), len(self.hems)), index=list(self.hems), columns=list(self.hems))

    @property
    def coverage(self) -> float:
        """The fraction of the wanted pairs that is read together; 1 if no pair is wanted."""
        return float(self.pairs_read / len(self.wanted)) if len(self.wanted) else 1.0

    @property
    def pairs_read(self) -> int:
        """Number of wanted pairs read together at least once."""
        return int((self.pairs_together.to_numpy()[self.wanted[:, 0], self.wanted[:, 1]] > 0).sum())

    @property
    def missed(self) -> list[tuple[str, str]]:
        """The wanted pairs that are never read together."""
        counts = self.pairs_together.to_numpy()
        return [(self.hems[i], self.hems[j]) for i, j in self.wanted if counts[i, j] == 0]

    @functools.cached_property
    def whole_metrics(self) -> tuple[str, ...]:
        """The metrics whose HEMs one subexperiment reads all; a merge puts the others together."""
        groups = [frozenset(group) for group in self.subexperiments]
        return tuple(name for name, within in self.metrics.items() if any(group.issuperset(within) for group in groups))

    @functools.cached_property
    def components(self) -> tuple[tuple[str, ...], ...]:
        """The HEMs in components that no subexperiment connects; one if a merge can use the whole plan."""
        return tuple(tuple(self.hems[at] for at in part) for part in components_of(self.positions, len(self.hems)))

    @functools.cached_property
    def coverage_by_groups(self) -> NDArray[np.float64]:
        """Shape (subexperiments,): the fraction of the wanted pairs read after each subexperiment, in the plan's order."""
        open_pairs = np.zeros((len(self.hems),) * 2, bool)
        open_pairs[self.wanted[:, 0], self.wanted[:, 1]] = open_pairs[self.wanted[:, 1], self.wanted[:, 0]] = True
        left, shares = len(self.wanted), np.empty(len(self.subexperiments))
        for at, group in enumerate(self.positions):
            members = np.ix_(group, group)
            left -= int(open_pairs[members].sum()) // 2
            open_pairs[members] = False
            shares[at] = 1 - left / len(self.wanted) if len(self.wanted) else 1.0
        return shares

    @property
    def table(self) -> pd.DataFrame:
        """One row per subexperiment: its number from 1, and its HEMs in columns "HEM 1" and so on; "" for a free counter."""
        width = max(len(group) for group in self.subexperiments)
        rows = [[*group, *[""] * (width - len(group))] for group in self.subexperiments]
        frame = pd.DataFrame(rows, columns=[f"HEM {place}" for place in range(1, width + 1)])
        frame.insert(0, "subexperiment", np.arange(1, len(frame) + 1))
        return frame

    def commands(self, tool: Tool, program: str | Sequence[str] = "", runs: int = 100, *, events: Mapping[str, str] | None = None) -> str:
        """A shell script that measures the plan with perf stat ("perf") or with PAPI's high-level API ("papi"); its zipped folder can be
        uploaded. "papi" without a program gives the lists of events. See `hemcore.planning.commands`."""
        if tool == "perf":
            return perf_script(self.subexperiments, self.n_pmcs, program, runs, events=events)
        if tool == "papi":
            if not program or (isinstance(program, str) and not program.strip()):
                return papi_list(self.subexperiments, runs, events=events)
            return papi_script(self.subexperiments, self.n_pmcs, program, runs, events=events)
        raise ParameterError(f"tool: {str(tool)[:60]!r} is not supported; it must be 'perf' or 'papi'.")

    def estimated_time(self, seconds_per_run: float, runs: int) -> float:
        """Seconds that `runs` runs of every subexperiment take. Raises ParameterError for an invalid time or number of runs."""
        if not (np.isfinite(seconds_per_run) and seconds_per_run >= 0):
            raise ParameterError(f"seconds_per_run: {seconds_per_run} must be a finite number of at least 0.")
        if runs < 1:
            raise ParameterError(f"runs: {runs} must be at least 1.")
        return float(seconds_per_run) * runs * len(self.subexperiments)
