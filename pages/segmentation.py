"""Segmentation: the phases of a run by change points, at a threshold one can see, with a model of every segment."""

import streamlit as st

from hemcore.datasets import summary
from hemcore.segmentation import EventParams, PathParams, RunsParams, report
from hemcore.segmentation.export import segments_json
from hemcore.web import downloads, errors, headline, how_it_works, results, segmentation_data, segmentation_tabs, shelf, snippets
from hemcore.web.navigation import enter
from hemcore.web.segmentation_view import View

enter()

head = st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center")
with head:
    st.title("Segmentation", width="content")
st.caption("The phases of a run: where the level of an event changes abruptly, and a small statistical model of each segment between.")

left, right = st.columns([1, 3.4], gap="medium")
with left:
    with st.container(border=True):
        st.markdown("**Data**")
        dataset = shelf.choose("CounterSeries", examples=("series-ocoe",), starts={"series-ocoe": segmentation_data.START})
        with errors.shown_as_sentence():
            table = shelf.table(dataset.id)
        st.caption(summary.shape(table))
        chosen = segmentation_data.series_choice(table)
        run = segmentation_data.run_choice(table, chosen["application"])
    with st.container(border=True):
        st.markdown("**Threshold**")
        slider = st.container()
        search, bounds, tolerance = segmentation_data.search_form()
    with slider, errors.shown_as_sentence():
        event = EventParams(**search.model_dump(), **chosen)
        thresholds = segmentation_data.asked(report.thresholds, table, dataset, event, kind="thresholds of all runs")
        of_run = PathParams(**event.model_dump(), run=run)
        path = segmentation_data.asked(report.path, table, dataset, of_run, kind="threshold path")
        threshold = segmentation_data.threshold_choice(dataset, thresholds)
        segmentation_tabs.small_path(thresholds, path, threshold, bounds)

with right, errors.shown_as_sentence():
    params = RunsParams(**event.model_dump(), threshold=threshold, tolerance=tolerance)
    quick = not report.is_long(table, params)
    view = View(
        dataset=dataset,
        table=table,
        thresholds=thresholds,
        path=path,
        run=path.at(threshold),
        found=results.result_of(report.at_threshold, dataset.id, params) if quick else None,
        params=params,
        bounds=bounds,
    )
    headline.row(segmentation_tabs.figures_of(view))
    figure = segmentation_tabs.show(view)

with head:
    downloads.bar(
        name=f"segments_{chosen['application']}_{chosen['event']}",
        of="The segments of every run, at this threshold",
        table=lambda: results.result_of(report.at_threshold, dataset.id, params).segments,
        json=lambda: segments_json(results.result_of(report.at_threshold, dataset.id, params)),
        figure=figure,
        snippet=snippets.segments(dataset, params),
    )
how_it_works.segmentation()
