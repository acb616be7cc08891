"""The headline figures and the verdict of estimated counts."""

import math
from typing import TYPE_CHECKING, get_args

from hemcore.errors import Remedy
from hemcore.headline import (
    ADD_RUNS,
    FEW_RUNS,
    Card,
    Trust,
    Verdict,
    amount,
    counted_noun,
    doubted,
    few_runs,
    formatted,
    percent,
    with_step,
)
from hemcore.mpx.estimator_names import info_of
from hemcore.mpx.params import MethodName

if TYPE_CHECKING:
    from hemcore.mpx.results import Multiplexed

USABLE = 0.9
"""The RA from which Wang et al. (2022) call counts usable for performance models."""
_POOR = 0.6
# By less, a low control has the same relative accuracy.
_CLEARLY = 0.01
_TRUTH = Remedy(label="Add OCOE runs", page="data")
_LONGER = Remedy(label="Add longer runs", page="data")
_AGAIN = Remedy(label="Add another measurement", page="data")
_EXTRAPOLATED = "The file does not record which slots were counted; a fixed rotation is assumed."


def cards(found: "Multiplexed") -> list[Card]:
    """RA, WA and total of the curves' estimator, the error of the totals' own, the run-to-run ceiling, and the share of counted slots."""
    curve, total = found.of(found.params.method), found.of(found.params.totals)
    of = f"{found.application}, {amount(found.slots_per_count)}"
    name, sums = info_of(found.params.method).title, info_of(found.params.totals).title
    perfect_ra, perfect_wa = found.perfect
    counted = Card(
        label="Counted",
        value=1 / found.slots_per_count,
        form=".0%",
        note=f"of the slots: 1 in {amount(found.slots_per_count)}, " + _hidden_by(found),
        help="Multiplexing counts each event in some slots only; the counts of the other slots are hidden and have to be estimated.",
    )
    if found.same_run is None:
        return [counted, *_cards_without_truth(found, of)]
    return [
        counted,
        Card(
            label="Relative accuracy (RA)",
            value=_known(curve.get("ra")),
            form=".1%",
            note=f"by {name}; {_reached(found)}",
            help="Per hidden slot: 1 minus the mean relative error. Low guesses raise it, so read it together with WA and the total.",
            better="higher",
            of=of,
        ),
        Card(
            label="Weighted accuracy (WA)",
            value=_known(curve.get("wa")),
            form=".1%",
            note=f"by {name}",
            help="Over the hidden slots: 1 minus the sum of the absolute errors divided by the sum of the counts.",
            better="higher",
            of=of,
        ),
        Card(
            label="Error of run totals",
            value=_known(total.get("off")),
            form=".1%",
            note=f"by {sums}; {_signed(total.get('total'))} on average" if total else "the truth is not known",
            help="Mean absolute error of the sum over a run. The note has the signed mean, in which high and low totals cancel.",
            better="lower",
            of=of,
        ),
        Card(
            label=f"Total by {name}",
            value=_known(curve.get("total")),
            form="+.1%",
            note="signed: accurate slots can still sum too low",
            help="Signed error of run totals with the curves' estimator. If it is far below 0, its RA comes from low guesses.",
            of=of,
        ),
        Card(
            label="Run-to-run ceiling",
            value=_known(perfect_ra),
            form=".1%",
            note=f"RA of perfect counts; WA {percent(perfect_wa, 1)}" if math.isfinite(perfect_ra) else "one run only, or no truth",
            help="The score of a perfect estimator if another OCOE run is taken for the truth, as in Wang et al. (2022).",
            of=of,
        ),
    ]


def _cards_without_truth(found: "Multiplexed", of: str) -> list[Card]:
    """What the counted slots tell by themselves."""
    chosen, jumps = found.chosen, len(found.jumps)
    note = "every second count hidden as well"
    return [
        Card(
            label="RA with half hidden",
            value=_known(found.expected_ra),
            form=".1%",
            note=note,
            help="Relative accuracy of the estimates of every second count that was made, mean over the events; the truth of the others is"
            " not known. They are twice as far apart then, so the accuracy in use is probably higher.",
            better="higher",
            of=of,
        ),
        Card(
            label="WA with half hidden",
            value=_known(float(chosen["wa"].mean())),
            form=".1%",
            note=note,
            help="As RA with half hidden, weighted by the counts: 1 minus the sum of the absolute errors divided by the sum of the counts.",
            better="higher",
            of=of,
        ),
        Card(
            label="Totals that jump",
            value=jumps,
            note=f"of {counted_noun(len(chosen), 'event')}",
            help="Events whose totals depend on which group was counted first, as when the program repeats with the rotation.",
            better="lower",
            of=of,
        ),
    ]


def verdict(found: "Multiplexed") -> Verdict:
    """How accurate curves and totals are, and whether the scores can be trusted."""
    k = found.slots_per_count
    curve, method = found.of(found.params.method), info_of(found.params.method)
    if found.same_run is None:
        unlike = found.not_corrected if found.params.method.startswith("trained") else ()
        reasons = [
            *_jumps(found),
            *unlike,
            *([f"Without a truth nothing is scored. {_EXTRAPOLATED}"] if found.extrapolated else [_unscored(found)]),
        ]
        return Verdict(
            answer=f"Counting 1 slot in {amount(k)}, {found.application}'s hidden counts are estimated by {method.title}.",
            trust=reasons[0],
            why=(*reasons[1:], _choices(found), "To have scores, pair the series with OCOE runs, or hide slots of an OCOE series."),
            level="poor" if len(found.jumps) else "limited",
            remedies=(_AGAIN if len(found.jumps) else _TRUTH,),
        )
    if not curve or not math.isfinite(curve["ra"]):
        answer = f"No event of {found.application} has the 20 positive hidden counts a score needs."
        why = (f"1 slot in {amount(k)} is counted.",)
        return Verdict(answer=answer, trust="Use longer runs, or events that occur more often.", why=why, level="poor", remedies=(_LONGER,))
    gamed = _gamed(found)
    answer = f"Counting 1 slot in {amount(k)}, {_claims(found, gamed=bool(gamed))}"
    level: Trust = "good" if curve["ra"] >= USABLE else "limited" if curve["ra"] >= _POOR else "poor"
    # The gravest reservation first: that one is shown, the others are behind "Why?".
    reasons = []
    if not found.same_run:
        reasons.append("The truth is from other runs, where even a perfect estimator scores below 100%.")
        level = "poor"
    if method.control:
        reasons.append("A control that guesses low: do not use it.")
        level = "poor"
    if found.params.method.startswith("trained"):
        reasons += found.not_corrected
    jumps = _jumps(found)
    if jumps:
        reasons += jumps
        level = "poor"
    if found.extrapolated:
        reasons.append(_EXTRAPOLATED)
    known = found.scored_events["ra"]
    reasons.append(f"{int((known >= USABLE).sum())} of {len(known)} events reach {percent(USABLE)}, which models need.")
    reasons += gamed
    if not method.control and curve["total"] < -0.02:
        reasons.append(f"Totals summed from these curves would be {percent(-curve['total'], 1)} low.")
    if found.params.method == "by event":
        reasons.append(_choices(found))
    if curve["left_out"]:
        left = int(curve["left_out"])
        reasons.append(f"{left:,} of {left + int(curve['series']):,} series are 0 too often to be scored.")
    shown = Verdict(answer=f"{answer}.", trust=reasons[0], why=tuple(reasons[1:]), level=level)
    more = Remedy(label=f"Score {FEW_RUNS} runs", choose={"most_runs": FEW_RUNS})
    return with_step(doubted(shown, few_runs(len(found.runs), more if found.all_runs >= FEW_RUNS else ADD_RUNS)), _next_step(found))


def _next_step(found: "Multiplexed") -> Remedy:
    """What the gravest reservation asks for: a truth of the same runs, another measurement, a better estimator, or more slots."""
    if not found.same_run:
        return _TRUTH
    if len(found.jumps):
        return _AGAIN
    scores = found.by_method[["method", "ra"]].dropna()
    others = scores[[str(name) in get_args(MethodName) and not info_of(str(name)).control for name in scores["method"]]]
    if len(others):
        best = others.iloc[int(others["ra"].to_numpy().argmax())]
        if info_of(found.params.method).control or best["ra"] > found.of(found.params.method)["ra"] + _CLEARLY:
            title = info_of(str(best["method"])).title
            return Remedy(label=f"Estimate by {title}", choose={"method": str(best["method"])})
    return _more_slots(found)


def _more_slots(found: "Multiplexed") -> Remedy:
    """To count one slot in fewer, where the page hides them; else longer runs."""
    fewer = math.ceil(found.slots_per_count) - 1
    if not found.virtual or fewer < 2:
        return _LONGER
    return Remedy(label=f"Count 1 slot in {fewer}", choose={"slots_per_count": fewer})


def _gamed(found: "Multiplexed") -> list[str]:
    """Why the relative accuracy does not lead: the control that guesses low is about as good by it; empty where it is not."""
    curve, control = found.of(found.params.method), found.of("minimum")
    if info_of(found.params.method).control or not control or curve["ra"] > control["ra"] + _CLEARLY:
        return []
    return [f"Relative accuracy is {percent(curve['ra'], 1)}, but {percent(control['ra'], 1)} for a control that guesses low."]


def _claims(found: "Multiplexed", *, gamed: bool) -> str:
    """What the verdict claims: scores that the control does not earn as well, where it earns the relative accuracy."""
    # The totals of a control are its own: those of an estimator that is to be used would flatter it.
    method = found.params.method
    summed = method if info_of(method).control else found.params.totals
    curve, total = found.of(method), found.of(summed)
    by = "" if not gamed or summed == method else f" ({info_of(summed).title.replace(' + ', '+')})"
    totals = f"totals are {percent(total['off'], 1)} off{by}" if total and math.isfinite(total["off"]) else ""
    accuracy = f"relative accuracy is {percent(curve['ra'], 1)}"
    if not gamed or not totals:
        return f"{accuracy} and {totals}" if totals else accuracy
    more = f", weighted accuracy {percent(curve['wa'], 1)}" if curve["wa"] > found.of("minimum")["wa"] else ""
    return totals + more


def _jumps(found: "Multiplexed") -> list[str]:
    if not len(found.jumps):
        return []
    first, more = found.jumps.iloc[0], len(found.jumps) - 1
    events = f"{first['event']} and {more} more" if more else str(first["event"])
    span = f"{formatted(first['low'], '+.0%')} to {formatted(first['high'], '+.0%')}"
    return [
        f"Totals of {events} jump with the first group ({span}): the program repeats with the rotation.",
        "Measure again with slots of another length, or with events in random order.",
    ]


def _unscored(found: "Multiplexed") -> str:
    if math.isfinite(found.expected_ra):
        return f"The truth is not known. With every second count hidden as well, relative accuracy is {percent(found.expected_ra, 1)}."
    return "The truth is not known, so nothing is scored. Pair the series with OCOE runs."


def _choices(found: "Multiplexed") -> str:
    """How many events each estimator suits, and how many of them not surely."""
    by = found.chosen.groupby("method", sort=False)["sure"].agg(["size", "sum"]).sort_values("size", ascending=False)
    usual, total = int(by["size"].get("harmonic", 0)), int(by["size"].sum())
    others = []
    for name, many, sure in by.drop(index="harmonic", errors="ignore").itertuples():
        unsure = f" ({many - sure} not surely: halfway to harmonic)" if sure < many else ""
        others.append(f"{info_of(str(name)).title} {many}{unsure}")
    return f"Of {total} events, with every second count hidden, harmonic suits {usual}" + ", ".join(["", *others]) + "."


def _hidden_by(found: "Multiplexed") -> str:
    if found.extrapolated:
        return "as chosen" if found.params.slots_per_count else "from the running share"
    return "hidden here" if found.virtual else "as measured"


def _reached(found: "Multiplexed") -> str:
    known = found.scored_events["ra"]
    if not len(known):
        return "the truth is not known" if found.same_run is None else "too few counts above 0"
    return f"{int((known >= USABLE).sum())} of {len(known)} events reach {percent(USABLE)}"


def _signed(share: float | None) -> str:
    return "–" if share is None else formatted(share, "+.1%")


def _known(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
