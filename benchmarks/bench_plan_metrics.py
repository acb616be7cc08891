"""Plans for metrics beside a bound, a greedy plan and every pair: subexperiments and seconds, on the definitions of Intel's processors.

    python benchmarks/bench_plan_metrics.py [FOLDER] [--limit 4] [--seeds 3] [--prove]

FOLDER holds skylakex_metrics.json, skylakex_core.json and the same of sapphirerapids, from github.com/intel/perfmon.
"most" is the largest count over the seeds, "s" the longest search by the clock on the wall. "whole" are the metrics that one subexperiment
reads all events of, "once" the subexperiments that read each event once. --prove asks an integer program (HiGHS, some seconds) whether
Skylake-X with 8 counters, levels 1 to 3, can do with 7 subexperiments.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hemcore.metrics import read_definitions  # noqa: E402
from hemcore.planning import HemList, hems_for_metrics, plan_subexperiments  # noqa: E402
from hemcore.planning.planner import warm  # noqa: E402
from hemcore.planning.search.problem import problem_of  # noqa: E402
from hemcore.planning.search.start_plans import clear_known  # noqa: E402

# Processor, SMT, counters, deepest level, and how many subexperiments it must not exceed.
ROWS = [
    ("skylakex", True, 4, 3, 31),
    ("skylakex", False, 8, 3, 8),
    ("skylakex", True, 4, 9, 58),
    ("skylakex", False, 8, 9, 21),
    ("sapphirerapids", True, 8, 3, 10),
    ("sapphirerapids", True, 8, 9, None),
]


def table_of(folder: Path, processor: str, smt: bool, levels: int) -> HemList:
    definitions = read_definitions(folder / f"{processor}_metrics.json", folder / f"{processor}_core.json")
    return hems_for_metrics(definitions, levels=levels, smt=smt)


def prove(table: HemList, n_pmcs: int, groups: int) -> None:
    """Print whether `groups` subexperiments can read every HEM, and every pair inside a metric, or that this is not known."""
    problem = problem_of(
        table.hems, n_pmcs, goal="pairs", anchor=None, groups=None, wanted=None, counters=table.counters, limits=table.limits,
        metrics=table.metrics,
    )  # fmt: skip
    task = problem.task
    pairs = np.argwhere(np.triu(task.wanted))
    n, in_group = task.n, task.n * groups
    rows: list[tuple[list[int], list[float], float, float]] = []
    for g in range(groups):
        rows.append(([hem * groups + g for hem in range(n)], [1.0] * n, 0, task.places))
        rows += [([int(hem) * groups + g for hem in points], [1.0] * len(points), 0, most) for _, points, most in problem.sets]
    for at, (first, second) in enumerate(pairs):
        both = [in_group + at * groups + g for g in range(groups)]
        rows.append((both, [1.0] * groups, 1, np.inf))
        for g in range(groups):
            rows += [([both[g], int(hem) * groups + g], [1.0, -1.0], -1, 0) for hem in (first, second)]
    # Each HEM in as many subexperiments as its partners need; one suffices where it has none.
    needs = np.maximum(-(-task.wanted.sum(axis=1) // (task.places - 1)), 1)
    rows += [([hem * groups + g for g in range(groups)], [1.0] * groups, float(needs[hem]), groups) for hem in range(n)]
    cost = np.zeros(in_group + len(pairs) * groups)
    place = np.repeat(np.arange(len(rows)), [len(columns) for columns, *_ in rows])
    matrix = coo_array(
        (np.concatenate([values for _, values, *_ in rows]), (place, np.concatenate([columns for columns, *_ in rows]))),
        shape=(len(rows), len(cost)),
    )
    whole = np.zeros(len(cost))
    whole[:in_group] = 1
    began = time.perf_counter()
    found = milp(
        cost,
        constraints=LinearConstraint(matrix.tocsr(), [low for *_, low, _ in rows], [high for *_, high in rows]),
        integrality=whole,
        bounds=Bounds(0, 1),
        options={"time_limit": 600},
    )
    answer = {0: "yes", 2: "no, it is infeasible"}.get(found.status, f"not known ({found.message})")
    print(f"\ncan {groups} subexperiments read every event and every pair? {answer}, after {time.perf_counter() - began:.0f} s")


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("folder", nargs="?", type=Path, default=ROOT.parents[0] / "shared" / "data" / "metrics")
    asked.add_argument("--limit", type=float, default=4.0, help="seconds per plan")
    asked.add_argument("--seeds", type=int, default=3)
    asked.add_argument("--prove", action="store_true")
    given = asked.parse_args()
    warm()
    print(
        "| processor | SMT, counters, levels | metrics / events | once | bound | plan (most) | greedy | every pair | whole | s | target |"
    )
    print("|---" * 11 + "|")
    broken = 0
    for processor, smt, n_pmcs, levels, target in ROWS:
        table = table_of(given.folder, processor, smt, levels)
        fixed = {"counters": table.counters, "limits": table.limits}
        plans, longest = [], 0.0
        for seed in range(given.seeds):
            clear_known()
            began = time.perf_counter()
            plans.append(plan_subexperiments(table.hems, n_pmcs, metrics=table.metrics, time_limit=given.limit, seed=seed, **fixed))
            longest = max(longest, time.perf_counter() - began)
        once = plan_subexperiments(table.hems, n_pmcs, wanted=(), time_limit=0.5, **fixed)
        every = plan_subexperiments(table.hems, n_pmcs, time_limit=given.limit, **fixed)
        counts = [len(plan.subexperiments) for plan in plans]
        broken += target is not None and (max(counts) > target or longest > 5)
        cells = [
            processor,
            f"{'yes' if smt else 'no'}, {n_pmcs}, {'all' if levels > 6 else f'1 to {levels}'}",
            f"{len(table.metrics)} / {len(table.hems)}",
            len(once.subexperiments),
            plans[0].bound,
            f"{min(counts)} ({max(counts)})",
            min(plan.greedy for plan in plans),
            f"{len(every.subexperiments):,}",
            len(plans[0].whole_metrics),
            f"{longest:.1f}",
            target or "",
        ]
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)
    if given.prove:
        prove(table_of(given.folder, "skylakex", False, 3), 8, 7)
    return int(broken > 0)


if __name__ == "__main__":
    raise SystemExit(main())
