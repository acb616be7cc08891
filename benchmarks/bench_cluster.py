"""Jobs on a SLURM of its own in a temporary folder (one node, two cores of this machine), as `make test-cluster` starts it.

    python benchmarks/bench_cluster.py [--rows 1e7] [--repeats 3] [--only pictures fan-out parts] [--jobs NAME ...] [--one-core]

First picture: from the question about a sample, with no scheduler and no SLURM job yet, to its figure; the median of the repeats.
Fan-out: k-medoids and classes of ROWS signatures in Parquet files of a million rows, by one SLURM worker and by two that are there already:
seconds by the clock, and the processor seconds of each worker.
Parts: the pages' jobs that are done in parts (or those of --jobs), about the samples, by one worker and by two. Where other work shares
the cores the clock says little: then what the two workers' processor seconds would allow is the honest figure, work / busiest worker.
--one-core: each worker has one core to itself, as a SLURM that binds its tasks gives it; else one worker may use both, as JAX does.
Needs Debian's slurm-wlm and munge, and dask-jobqueue.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from bench_signatures import PART_ROWS, write_parts  # noqa: E402
from measure_durations import RESIZED  # noqa: E402

from hemcore import jobs  # noqa: E402
from hemcore.analysis import Question  # noqa: E402
from hemcore.charts.picture import Scene  # noqa: E402
from hemcore.datasets.shelf import samples  # noqa: E402
from hemcore.datasets.shelf.library import SAMPLE_PREFIX, load  # noqa: E402
from hemcore.datasets.shelf.store import DatasetStore  # noqa: E402
from hemcore.jobs import known_jobs  # noqa: E402
from hemcore.jobs.tasks import stored_table  # noqa: E402
from hemcore.registry import analysis_named, pictures_of, view_of  # noqa: E402
from hemcore.signatures import SignatureParams  # noqa: E402
from hemcore.signatures.clusters.parquet_parts import classify_folder, fit_folder  # noqa: E402
from tests.cluster.own_slurm import OwnSlurm, missing  # noqa: E402

PARTS_OF_IT = ("pictures", "fan-out", "parts")
# By what is printed, which begins with the analysis: the sample, the params, and how many times larger the table is.
JOBS: dict[str, tuple[str, dict[str, Any], int]] = {
    "merge.compare": ("subexperiments-much", {}, 1),
    "mpx.train": ("series-ocoe", {"estimator": "mlp"}, 1),
    "planning.cuts": ("hems-request-server", {"pilot": "sample-subexperiments-much"}, 1),
    "prediction.intervals": ("phases", {}, 1),
    "prediction.leak": ("phases", {}, 1),
    "prediction.models_ready": ("phases", {}, 1),
    "prediction.models_ready, 4 x": ("phases", {}, 4),
    "signatures.stability": ("signatures", {}, 1),
}


def said(what: str, one: tuple[float, list[float]], two: tuple[float, list[float]]) -> None:
    """A line: by one worker, by two, and the speed-up."""
    (alone, work), (both, shares) = one, two
    print(f"{what}: one worker {alone:.1f} s, {sum(work):.1f} s of processor;", end=" ")
    print(f"two {both:.1f} s, {' + '.join(f'{each:.1f}' for each in shares)} s of processor;", end=" ")
    print(f"speed-up {alone / both:.2f} by the clock, {sum(work) / max(shares):.2f} by the busiest worker's processor", flush=True)


def settle(folder: Path, workers: int, fewest: int) -> None:
    """The next cluster has so many workers at most, and at least."""
    jobs.close()
    text = f'max_jobs = {workers}\nmin_jobs = {fewest}\nmemory_gb = 3\ninterface = "lo"\nlocal_folder = "{folder}"\nidle_seconds = 600\n'
    (folder / "cluster.toml").write_text(text)


def first_picture(folder: Path, seed: int) -> float:
    """Seconds until the figure of a question that nobody has asked."""
    settle(folder, 1, 0)
    analysis, table = analysis_named("signatures.classify"), load("sample-signatures")
    question = Question(analysis=analysis, dataset="sample-signatures", params=analysis.params(strategy="k-medoids", seed=seed))
    start = time.perf_counter()
    found = jobs.submit(question).result(300)
    picture = next(each for each in pictures_of(analysis.name).values() if each.needs is None)
    figures = picture.draw(Scene(question=question, table=table, result=found, view=(view_of(analysis.name) or type(None))()))
    assert figures[0].to_json()
    return time.perf_counter() - start


def keep_to(core: int) -> None:
    """All threads of this process, and those that they start, run on one core."""
    for thread in os.listdir("/proc/self/task"):
        os.sched_setaffinity(int(thread), {core})


def processor() -> float:
    """Processor seconds of this process so far, with its threads."""
    return time.process_time()


def fan_out(folder: Path, workers: int) -> tuple[float, list[float]]:
    """Seconds of both passes, and the processor seconds of each worker."""
    settle(folder, workers, workers)
    client = known_jobs._connected()._client
    client.wait_for_workers(workers, timeout=300)
    list(jobs.each(abs, range(2 * workers)))
    before = client.run(processor)
    start = time.perf_counter()
    model = fit_folder(folder / "signatures", each=jobs.each)
    classify_folder(folder / "signatures", folder / f"classes-{workers}", SignatureParams(), model=model, each=jobs.each)
    taken = time.perf_counter() - start
    after = client.run(processor)
    return taken, [after[each] - before[each] for each in after]


def in_parts(folder: Path, workers: int, names: Sequence[str], *, one_core: bool = False) -> dict[str, tuple[float, list[float]]]:
    """Of each job about a sample, answered anew: its seconds, and the processor seconds of each worker."""
    settle(folder, workers, workers)
    os.environ["HEM_DATA_DIR"] = f"{folder}/store-{workers}"
    known_jobs._jobs.clear()  # nothing is known from the other number of workers
    client = known_jobs._connected()._client
    client.wait_for_workers(workers, timeout=300)
    for core, address in enumerate(client.scheduler_info()["workers"] if one_core else ()):
        client.run(keep_to, core, workers=[address])
    found = {}
    for name in names:
        (sample, chosen, times), analysis = JOBS[name], analysis_named(name.split(",")[0])
        assert analysis.part is not None
        dataset, table = f"{SAMPLE_PREFIX}{sample}", samples.load(sample)
        if times > 1:
            table = RESIZED[type(table)](table, times)
            dataset = DatasetStore().take(table, name=name, source=sample).id
        # What is compiled, imported or read at first is no part of it: every worker does all of it once, and has the table.
        client.run(analysis.of, table, analysis.params(**chosen))
        client.run(stored_table, dataset, os.environ["HEM_DATA_DIR"])
        before, start = client.run(processor), time.perf_counter()
        jobs.submit(Question(analysis=analysis, dataset=dataset, params=analysis.params(**chosen))).result(600)
        taken, after = time.perf_counter() - start, client.run(processor)
        found[name] = (taken, [after[each] - before[each] for each in after])
    return found


def main() -> None:
    """Both, on a SLURM that is stopped at the end."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=lambda text: int(float(text)), default=10 * PART_ROWS)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=PARTS_OF_IT, default=PARTS_OF_IT)
    parser.add_argument("--jobs", nargs="+", choices=JOBS, default=list(JOBS))
    parser.add_argument("--one-core", action="store_true")
    options = parser.parse_args()
    if lacking := missing():
        sys.exit(f"no SLURM can be started here: {', '.join(lacking)} missing; `make test-cluster` installs it")
    load("sample-signatures")  # the page has it, and what draws it
    pictures_of("signatures.classify")
    with tempfile.TemporaryDirectory(prefix="hem-bench-") as named:
        folder = Path(named)
        for name in ("slurm", "signatures", "store"):
            (folder / name).mkdir()
        os.environ |= {"HEM_CLUSTER": "slurm", "HEM_CLUSTER_FILE": f"{folder}/cluster.toml", "HEM_DATA_DIR": f"{folder}/store"}
        os.environ["OMP_NUM_THREADS"] = "1"
        with OwnSlurm(folder / "slurm"), closing(jobs):
            print(f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
            if "pictures" in options.only:
                taken = [first_picture(folder, seed) for seed in range(1, 1 + options.repeats)]
                print(f"first picture: {statistics.median(taken):.1f} s (from {min(taken):.1f} to {max(taken):.1f})", flush=True)
            if "fan-out" in options.only:
                write_parts(folder / "signatures", options.rows)
                said(f"{options.rows:,} signatures", fan_out(folder, 1), fan_out(folder, 2))
            if "parts" in options.only:
                alone, both = (in_parts(folder, workers, options.jobs, one_core=options.one_core) for workers in (1, 2))
                for name, one in alone.items():
                    said(name, one, both[name])


if __name__ == "__main__":
    main()
