"""Signatures: classes and k-medoids against NumPy's own ways in the same run, and passes over Parquet parts by the workers.

    python benchmarks/bench_signatures.py [--quick] [--parts ROWS ...]

Classes: 1,000,000 signatures a strategy, in memory, reasons apart. k-medoids: at 1e4, 1e5 and 1e6 rows against alternating k-medoids in
NumPy on one sample of 2,000 rows with an assignment of all rows (Park and Jun 2009), and against one NumPy assignment pass over all rows
for the medoids of CLARA's samples; and CLARA's loss over FasterPAM's on all rows (1e4; 2e4 too without --quick, which needs 4 GiB).
FasterPAM: our own over the package kmedoids from the same starts, on about 5,000 rows (where it is installed).
Parts: k-medoids and classes of ROWS signatures (default: 1e6 and 1e7; 1e8 needs 4 GiB of disk) in files of a million rows on two workers:
rows a second, and the most memory that a worker or this process ever had, each size in a process of its own.
Seconds are the median of the repeats.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hemcore import jobs  # noqa: E402
from hemcore.datasets.tables.signature_table import METRICS, SignatureTable  # noqa: E402
from hemcore.faster_pam import fasterpam  # noqa: E402
from hemcore.signatures import (  # noqa: E402
    PEAKS,
    THRESHOLDS,
    SignatureParams,
    classify_default,
    classify_kmedoids,
    classify_roofline,
    fit_kmedoids,
    why_default,
)
from hemcore.signatures.clusters import clara  # noqa: E402
from hemcore.signatures.clusters.parquet_parts import classify_folder, fit_folder  # noqa: E402
from sample_data.collect.synthetic_signatures import generate_signatures  # noqa: E402

PART_ROWS = 1_000_000


def drawn(n: int, seed: int = 0) -> pd.DataFrame:
    found, _ = generate_signatures(n, seed=seed)
    return found.rename(columns={"CPU_GFLOPS": "GFLOPS"})[list(METRICS)]


def seconds(work: Callable[[], object], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def line(name: str, took: float, rows: int, note: str = "") -> None:
    print(f"{name:44} {took:9.3f} s {rows / took / 1e6:9.2f} M rows/s   {note}", flush=True)


# NumPy's own ways


def assigned(points: np.ndarray, medoids: np.ndarray) -> tuple[np.ndarray, float]:
    """Each point's nearest medoid, and the sum of the distances, as one writes it in NumPy."""
    distances = np.sqrt(((points[:, None, :] - medoids[None]) ** 2).sum(axis=2))
    return distances.argmin(axis=1), float(distances.min(axis=1).sum())


def alternating(points: np.ndarray, k: int, seed: int) -> float:
    """Alternating k-medoids of a sample of 2,000 points; the loss over all of them."""
    random = np.random.default_rng(seed)
    sample = points[random.choice(len(points), min(2_000, len(points)), replace=False)]
    distances = np.sqrt(((sample[:, None, :] - sample[None]) ** 2).sum(axis=2))
    medoids = random.choice(len(sample), k, replace=False)
    for _ in range(100):
        own = distances[:, medoids].argmin(axis=1)
        members = [np.flatnonzero(own == number) for number in range(k)]
        moved = np.array([part[distances[np.ix_(part, part)].sum(axis=1).argmin()] for part in members])
        if (moved == medoids).all():
            break
        medoids = moved
    return sum(assigned(points[start : start + 65_536], sample[medoids])[1] for start in range(0, len(points), 65_536))


def bench_classes(n: int, repeats: int) -> None:
    table = SignatureTable(frame=drawn(n))
    limits, peaks = THRESHOLDS["Intel Sapphire Rapids and newer"], PEAKS["2 x Xeon 8480+, DP at base 2.0 GHz"]
    model = fit_kmedoids(table)
    line("classes, default", seconds(lambda: classify_default(table, limits), repeats), n)
    line("classes, roofline", seconds(lambda: classify_roofline(table, peaks), repeats), n)
    line("classes, k-medoids", seconds(lambda: classify_kmedoids(table, model.ear_medoids, model.extremes), repeats), n)
    line("reasons, default", seconds(lambda: why_default(table, limits), repeats), n)


def bench_fit(n: int, repeats: int) -> None:
    given = drawn(n)
    values = given.to_numpy()
    measured = values[(values != 0).any(axis=1)]
    model = fit_kmedoids(given)
    points = model.units(measured)
    took = seconds(lambda: fit_kmedoids(given), repeats)
    loss = alternating(points, 3, 0)
    theirs = seconds(lambda: alternating(points, 3, 0), repeats)
    fifteen = points[np.random.default_rng(0).choice(len(points), 15, replace=False)]

    def one_pass() -> None:
        for start in range(0, len(points), 65_536):
            assigned(points[start : start + 65_536], fifteen)

    bare = seconds(one_pass, repeats)
    line(f"k-medoids, {n:,} rows ({model.fit.algorithm})", took, n, f"loss {model.fit.loss:,.0f}")
    line("  alternating k-medoids in NumPy", theirs, n, f"loss {loss:,.0f}, {100 * (loss / model.fit.loss - 1):+.2f} %")
    line("  one assignment pass in NumPy, 5 x 3 medoids", bare, n, f"k-medoids takes {took / bare:.1f} times that")


def bench_fasterpam(n: int, repeats: int) -> None:
    """Our FasterPAM over the package kmedoids from the same start, on processor time; left out where that is not installed."""
    try:
        import kmedoids
    except ImportError:
        return
    values = drawn(n).to_numpy()
    points = np.cbrt(values[(values != 0).any(axis=1)])
    distances = clara.distances((points - points.mean(axis=0)) / points.std(axis=0))
    for k in (2, 3, 5, 8):
        times, over = [], []
        for seed in range(-1, repeats):
            start = np.random.default_rng(seed + 1).choice(len(points), k, replace=False)
            begin = time.process_time()
            own = fasterpam(distances, start)
            middle = time.process_time()
            other = kmedoids.fasterpam(distances, start.astype(np.uint64), n_cpu=1)
            if seed >= 0:  # the first compiles
                times.append((middle - begin) / (time.process_time() - middle))
            over.append(100 * (own.loss / other.loss - 1))
        name = f"FasterPAM, {len(points):,} rows, {k} medoids"
        print(f"{name:44} {statistics.median(times):9.2f} times kmedoids' time   loss {max(over):+.4f}%", flush=True)


def bench_loss(n: int) -> None:
    """What CLARA loses to FasterPAM on all rows, over ten seeds."""
    values = drawn(n, seed=5).to_numpy(copy=True)
    values[(values == 0).all(axis=1)] = np.nan
    found = [clara.fit([clara.InMemory(values)], 3, "cbrt", seed) for seed in range(10)]
    one = found[0]
    measured = values[~np.isnan(values).any(axis=1)]
    start = time.perf_counter()
    best = measured[clara.fasterpam(clara.units(measured, "cbrt", one.centre, one.spread), 3, 0)]
    took = time.perf_counter() - start
    exact = clara.assign(clara.InMemory(values), best[None], "cbrt", one.centre, one.spread)[0][0]
    over = [100 * (each.loss / exact - 1) for each in found]
    print(f"{f'CLARA over FasterPAM on all {n:,} rows':44} {max(over):+9.3f} % at worst of 10 seeds (FasterPAM {took:.1f} s)", flush=True)


# Parts


def high_water() -> float:
    """The most MiB that this process ever had; getrusage would count what its parent had before it began."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def most_memory(function: Callable[[object], object], item: object) -> tuple[object, float]:
    """What `function` gives, and the most MiB that this process ever had."""
    found = function(item)
    return found, high_water()


def write_parts(folder: Path, n: int) -> None:
    """Signatures in files of a million rows: the same 100,000 again and again, each time with noise of its own."""
    base = np.tile(drawn(PART_ROWS // 10).to_numpy(), (10, 1))
    for number, start in enumerate(range(0, n, PART_ROWS)):
        random = np.random.default_rng(number)
        rows = base[: min(PART_ROWS, n - start)]
        noisy = pd.DataFrame(rows * random.uniform(0.95, 1.05, rows.shape), columns=list(METRICS))
        noisy.to_parquet(folder / f"part-{number:05d}.parquet", index=False, compression=None)


def bench_parts(n: int) -> None:
    """One size, in this process; a line of JSON."""
    most = 0.0

    def each(function, items):  # type: ignore[no-untyped-def]
        nonlocal most
        for found, memory in jobs.each(partial(most_memory, function), items):
            most = max(most, memory)
            yield found

    with tempfile.TemporaryDirectory(prefix="hem-bench-") as folder:
        signatures, classes = Path(folder) / "signatures", Path(folder) / "classes"
        signatures.mkdir()
        write_parts(signatures, n)
        list(jobs.each(abs, [0]))  # the workers are there
        start = time.perf_counter()
        model = fit_folder(signatures, each=each)
        fitted = time.perf_counter() - start
        start = time.perf_counter()
        report = classify_folder(signatures, classes, SignatureParams(), model=model, each=each)
        classified = time.perf_counter() - start
    jobs.close()
    said = {
        "rows": report.rows,
        "fit_s": fitted,
        "classify_s": classified,
        "worker_mib": most,
        "own_mib": high_water(),
        "agreement": report.agreement,
    }
    print(json.dumps(said))


def in_parts(n: int) -> None:
    done = subprocess.run([sys.executable, __file__, "--one-size", str(n)], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    memory = f"most memory: worker {found['worker_mib']:,.0f} MiB, this process {found['own_mib']:,.0f} MiB"
    line(f"parts, {n:,} rows: k-medoids", found["fit_s"], n, memory)
    line(f"parts, {n:,} rows: three classes, written", found["classify_s"], n)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows, one repeat")
    parser.add_argument("--parts", type=lambda text: int(float(text)), nargs="*", metavar="ROWS", help="the sizes in parts (1e6 1e7)")
    parser.add_argument("--one-size", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one_size:
        bench_parts(options.one_size)
        return
    repeats = 1 if options.quick else 5
    if options.parts is None:
        bench_fasterpam(5_000, repeats)
        bench_classes(100_000 if options.quick else 1_000_000, repeats)
        for n in (10_000, 100_000, *(() if options.quick else (1_000_000,))):
            bench_fit(n, repeats)
        for n in (10_000, *(() if options.quick else (20_000,))):
            bench_loss(n)
    for n in options.parts if options.parts is not None else ((100_000, 1_000_000) if options.quick else (1_000_000, 10_000_000)):
        in_parts(n)


if __name__ == "__main__":
    main()
