"""The Prediction page's form: which phases, what is explained, how it is looked at, and how many phases are measured."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.params import control
from hemcore.prediction.event_groups import target_of
from hemcore.prediction.explore_params import ExploreParams
from hemcore.prediction.phase_rows import asked_of, keys_of, programs_of, varied_program
from hemcore.web.frame import Frame


def params_choice(frame: Frame, table: PhaseTable) -> ExploreParams:
    """All parameters. Raises ParameterError for a granularity that was not read under the chosen load."""
    form, keys = frame.form, keys_of(table)
    chosen: dict[str, Any] = form.values(
        ExploreParams, ("target", "load"), choices={"target": _first(target_of(table.counters), table.counters), "load": keys.loads}
    )
    usual = asked_of(table, ExploreParams(load=chosen["load"])).granularity
    chosen |= form.values(ExploreParams, ("granularity",), choices={"granularity": _first(usual, keys.granularities)})
    with st.expander("Correlation and PCA"):
        chosen |= _listed(frame, "method") | _listed(frame, "scale")
        if len(keys.loads) > 1:
            chosen |= form.values(ExploreParams, ("all_loads",))
    with st.expander("Phases to measure", expanded=True):
        programs = _programs(table, chosen)
        chosen |= form.values(ExploreParams, ("program", "n_measured"), choices={"program": programs})
        chosen |= form.values(ExploreParams, ("seed",))
    return ExploreParams(**chosen)


def _listed(frame: Frame, name: str) -> dict[str, Any]:
    """A field of a few long words: as a list, since they do not fit side by side."""
    return frame.form.values(ExploreParams, (name,), choices={name: list(control(ExploreParams, name).choices or ())}, listed=True)


def _first(name: str, names: Sequence[str]) -> list[str]:
    """`names` with the one that the page opens on in front."""
    return [name, *(each for each in names if each != name)]


def _programs(table: PhaseTable, chosen: dict[str, Any]) -> list[str]:
    """The programs that have phases there, in the table's order, but first the one whose phases differ most."""
    asked = asked_of(table, ExploreParams(**{name: chosen[name] for name in ("target", "load", "granularity")}))
    return _first(varied_program(table, asked), programs_of(table, asked))
