"""Where one program loses its cycles: its causes by size, what removing each would save at most, and a reference to compare with.

The bound is Amdahl's (G. M. Amdahl 1967, doi:10.1145/1465482.1465560): without a part of the share s, a program takes 1 - s of its time.
"""

import numpy as np
import pandas as pd

from hemcore.datasets.tables.checks import listed
from hemcore.errors import ParameterError
from hemcore.prediction.evaluate.cycle_costs import UNEXPLAINED, CostStack

NONE, BEST = "none", "the suite's best"
# Work that a program does, and what no event explains, are no losses.
NO_LOSS = ("base", UNEXPLAINED)


def programs_by_loss(found: CostStack) -> list[str]:
    """The programs, the one that loses the largest share of its measured target to misses and mispredictions first."""
    rows = found.causes
    share = (rows["amount"] / rows["measured"]).where(~rows["cause"].isin(NO_LOSS), 0.0)
    return [str(name) for name in share.groupby(rows["program"], sort=False).sum().sort_values(ascending=False, kind="stable").index]


def causes_by_size(found: CostStack, program: str = "", reference: str = NONE) -> pd.DataFrame:
    """The causes of one program's target, largest first, "unexplained" among them; `amount` sums to what was measured.

    program: "" is the one that loses most. reference: NONE, another program, or BEST: for each group the smallest amount per instruction
    of any program. Columns: cause; amount, low, high (90% interval), in units of the target; share, of the measured target; per_instruction
    (NaN if instructions were not counted); fewer_at_most, the share that removing the cause would save, and times_as_fast (NaN for
    "unexplained", which nothing can remove, and where nothing would be left); reference, the amount with as many instructions as the
    reference's per instruction; fewer_as_reference, the share that would save (below 0: it would cost). Raises ParameterError for an
    unknown program or reference.
    """
    names = programs_by_loss(found)
    program = program or names[0]
    for title, name, known in (("Program", program, names), ("Reference", reference, [NONE, BEST, *names])):
        if name not in known:
            raise ParameterError(f"{title}: {name[:60]!r} has no phases here. Choose one of {listed(known)}.")
    counted = found.causes["instructions"].where(found.causes["instructions"] > 0)
    rows = found.causes.assign(instructions=counted, per_instruction=found.causes["amount"] / counted)
    own = rows[rows["program"] == program].set_index("cause")
    measured, explained = own["measured"], own.index != UNEXPLAINED
    share = own["amount"] / measured
    saved = share.clip(0.0, 1.0).where(explained)
    other = _reference(rows, reference).reindex(own.index)
    shown = own[["amount", "low", "high"]].assign(
        share=share,
        per_instruction=own["per_instruction"],
        fewer_at_most=saved,
        times_as_fast=1 / (1 - saved.where(saved < 1)),
        reference=other * own["instructions"],
        fewer_as_reference=((own["per_instruction"] - other) * own["instructions"] / measured).where(explained),
    )
    return shown.sort_values("amount", ascending=False, kind="stable").reset_index()


def _reference(rows: pd.DataFrame, reference: str) -> pd.Series:
    """The amount per instruction by cause; empty without a reference. The suite's best has nothing "unexplained"."""
    if reference == NONE:
        return pd.Series(dtype=float)
    if reference == BEST:
        return rows[rows["cause"] != UNEXPLAINED].groupby("cause")["per_instruction"].min()
    return rows[rows["program"] == reference].set_index("cause")["per_instruction"]


def largest_loss(causes: pd.DataFrame) -> pd.Series | None:
    """The row of the largest cause that is a loss, of `causes_by_size`; None if there is none above 0."""
    losses = causes[~causes["cause"].isin(NO_LOSS) & (causes["amount"] > 0)]
    return None if losses.empty else losses.iloc[0]


def unexplained(causes: pd.DataFrame) -> float:
    """The share of the measured target that no event explains; below 0 where the costs predict more than was measured."""
    return float(np.sum(causes.loc[causes["cause"] == UNEXPLAINED, "share"]))
