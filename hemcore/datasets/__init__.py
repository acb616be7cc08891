"""Bytes in, one of four typed tables out, kept on disk."""

from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments

__all__ = ["CounterSeries", "PhaseTable", "SignatureTable", "Subexperiments"]
