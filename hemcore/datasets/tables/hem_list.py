"""HEMs to read, and which of them the processor can read together: the input of a measurement plan."""

import re
from dataclasses import dataclass

import pandas as pd

from hemcore.datasets.tables.checks import check_columns_present, check_has_rows, check_no_missing, listed
from hemcore.datasets.tables.typed_table import TypedTable
from hemcore.errors import TableError

COLUMNS = ("hem", "counters", "limit")
METRICS = "metrics"
_LIMIT = re.compile(r"([^\s:]{1,60}):([1-9]\d{0,2})", re.ASCII)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class HemList(TypedTable):
    """One row per HEM, in the order in which they are wanted.

    frame: columns `hem` (its name, each once); `counters` (the counters that may hold it, blanks between; "" = every PMC. A number is a
        PMC, from 0; any other name is a counter that is not a PMC, such as a fixed one); `limit` (sets that it belongs to, each with how
        many of the set one subexperiment may read: "offcore:2"; "" = none); `metrics` (the metrics that need it, semicolons between). The
        last three may be left out; the frame has `metrics` only where a HEM has one.

    Raises TableError for no row, a name that is blank, not printable or repeated, an invalid limit, and a set with two limits.
    """

    frame: pd.DataFrame

    def __post_init__(self) -> None:
        check_columns_present(self.frame, ("hem",), "HEMs")
        check_has_rows(self.frame, "HEMs")
        check_no_missing(self.frame[["hem"]], "HEMs")
        texts = {name: self.frame[name] if name in self.frame.columns else [""] * len(self.frame) for name in (*COLUMNS, METRICS)}
        frame = pd.DataFrame(
            {name: ["" if pd.isna(cell) else str(cell).strip() for cell in cells] for name, cells in texts.items()}, dtype=str
        )
        if not frame[METRICS].any():
            frame = frame.drop(columns=METRICS)
        for row, hem in enumerate(frame["hem"], start=1):
            if not hem or not hem.isprintable():
                raise TableError(f"HEMs: row {row} is {hem[:60]!r}; a name must be printable text and not blank. Correct or remove it.")
        again = frame["hem"].duplicated().to_numpy()
        if again.any():
            hems = listed(dict.fromkeys(frame["hem"][again]))
            raise TableError(f"HEMs: row {again.argmax() + 1}: {hems} appears more than once; list each HEM once. Remove the others.")
        object.__setattr__(self, "frame", frame)
        _ = self.limits

    @property
    def hems(self) -> list[str]:
        """The names, in order."""
        return list(self.frame["hem"])

    @property
    def counters(self) -> dict[str, list[str]]:
        """The counters of each HEM that does not fit on every PMC."""
        return {hem: said.split() for hem, said in zip(self.frame["hem"], self.frame["counters"], strict=True) if said}

    @property
    def limits(self) -> list[tuple[list[str], int]]:
        """(HEMs, how many of them one subexperiment may read) per set, in order of first mention. Raises as the class does."""
        members: dict[str, list[str]] = {}
        most: dict[str, int] = {}
        for row, (hem, said) in enumerate(zip(self.frame["hem"], self.frame["limit"], strict=True), start=1):
            for word in said.split():
                match = _LIMIT.fullmatch(word)
                if match is None:
                    raise TableError(
                        f"HEMs: row {row}, limit {word[:60]!r} must be a name, a colon and a number, such as offcore:2. Correct it."
                    )
                name, number = match[1], int(match[2])
                if most.setdefault(name, number) != number:
                    raise TableError(f"HEMs: row {row}, limit {name!r} is {number} here and {most[name]} before. Give the set one number.")
                if hem not in members.setdefault(name, []):
                    members[name].append(hem)
        return [(hems, most[name]) for name, hems in members.items()]

    @property
    def metrics(self) -> dict[str, tuple[str, ...]]:
        """The HEMs that each metric needs, in order of first mention; empty if the list is not for metrics."""
        if METRICS not in self.frame.columns:
            return {}
        found: dict[str, list[str]] = {}
        for hem, text in zip(self.frame["hem"], self.frame[METRICS], strict=True):
            for metric in dict.fromkeys(each.strip() for each in text.split(";") if each.strip()):
                found.setdefault(metric, []).append(hem)
        return {metric: tuple(hems) for metric, hems in found.items()}
