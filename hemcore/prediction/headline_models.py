"""The headline figures and the verdict of models that are asked: those trained here, and saved ones, whose error here decides."""

import math

import numpy as np

from hemcore.errors import Remedy
from hemcore.headline import Card, Verdict, counted_noun, doubted, percent, with_step
from hemcore.prediction.derived_features import TARGET_AS_FEATURE, leave_out_first, target_as_feature
from hemcore.prediction.error_levels import ADD_PROGRAMS, FEW_PROGRAMS, GOOD, alike, doubts_of_rows, level_of_error
from hemcore.prediction.evaluate.scenarios import ErrorHere, WhatIf
from hemcore.prediction.models.trained_models import EVERYTHING, FittedModels
from hemcore.prediction.wording import rounded

# A saved model this many times as far off as in training is used on something else.
_FAR_OFF = 2.0
_TRAINED_HERE = Remedy(label="Use models trained here", choose={"kept": ""})


def models_cards(found: WhatIf) -> list[Card]:
    """How many models answer, the best one's error on programs left out, the number of training programs, and the program held out."""
    scores = found.ready.summary
    known = scores.dropna(subset=["mape"])
    return [
        Card(
            label="Models",
            value=len(found.summary),
            note=f"including {counted_noun(len(found.kept), 'saved one')}" if found.kept else "ready to answer",
        ),
        Card(
            label="Error per phase",
            value=float(known["mape"].iloc[0]) if len(known) else None,
            form=".1%",
            note=f"{known['model'].iloc[0]}, on programs left out" if len(known) else "one program: none could be left out",
            help="The mean relative error of the best model on programs it was not fitted on.",
            better="lower",
            of=found.ready.target,
        ),
        Card(
            label="Training programs",
            value=len(found.ready.programs),
            note="programs",
            help="All programs with phases at this granularity and load, without the held-out one.",
        ),
        *_kept_cards(found),
        Card(label="Starting phases", value=len(found.ready.example), note=f"of {_held_out(found.ready)}"),
    ]


def models_verdict(found: WhatIf) -> Verdict:
    """Which models answer, and how large the best one's error is on unseen programs."""
    ready = found.ready
    known = ready.summary.dropna(subset=["mape"])
    n, on_all = len(ready.programs), ready.params.held_out == EVERYTHING
    models = f"{counted_noun(len(found.summary), 'model')} predict{'s' if len(found.summary) == 1 else ''}"
    if found.kept:
        return _kept_verdict(found)
    answer = f"{models} {ready.target} for changed counts"
    trained = f"Trained on {counted_noun(n, 'program')}"
    if known.empty:
        return Verdict(
            answer=f"{answer}.",
            trust=f"{trained}: none could be left out, so the error is not known.",
            level="poor",
            remedies=(ADD_PROGRAMS,),
        )
    best = known.iloc[0]
    answer += f"; the best is {rounded(best['mape'])} off."
    if target_as_feature(ready.notes):
        trust = TARGET_AS_FEATURE
    elif on_all:
        trust = f"{trained}, these included: their own predictions look better than those of unseen programs."
    else:
        trust = "The error is on programs left out of training." if n >= FEW_PROGRAMS else f"{trained}; the error is on those left out."
    why = [
        f"{rounded(best['mape'])} is the error per phase of {best['model']} on programs left out of training.",
        "Predictions for a phase far from every training phase are marked as extrapolations.",
    ]
    if not on_all:
        why.append(f"{_held_out(ready)} was left out of training.")
    level = level_of_error(float(best["mape"]), n, ready.notes)
    steps = leave_out_first(ready.notes, ready.params)
    shown = Verdict(answer=answer, trust=trust, why=(*target_as_feature(ready.notes), *why), level=level, remedies=steps)
    few = alike(ready.independent.get(str(best["model"]), n)) if level == "good" else []
    return with_step(doubted(shown, [*doubts_of_rows(ready.notes, ready.params), *few]), ADD_PROGRAMS)


def _kept_cards(found: WhatIf) -> list[Card]:
    if not found.kept:
        return []
    name, error = _worst_kept(found)
    return [
        Card(
            label="Saved model here",
            value=error.mape if math.isfinite(error.mape) else None,
            form=".1%",
            note=f"{name}; {percent(error.promised, 1)} in training",
            help="The error per phase of a saved model on the phases measured here; of several models the largest.",
            better="lower",
            of=found.ready.target,
        )
    ]


def _worst_kept(found: WhatIf) -> tuple[str, ErrorHere]:
    """The saved model that is farthest off here, one without an answer first."""
    return max(found.kept_errors.items(), key=lambda each: each[1].mape if math.isfinite(each[1].mape) else math.inf)


def _kept_verdict(found: WhatIf) -> Verdict:
    """How far off the saved models are on the phases measured here: what they promised in training need not hold."""
    name, error = _worst_kept(found)
    name, _, saved = name.partition(", saved ")
    where = counted_noun(error.programs, "program")
    why = [f"{name} is the model saved {saved}; with several saved models, the worst is shown."]
    ready = found.ready.summary.dropna(subset=["mape"])
    if len(ready):
        why.append(f"{ready.iloc[0]['model']}, trained here, is {rounded(ready.iloc[0]['mape'])} off on programs left out of training.")
    if not math.isfinite(error.mape):
        trust = "The phases lack what it needs: it works with counts per instruction."
        return Verdict(
            answer=f"The saved {name} cannot predict these phases.", trust=trust, why=tuple(why), level="poor", remedies=(_TRAINED_HERE,)
        )
    answer = f"Saved {name} is {rounded(error.mape)} off on {where} here."
    level = level_of_error(max(error.mape, error.promised), error.programs, found.ready.notes)
    if target_as_feature(found.ready.notes):
        trust = TARGET_AS_FEATURE
    elif error.mape > GOOD and error.mape > _FAR_OFF * error.promised:
        level, trust = "poor", f"In training it was {rounded(error.promised)}: do not rely on it here."
    elif not error.unseen:
        level = "limited" if level == "good" else level
        trust = f"It was trained on these programs; on programs left out it was {rounded(error.promised)} off."
    elif error.programs < FEW_PROGRAMS:
        trust = f"Only {where} that it was not trained on; in training it was {rounded(error.promised)} off."
    else:
        trust = f"None of these programs was in its training, where it was {rounded(error.promised)} off."
    notes, params = found.ready.notes, found.ready.params
    steps = leave_out_first(notes, params)
    shown = Verdict(answer=answer, trust=trust, why=(*target_as_feature(notes), *why), level=level, remedies=steps)
    return with_step(doubted(shown, doubts_of_rows(notes, params)), _TRAINED_HERE)


def _held_out(ready: FittedModels) -> str:
    """The program held out, or the number of all programs if none is."""
    codes = np.unique(ready.example.group)
    return ready.example.groups[int(codes[0])] if len(codes) == 1 else counted_noun(len(codes), "program")
