"""Which correlations changed from one set of runs to another."""

from hemcore.compare.relations.changed_pairs import Relations, relations, relations_of

__all__ = ["Relations", "relations", "relations_of"]
