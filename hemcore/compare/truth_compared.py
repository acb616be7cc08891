"""The true changes, where both datasets have runs that read all HEMs together."""

from hemcore.compare.params import StatisticName
from hemcore.compare.run_sets import Compared
from hemcore.datasets.tables.subexperiments import Subexperiments


def true_changes(before: Compared, after: Compared, statistic: StatisticName = "mean") -> dict[str, float]:
    """By HEM, the relative change of the mean or median count of the truth's runs (0.1 = 10 % more).

    Empty without a truth of both; a HEM whose truth before is not above 0, or that one truth lacks, is left out.
    """
    if not (isinstance(before, Subexperiments) and isinstance(after, Subexperiments)):
        return {}
    if before.truth is None or after.truth is None:
        return {}
    known = [getattr(truth.astype(float), statistic)() for truth in (before.truth, after.truth)]
    shared = [hem for hem in known[0].index if hem in known[1].index and known[0][hem] > 0]
    return {str(hem): float(known[1][hem] / known[0][hem] - 1) for hem in shared}
