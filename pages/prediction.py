"""Prediction: what the counters of phases say about a target, and which phases need be measured to know the others."""

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
    with st.container(border=True):
        st.markdown("**Phases**")
        with sentences.shown_as_sentence(place=frame.right, last=frame.chosen):
            params = form.params_choice(frame, table)
        frame.chosen()
frame.ask(PAGE.analysis("Explore"), params)
frame.headline()
frame.pictures(tabs.PARTS)
