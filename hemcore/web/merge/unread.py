"""The note before a merge whose pairs were not all read together, and the button that opens Plan on these pairs."""

import pandas as pd
import streamlit as st

from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.tables.hem_list import HemList
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import HemError
from hemcore.merge import pair_readings
from hemcore.merge.remedies import PLAN_UNREAD
from hemcore.merge.unread_pairs import UnreadPairs, never_together
from hemcore.planning import PlanParams
from hemcore.planning.pairs_text import wanted_pairs
from hemcore.planning.params import possible_pmcs
from hemcore.web import sentences
from hemcore.web.actions import plan_list
from hemcore.web.everywhere.made_once import once
from hemcore.web.frame import Frame

_HELP = "Opens Plan with these HEMs and pairs. Upload what it reads together with the readings you have."
# Of plans around one HEM: 21 of 22 cases of benchmarks/bench_populations.py, two seeds; rows of neither are like those read together.
BY_ANCHOR_TOO = "Until then HRM guesses as well as the copula, or better."
# Named by the remedy of the verdict, which offers the same.
_ASKED = next(iter(PLAN_UNREAD.choose))


def note(frame: Frame[Subexperiments], dataset: Entry, table: Subexperiments) -> None:
    """How many pairs a merge can only guess, and what would read them; nothing if every pair was read together."""
    try:
        unread = once(unread_of, table)
    except HemError:  # no complete row: the merge says so itself
        return
    if not unread.pairs:
        return
    guess = BY_ANCHOR_TOO if star(table) else ""
    st.caption(sentences.as_text(" ".join(filter(None, (unread.text, unread.plan, guess)))))
    # Taken in any case: what was asked for another dataset is not opened later.
    asked = st.session_state.pop(frame.page.key(_ASKED), False)
    if unread.plan and (st.button(PLAN_UNREAD.label, key=frame.page.key("plan-unread"), icon=":material/grid_on:", help=_HELP) or asked):
        _open_plan(dataset, unread)


def star(table: Subexperiments) -> bool:
    """Whether one HEM is in every subexperiment and most others are in a single one."""
    return len(table.common_hems) == 1 and sum(frame.shape[1] - 1 for frame in table.frames) < 1.5 * (len(table.hems) - 1)


def unread_of(table: Subexperiments) -> UnreadPairs:
    """The pairs that no subexperiment of the table reads together."""
    return never_together(pair_readings(table), table.n_pmcs)


def plan_choices(unread: UnreadPairs) -> dict[str, object]:
    """The fields of Plan for these pairs; without the pairs, which means all pairs of their HEMs, if its field cannot hold them."""
    given: dict[str, object] = {"n_pmcs": possible_pmcs(unread.n_pmcs), "goal": "pairs"}
    text = "\n".join(f"{first} with {second}" for first, second in unread.pairs)
    try:
        PlanParams(wanted=text)
        same = set(wanted_pairs(text, unread.hems) or ()) == set(unread.pairs)
    except HemError:  # too long, or a name with a semicolon
        same = False
    return given | ({"wanted": text} if same else {})


def _open_plan(dataset: Entry, unread: UnreadPairs) -> None:
    hems, source = HemList(frame=pd.DataFrame({"hem": unread.hems})), f"pairs never read together in {dataset.name}"
    with sentences.show_errors(stop=False):
        plan_list.open_plan(hems, name=f"Unread pairs of {dataset.name}", source=source, choices=plan_choices(unread))
