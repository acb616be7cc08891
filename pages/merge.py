"""Merge: HEMs read in separate subexperiments, put together as if the processor had read them all at once."""

import streamlit as st

from hemcore.merge import HrmParams, MuchParams
from hemcore.merge import analysis as merge_report
from hemcore.web import downloads, errors, headline, how_it_works, merge_tabs, parameters, progress, results, shelf, snippets
from hemcore.web.navigation import enter

enter()

head = st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center")
with head:
    st.title("Merge subexperiments", width="content")
st.caption("HEMs read in separate subexperiments, put together as if the processor had read them all at once.")

left, right = st.columns([1, 3.4], gap="medium")
with left:
    with st.container(border=True):
        st.markdown("**Data**")
        dataset = shelf.choose("Subexperiments", examples=("subexperiments-much", "subexperiments-hrm"), empty=right)
        with errors.shown_as_sentence():
            table = shelf.table(dataset.id)
        merge_tabs.data_caption(table)
    with st.container(border=True):
        st.markdown("**Method**")
        method = merge_tabs.method_choice(dataset, table)
        with errors.shown_as_sentence():
            if method == "HRM":
                params = parameters.form(HrmParams, choices={"anchor_hem": merge_tabs.anchors(table)})
            else:
                params = merge_tabs.much_form(MuchParams)
                merge_tabs.dep_lvl_picture(dataset.id, params)

with right:
    with errors.shown_as_sentence():
        if merge_report.is_long(table, params):
            report = progress.result_of_job(merge_report.report, dataset.id, params, kind=f"{method} merge")
        else:
            report = results.result_of(merge_report.report, dataset.id, params)
    headline.row(merge_tabs.figures_of(report))
    figure = merge_tabs.show(report, dataset, table)

with head:
    downloads.bar(
        name=f"merged_{method.lower()}",
        table=lambda: report.merged,
        figure=figure,
        snippet=snippets.merge(dataset, params),
    )
how_it_works.merge(method)
