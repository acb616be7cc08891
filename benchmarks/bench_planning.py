"""Plans of measurement beside a greedy plan and the Schönheim bound: subexperiments, seconds, over several seeds.

    python benchmarks/bench_planning.py [--quick] [--seeds 6] [--limit 5]

Each row is planned anew for every seed (what was searched for before is forgotten). "best" and "worst" are over the seeds; "ended" says
whether the bound, the work that the limit allows or the clock ended the searches; "s" is the longest of them by the clock on the wall, with
whatever else the machine does meanwhile, "of it ours" what this process had of the processors in it. The load of the machine (how many
programs want a processor) is told at both ends. With limits the bound is the best of the Schönheim bounds of all HEMs and of each limited
set. Which HEMs are limited is drawn with the seed.
"""

import argparse
import os
import random
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hemcore.planning import plan_subexperiments, schonheim  # noqa: E402
from hemcore.planning.planner import warm  # noqa: E402
from hemcore.planning.search.start_plans import clear_known  # noqa: E402

Options = Callable[[list[str], int], Mapping[str, Any]]


def plain(hems: list[str], seed: int) -> Mapping[str, Any]:
    return {}


def anchored(hems: list[str], seed: int) -> Mapping[str, Any]:
    return {"goal": "anchor", "anchor": hems[0]}


def limited(*shares: tuple[float, int]) -> Options:
    def options(hems: list[str], seed: int) -> Mapping[str, Any]:
        drawn, limits = random.Random(seed).sample(hems, len(hems)), []
        for share, most in shares:
            count = round(share * len(hems))
            limits.append((drawn[:count], most))
            drawn = drawn[count:]
        return {"limits": limits}

    return options


def bound_to_one_counter(share: float) -> Options:
    return lambda hems, seed: {"counters": {hem: [0] for hem in random.Random(seed).sample(hems, round(share * len(hems)))}}


# What is planned, HEMs, PMCs, options, and how many subexperiments it must not exceed (None: nothing promised).
ROWS: list[tuple[str, int, int, Options, int | None]] = [
    ("every pair", 14, 6, plain, 7),
    ("every pair", 15, 5, plain, 13),
    ("every pair", 16, 6, plain, 10),
    ("every pair", 20, 4, plain, 35),
    ("every pair", 25, 6, plain, 23),
    ("every pair", 50, 6, plain, 88),
    ("every pair", 50, 4, plain, None),
    ("every pair", 100, 8, plain, 198),
    ("every pair", 200, 10, plain, None),
    ("every pair", 500, 6, plain, 8_450),
    ("every pair", 1_000, 6, plain, None),
    ("every pair", 1_000, 8, plain, None),
    ("every pair", 2_000, 8, plain, None),
    ("anchor (T2080 vignette: 24)", 16, 6, anchored, 13),
    ("anchor", 50, 6, anchored, 127),
    ("30 % at most 4, 8 % at most 2", 100, 8, limited((0.30, 4), (0.08, 2)), 202),
    ("30 % at most 4, 10 % at most 2", 50, 8, limited((0.30, 4), (0.10, 2)), 53),
    ("10 % on one counter", 50, 6, bound_to_one_counter(0.10), None),
]


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--quick", action="store_true", help="one seed, up to 100 HEMs")
    asked.add_argument("--seeds", type=int, default=6)
    asked.add_argument("--limit", type=float, default=5.0, help="seconds a plan")
    given = asked.parse_args()
    began = time.perf_counter()
    warm()
    print(f"compiled or loaded in {time.perf_counter() - began:.1f} s; {given.limit:g} s a plan; load {os.getloadavg()[0]:.1f}\n")
    print("| what | HEMs, PMCs | Schönheim | bound | greedy | best | worst | promised | ended | s | of it ours |")
    print("|---" * 11 + "|")
    broken = 0
    for what, n, k, options, promised in ROWS:
        if given.quick and n > 100:
            continue
        hems = [f"HEM_{at}" for at in range(n)]
        plans, longest, ours = [], 0.0, 0.0
        for seed in range(1 if given.quick else given.seeds):
            clear_known()
            began, used = time.perf_counter(), time.process_time()
            plans.append(plan_subexperiments(hems, k, seed=seed, time_limit=given.limit, **options(hems, seed)))
            longest, ours = max((longest, ours), (time.perf_counter() - began, time.process_time() - used))
        counts = [len(plan.subexperiments) for plan in plans]
        reached = schonheim(n - 1, k - 1) if plans[0].anchor else schonheim(n, k)
        greedy, bound, ended = min(plan.greedy for plan in plans), max(plan.bound for plan in plans), sorted({plan.ended for plan in plans})
        broken += promised is not None and max(counts) > promised
        row = [
            what,
            f"{n}, {k}",
            reached,
            bound,
            greedy,
            min(counts),
            max(counts),
            promised or "",
            "/".join(ended),
            f"{longest:.1f}",
            f"{ours:.1f}",
        ]
        print("| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row) + " |", flush=True)
    print(f"\nload {os.getloadavg()[0]:.1f}")
    if broken:
        print(f"\n{broken} rows take more subexperiments than promised", file=sys.stderr)
    return int(broken > 0)


if __name__ == "__main__":
    raise SystemExit(main())
