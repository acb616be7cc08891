"""Plan: which HEMs to read together, so that few subexperiments have every pair of them."""

import streamlit as st

from hemcore.planning.analysis import PLAN
from hemcore.web import sentences
from hemcore.web.navigation import enter
from hemcore.web.plan import PAGE, form, tabs

frame = enter(PAGE)
frame.work()
with frame.left:
    with st.container(border=True):
        st.markdown("**HEMs**")
        form.hems_box(frame)
        dataset, table = frame.data()
        form.constraints_box(frame, table)
    with st.container(border=True):
        st.markdown("**Plan**")
        with sentences.show_errors(place=frame.right, last=frame.chosen, actions=frame.remedies):
            params = form.params_choice(frame, table)
        frame.chosen()
frame.ask(PLAN, params)
frame.headline()
frame.pictures(tabs.PARTS)
