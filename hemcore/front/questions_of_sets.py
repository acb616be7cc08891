"""Further questions about sets of runs: which correlations changed, which counts contradict each other, since which set a HEM changed."""

from collections.abc import Mapping, Sequence
from typing import Any

from hemcore.analysis import AnyAnalysis
from hemcore.errors import HemError, ParameterError, TableError
from hemcore.front import given_metrics
from hemcore.front.answer import Answer
from hemcore.front.frames import no_data
from hemcore.front.given_runs import runs
from hemcore.front.given_tables import Given

_KINDS = ("Subexperiments", "CounterSeries", "PhaseTable", "SignatureTable")


def relations(before: object = None, after: object = None, *, program: str | None = None, **params: Any) -> Answer:
    """Which correlations between HEMs changed from one set of runs to another; `.table` has a row per pair of HEMs.

    before, after, program: as of `compare`. params: of CompareParams, for example paired=True, level=0.95, rate=0.01. Raises HemError:
    TableError for data that cannot be compared or where no pair was read together in 8 runs of both sets, ParameterError for a parameter.
    """
    from hemcore.compare.params import CompareParams
    from hemcore.compare.relations import relations_of
    from hemcore.compare.run_sets import run_set_of
    from hemcore.compare.tab_analyses import RELATIONS

    for data in (before, after):
        if data is None:
            raise no_data("relations", "hem.relations(before, after)  # two frames with a row per run and a column per HEM")
    first, second = runs(before, program=program), runs(after, program=program)
    asked = CompareParams(**params)
    found = relations_of(run_set_of(first.table), run_set_of(second.table), asked)
    return Answer(analysis=_of_kind(RELATIONS, second), data=second.table, params=asked, result=found)


def identities(
    *data: object, definitions: object = None, names: Sequence[str] = (), program: str | None = None, rate: float = 0.005
) -> Answer:
    """Whether counts contradict each other: sums and multiples of HEMs that hold in some runs and not in others; `.table` has a row per
    identity and check, broken ones first.

    data: one or several sets of runs of one kind, each as `compare` takes them. definitions: metrics whose `left == right` must hold, as
    `metrics` takes them (default: the project's set that fits). names: what the sets are called. program: the column that names the
    program. rate: the accepted chance of a false contradiction. Raises HemError: TableError for data without runs, ParameterError.
    """
    from hemcore.compare.contradictions import Contradictions
    from hemcore.compare.contradictions import identities as checked
    from hemcore.compare.contradictions.identity_declarations import declared_identities
    from hemcore.compare.params import CompareParams
    from hemcore.compare.run_sets import run_set_of
    from hemcore.compare.tab_analyses import CONTRADICTIONS

    if not data or any(each is None for each in data):
        raise no_data("identities", "hem.identities(frame)  # a row per run and a column per HEM")
    given = [runs(each, program=program) for each in data]
    kinds = list(dict.fromkeys(type(each.table).__name__ for each in given))
    if len(kinds) > 1:
        raise TableError(f"identities: the data are {' and '.join(kinds)}; all sets must be of one kind. Give sets of one kind.")
    hems = dict.fromkeys(hem for each in given for hem in run_set_of(each.table).hems)
    declared = [each for one in _definitions(definitions, given[0]) for each in declared_identities(one, hems)]
    table = checked(*(each.table for each in given), names=names, declared=declared, rate=rate)
    return Answer(
        analysis=_of_kind(CONTRADICTIONS, given[-1]), data=given[-1].table, params=CompareParams(), result=Contradictions(table=table)
    )


def releases(*data: object, names: Sequence[str] = (), program: str | None = None, **params: Any) -> Answer:
    """Since which of three or more sets (releases, nights), in order, each HEM has another level; `.table`: a row per change point.

    data: the sets of one kind, each as `compare` takes them; or one list of them; or one mapping from names to them. names: what the sets
    are called. program: the column that names the program. params: of CompareParams, for example statistic="median", rate=0.01. Raises
    HemError: TableError for fewer than three sets, for sets of different kinds or without a common HEM, ParameterError.
    """
    from hemcore.compare.params import CompareParams
    from hemcore.compare.releases import releases as followed
    from hemcore.compare.releases.release_analyses import RELEASES

    if len(data) == 1 and isinstance(data[0], Mapping):
        names, data = names or [str(name) for name in data[0]], tuple(data[0].values())
    elif len(data) == 1 and isinstance(data[0], list | tuple):
        data = tuple(data[0])
    if not data or any(each is None for each in data):
        raise no_data("releases", "hem.releases(january, february, march)  # frames with a row per run and a column per HEM")
    if names and len(set(names)) != len(data):
        raise ParameterError(f"names: {len(set(names))} different names for {len(data)} sets. Give each set its own name, or none.")
    given = [runs(each, program=program) for each in data]
    asked = CompareParams(**params)
    labels = list(names) or [f"set {number}" for number in range(1, len(given) + 1)]
    tables = {label: each.table for label, each in zip(labels, given, strict=True)}
    found = followed(tables, level=asked.level, rate=asked.rate, statistic=asked.statistic, seed=asked.seed)
    return Answer(analysis=_of_kind(RELEASES, given[-1]), data=given[-1].table, params=asked, result=found)


def _of_kind(analyses: Sequence[AnyAnalysis], given: Given) -> AnyAnalysis:
    bases = {base.__name__ for base in type(given.table).__mro__}
    return next(each for each, kind in zip(analyses, _KINDS, strict=True) if kind in bases)


def _definitions(definitions: object, given: Given) -> list[given_metrics.MetricDefinitions]:
    """The definitions meant; none if the user named none and none can be looked up for these data."""
    from hemcore.metrics.params import MetricsParams
    from hemcore.metrics.sets.used_definitions import definitions_for
    from hemcore.metrics.table_counts import counts_of

    known, named = given_metrics.definitions(definitions)
    if known is not None:
        return [known]
    try:
        return [definitions_for(MetricsParams(definitions=named), counts_of(given.table).events)[0]]
    except HemError:
        if named:
            raise
        return []
