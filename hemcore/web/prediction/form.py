"""The Prediction page's form: phases, target, display, and how many phases to measure."""

from collections.abc import Sequence

import streamlit as st

from hemcore.analysis import Analysis, AnalysisOf
from hemcore.charts.prediction.phases import colours_of
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.params import Params, control
from hemcore.prediction.explore.event_groups import target_of
from hemcore.prediction.explore.params import ExploreParams
from hemcore.prediction.params import PredictionParams
from hemcore.prediction.phase_rows import keys_of, programs_of, select_phases, varied_program
from hemcore.prediction.power.power_params import PowerParams
from hemcore.web.form import Values, remember_default, warn_of_link
from hemcore.web.frame import Frame
from hemcore.web.prediction import learning, power_sliders

_HELP = (
    "Explore: correlations of counters, and which phases to measure. Predict: the error on unseen programs. "
    "Where the cycles go: the cost of each kind of event. What-if: predictions for a phase with changed counts. "
    "Watts: power and energy, and what another frequency would cost."
)


def family_choice(frame: Frame[PhaseTable]) -> AnalysisOf[PhaseTable]:
    """The analysis chosen on the page."""
    page = frame.page
    key, names = page.key("family"), list(page.methods)
    remember_default(page, key, names[0])
    warn_of_link(key, "Question", names)
    chosen = st.segmented_control(
        "Question", names, default=names[0], required=True, key=key, bind="query-params", help=_HELP, label_visibility="collapsed"
    )
    return page.methods[str(chosen)]


def params_choice(frame: Frame, analysis: Analysis, table: PhaseTable) -> Params:
    """All parameters of the analysis. Raises ParameterError for a granularity without phases under the chosen load."""
    if analysis.params is PowerParams:
        return power_sliders.params_choice(frame, table)
    form, keys = frame.form, keys_of(table)
    chosen: Values = form.values(
        ExploreParams, ("target", "load"), choices={"target": _first(target_of(table.counters), table.counters), "load": keys.loads}
    )
    usual = select_phases(table, ExploreParams(load=chosen["load"])).granularity
    chosen |= form.values(ExploreParams, ("granularity",), choices={"granularity": _first(usual, keys.granularities)})
    if analysis.params is PredictionParams:
        programs = _programs(table, chosen)
        groups = [name for name in colours_of(table) if name not in ("load", "phase")]
        return learning.params_choice(frame, analysis, table, chosen, programs, groups)
    with st.expander("Correlation and PCA"):
        chosen |= _listed(frame, "method") | _listed(frame, "scale")
        if len(keys.loads) > 1:
            chosen |= form.values(ExploreParams, ("all_loads",))
    with st.expander("Phases to measure", expanded=True):
        programs = _programs(table, chosen)
        chosen |= form.values(ExploreParams, ("program", "n_measured"), choices={"program": programs})
        chosen |= form.values(ExploreParams, ("seed",))
    return ExploreParams(**chosen)


def _listed(frame: Frame, name: str) -> Values:
    """A field with a few long choices, as a list because they do not fit next to each other."""
    return frame.form.values(ExploreParams, (name,), choices={name: list(control(ExploreParams, name).choices or ())}, listed=True)


def _first(name: str, names: Sequence[str]) -> list[str]:
    """`names` with the default one first."""
    return [name, *(each for each in names if each != name)]


def _programs(table: PhaseTable, chosen: Values) -> list[str]:
    """The programs with phases there, in the table's order, but first the one with the most varied phases."""
    selection = select_phases(table, ExploreParams(**{name: chosen[name] for name in ("target", "load", "granularity")}))
    return _first(varied_program(table, selection), programs_of(table, selection))
