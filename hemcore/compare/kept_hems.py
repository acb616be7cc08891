"""What of a comparison is kept as a dataset: the HEMs that changed, and those that need more runs, to plan their next reading."""

from typing import TypeVar

import pandas as pd

from hemcore.analysis import Kept
from hemcore.compare.results import Comparison
from hemcore.datasets.tables.hem_list import HemList
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.errors import TableError

TableT = TypeVar("TableT")


def changed_hems(result: Comparison, table: object = None) -> HemList:
    """The HEMs that changed, the surest first. Raises TableError if none did. table: is not used."""
    return _listed(result.changed, "no HEM changed. Keep the undecided ones, or choose other datasets")


def undecided_hems(result: Comparison, table: object = None) -> HemList:
    """The HEMs that more runs would settle, those that need the fewest first. Raises TableError if there is none. table: is not used."""
    rows = result.table[result.table["runs_needed"].notna()]
    return _listed(rows.sort_values("runs_needed", kind="stable"), "no HEM is undecided. Keep those that changed")


def _listed(rows: pd.DataFrame, sentence: str) -> HemList:
    if not len(rows):
        raise TableError(f"compare: {sentence}.")
    return HemList(frame=pd.DataFrame({"hem": rows["hem"].astype(str).to_numpy()}))


def keeps_of(kind: type[TableT]) -> tuple[Kept[TableT, Comparison], ...]:
    """What a comparison of tables of `kind` keeps; nothing of signatures, whose measures are no HEMs."""
    if kind is SignatureTable:
        return ()
    needing = "the HEMs that more runs would settle, for Plan"
    return (
        Kept(name="HEMs that changed", description="the HEMs that changed, the surest first, for Plan", kind="HemList", make=changed_hems),
        Kept(name="HEMs that need more runs", description=needing, kind="HemList", make=undecided_hems),
    )
