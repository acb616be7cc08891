"""The headline figures and the verdict of a what-if: the answer as a change, with its interval, and whether it is an extrapolation."""

import math

import numpy as np

from hemcore.errors import Remedy
from hemcore.headline import ANSWER_WORDS, Card, Trust, Verdict, amount, counted_noun, doubted, percent, with_step
from hemcore.prediction.derived_features import TARGET_AS_FEATURE, leave_out_first, target_as_feature
from hemcore.prediction.error_levels import ADD_PROGRAMS, FEW_PROGRAMS, doubts_of_rows, level_of_error
from hemcore.prediction.evaluate.asked_change import in_words, signed, text_of
from hemcore.prediction.evaluate.phase_changes import ChangeAnswer
from hemcore.prediction.evaluate.scenarios import WhatIf
from hemcore.prediction.headline_models import models_cards, models_verdict
from hemcore.prediction.params import SIGNED_MODELS
from hemcore.prediction.wording import rounded, shortened


def change_cards(found: WhatIf) -> list[Card]:
    """The change, its interval, the target before and after, and the distance; without a change, the figures of the models."""
    change = found.change
    if change is None or not change.asked:
        return models_cards(found)
    known = change.model != ""
    target, of = shortened(found.ready.target), f"{found.ready.target}, {found.subject}"
    far = "far: an extrapolation" if change.far else f"far from {amount(change.far_from, 2)}"
    return [
        Card(
            label=f"Change of {target}",
            value=change.change if known else None,
            form="+.1%",
            note=f"{change.model}; {found.subject}" if known else "no model answers",
            help="The measured values times the ratio of the model's predictions after and before, summed over the phases.",
            of=of,
        ),
        Card(
            label="80% interval",
            value=change.low if known else None,
            text=f"{signed(change.low)} to {signed(change.high)}" if known and math.isfinite(change.low) else "",
            form="+.1%",
            note="costs, response and models, from programs left out",
            help="From the costs without each eighth of the programs, how wrong the model was about such changes within and between "
            "programs left out, and how far apart the models are that are about as accurate.",
            of=of,
        ),
        Card(
            label="Models",
            value=change.least,
            text=f"{signed(change.least)} to {signed(change.most)}" if math.isfinite(change.least) else "",
            form="+.1%",
            note=f"{counted_noun(int(change.models['right'].sum()), 'model')} in the right direction",
            of=of,
        ),
        Card(
            label=f"{target} then",
            value=change.measured * (1 + change.change) if known else None,
            form=".4g",
            note=f"measured {amount(change.measured, 4)}",
            of=of,
        ),
        Card(
            label="Distance",
            value=change.distance,
            form=".2g",
            note=far,
            help="The mean distance to the five most similar phases measured, in standard deviations of uncorrelated directions; far is "
            "farther than 95% of phases that were left out.",
            better="lower",
            of=of,
        ),
    ]


def change_verdict(found: WhatIf) -> Verdict:
    """The answer in words; where it is an extrapolation or no model answers, that comes before any number."""
    change = found.change
    if change is None or not change.asked:
        return models_verdict(found)
    asked, target = in_words(change.asked), shortened(found.ready.target)
    if not change.model:
        return _no_answer(found, change, asked)
    number = f"{target} {signed(change.change)}"
    within = f"80% interval {signed(change.low)} to {signed(change.high)}"
    ends = signed(change.least), signed(change.most)
    span = f"models {ends[0]} to {ends[1]}" if ends[0] != ends[1] else ""
    why = _reasons(found, change)
    steps = leave_out_first(found.ready.notes, found.ready.params)
    if target_as_feature(found.ready.notes):
        return Verdict(answer=f"{asked}: {number}.", trust=TARGET_AS_FEATURE, why=tuple(why), level="poor", remedies=steps)
    if change.far:
        left = " and ".join(shortened(name) for name in change.leaves[:2])
        trust = f"No phase measured has such counts{f' ({left})' if left else ''}."
        half = Remedy(label="Halve the change", choose={"change": text_of({name: share / 2 for name, share in change.asked.items()})})
        answer, why = f"Extrapolation, so uncertain: {asked}, {number}.", [f"{within.capitalize()}.", *why]
        return Verdict(answer=answer, trust=trust, why=tuple(why), level="poor", remedies=(half,))
    first, several = ("Direction unclear: ", "direction unclear, ") if change.unsure else ("", "")
    answer = f"{first}{asked}, {number}." if change.unsure else f"{asked}: {number}{f' ({span})' if span else ''}."
    if len(answer.split()) > ANSWER_WORDS:  # names of several words
        answer = f"{counted_noun(len(change.asked), 'change')}: {several}{number}{f' ({span})' if span else ''}."
    trust = f"{within[:1].upper()}{within[1:]}; {found.subject}, {'counters together' if found.params.together else 'alone'}."
    level: Trust = "limited"
    if change.unsure:
        trust, level = f"{within[:1].upper()}{within[1:]}; {found.subject}. Do not rely on the sign.", "poor"
    elif len(found.ready.programs) >= FEW_PROGRAMS and _narrow(change):
        level = level_of_error(float(found.ready.scores[change.model]), len(found.ready.programs), found.ready.notes)
        level = "limited" if level == "poor" else level
    shown = Verdict(answer=answer, trust=trust, why=tuple(why), level=level, remedies=steps)
    return with_step(doubted(shown, doubts_of_rows(found.ready.notes, found.ready.params)), ADD_PROGRAMS)


def _no_answer(found: WhatIf, change: ChangeAnswer, asked: str) -> Verdict:
    still = change.models.loc[change.models["why"] == "does not move", "model"]
    wrong = change.models.loc[change.models["why"].str.startswith("less time"), "model"]
    reasons = [f"{', '.join(still)}: the prediction does not move with {asked}."] if len(still) else []
    reasons += [f"{', '.join(wrong)}: less time with more of an event."] if len(wrong) else []
    answer = f"No model answers {asked}."
    trust = "None both moves with it and gives events the cost they must have. Add the model cost per event, or let counters move together."
    return Verdict(answer=answer, trust=trust, why=(*reasons, *found.notes), level="poor", remedies=(_to_an_answer(found),))


def _to_an_answer(found: WhatIf) -> Remedy:
    """What may make a model answer: the one whose costs have the right sign, else counters that move together, else more programs."""
    names = found.params.model_names
    signed_model = SIGNED_MODELS[0]
    if signed_model not in names:
        return Remedy(label=f"Add {signed_model}", choose={"models": "; ".join([*names, signed_model])})
    return ADD_PROGRAMS if found.params.together else Remedy(label="Let counters move together", choose={"together": True})


def _reasons(found: WhatIf, change: ChangeAnswer) -> list[str]:
    ready = found.ready
    why = [
        f"{change.model} answers: {rounded(ready.scores[change.model])} off per phase on programs left out, the best model that moves and "
        "whose costs have the right sign."
    ]
    along = change.counters[change.counters["goes_along"] & (change.counters["share"].abs() >= 0.01)]
    if len(along):
        most = along.reindex(along["share"].abs().sort_values(ascending=False).index).head(4)
        moves = ", ".join(f"{name} {signed(share)}" for name, share in zip(most["counter"], most["share"], strict=True))
        why.append(f"As between the phases of a program here, {moves} go{'es' if len(most) == 1 else ''} along.")
    ignoring = [str(each) for each in change.models.loc[change.models["why"] == "does not move", "model"]]
    if ignoring:
        why.append(f"{', '.join(ignoring)}: the prediction does not move.")
    wrong = [str(each) for each in change.models.loc[change.models["why"].str.startswith("less time"), "model"]]
    if wrong:
        why.append(f"{', '.join(wrong)}: less time with more of an event that costs time, so not the answer.")
    codes = np.unique(ready.example.group)
    if len(codes) == 1 and found.params.scope != "all programs":
        why.append(f"{ready.example.groups[int(codes[0])]} was left out of training.")
    elif found.params.scope == "all programs":
        why.append("Each program counts the same; most were in training.")
    if change.far_part > 0 and not change.far:
        why.append(f"{percent(change.far_part)} of it would be far from every phase measured.")
    return [*why, *found.notes]


def _narrow(change: ChangeAnswer) -> bool:
    """Whether the interval is narrower than half the change on either side."""
    return (change.high - change.low) / 2 <= 0.5 * abs(change.change)
