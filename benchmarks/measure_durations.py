"""How long every analysis takes on the bundled samples: writes hemcore/durations.jsonl, from which the app tells what a question will take.

    python benchmarks/measure_durations.py [analysis ...]

At the defaults on tables of several sizes, from a small part of the sample to several times as much; on the sample itself also with every
option of each choice, and with other numbers where they multiply the work. Each is the fastest of up to three runs, after one that only
compiles, in processor time where that is less, since the computer may be busy. After ten seconds of work an analysis is left as it is.
With names, only these are measured anew.
"""

import sys
import time
import typing
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hemcore import durations
from hemcore.analysis import Analysis
from hemcore.datasets.shelf import samples
from hemcore.datasets.shelf.library import SAMPLE_PREFIX
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hem_list import HemList
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import HemError
from hemcore.metrics import our_definitions
from hemcore.params import Params, control
from hemcore.planning import hems_for_metrics
from hemcore.registry import analyses_of, rooms

# Analyses that were imported and compiled.
WARM: set[str] = set()
RUNS, ENOUGH_S, LONGEST_S = 3, 2.0, 10.0
# Shorter work, and what takes as long as expected but for this factor, is not listed.
SHORT_S, ALIKE = 0.05, 1.4
SAMPLES = {
    Subexperiments: "subexperiments-much",
    CounterSeries: "series-ocoe",
    PhaseTable: "phases",
    HemList: "hems-t2080",
    SignatureTable: "signatures",
}
SIZES = {
    Subexperiments: (0.1, 1, 10, 100),
    CounterSeries: (0.05, 0.25, 1, 4),
    PhaseTable: (0.01, 0.1, 1, 4),
    HemList: (0.4, 1, 1.5, 2, 3, 10),
    SignatureTable: (0.002, 0.1, 1, 10, 50),
}
TIMES = (0.1, 0.5, 2, 10)
# Analyses that take another sample than the others of their kind, or a second one.
SAMPLE_OF = {"merge.hrm": "subexperiments-hrm", "mpx.pair": "series-mpx"}
SAMPLE_OF |= dict.fromkeys(("prediction.power", "prediction.watts"), "phases-power")
PARAMS = {
    "planning.cut": {"pilot": f"{SAMPLE_PREFIX}{SAMPLES[Subexperiments]}"},
    "planning.widths_by_runs": {"pilot": f"{SAMPLE_PREFIX}{SAMPLES[Subexperiments]}"},
    "planning.widths": {"pilot": f"{SAMPLE_PREFIX}{SAMPLES[Subexperiments]}", "definitions": "valgrind"},
    "mpx.pair": {"ocoe": f"{SAMPLE_PREFIX}{SAMPLES[CounterSeries]}"},
    "mpx.network": {"estimator": "mlp", "event": "Bc"},
    "mpx.train": {"steps": 100},
    **{name: {"before": f"{SAMPLE_PREFIX}{SAMPLES[PhaseTable]}"} for name in ("compare.phases_stages", "compare.phases_waterfall")},
}


def several(frame: pd.DataFrame, share: float) -> pd.DataFrame:
    """The first rows, or all of them several times."""
    whole = frame.iloc[: max(1, round(len(frame) * share))] if share < 1 else pd.concat([frame] * round(share))
    return whole.reset_index(drop=True)


def series(table: CounterSeries, share: float) -> CounterSeries:
    """All applications with fewer runs, or with runs that are longer."""
    if share < 1:
        rank = table.intervals.groupby("application")["run"].transform(lambda runs: pd.factorize(runs)[0] / runs.nunique())
        chosen = (rank < share).to_numpy()
        return CounterSeries(intervals=table.intervals[chosen], counts=table.counts[chosen], mode=table.mode)
    parts = [table.intervals.assign(part=part, row=range(len(table.counts))) for part in range(round(share))]
    intervals = pd.concat(parts).sort_values(["application", "run", "part", "interval"], kind="stable")
    counts = table.counts.iloc[intervals["row"]]
    intervals["interval"] = intervals.groupby(["application", "run"]).cumcount()
    intervals = intervals.drop(columns=["part", "row", "time"], errors="ignore")
    return CounterSeries(intervals=intervals.reset_index(drop=True), counts=counts.reset_index(drop=True), mode=table.mode)


def phases(table: PhaseTable, share: float) -> PhaseTable:
    """Fewer phases of each program, or more."""
    keys = ["program", "granularity", "load"]
    if share < 1:
        place, size = table.frame.groupby(keys).cumcount(), table.frame.groupby(keys)["phase"].transform("size")
        return replace(table, frame=table.frame[(place < (size * share).clip(lower=4)).to_numpy()].reset_index(drop=True))
    frame = several(table.frame, share)
    return replace(table, frame=frame.assign(phase=frame.groupby(keys).cumcount()))


def signatures(table: SignatureTable, share: float) -> SignatureTable:
    """Fewer signatures, or more of other jobs."""
    frame = several(table.frame, share)
    return SignatureTable(frame=frame.assign(JOBID=range(len(frame))) if share > 1 else frame)


def hems(table: HemList, share: float) -> HemList:
    """As many HEMs under other names."""
    return HemList(frame=pd.DataFrame({"hem": [f"HEM_{number}" for number in range(round(len(table.hems) * share))]}))


def loops(table: SignatureTable) -> SignatureTable:
    """The same signatures as those of the loops of five jobs."""
    places = pd.RangeIndex(len(table.frame))
    frame = table.frame.drop(columns=["POLICY", "POLICY_TH"], errors="ignore")
    return SignatureTable(frame=frame.assign(JOBID=places % 5, STEPID=0, LOOPID=places, TIMESTAMP=1_700_000_000 + 10 * places))


def cores(table: CounterSeries) -> CounterSeries:
    """The same series, its applications as the cores of one program."""
    places = pd.factorize(table.intervals["application"])[0].astype(str)
    intervals = table.intervals.drop(columns=["time", "stage"], errors="ignore").assign(program="all", core=places)
    return CounterSeries(intervals=intervals, counts=table.counts, mode=table.mode)


def whole_runs(table: PhaseTable) -> PhaseTable:
    """The same phases as the runs of one program, as a merge has them."""
    frame = table.frame.assign(program="all", load="single core", granularity="whole run", phase=range(len(table.frame)))
    return replace(table, frame=frame)


def for_metrics(table: HemList) -> HemList:
    """The HEMs of the metrics of the project's own set for Valgrind's events."""
    return hems_for_metrics(our_definitions("valgrind"), our_definitions("valgrind").names)


# Analyses that ask for more than a table of their kind.
CHANGED: dict[str, Callable[[Any], Any]] = {
    "signatures.job": loops,
    "segmentation.cores": cores,
    "metrics.over_table": whole_runs,
    "compare.phases": whole_runs,
    "compare.phases_replicates": whole_runs,
    "compare.phases_relations": whole_runs,
    "compare.phases_set_levels": whole_runs,
    "compare.phases_releases": whole_runs,
    "planning.widths": for_metrics,
}
RESIZED: dict[type, Callable[[Any, float], Any]] = {
    Subexperiments: lambda table, share: replace(table, frames=tuple(several(each, share) for each in table.frames)),
    CounterSeries: series,
    PhaseTable: phases,
    HemList: hems,
    SignatureTable: signatures,
}


@cache
def table_of(kind: type, share: float, name: str) -> Any:
    """The sample `name`, or a table of that kind of another size."""
    table = samples.load(name)
    return table if share == 1 else RESIZED[kind](table, share)


def measured(analysis: Analysis, table: Any, params: Params) -> tuple[durations.Work, float] | None:
    """Its work and how long it takes with its inputs at hand; None if it cannot be asked."""
    try:
        taken = [each.of(table, params) for each in (*analysis.inputs_for(params), *analysis.optional)]
        relevant = analysis.relevant_params(params)
        seconds: list[float] = []
        if analysis.name not in WARM:
            analysis.computed(table, relevant, None, *taken)
            WARM.add(analysis.name)
        while len(seconds) < RUNS and sum(seconds) < (3 * LONGEST_S if len(seconds) < 2 else ENOUGH_S):
            start, processor = time.perf_counter(), time.process_time()
            analysis.computed(table, relevant, None, *taken)
            seconds.append(min(time.perf_counter() - start, time.process_time() - processor))
    except HemError as error:
        print(f"  {analysis.name}: {error}", flush=True)
        return None
    work = durations.work_of(analysis.name, table, params, analysis.reads, analysis.repeats)
    return work, min(seconds)


def per_part(analysis: Analysis, table: Any) -> float:
    """How long a part takes on average, of work that fans out; infinite where the table has no parts."""
    params = analysis.params()
    try:
        assert analysis.parts is not None
        parts = len(analysis.parts(table, params))
        processor = time.process_time()
        analysis.of(table, params)
        return (time.process_time() - processor) / parts
    except HemError:
        return float("inf")


def asked(analysis: Analysis) -> Iterator[tuple[tuple[float, ...], Params]]:
    """Sizes of the table, ascending, and params; of numbers that multiply the work those that fit."""
    usual = analysis.params(**PARAMS.get(analysis.name, {}))
    kind = kind_of(analysis)
    yield (1,) if PARAMS.get(analysis.name) else SIZES[kind], usual
    for name in analysis.reads:
        field = control(analysis.params, name)
        for value in field.choices or ([True, False] if field.kind is bool else []):
            if value != getattr(usual, name):
                for others in ({}, {"statistic": "mean"}):
                    try:
                        yield (1,), usual.but(**{name: value}, **others)
                        break
                    except (HemError, TypeError):
                        continue
    for name in analysis.repeats:
        for times in TIMES:
            value = field_type(analysis, name)(getattr(usual, name) * times)
            try:
                yield (1,), usual.but(**{name: value})
            except HemError:
                continue


def telling(found: dict[durations.Work, float]) -> dict[durations.Work, float]:
    """Without the options that take about as long as the default; the first ones are at the defaults, where more of a table is not expected
    to take less: a plan of 32 HEMs is found at once, since there is a design for it, and one of 30 is searched for."""
    kept: dict[durations.Work, float] = {}
    usual = next(iter(found), None)
    for work, seconds in found.items():
        other = usual is not None and (work.choices, work.repeats) != (usual.choices, usual.repeats)
        told = durations.predicted(work, kept) if other else 0.0
        if not other or (max(told, seconds) >= SHORT_S and not 1 / ALIKE < seconds / told < ALIKE):
            kept[work] = max(seconds, 1e-5, *([] if other else kept.values()))
    return kept


def field_type(analysis: Analysis, name: str) -> type:
    """int or float."""
    return float if control(analysis.params, name).kind is float else int


def kind_of(analysis: Analysis) -> type:
    """The kind of table that it takes: the annotation of the first argument of what answers it."""
    function = analysis.compute
    assert function is not None
    kind: type = typing.get_type_hints(function)[function.__code__.co_varnames[0]]
    return kind


def main(names: list[str]) -> None:
    """Measure and write, an analysis at a time."""
    path = durations.PACKAGE / durations.FILE
    every = [each for room in rooms() for each in analyses_of(room).values() if each.compute is not None]
    fans_out = {each.part.name: each for room in rooms() for each in analyses_of(room).values() if each.part is not None}
    old = path.read_text().splitlines(keepends=True) if names and path.exists() else []
    lines = [line for line in old if line.split('"')[1] not in names]
    for analysis in every:
        if names and analysis.name not in names:
            continue
        kind, found = kind_of(analysis), {}
        on_sample = 0.0
        for sizes, params in asked(analysis):
            if on_sample > LONGEST_S:
                break  # a job, whatever is chosen
            for share in sizes:
                table = table_of(kind, share, SAMPLE_OF.get(analysis.name, SAMPLES[kind]))
                run = measured(analysis, CHANGED.get(analysis.name, lambda same: same)(table), params)
                if run is not None and (whole := fans_out.get(analysis.name)) and params == analysis.params() and run[1] < ENOUGH_S:
                    run = run[0], min(run[1], per_part(whole, table))
                if run is not None:
                    on_sample = max(on_sample, run[1] * (share <= 1))
                    found[run[0]] = min(run[1], found.get(run[0], run[1]))
                    print(f"{run[1]:8.3f} s  {analysis.name}, {share:g} x, {run[0].choices} {run[0].repeats}", flush=True)
                    if run[1] > LONGEST_S / 2:
                        break
        lines += [durations.line_of(work, seconds) for work, seconds in telling(found).items()]
        path.write_text("".join(lines))


if __name__ == "__main__":
    main(sys.argv[1:])
