"""Counts that contradict each other: linear identities between HEMs that hold in some runs and are broken in others."""

from hemcore.compare.contradictions.identity_checks import Contradictions, contradictions_of, identities
from hemcore.compare.contradictions.identity_search import LinearIdentity, linear_identities

__all__ = ["Contradictions", "LinearIdentity", "contradictions_of", "identities", "linear_identities"]
