"""Segmentation: the phases of a run by change points, at a threshold one can see, with a model of every segment."""

import streamlit as st

from hemcore.segmentation import PathParams, RunsParams, report
from hemcore.segmentation.export import segments_json
from hemcore.web import downloads, errors, headline, how_it_works, progress, results, segmentation_data, segmentation_tabs, shelf, snippets
from hemcore.web.navigation import enter
from hemcore.web.segmentation_view import View

enter()

head = st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center")
with head:
    st.title("Segmentation", width="content")
st.caption("The phases of a run: where the level of an event changes abruptly, and a small statistical model of each segment between.")

whole = st.container()
left, right = whole.columns([1, 3.4], gap="medium")
with left:
    with st.container(border=True):
        st.markdown("**Data**")
        dataset = shelf.choose("CounterSeries", examples=("series-ocoe",), starts={"series-ocoe": segmentation_data.START}, empty=right)
        with errors.shown_as_sentence(place=right):
            table = shelf.table(dataset.id)
        st.caption(shelf.shape(dataset.id))
        with errors.shown_as_sentence(place=right):
            application, event, run, shape = segmentation_data.series_choice(table, dataset)
    with st.container(border=True):
        st.markdown("**Threshold**")
        slider = st.container()
        with errors.shown_as_sentence(place=right):
            search, bounds, tolerance = segmentation_data.search_form(shape)
with right, errors.shown_as_sentence():
    of_run = PathParams(**search.model_dump(), application=application, event=event, run=run)
    thresholds, path = segmentation_data.searched(dataset, of_run, shape)
with slider:
    threshold = segmentation_data.threshold_choice(dataset, thresholds)
    segmentation_tabs.small_path(thresholds, path, threshold, bounds)

with right, errors.shown_as_sentence():
    params = RunsParams(**thresholds.params.model_dump(), threshold=threshold, tolerance=tolerance)
    view = View(
        dataset=dataset,
        table=table,
        thresholds=thresholds,
        path=path,
        run=path.at(threshold),
        found=(progress.result_if_done if shape.is_long else results.result_of)(report.at_threshold, dataset.id, params),
        params=params,
        bounds=bounds,
    )
    headline.row(segmentation_tabs.figures_of(view))
    figure = segmentation_tabs.show(view)

with head:
    downloads.bar(
        name=f"segments_{application}_{event}",
        of="The segments of every run, at this threshold",
        table=lambda: results.result_of(report.at_threshold, dataset.id, params).segments,
        json=lambda: segments_json(results.result_of(report.at_threshold, dataset.id, params)),
        figure=figure,
        snippet=snippets.segments(dataset, params),
    )
how_it_works.segmentation()
