"""How a kept series was counted, all the time or in turns: what no file says, chosen afterwards; the dataset as read stays."""

from typing import Literal

import numpy as np
import streamlit as st

from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.errors import HemError
from hemcore.web import sentences, shelf
from hemcore.web.data import PAGE, opening_page

_MODES: dict[str, Literal["OCOE", "MPX"]] = {"All the time (OCOE)": "OCOE", "In turns (MPX)": "MPX"}


def popover(entry: Entry, table: CounterSeries) -> None:
    """The choice, and a button that keeps the series so under a name of its own."""
    with st.popover("Counted", icon=":material/timelapse:"):
        now = next(label for label, mode in _MODES.items() if mode == table.mode)
        chosen = st.radio("How its events were counted", list(_MODES), index=list(_MODES).index(now), key=PAGE.key(f"counted-{entry.id}"))
        mode, share = _MODES[str(chosen)], None
        if mode == "MPX" and not table.counts.isna().any(axis=None):
            measured = 1.0 if table.share is None else float(np.nanmean(table.share.to_numpy(dtype=float)))
            share = st.number_input(
                "Share counted (%)", 1.0, 100.0, round(100 * measured, 1), key=PAGE.key(f"share-{entry.id}"),
                help="The part of each interval in which an event was counted: 25 where each of 4 groups has its turn.",
            )  # fmt: skip
        st.caption("The series is kept once more, read so; the one that is there stays as it is.")
        st.button("Keep it so", key=PAGE.key("counted"), on_click=_keep, args=(entry, mode, None if share is None else share / 100))


def _keep(entry: Entry, mode: Literal["OCOE", "MPX"], share: float | None) -> None:
    try:
        table = shelf.table(entry.id)
        assert isinstance(table, CounterSeries)
        how = "counted all the time" if mode == "OCOE" else "counted in turns"
        source = f"{entry.name} ({entry.id[:8]}), read as {how}" + (f", {share:.1%} of the time" if share is not None else "")
        record = shelf.store().take(table.counted(mode, share), name=f"{entry.name}, {how}", source=source)
        opening_page.ask(record.id)
    except HemError as error:
        st.toast(sentences.as_text(str(error)), icon=":material/error:")
