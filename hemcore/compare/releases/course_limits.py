"""How far the course of a HEM over sets goes by chance: the probability of a statistic, by the number of sets."""

PROBABILITIES = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001, 0.00005)


def most_changes(n_sets: int) -> int:
    """How many change points a course of so many sets may have: one per six sets, 1 to 6."""
    return int(min(max(n_sets // 6, 1), 6))
