"""Prediction: errors on unseen programs, cost shares, and which phases to measure."""

import streamlit as st

from hemcore.web import selection, sentences
from hemcore.web.navigation import enter
from hemcore.web.prediction import PAGE, explore, form, tabs

frame = enter(PAGE)
frame.work()
with frame.left:
    with st.container(border=True):
        st.markdown("**Data**")
        dataset, table = frame.data()
        selection.of(PAGE, dataset.id, (explore.PHASE,))
    with frame.right:
        analysis = form.family_choice(frame)
    with st.container(border=True):
        st.markdown("**Phases**")
        with sentences.show_errors(place=frame.right, last=frame.chosen):
            params = form.params_choice(frame, analysis, table)
        frame.chosen()
frame.ask(analysis, params)
frame.headline()
frame.pictures(tabs.PARTS)
