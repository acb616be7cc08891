"""Segmentation: the phases of a run by change points, at a threshold one can see, with a model of every segment."""

import streamlit as st

from hemcore.segmentation import SegmentationParams
from hemcore.segmentation.analysis import SEGMENTATION
from hemcore.web import selection, sentences
from hemcore.web.navigation import enter
from hemcore.web.segmentation import PAGE, choose, span, tabs

frame = enter(PAGE)
frame.work()
with frame.left:
    dataset, table = frame.data()
    with sentences.show_errors(place=frame.right, last=frame.chosen):
        series, shape, ranking = choose.series_choice(frame, table)
    choose.of_totals(frame, shape, series)
    slider = st.container()
    with sentences.show_errors(place=frame.right, last=frame.chosen):
        params = SegmentationParams(**series, **choose.search_choice(frame.form, shape))
    with slider:
        params = choose.threshold_choice(frame, params, ranking)
    frame.chosen()
    selection.of(PAGE, f"{dataset.id}|{params.application}|{params.run}", (span.SPAN,))
frame.ask(SEGMENTATION, params)
frame.headline()
frame.pictures(tabs.PARTS)
