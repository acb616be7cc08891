"""What the readers of counter series share: which run a file is, and rows into a CounterSeries."""

import re
from collections.abc import Callable, Sequence
from itertools import takewhile
from pathlib import PurePosixPath

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.readers.reading_limits import check_runs, check_values
from hemcore.datasets.tables.counter_series import CounterSeries, beyond_gaps, run_of, steps
from hemcore.datasets.tables.hardware_levels import PROGRAM
from hemcore.errors import ReadError
from hemcore.events.hardware_tree import TREE, place_of

# A stretch of a logger's table ends where the next reading is as many times the usual distance away, and as many seconds.
GAP, GAP_S = 100, 60
_DIGITS = re.compile(r"(\d+)")
_NUMBER_AT_END = re.compile(r"[\s_.\-/]*(?:(?<![A-Za-z])(?:run|rep|r))?[\s_.\-]*(\d{1,15})$", re.IGNORECASE)
# A part of the machine, or a host as computing centres name them ("i01r02c03"), whose number says where, not which run.
_PLACE_AT_END = re.compile(
    r"(?:^|[^a-z])(?:nodes?|nid|cn|gn|hosts?|server|machine|rank|socket|skt|numa|die|core|cpu|thread|hwthread|tid|gpu|card|device|dpu|tile)"
    r"[\s_.\-]*\d{1,15}$|^n\d{1,15}$|(?:^|[^a-z0-9])(?:[a-z]{1,4}\d+){1,4}(?!r|run|rep)[a-z]{1,4}\d+$",
    re.IGNORECASE,
)


def runs_of_files(names: Sequence[str]) -> list[tuple[str, int]]:
    """(application, run) of each file, from its name: "qsort_run2.csv" is run 2 of "qsort".

    Names that differ in their last number alone are runs of one application, numbered as the names say; where two would be the same run,
    all of that application are numbered in the order they were sent. A name without a number is run 1, and so is one that ends in a place
    of the machine or a host ("node11", "cpu0", "i01r02c03"). Folders count only where files of one name lie in several:
    "sha/Run_2/log.data" is run 2 of "sha". Empty for no name.
    """
    labels, otherwise = _labels(names)
    parts = [_name_and_number(label, otherwise) for label in labels]
    together: dict[str, list[int]] = {}
    for application, number in parts:
        together.setdefault(application, []).append(number)
    seen: dict[str, int] = {}
    found = []
    for label, (application, number) in zip(labels, parts, strict=True):
        numbers = together[application]
        seen[application] = seen.get(application, 0) + 1
        if len(numbers) == 1:
            # "sha256.csv" alone is no run 256 of "sha".
            said = "run" in label.lower() or label.rpartition("/")[2].isdigit()
            found.append((application, number) if said else (label, 1))
        else:
            found.append((application, number if len(set(numbers)) == len(numbers) else seen[application]))
    return found


def begun_alike(names: Sequence[str]) -> str:
    """The letters with which all of `names` begin; all of one name, "" of none."""
    letters = zip(*names, strict=False)
    return "".join(each[0] for each in takewhile(lambda each: len(set(each)) == 1, letters))


def natural_order(name: str) -> tuple[tuple[str, int, str], ...]:
    """A key to sort names by, in which numbers count by their value: "Run_2" comes before "Run_10"."""
    found = []
    for number, part in enumerate(_DIGITS.split(name)):
        # Every second part is digits; fewer of them, once zeros in front are gone, are a smaller number.
        digits = part.lstrip("0") if number % 2 else ""
        found.append(("", len(digits), digits) if number % 2 else (part, 0, ""))
    return tuple(found)


def from_rows(rows: pd.DataFrame, *, interval_unit: str | None = None, where: str = "the files") -> CounterSeries:
    """A CounterSeries of rows, one a reading: columns application, run, interval, event, count (NaN = not counted) and, where known,
    time (s, end of the interval), share (of the interval in which it was counted, 0 to 1; NaN = not known), stage, date (of its end), and
    the place of the machine as with_places gives it.

    Events keep the order of first appearance. An event that stands twice in one interval is two events: the second is "NAME (2)".
    Mode MPX where a share is below 1. interval_unit: by default unit_of. Raises ReadError, which calls the files `where`, for more
    applications, runs, events or values than are read, TableError as CounterSeries does.
    """
    keys = ["application", "run", "interval"]
    check_runs(where, rows["application"].nunique(), len(combinations(rows[["application", "run"]])[1]))
    place, first = combinations(rows[keys])
    event, names = pd.factorize(rows["event"])
    order = names.tolist()
    cell = place * len(order) + event
    if len(pd.unique(cell)) < len(cell):
        again = pd.Series(cell).groupby(cell, sort=False).cumcount().to_numpy()
        texts = pd.Series(names.astype(object)[event])
        event, names = pd.factorize(texts.where(again == 0, texts.astype(str) + " (" + pd.Series(again + 1).astype(str) + ")"))
        order = names.tolist()
    intervals = rows[keys].iloc[first].reset_index(drop=True)
    for name in (PROGRAM, *TREE, "core_type", "time", "date", "stage"):
        if name in rows.columns:
            column = rows[name].reset_index(drop=True)
            intervals[name] = column.groupby(place, sort=False).first() if column.isna().any() else column.iloc[first].to_numpy()
    for name in map(str, intervals.select_dtypes("category")):
        intervals[name] = intervals[name].astype(intervals[name].cat.categories.dtype)
    check_values(where, len(intervals), len(order))

    def wide(column: str) -> pd.DataFrame:
        values = np.full((len(intervals), len(order)), np.nan)
        values[place, event] = rows[column].to_numpy(dtype=float, na_value=np.nan)
        return pd.DataFrame(values, columns=order)

    counts = wide("count")
    share = wide("share") if "share" in rows.columns else None
    sliced = share is not None and bool(((share < 1) & counts.notna()).to_numpy().any())
    return CounterSeries(
        intervals=intervals,
        counts=counts,
        mode="MPX" if sliced else "OCOE",
        share=share if sliced else None,
        interval_unit=interval_unit or unit_of(intervals),
    )


def combinations(columns: pd.DataFrame) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(the number of each row's combination of values, from 0 in order of first appearance; the row where each first stands)."""
    codes = np.zeros(len(columns), dtype=np.int64)
    for name in columns:
        column = columns[name]
        if isinstance(column.dtype, pd.CategoricalDtype):  # of millions of rows, these take an eighth of the memory
            column = column.cat.codes
        if len(column) and not column.hasnans and bool((column == column.iloc[0]).all()):
            continue
        own, known = pd.factorize(column)
        codes *= len(known) + 1
        codes += own
        del own
        codes = pd.factorize(codes)[0]
    highest = np.maximum.accumulate(codes)
    later = np.flatnonzero(highest[1:] > highest[:-1]) + 1
    return codes, np.concatenate([np.zeros(min(len(codes), 1), dtype=np.int64), later])


# What perf calls the two kinds of cores of a hybrid processor.
_HYBRID = re.compile(r"(cpu_core|cpu_atom)/")


def with_places(rows: pd.DataFrame, base: pd.Series, aggregate: pd.Series) -> pd.DataFrame:
    """`rows` with what the ids of a tool (`aggregate`, "" = none) say of the place of each: the columns of TREE that any of them tells, and
    program: `base`, with what an id says beside. A column core_type where cores of two kinds counted. As they are where no id is a place.

    rows: columns application, event and count.
    """
    codes, ids = pd.factorize(aggregate)
    places = [place_of(str(each)) for each in ids]
    found = {level: np.array([getattr(place, level) for place in places], dtype=object)[codes] for level in TREE}
    found = {level: texts for level, texts in found.items() if (texts != "").any()}
    if not found:
        return rows
    own, bases = pd.factorize(base)
    both, first = combinations(pd.DataFrame({"base": own, "id": codes}))
    texts = [(bases[own[row]], places[codes[row]].within) for row in first]
    program = np.array([f"{name} {within}" if within else name for name, within in texts], dtype=object)
    rows = rows.assign(**{PROGRAM: program[both], **found})
    events, names = pd.factorize(rows["event"])
    kinds_of = pd.Series(names, dtype=object).astype(str).str.extract(_HYBRID, expand=False).to_numpy(dtype=object)
    kind = pd.Series(kinds_of[events], index=rows.index).where(rows["count"].notna())
    if kind.notna().any():
        kinds = kind.groupby(rows["application"], sort=False).agg(lambda each: "/".join(sorted(set(each.dropna()))))
        rows["core_type"] = rows["application"].map(kinds)
    return rows


def unit_of(intervals: pd.DataFrame) -> str:
    """The unit of an interval in words, from the times in s of `intervals`: "0.5 s"; "interval" where they are not known."""
    if "time" not in intervals.columns:
        return "interval"
    apart = _median(steps(intervals["time"], run_of(intervals)))
    return f"{apart:.3g} s" if np.isfinite(apart) and apart > 0 else "interval"


def _median(values: pd.Series) -> float:
    """That of the numbers that are there, NaN for none; of millions, fewer copies are made than by pandas."""
    there = values.to_numpy()[values.notna().to_numpy()]
    return float(np.median(there, overwrite_input=True)) if len(there) else np.nan


def interval_ends(intervals: pd.DataFrame, notes: list[str]) -> pd.Series:
    """The end of each interval in s: its time, or in a run that starts at 0 the next one (noted). intervals: application, run, time.

    Before a missing row of such a run, an interval ends after the usual distance. Rows that have the time of the row before are noted.
    """
    times = intervals["time"]
    run = run_of(intervals)
    distance = steps(times, run)
    again = int((distance == 0).sum())
    if again:
        notes.append(
            f"{again:,} of {len(times):,} rows have the time of the row before in the same run, so their intervals have no length."
            " If a column tells several series apart, give it the role 'program'."
        )
    from_zero = run.isin(run[~run.duplicated() & (times == 0)]).to_numpy()
    if not from_zero.any():
        return times
    distance = distance.where(distance > 0)
    # A run of one row that no other run says the distance of has an end that is not known.
    usual = distance.groupby(run).transform("median").fillna(_median(distance)) if run.any() else _median(distance)
    missing = np.append(beyond_gaps(distance.to_numpy(), np.asarray(usual))[1:], False)  # after which rows
    del distance  # of millions of rows
    following = (times.groupby(run).shift(-1) if run.any() else times.shift(-1)).mask(missing)
    ends = (times + usual).mask(following >= times, following)
    del following
    runs = int(run[from_zero].nunique())
    notes.append(
        f"The first time{'' if runs == 1 else f' of {runs:,} runs'} is 0, so times are where intervals begin: each ends at the next time,"
        f" the last one{' and those before a missing row' if missing.any() else ''} after the median distance."
    )
    return ends if from_zero.all() else ends.where(from_zero, times)


def check_ascending(intervals: pd.DataFrame, place: Callable[[int], str]) -> None:
    """Raise ReadError where an interval or a time is below the one before in its run. place: where a row (from 0) stands."""
    run = run_of(intervals)
    for name in ("interval", "time"):
        back = (steps(intervals[name], run) < 0).to_numpy() if name in intervals else np.zeros(0, dtype=bool)
        if back.any():
            row = int(back.argmax())
            raise ReadError(
                f"{place(row)}: {name} {float(intervals[name].iloc[row]):.12g} comes after a larger one of the same run."
                " Sort the rows, choose the column of runs, or give the column another role."
            )


def _stem(name: str) -> str:
    for _ in range(2):  # "run1.perf.csv"
        name = re.sub(
            r"(?<=.)\.(csv|tsv|txt|log|json|jsonl|data|out|perf|stat|parquet|pq|feather|arrow|ipc|xlsx|xlsm|xlsb|xls|ods)$",
            "",
            name,
            flags=re.IGNORECASE,
        )
    return name


def _labels(names: Sequence[str]) -> tuple[list[str], str]:
    """(what tells the files apart, the name of all where that is a number alone)."""
    paths = [PurePosixPath(name) for name in names]
    stems = [_stem(path.name) for path in paths]
    if len({path.name for path in paths}) == len(paths):
        return stems, "run"
    alike = len(set(stems)) == 1
    parts = [[*path.parts[:-1], *([] if alike else [stem])] for path, stem in zip(paths, stems, strict=True)]
    shared = parts[0][:-1]
    for part in parts:
        same = [one == other for one, other in zip(shared, part[:-1], strict=False)]
        shared = shared[: [*same, False].index(False)]
    otherwise = shared[-1] if shared else stems[0] if alike else "run"
    return ["/".join(part[len(shared) :]) or otherwise for part in parts], otherwise


def _name_and_number(label: str, otherwise: str) -> tuple[str, int]:
    found = _NUMBER_AT_END.search(label)
    if found is None or _PLACE_AT_END.search(label) is not None:
        return label, 1
    name = label[: found.start()] or (label[: found.start(1)].strip(" _.-") if otherwise == "run" else otherwise) or otherwise
    return name, int(found.group(1))
