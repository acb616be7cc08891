"""Metrics: how fast they are, whether 80 % intervals hold the truth in 80 % of collections, and whether pmu-tools computes the same.

    python benchmarks/bench_metrics.py [--quick] [--collections 40] [--runs 5 10 60 350] [--coverage-only] [--pmu-tools FOLDER]

Speed: 300 metrics of Intel's Sapphire Rapids file (../shared/data/metrics) over 1,000,000 rows of random counts, as seconds of the clock,
of the program and of the kernel, which provides the memory of the results (2.4 GB): on a machine whose memory is in use that takes longer
than the program, the first time above all. Writing as many numbers and nothing else is timed beside it.
Coverage: the request server's runs that read all 14 HEMs together (sample_data) are the whole population, whose metrics are the truth.
Collections of 3 (HRM) and 7 (MUCH) subexperiments are drawn from it, each run with replacement and read as far as its subexperiment's HEMs
go. Those of the synthetic processor are drawn anew, in the 10 subexperiments of its sample; its truth is exact. The intervals are compared
with the truth, and their width with that of as many runs as one subexperiment has, and of as many as all of them have, which read all HEMs
together.
pmu-tools (PyPI, GPL-2.0; nothing of it is copied, it runs in a process of its own) evaluates its Skylake-X model on the same random counts
as Intel's file here: `pip download --no-deps pmu-tools`, unzip it, and name the folder.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hemcore.datasets.shelf import samples  # noqa: E402
from hemcore.datasets.tables.subexperiments import Subexperiments  # noqa: E402
from hemcore.events.spelling import EventColumns  # noqa: E402
from hemcore.metrics import evaluate, metric_intervals, our_definitions, read_definitions  # noqa: E402
from sample_data.collect import synthetic_processor, synthetic_readings  # noqa: E402

DEFINITIONS = ROOT.parent / "shared" / "data" / "metrics"
CONSTANTS = {"SYSTEM_TSC_FREQ": 2e9, "duration_time": 1.0, "CHAS_PER_SOCKET": 12, "CORES_PER_SOCKET": 24}
COMPARED = ("IPC", "L1D miss ratio", "L1D MPKI", "L1I MPKI", "LL miss ratio", "LL MPKI", "Misprediction ratio", "Branch MPKI",
            "Loads per instruction", "Retiring", "Last-level misses")  # fmt: skip
_PMU_TOOLS = """
import json, sys
sys.path.insert(0, sys.argv[1])
import skx_server_ratios as model
asked, counts = {}, json.load(sys.stdin)
model.smt_enabled = False
def EV(event, level):
    if callable(event):
        return event(EV, level)
    asked[event] = 1
    return counts.get(event, 1e6)
class Runner:
    nodes = []
    def run(self, node): self.nodes.append(node)
    def metric(self, node): pass
    force_metric = metric
runner = Runner()
model.Setup(runner)
found = {}
for node in runner.nodes:
    node.thresh = False
for node in runner.nodes:
    try:
        found[node.name] = (node.level, float(node.compute(EV)))
    except Exception as error:
        found[node.name] = (node.level, repr(error))
print(json.dumps({"asked": list(asked), "found": found}))
"""


def speed(rows: int) -> None:
    file = DEFINITIONS / "sapphirerapids_metrics.json"
    if not file.exists():
        print(f"speed: {file} is not there")
        return
    definitions = read_definitions(file)
    names = definitions.names[:300]
    events = sorted({event for name in names for event in definitions.needed_events[name]})
    random = np.random.default_rng(0)
    table = pd.DataFrame({event: random.uniform(1e3, 1e9, rows) for event in events})
    print(f"{len(names)} metrics over {len(events)} events, {rows:,} rows")
    for call in ("first", "second", "third"):
        with timed(f"evaluate, {call} call"):
            found = evaluate(definitions, table, constants=CONSTANTS, metrics=names)
        del found
        with timed("writing as many numbers"):
            np.empty((len(names), rows))[:] = 1.0


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print the seconds that the block takes."""
    clock, work = time.perf_counter(), os.times()
    yield
    now = os.times()
    print(
        f"  {what}: {time.perf_counter() - clock:.2f} s; program {now.user - work.user:.2f} s, kernel {now.system - work.system:.2f} s",
        flush=True,
    )


def coverage(collections: int, sizes: Sequence[int]) -> None:
    for plan in ("hrm", "much", "synthetic"):
        for n_runs in sizes:
            covered(plan, collections, n_runs)


def covered(plan: str, collections: int, n_runs: int) -> None:
    table = samples.load(f"subexperiments-{plan}")
    assert isinstance(table, Subexperiments)
    draw: Callable[[int, np.random.Generator, list[str]], pd.DataFrame]
    if plan == "synthetic":
        definitions, draw = our_definitions("synthetic"), synthetic_readings.whole_runs
        names = [name for name, metric in definitions.metrics.items() if not metric.formula.is_identity]
        means = synthetic_processor.expected_counts().sum()
    else:
        runs = samples.truth("subexperiments-hrm").frames[0]
        definitions, names, means = our_definitions("valgrind"), list(COMPARED), runs.mean()

        def draw(number: int, random: np.random.Generator, hems: list[str]) -> pd.DataFrame:
            return runs.iloc[random.integers(len(runs), size=number)].reset_index(drop=True)[hems]

    truth = evaluate(definitions, means.to_frame().T, metrics=names).iloc[0].to_numpy()
    random = np.random.default_rng(1)
    inside, width, alone, together = [], [], [], []
    for number in range(collections):
        frames = tuple(draw(n_runs, random, list(frame.columns)) for frame in table.frames)
        found = metric_intervals(definitions, Subexperiments(frames=frames, n_pmcs=table.n_pmcs), metrics=names, seed=number)
        inside.append((found["low"].to_numpy() <= truth) & (truth <= found["high"].to_numpy()))
        width.append((found["high"] - found["low"]).to_numpy())
        for runs_read, kept in ((n_runs, alone), (n_runs * len(frames), together)):
            peer = metric_intervals(definitions, draw(runs_read, random, list(means.index)), metrics=names, seed=number)
            kept.append((peer["high"] - peer["low"]).to_numpy())
    held = np.mean(inside, axis=1)
    print(f"{plan}: {len(table.frames)} subexperiments of {n_runs} runs, {len(names)} metrics, {collections} collections")
    # Metrics share events, so a collection's intervals hold or miss together: what 40 collections would scatter by.
    print(f"  intervals that hold the truth: {held.mean():.1%}; standard deviation over 40 collections: {held.std() / np.sqrt(40):.1%}")
    print(
        f"  width against all HEMs together: {np.median(np.mean(width, axis=0) / np.mean(alone, axis=0)):.2f} (runs of one subexperiment),"
        f" {np.median(np.mean(width, axis=0) / np.mean(together, axis=0)):.2f} (as many runs as all), the median metric"
    )
    worst = sorted(zip(np.mean(inside, axis=0), names, strict=True))[:3]
    print("  least often held:", ", ".join(f"{name} {share:.0%}" for share, name in worst))


def pmu_tools(folder: Path) -> None:
    files = DEFINITIONS / "skylakex_metrics.json", DEFINITIONS / "skylakex_core.json"
    if not all(file.exists() for file in files) or not (folder / "skx_server_ratios.py").exists():
        print(f"pmu-tools: {files[0]} or {folder}/skx_server_ratios.py is not there")
        return
    definitions = read_definitions(*files)
    events = sorted({event for needed in definitions.needed_events.values() for event in needed})
    random = np.random.default_rng(3)
    counts = dict(zip(events, random.uniform(1e6, 1e8, len(events)), strict=True))
    # Orders of magnitude of a real program, so that differences of large numbers are not all there is.
    counts |= {"CPU_CLK_UNHALTED.THREAD": 1e9, "IDQ_UOPS_NOT_DELIVERED.CORE": 8e8, "UOPS_ISSUED.ANY": 1.6e9}
    counts |= {"UOPS_RETIRED.RETIRE_SLOTS": 1.4e9, "INST_RETIRED.ANY": 1.2e9, "CYCLE_ACTIVITY.STALLS_TOTAL": 5e8}
    known = EventColumns(counts)
    asked = _run_pmu_tools(folder, {})["asked"]
    spelled = {event: counts[column] for event in asked if (column := known.find(event)) is not None}
    found = _run_pmu_tools(folder, spelled)["found"]
    here = evaluate(definitions, pd.DataFrame([counts]), constants=CONSTANTS).iloc[0]
    same, different, lacking = [], [], []
    for name, (level, theirs) in found.items():
        if level > 3:
            continue
        if name not in here.index:
            lacking.append(name)
        elif isinstance(theirs, float) and abs(here[name] / 100 - theirs) <= 1e-9 * max(abs(theirs), 1):
            same.append(name)
        else:
            different.append(f"{name} (level {level}): {here[name] / 100:.6g} here, {theirs} there")
    unknown = sorted(set(asked) - set(spelled))
    print(f"pmu-tools, Skylake-X levels 1 to 3: {len(same)} nodes agree to 1e-9, {len(different)} differ, {len(lacking)} are not here")
    print("\n".join(f"  {each}" for each in [*different, *lacking]))
    print(f"  events that its whole model asks for and Intel's metrics do not: {len(unknown)}: {', '.join(unknown[:12])}")


def _run_pmu_tools(folder: Path, counts: dict[str, float]) -> dict:
    done = subprocess.run(
        [sys.executable, "-c", _PMU_TOOLS, str(folder)], input=json.dumps(counts), capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rows and collections")
    parser.add_argument("--collections", type=int, default=40)
    parser.add_argument("--runs", type=int, nargs="+", default=[5, 10, 60, 350], help="runs per subexperiment")
    parser.add_argument("--coverage-only", action="store_true", help="no speed")
    parser.add_argument("--pmu-tools", type=Path, help="the unpacked package")
    given = parser.parse_args()
    if not given.coverage_only:
        speed(100_000 if given.quick else 1_000_000)
    coverage(10 if given.quick else given.collections, [60] if given.quick else given.runs)
    if given.pmu_tools is not None:
        pmu_tools(given.pmu_tools)


if __name__ == "__main__":
    main()
