"""The Merge page's form: the method and its parameters."""

from typing import Any

import pandas as pd
import streamlit as st

from hemcore.analysis import Analysis, Question
from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import HemError, ParameterError
from hemcore.merge import CopulaParams, HrmParams, MuchParams, pair_readings
from hemcore.merge.analysis import COPULA, DEP_LVL, MUCH
from hemcore.merge.merge_curves import COPULA_ROWS, MUCH_ROWS, dep_lvl_curves, rows_curve
from hemcore.merge.remedies import BY_COPULA, BY_PAIRS
from hemcore.merge.results import MergeReport
from hemcore.merge.trust.comparison import COMPARE, Comparison
from hemcore.merge.trust.side_by_side_merges import METHODS
from hemcore.params import Params
from hemcore.web import ask, choices
from hemcore.web.everywhere import slider_strips
from hemcore.web.everywhere.made_once import once
from hemcore.web.form import Values, put, remember_default, warn_of_link
from hemcore.web.frame import Frame

_COPULA_MORE = ("components", "features", "swaps")
_MORE = ("method", "n_sims", "absolute", "outlier_zscore", "unmeasured")


def method_choice(frame: Frame[Subexperiments], dataset: Entry, table: Subexperiments) -> Analysis[Subexperiments, Any, MergeReport]:
    """HRM, MUCH or the copula. Choosing another dataset selects the copula, choosing a sample its own method.

    A link without a method shows HRM or MUCH; the address then names it, so that it opens the same when the default changes.
    Raises ParameterError for HRM if no HEM can be the anchor.
    """
    page, possible = frame.page, bool(table.common_hems)
    default = "HRM" if possible and not _pairs_complete(table) else "MUCH"
    key, of = page.key("family"), f"{page.name}:family_of"
    before = st.session_state.get(of)
    if before != dataset.id and not choices.linked(page) and (before is not None or key not in st.session_state):
        put(key, page.opening(table, bundled=dataset.bundled).get("family", default))
    st.session_state[of] = dataset.id
    remember_default(page, key, default)
    warn_of_link(key, "Merge", list(page.methods))
    if key not in st.session_state and st.query_params.get(key) not in page.methods:
        put(key, default)
    chosen = st.segmented_control(  # without a default, which would not be in the address
        "Merge",
        list(page.methods),
        required=True,
        key=key,
        bind="query-params",
        width="stretch",
        help="HRM: around one anchor HEM that every subexperiment reads. MUCH: all pairs of HEMs, each read together at least once. "
        "Copula: any connected plan.",
    )
    _closest_merge(dataset)
    if chosen == "HRM" and not possible:
        message = "No HEM is read in every subexperiment, which HRM needs as its anchor. Choose the copula or MUCH."
        raise ParameterError(message, remedies=(BY_COPULA, BY_PAIRS))
    return page.methods[str(chosen)]


def _closest_merge(dataset: Entry) -> None:
    """Which merge is closest to rows read together, or which are equally close, if the methods were compared on this dataset."""
    try:
        found = ask.at_hand(Question(analysis=COMPARE, dataset=dataset.id, params=COMPARE.params()))
    except HemError:  # too few runs to compare: nothing is recommended
        return
    if found is None:
        return
    closest, alike = once(_closest, found)
    if closest is not None:
        method, auc, by_truth = closest
        judge = "against the truth of this dataset" if by_truth else "by halves of these runs"
        st.caption(f":material/star: Closest: **{METHODS[method].title}**", help=f"AUC {auc:.2f} {judge}: see Methods compared.")
    elif alike:
        why = f"Halves of these runs cannot tell them from rows read together (AUC up to {found.quality.told:.2f}): see Methods compared."
        st.caption(f"Equally close: {'; '.join(METHODS[each].title for each in alike)}", help=why)


def _closest(found: Comparison) -> tuple[tuple[str, float, bool] | None, list[str]]:
    return found.closest, [str(each) for each in found.alike.index]


def params_choice(frame: Frame, analysis: Analysis, table: Subexperiments) -> Params:
    """The parameters of the method: the important ones visible, the rest under "More"."""
    form = frame.form
    if analysis.params is HrmParams:
        return HrmParams(**form.values(HrmParams, ("anchor_hem",), choices={"anchor_hem": table.common_hems}))
    if analysis.params is CopulaParams:
        chosen = form.values(CopulaParams, ("n_runs",))
        picture = st.container(gap="small")
        chosen |= form.values(CopulaParams, ("seed",))
        with st.expander("More"):
            chosen |= form.values(CopulaParams, _COPULA_MORE)
        copula = CopulaParams(**chosen)
        with picture:
            _rows_picture(frame, COPULA, COPULA_ROWS, copula)
        return copula
    shown: Values = form.values(MuchParams, ("dep_lvl",))
    picture = st.container(gap="small")
    shown |= form.values(MuchParams, ("n_runs",))
    below_runs = st.container(gap="small")
    shown |= form.values(MuchParams, ("seed",))
    with st.expander("More"):
        rest = form.values(MuchParams, _MORE)
    params = MuchParams(**shown, **rest)
    with picture:
        _dep_lvl_picture(frame, params)
    with below_runs:
        _rows_picture(frame, MUCH, MUCH_ROWS, params)
    return params


def _dep_lvl_picture(frame: Frame, params: MuchParams) -> None:
    """The effect of the slider, shown under it."""
    curve = ask.answer(Question(analysis=DEP_LVL, dataset=frame.dataset.id, params=params), frame.remedies)
    slider_strips.show(frame, once(dep_lvl_curves, curve), params)


def _rows_picture(
    frame: Frame,
    merge: Analysis[Subexperiments, Any, MergeReport],
    rows: Analysis[Subexperiments, Any, pd.DataFrame],
    params: MuchParams | CopulaParams,
) -> None:
    """What the rows of the merged table do to its correlations, by this merge and the one at the start; the curve over other numbers of
    rows is six merges more, which a job does meanwhile, once any other number is asked."""
    begin, _ = slider_strips.start(frame, params, "n_runs")
    question = Question(analysis=rows, dataset=frame.dataset.id, params=params)
    if params.n_runs == begin and not ask.begun(question):
        return
    try:
        now = ask.at_hand(Question(analysis=merge, dataset=frame.dataset.id, params=params))
        job = ask.aside(question)
        tried = job.result() if job.state == "done" else None
        known = tried is not None and bool((tried["n_runs"] == begin).any())
        at_start = Question(analysis=merge, dataset=frame.dataset.id, params=params.but(n_runs=int(begin)))
        then = None if known else ask.at_hand(at_start)
    except HemError:  # the page's own question fails for the same reason, and says so
        return
    if now is None:  # long work, whose progress the page shows
        return
    slider_strips.show(frame, [once(rows_curve, tried, now, *([] if then is None else [then]))], params, waits=job)


def _pairs_complete(table: Subexperiments) -> bool:
    return bool((pair_readings(table) > 0).all(axis=None))
