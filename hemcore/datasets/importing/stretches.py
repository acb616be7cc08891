"""Tables that hold several stretches of measuring, one after the other: where times begin again, or the clock jumps."""

import numpy as np
import pandas as pd

from hemcore.datasets.importing.parts import Part
from hemcore.datasets.readers.reading_limits import check_runs
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.series.column_roles import setting_unit
from hemcore.datasets.readers.series.readings import GAP, GAP_S


def split_where_time_begins_again(part: Part, found: pd.DataFrame, seconds: pd.Series) -> pd.DataFrame:
    """`found` with a run for each stretch of rising times, where all of them begin about where the first did. seconds: of each row."""
    falls = seconds.diff() < 0
    begins = [0, *np.flatnonzero(falls.to_numpy()).tolist()]
    firsts = seconds.iloc[begins]
    # Each stretch begins about where the first one did: other falls are times out of order, which is told later.
    if len(begins) == 1 or len(seconds) < 3 * len(begins) or float((firsts - firsts.iloc[0]).abs().max()) > float(seconds.max()) / 4:
        return found
    check_runs(part.name, 1, len(begins))
    part.repairs.append(Repair(part.name, "", f"times begin again, so these are {len(begins)} runs", len(begins)))
    return found.assign(run=found["run"] + falls.cumsum())


def split_at_gaps(part: Part, found: pd.DataFrame, seconds: pd.Series, *, alone: bool) -> pd.DataFrame:
    """`found` where dates jump within a run, as in tables put together: each setting of the machine ("2000 MHz 4 cores") that stays the
    same within the stretches is an application of its own; without one, each later stretch is.

    found: columns application and run. seconds: of each row. alone: whether a setting that comes again may be a further run.
    """
    keys = [found["application"], found["run"]]
    apart = seconds.groupby(keys, sort=False).diff()
    jumps = apart > max(GAP_S, GAP * float(apart[apart > 0].median()))
    if not jumps.any():
        return found
    number = jumps.groupby(keys, sort=False).cumsum()
    setting = _settings(part, pd.DataFrame({"application": keys[0], "run": keys[1], "stretch": number}))
    rows = pd.DataFrame({"application": found["application"].astype(str) + setting, "run": found["run"], "stretch": number})
    # Which of the stretches of its application and run each is, from 0: the first keeps the name.
    again = rows.groupby(["application", "run"], sort=False)["stretch"].transform(lambda each: pd.factorize(each)[0])
    as_runs = alone and bool((setting != "").all())
    each = "setting is an application" if (setting != "").all() else "stretch is an application"
    if again.any() and not as_runs:
        each += " of its own (part 2 on)"
        rows["application"] += again.map(lambda place: f" part {place + 1}" if place else "")
    elif again.any():
        each += " of its own, and a run each time it comes"
        rows["run"] += again
    else:
        each += " of its own"
    what = f"the clock jumps by up to {apart.max():,.0f} s within runs: each {each}"
    part.repairs.append(Repair(part.name, "", what, int(jumps.sum())))
    return found.assign(application=rows["application"], run=rows["run"])


def _settings(part: Part, stretches: pd.DataFrame) -> pd.Series:
    """ " 2000 MHz 4 cores" of each row: the columns of frequencies and core counts that stay the same within each of `stretches`; "" for
    none, or where they are the same in all."""
    names = pd.Series("", index=stretches.index)
    of_row = stretches.groupby(list(stretches), sort=False).ngroup()
    for place, name in enumerate(part.names):
        unit = setting_unit(name)
        if not unit:
            continue
        values = part.numbers(place)
        if values.isna().any() or values.nunique() < 2 or (values.groupby(of_row).nunique() > 1).any():
            continue
        said = {value: f" {value:.12g} {unit.removesuffix('s') if value == 1 else unit}" for value in values.unique()}
        names = names + values.map(said)
    return names
