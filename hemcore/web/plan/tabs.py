"""The controls of the Plan page's pictures: the measurement tool and its script."""

import streamlit as st

from hemcore.charts.picture import Scene
from hemcore.charts.planning.pictures import PlanView
from hemcore.planning.plan import Plan
from hemcore.web.form import Values
from hemcore.web.frame import Frame, Tab

_MOST_SHOWN = 20_000


def _script(frame: Frame, scene: Scene) -> Values:
    view = PlanView(**(given := frame.form.values(PlanView, ("tool", "program"))))
    plan: Plan = scene.result.plan
    script = plan.commands(view.tool, view.program, scene.result.params.runs)
    name = "plan.sh" if script.startswith("#!") else "papi_events.txt"
    st.download_button(
        name,
        script,
        file_name=name,
        mime="text/plain",
        key=frame.page.key("script"),
        icon=":material/download:",
        type="primary",
        on_click="ignore",
    )
    st.code(script if len(script) <= _MOST_SHOWN else f"{script[:_MOST_SHOWN]}\n…", language="bash", height=360)
    return given


PARTS = {"script": Tab(place="above", controls=_script)}
