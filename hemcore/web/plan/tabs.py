"""What can be chosen of the Plan page's pictures: how the plan is measured, and its script."""

from typing import Any

import streamlit as st

from hemcore.charts.picture import Scene
from hemcore.charts.planning import PlanView
from hemcore.planning.plan import Plan
from hemcore.web.frame import Frame, Tab

_FILES = {"perf": "plan.sh", "papi": "papi_events.txt"}
_MOST_SHOWN = 20_000


def _script(frame: Frame, scene: Scene) -> dict[str, Any]:
    given = frame.form.values(PlanView, ("tool",))
    if given["tool"] == "perf":
        given |= frame.form.values(PlanView, ("program",))
    view = PlanView(**given)
    plan: Plan = scene.result.plan
    script = plan.commands(view.tool, view.program, scene.result.params.runs)
    st.download_button(
        _FILES[view.tool],
        script,
        file_name=_FILES[view.tool],
        mime="text/plain",
        key=frame.page.key("script"),
        icon=":material/download:",
        type="primary",
        on_click="ignore",
    )
    st.code(script if len(script) <= _MOST_SHOWN else f"{script[:_MOST_SHOWN]}\n…", language="bash", height=360)
    return given


PARTS = {"script": Tab(controls=_script)}
