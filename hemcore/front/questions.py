"""The functions of the notebook interface: plain data in, an Answer out. Analyses are imported on first use."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from hemcore.analysis import Analysis, ParamsT, ResultT, TableT
from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.errors import HemError, ParameterError
from hemcore.front import given_tables
from hemcore.front.answer import Answer
from hemcore.front.frames import no_data
from hemcore.front.given_tables import Given

if TYPE_CHECKING:
    from hemcore.segmentation.params import SegmentationParams

_MUCH_METHODS = ("calibrated", "simulated")


def merge(data: object = None, method: str = "copula", **params: object) -> Answer:
    """Merge HEMs from separate subexperiments into one table; `.table` has a row per merged run.

    data: Subexperiments, a list of frames (one per subexperiment, rows are runs, columns HEMs) or a mapping of them by name, paths, or one
    frame with all columns side by side. method: "copula" (any plan), "much" (pairs read together, at a dep_lvl) or "hrm" (an anchor HEM).
    params: the method's own (CopulaParams, MuchParams, HrmParams), for example n_runs=500, dep_lvl=0.9, anchor_hem="CYCLES".

    Raises HemError: TableError for data that are not subexperiments, ParameterError for a parameter, and as the merges do.
    """
    from hemcore.merge.analysis import COPULA, HRM, MUCH

    merges: dict[str, Analysis] = {"copula": COPULA, "much": MUCH, "hrm": HRM}
    if data is None:
        raise no_data("merge", "hem.merge([first_frame, second_frame])")
    name = method.lower() if isinstance(method, str) else method
    if name in _MUCH_METHODS:
        name, params = "much", {"method": name, **params}
    if not isinstance(name, str) or name not in merges:
        raise ParameterError(f"method: {str(method)[:60]!r} is not a merge; it must be one of {', '.join(merges)}.")
    return _answer(merges[name], given_tables.subexperiments(data), params)


def plan(
    hems: object = None,
    n_pmcs: int | None = None,
    *,
    metrics: str | Sequence[str] = (),
    levels: int | Iterable[int] | None = None,
    smt: bool = True,
    constants: Mapping[str, float] | None = None,
    **params: object,
) -> Answer:
    """Plan which HEMs to read together so that few subexperiments cover every pair; `.table` has a row per HEM and subexperiment.

    hems: their names (a list, a Series, a text with one per line), a HemList, or a table whose columns are HEMs. n_pmcs: the number of HEMs
    counted at once (default: 6). params: of PlanParams, for example goal="anchor", anchor="CYCLES". Raises HemError as the planner does.

    To plan for metrics, give their definitions as hems (MetricDefinitions, the paths of their files, formulas by name, or the name of one
    of the project's sets) with `metrics` (names) or `levels` (3: levels 1 to 3): only pairs inside a metric are then read together, on
    the counters that the definitions' event file names. smt, constants: as in `hemcore.planning.hems_for_metrics`.
    """
    from hemcore.planning.analysis import PLAN

    if hems is None:
        raise no_data("plan", "hem.plan(['CYCLES', 'L1D_MISSES', 'BRANCHES'], n_pmcs=2)")
    named = _names(metrics, "metrics")
    if named or levels is not None or isinstance(hems, MetricDefinitions):
        from hemcore.front import given_metrics
        from hemcore.planning.metric_hems import general_counters, hems_for_metrics

        definitions = given_metrics.found_definitions(hems)
        n_pmcs = n_pmcs if n_pmcs is not None else general_counters(definitions, smt)
        hems = hems_for_metrics(definitions, named or None, levels=levels, smt=smt, constants=constants)
    return _answer(PLAN, given_tables.hems(hems), params | ({} if n_pmcs is None else {"n_pmcs": n_pmcs}))


def estimate(
    data: object = None, method: str | None = None, *, program: str | None = None, counters: Sequence[str] = (), **params: object
) -> Answer:
    """Estimate what events counted while they had no counter; `.table` has a row per event and slot, with `counted` and `estimate`.

    data: a CounterSeries, one or more frames (a row per slot, a column per event, NaN = not counted), or paths. If nothing is missing,
    slots are hidden and the estimates are scored against the truth. method: the estimator of the curves, such as "linear" or "harmonic".
    program: the column that names the application. counters: the event columns (default: all numbers). params: of MpxParams.

    Raises HemError: TableError for data that are not a series, ParameterError or UnknownNameError for a parameter.
    """
    from hemcore.mpx.analysis import ESTIMATE

    if data is None:
        raise no_data("estimate", "hem.estimate(frame)  # a row per slot, NaN where an event was not counted")
    given = given_tables.series(data, program=program, counters=_names(counters, "counters"))
    return _answer(ESTIMATE, given, params | ({} if method is None else {"method": method}))


def segment(
    data: object = None,
    event: str | None = None,
    *,
    joint: bool = False,
    program: str | None = None,
    counters: Sequence[str] = (),
    **params: object,
) -> Answer:
    """Find the phases of a run by change points; `.table` has a row per segment: start, stop (exclusive), mean, std and more.

    data: a Series, an array, a list of numbers, a frame (a row per interval, a column per event), a CounterSeries, paths, or several of
    these: a list holds runs of one application, a mapping one application per key. event: the event to segment (default: the one that
    shows phases most clearly, at the threshold of Algorithm 1). joint: cut all events at the same places. params: of SegmentationParams.

    Raises HemError: TableError for data that are not a series, ParameterError or UnknownNameError for a parameter.
    """
    from hemcore.segmentation.analysis import JOINT, SEGMENTATION

    if data is None:
        raise no_data("segment", "hem.segment(frame['CYCLES'])")
    given = given_tables.series(data, program=program, counters=_names(counters, "counters"))
    if event is not None:
        params = {"event": event, **params}
    if joint:
        return _answer(JOINT, given, params)
    asked = _params(SEGMENTATION, params)
    return _answer(SEGMENTATION, given, params | _opening(given, asked, params))


def evaluate(
    data: object = None,
    target: str | None = None,
    *,
    program: str | None = None,
    counters: str | Sequence[str] = (),
    models: str | Sequence[str] = (),
    **params: object,
) -> Answer:
    """Test how well a counter of an unseen program is predicted from its other counters, leaving out each program in turn.

    data: a PhaseTable, a frame (a row per phase or run, a column per counter, one that names the program), a mapping from program to frame,
    or paths. target: the predicted counter (default: the cycles, else the first). program: the column that names the program. counters:
    the features. models: their names. Both as lists, or text with semicolons. params: of PredictionParams. `.table` has a row per phase
    and model.

    Raises HemError: TableError for data without program names, ParameterError for a parameter or fewer than two programs.
    """
    from hemcore.prediction.analysis import EVALUATION

    if data is None:
        raise no_data("evaluate", "hem.evaluate(frame, 'CYCLES', program='benchmark')")
    given = given_tables.phases(data, program=program)
    named = {"target": target, "counters": "; ".join(_names(counters, "counters")), "models": "; ".join(_names(models, "models"))}
    return _answer(EVALUATION, given, params | {name: value for name, value in named.items() if value})


def classify(data: object = None, strategy: str | None = None, **params: object) -> Answer:
    """Classify jobs as CPU-bound, memory-bound or mixed by EAR's strategies; `.table` has a row per classified signature.

    data: a SignatureTable, a frame with the columns CPI, TPI, MEM_GBS and GFLOPS, or the path of an eacct CSV. strategy: "as EAR chooses",
    "k-medoids", "roofline" or "default". params: of SignatureParams. Raises HemError: TableError for a missing metric, ParameterError.
    """
    from hemcore.signatures.analysis import CLASSIFY

    if data is None:
        raise no_data("classify", "hem.classify(frame)  # with the columns CPI, TPI, MEM_GBS, GFLOPS")
    return _answer(CLASSIFY, given_tables.signatures(data), params | ({} if strategy is None else {"strategy": strategy}))


def metrics(data: object = None, definitions: object = None, *, constants: Mapping[str, float] | None = None, **params: object) -> Answer:
    """Evaluate metrics (IPC, miss ratios, top-down) over readings; `.table` has a row per metric with its interval, or per row of the data.

    data: Subexperiments, a list or mapping of frames (one per subexperiment), a CounterSeries, a PhaseTable, a SignatureTable, one frame (a
    row per run or interval, a column per event), or paths. definitions: MetricDefinitions, the paths of their files (`perf list -j
    --details`, Intel's, Arm's, LIKWID's, CSV), the name of one of the project's sets, or the id of a dataset (default: the set that fits).
    constants: values by the names that formulas use, for example {"SMT_on": 1}. params: of MetricsParams, for example draws=1000.

    Raises HemError: TableError for data without counts, ReadError for files without metrics, ParameterError for a parameter.
    """
    from hemcore.front import given_metrics
    from hemcore.metrics.analysis import BY_PHASE, BY_SIGNATURE, METRICS, OVER_TIME

    if data is None:
        raise no_data("metrics", "hem.metrics(hem.load('subexperiments-hrm'))")
    if constants:
        params = {**params, "constants": "; ".join(f"{name} = {value!r}" for name, value in constants.items())}
    known, named = given_metrics.definitions(definitions)
    given = given_metrics.measured(data)
    by_kind: dict[str, Analysis] = {
        "Subexperiments": METRICS,
        "CounterSeries": OVER_TIME,
        "PhaseTable": BY_PHASE,
        "SignatureTable": BY_SIGNATURE,
    }
    analysis = next(each for kind, each in by_kind.items() if kind in {base.__name__ for base in type(given.table).__mro__})
    asked = _params(analysis, params | ({"definitions": named} if named else {}))
    relevant = analysis.relevant_params(asked)
    result = analysis.computed(given.table, relevant, None, *([known] if known is not None else []))
    return Answer(analysis=analysis, data=given.table, params=asked, result=result, times=given.times)


def compare(before: object = None, after: object = None, *, program: str | None = None, **params: object) -> Answer:
    """Compare two sets of runs: what changed, by how much, and whether it is more than noise; `.table` has a row per HEM.

    before, after: two tables of one kind (Subexperiments, CounterSeries, PhaseTable, SignatureTable), frames (a row per run, a column per
    HEM; with a column that names the program, runs of several programs), lists or mappings of frames (one per subexperiment), paths, or
    names of samples. program: the column that names the program. params: of CompareParams, for example paired=True, level=0.95,
    rate=0.01, statistic="median".

    Raises HemError: TableError for data that cannot be compared, ParameterError for a parameter.
    """
    from hemcore.compare.analysis import COMPARE_PHASES, COMPARE_RUNS, COMPARE_SERIES, COMPARE_SIGNATURES
    from hemcore.compare.replicates import replicates_of
    from hemcore.compare.run_sets import run_set_of
    from hemcore.compare.two_sets import comparison_of
    from hemcore.front.given_runs import runs

    for data in (before, after):
        if data is None:
            raise no_data("compare", "hem.compare(before, after)  # two frames with a row per run and a column per HEM")
    first, second = runs(before, program=program), runs(after, program=program)
    by_kind: dict[str, Analysis] = {
        "Subexperiments": COMPARE_RUNS,
        "CounterSeries": COMPARE_SERIES,
        "PhaseTable": COMPARE_PHASES,
        "SignatureTable": COMPARE_SIGNATURES,
    }
    analysis = next(each for kind, each in by_kind.items() if kind in {base.__name__ for base in type(second.table).__mro__})
    asked = _params(analysis, params)
    result = comparison_of(replicates_of(run_set_of(first.table), run_set_of(second.table), asked), asked)
    return Answer(analysis=analysis, data=second.table, params=asked, result=result)


def _answer(analysis: Analysis, given: Given, choices: Mapping[str, object]) -> Answer:
    params = _params(analysis, choices)
    return Answer(analysis=analysis, data=given.table, params=params, result=analysis.of(given.table, params), times=given.times)


def _params(analysis: Analysis[TableT, ParamsT, ResultT], choices: Mapping[str, object]) -> ParamsT:
    """The checked parameters. Raises ParameterError for a name or value that does not fit, or that the analysis does not read."""
    params = analysis.params(**choices)
    unread = [name for name in choices if name not in analysis.reads]
    if unread:
        raise ParameterError(f"{unread[0]}: {analysis.title} does not use it; it uses {', '.join(analysis.reads)}. Leave it out.")
    return params


def _opening(given: Given, asked: "SegmentationParams", choices: Mapping[str, object]) -> dict[str, object]:
    """Defaults for event, statistic and threshold if not chosen: the clearest event, at Algorithm 1's threshold."""
    from hemcore.segmentation.analysis import RANKING, THRESHOLDS

    opening: dict[str, object] = {}
    if {"event", "statistic"} - set(choices):
        try:
            ranked = RANKING.of(given.table, asked).ranked
        except HemError:  # the segmentation itself will raise it
            return {}
        for name in ("event", "statistic"):
            if name in choices:
                ranked = ranked[ranked[name] == getattr(asked, name)]
        if len(ranked):
            opening = {name: str(ranked[name].iloc[0]) for name in ("event", "statistic") if name not in choices}
    if "threshold" not in choices:
        with suppress(HemError):
            opening["threshold"] = float(THRESHOLDS.of(given.table, asked.but(**opening)).optimal.threshold)
    return opening


def _names(names: str | Iterable[object], argument: str) -> list[str]:
    """Names from a list, or from a text with semicolons. Raises ParameterError for anything else."""
    if isinstance(names, str):
        return [name.strip() for name in names.split(";") if name.strip()]
    try:
        given = list(names)
    except TypeError:
        raise ParameterError(f"{argument}: a {type(names).__name__} is not a list of names. Give names: {argument}=['CYCLES']") from None
    found = [name for name in given if isinstance(name, str)]
    if len(found) < len(given):
        raise ParameterError(f"{argument}: {str(given)[:60]} are not all names. Give text: {argument}=['CYCLES']")
    return found
