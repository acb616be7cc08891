"""Bytes in, one of six typed tables out, kept on disk; `load` takes a table by its id."""

from pathlib import Path

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hem_list import HemList
from hemcore.datasets.tables.kinds import Table
from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments

__all__ = ["CounterSeries", "HemList", "MetricDefinitions", "PhaseTable", "SignatureTable", "Subexperiments", "Table", "load"]


def load(dataset_id: str, root: Path | None = None) -> Table:
    """The table of `dataset_id`: a bundled sample ("sample-series-ocoe") or a stored dataset; see shelf.library.load.

    root: the store's folder (default: the folder HEM_DATA_DIR names, else the platform's user data folder). Raises UnknownNameError when
    there is none of that id, ReadError or StoreError when its files are damaged.
    """
    # The shelf brings every reader with it; who only wants a table type shall not wait for them.
    from hemcore.datasets.shelf import library

    return library.load(dataset_id, root)
