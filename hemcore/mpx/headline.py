"""The headline figures and the verdict of estimated counts."""

import math
from typing import TYPE_CHECKING

from hemcore.headline import Card, Trust, Verdict
from hemcore.mpx.estimator_names import told

if TYPE_CHECKING:
    from hemcore.mpx.results import Multiplexed

USABLE = 0.9
"""The RA that document 001 calls usable for performance models."""
_POOR = 0.6
_EXTRAPOLATED = "The tool had a value for every slot; which ones it counted is not in the file: a rotation in turn is taken for it."


def cards(found: "Multiplexed") -> list[Card]:
    """RA, WA and total of what the curves are drawn by, the totals' own estimator, what another run would say, and what is left out."""
    curve, total = found.of(found.params.method), found.of(found.params.totals)
    of = f"{found.application}, {found.slots_per_count:.3g}"
    name, sums = told(found.params.method).title, told(found.params.totals).title
    perfect_ra, perfect_wa = found.perfect
    return [
        Card(
            label="Counted",
            value=1 / found.slots_per_count,
            form=".0%",
            note=f"of the slots: 1 in {found.slots_per_count:.3g}, " + _hidden_by(found),
            help="Multiplexing counts each event in some slots only; the others are hidden and have to be estimated.",
        ),
        Card(
            label="Right a slot (RA)",
            value=_known(curve.get("ra")),
            form=".1%",
            note=f"by {name}; {_reached(found)}",
            help="Relative accuracy on hidden slots alone: 1 less the mean share by which an estimate is off. Low guesses win it, so it "
            "is never read without WA and total.",
            better="higher",
            of=of,
        ),
        Card(
            label="Right in counts (WA)",
            value=_known(curve.get("wa")),
            form=".1%",
            note=f"by {name}",
            help="Weighted accuracy: 1 less the sum of the errors over the sum of the counts, on hidden slots.",
            better="higher",
            of=of,
        ),
        Card(
            label="Total of a run",
            value=_known(total.get("off")),
            form=".1%",
            note=f"off by {sums}; {_signed(total.get('total'))} on average" if total else "no truth is known",
            help="How far the sum over a run is off, either way, and with its sign: what is high in one run and low in another cancels.",
            better="lower",
            of=of,
        ),
        Card(
            label=f"Total by {name}",
            value=_known(curve.get("total")),
            form="+.1%",
            note="signed: what is right a slot can be low in sum",
            help="The sum over a run by the estimator of the curves, signed. Far below 0, its RA is bought by low guesses.",
            of=of,
        ),
        Card(
            label="Another run's ceiling",
            value=_known(perfect_ra),
            form=".1%",
            note=f"RA of perfect counts; WA {_percent(perfect_wa)}" if math.isfinite(perfect_ra) else "one run only, or no truth",
            help="What a perfect estimator would score if another OCOE run stood for the truth, as document 001 has it.",
            of=of,
        ),
    ]


def verdict(found: "Multiplexed") -> Verdict:
    """How right the curve and the totals are, and whether the score can be believed."""
    k = found.slots_per_count
    counting = f"Counting 1 slot in {k:.3g}"
    curve, total = found.of(found.params.method), found.of(found.params.totals)
    if found.same_run is None:
        answer = f"{counting}, the hidden counts of {found.application} are estimated by {told(found.params.method).title}."
        trust = "Their truth is not known, so nothing is scored: pair the series with OCOE runs, or hide slots of an OCOE series."
        trust += f" {_EXTRAPOLATED}" if found.extrapolated else ""
        return Verdict(answer=answer, trust=trust, level="limited")
    if not curve or not math.isfinite(curve["ra"]):
        answer = f"{counting}, no event of {found.application} has the 20 hidden counts above 0 that a score needs."
        return Verdict(answer=answer, trust="Longer runs, or more of them counted, would have.", level="poor")
    answer = f"{counting}, the curve is right to {_percent(curve['ra'])} a slot"
    if total and math.isfinite(total["off"]):
        answer += f"; totals to {_close(total['off'])}"
    words = []
    level: Trust = "good" if curve["ra"] >= USABLE else "limited" if curve["ra"] >= _POOR else "poor"
    if not found.same_run:
        words.append("The truth is of another run, where a perfect estimator would not reach 100 %: do not take this for its error.")
        level = "poor"
    if found.extrapolated:
        words.append(_EXTRAPOLATED)
    usable = found.by_event[(found.by_event["method"] == found.params.method) & (found.by_event["ra"] >= USABLE)]
    n_scored = int(found.by_event.loc[found.by_event["method"] == found.params.method, "ra"].notna().sum())
    words.append(f"{len(usable)} of {n_scored} events reach the {_percent(USABLE)} that a model needs.")
    if told(found.params.method).control:
        words.append("This is a control: it games RA by guessing low.")
        level = "poor"
    elif curve["total"] < -0.02:
        words.append(f"By {told(found.params.method).title} alone totals would be {_percent(-curve['total'])} low.")
    if curve["left_out"]:
        left = int(curve["left_out"])
        words.append(f"{left:,} of {left + int(curve['series']):,} series are too often 0 to be scored.")
    return Verdict(answer=f"{answer}.", trust=" ".join(words), level=level)


def _hidden_by(found: "Multiplexed") -> str:
    if found.extrapolated:
        return "asked for" if found.params.slots_per_count else "by the running share"
    return "hidden here" if found.virtual else "as measured"


def _reached(found: "Multiplexed") -> str:
    rows = found.by_event[found.by_event["method"] == found.params.method] if len(found.scores) else found.by_event
    known = rows[rows["ra"].notna()] if len(rows) else rows
    if not len(known):
        return "no truth is known" if found.same_run is None else "too few counts above 0"
    return f"{int((known['ra'] >= USABLE).sum())} of {len(known)} events reach {_percent(USABLE)}"


def _percent(share: float) -> str:
    return f"{share:.0%}".replace("%", " %")


def _close(share: float) -> str:
    return f"{share:.1%}".replace("%", " %") if share < 0.1 else _percent(share)


def _signed(share: float | None) -> str:
    return "–" if share is None or not math.isfinite(share) else f"{share:+.1%}".replace("%", " %").replace("-", "−")


def _known(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
