"""Bytes in, one of four typed tables out, kept on disk."""

from hemcore.datasets.counter_series import CounterSeries
from hemcore.datasets.phase_table import PhaseTable
from hemcore.datasets.signature_table import SignatureTable
from hemcore.datasets.subexperiments import Subexperiments

__all__ = ["CounterSeries", "PhaseTable", "SignatureTable", "Subexperiments"]
