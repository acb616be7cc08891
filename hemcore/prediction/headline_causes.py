"""The verdict and the figures of one program's causes."""

import pandas as pd

from hemcore.headline import Card, Doubt, Verdict, amount, doubted
from hemcore.prediction.derived_features import TARGET_AS_FEATURE, leave_out_first, target_as_feature
from hemcore.prediction.error_levels import ADD_PROGRAMS, FEW_PROGRAMS, PREDICT, doubts_of_rows
from hemcore.prediction.evaluate.causes_of_loss import NO_LOSS, NONE, UNEXPLAINED, largest_loss, unexplained
from hemcore.prediction.evaluate.cycle_costs import CostStack
from hemcore.prediction.headline import GROUP_NAMES, NARROW
from hemcore.prediction.wording import rounded, shortened

# A program that the costs miss by more is not understood; of one that they miss by a third, causes are not to be ranked.
_MISS, _LOST = 0.15, 1 / 3


def causes_verdict(found: CostStack, program: str, causes: pd.DataFrame, reference: str = NONE) -> Verdict:
    """Which cause costs the program most, or sets it apart from the reference most, and how far its costs explain it.

    causes: as `causes_by_size` gives them for this program and reference.
    """
    name, most, rest = shortened(program), largest_loss(causes), unexplained(causes)
    missed = f"Its prediction is {rounded(abs(rest))} too {'low' if rest > 0 else 'high'}"
    if most is None:
        answer = f"No miss or misprediction costs {name} any {found.target}."
    elif abs(rest) > most["share"]:
        size = rounded(abs(rest))
        answer = f"{size} of {name} is unexplained" if rest > 0 else f"The costs overshoot {name} by {size}"
        answer += ", more than any cause of loss."
    elif reference != NONE and causes["fewer_as_reference"].notna().any():
        answer = _against(found, name, causes, shortened(reference))
    else:
        saved = rounded(most["fewer_at_most"])
        answer = f"{_begun(GROUP_NAMES[str(most['cause'])])} cost {name} most: at most {saved} fewer {found.target}."
    why = (
        *target_as_feature(found.notes),
        *_intervals(causes),
        "Removing a cause saves at most its share (Amdahl): what overlaps with other work saves less.",
    )
    steps = leave_out_first(found.notes, found.params)
    if target_as_feature(found.notes):
        return Verdict(answer=answer, trust=TARGET_AS_FEATURE, why=why, level="poor", remedies=steps)
    if not abs(rest) <= _LOST:
        return Verdict(answer=answer, trust=f"{missed}: do not rely on its causes.", why=why, level="poor", remedies=(PREDICT,))
    doubts = [
        *doubts_of_rows(found.notes, found.params),
        *(Doubt(sentence=each, remedy=ADD_PROGRAMS) for each in _doubts(found, causes, missed)),
    ]
    return doubted(Verdict(answer=answer, trust=f"{missed}.", why=why), doubts)


def _against(found: CostStack, name: str, causes: pd.DataFrame, reference: str) -> str:
    losses = causes[~causes["cause"].isin(NO_LOSS) & (causes["fewer_as_reference"] > 0)]
    if losses.empty:
        return f"No miss or misprediction costs {name} more than {reference}."
    worst = losses.sort_values("fewer_as_reference", ascending=False, kind="stable").iloc[0]
    cause, saved = GROUP_NAMES[str(worst["cause"])], rounded(worst["fewer_as_reference"])
    return f"With the {cause} of {reference}, {name} would take {saved} fewer {found.target}."


def _doubts(found: CostStack, causes: pd.DataFrame, missed: str) -> list[str]:
    """Why the ranking is uncertain, the gravest first."""
    most, rest, programs = largest_loss(causes), unexplained(causes), found.causes["program"].nunique()
    doubts = [f"{missed}, so causes are uncertain."] if abs(rest) > _MISS or (most is not None and abs(rest) > most["share"]) else []
    if programs < FEW_PROGRAMS:
        doubts.append(f"Only {programs} programs, so costs per event are uncertain.")
    if most is None:
        return doubts
    measured = most["amount"] / most["share"]
    others = causes[~causes["cause"].isin(["base", UNEXPLAINED, most["cause"]])]
    if (most["high"] - most["low"]) / measured >= NARROW:
        doubts.append(f"Its share is uncertain: from {rounded(most['low'] / measured)} to {rounded(most['high'] / measured)}.")
    elif (others["high"] > most["low"]).any():
        doubts.append("Its interval overlaps that of another cause, so which costs most is uncertain.")
    return doubts


def _intervals(causes: pd.DataFrame) -> list[str]:
    """The largest cause of loss, as a share with its interval."""
    most = largest_loss(causes)
    if most is None:
        return []
    low, high = (rounded(most[end] * most["share"] / most["amount"]) for end in ("low", "high"))
    times = f"; without it {amount(most['times_as_fast'])} times as fast at most" if most["times_as_fast"] > 1 else ""
    name, share = _begun(GROUP_NAMES[str(most["cause"])]), rounded(most["share"])
    return [f"{name}: {share} of what was measured, from {low} to {high} over programs{times}."]


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]


def causes_cards(found: CostStack, causes: pd.DataFrame) -> list[Card]:
    """The largest causes, and what is unexplained, as shares of the measured target."""
    measured = causes["amount"].sum()
    return [
        Card(
            label=_begun(str(row["cause"])),
            value=float(row["share"]),
            form=".1%",
            note=f"{rounded(row['low'] / measured)} to {rounded(row['high'] / measured)}",
            help=f"Share of the program's measured {found.target}, with a 90% interval from a bootstrap over programs.",
            of=found.target,
        )
        for row in causes.to_dict("records")
    ]
