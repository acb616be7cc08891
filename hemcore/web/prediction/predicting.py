"""Controls and clicks of the tabs about unseen programs: which models and which program are shown."""

import streamlit as st

from hemcore.charts.picture import Scene
from hemcore.charts.prediction.measured import farthest_off
from hemcore.charts.prediction.models import usual_models
from hemcore.charts.prediction.view import PredictionView
from hemcore.prediction.evaluate.causes_of_loss import BEST, NONE, programs_by_loss
from hemcore.prediction.evaluate.prediction_intervals import Intervals
from hemcore.web.choose_many import several
from hemcore.web.drawing import Picked
from hemcore.web.form import put
from hemcore.web.frame import Frame, Tab
from hemcore.web.prediction import PAGE


def _programs(frame: Frame, scene: Scene) -> dict[str, object]:
    left, right = st.columns([1, 2])
    with left:
        chosen = frame.form.values(PredictionView, ("score",))
    with right:
        title = str(PredictionView.model_fields["drawn"].title)
        options, first = list(scene.result.models), usual_models(scene.result)
        return chosen | {"drawn": several(frame.page, "drawn", title, options, first, placeholder="Default models")}


def _measured(frame: Frame, scene: Scene) -> dict[str, object]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        return _unseen(frame, scene) | frame.form.values(PredictionView, ("promised",))


def _course(frame: Frame, scene: Scene) -> dict[str, object]:
    found: Intervals = scene.more
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = _unseen(frame, scene)
        best = str(scene.result.best["model"])
        others = [name for name in scene.result.models if name not in (best, found.model)]
        options = [best, *others] if best != found.model else others
        if options:
            chosen |= frame.form.values(PredictionView, ("beside",), choices={"beside": options})
        return chosen | frame.form.values(PredictionView, ("promised",))


def _unseen(frame: Frame, scene: Scene) -> dict[str, object]:
    found: Intervals = scene.more
    first = farthest_off(found)
    names = [str(each) for each in found.programs["program"]]
    return frame.form.values(PredictionView, ("unseen",), choices={"unseen": [first, *(each for each in names if each != first)]})


def _see(picked: Picked) -> None:
    """Show the phases of the clicked program."""
    program = picked[0] if isinstance(picked, list) else picked
    put(PAGE.key("unseen"), str(program))
    put(PAGE.key("view"), "One program")


def _causes(frame: Frame, scene: Scene) -> dict[str, object]:
    """At the side: whose causes are ranked, and what they are compared with."""
    names = programs_by_loss(scene.result)
    chosen = frame.form.values(PredictionView, ("loses",), choices={"loses": names})
    others = [name for name in names if name != chosen["loses"]]
    return chosen | frame.form.values(PredictionView, ("reference",), choices={"reference": [NONE, BEST, *others]})


PARTS = {
    "programs": Tab(controls=_programs, on_pick=_see),
    "measured": Tab(controls=_measured, on_pick=_see),
    "unseen": Tab(controls=_course),
    "causes": Tab(place="side", controls=_causes),
    "granularities": Tab(controls=_programs),
}
