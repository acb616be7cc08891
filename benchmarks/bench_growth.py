"""How the time of each long task grows: three sizes, and the exponent of the line through their logarithms.

    python benchmarks/bench_growth.py [--only NAME ...] [--quick]

files: a .zip of tool output (perf stat -x), of plain tables, or of tables as people write them (German: a title, semicolons and decimal
commas; English: a title, a row of units), of 20 intervals, 170 events each, from the bytes over "what is it?" and the preview to the table,
as an upload does it; first look: of the same zip, what the page shows before anything is chosen. perf -I: lines, eight events per interval.
MUCH, copula: the merge with its noise, checks, verdict, figures and first picture; HEMs in blocks of three, every two blocks read together
in 60 runs, or 40 HEMs in a star by their runs. segment: one run with noise at a threshold, by statistic and number of levels. k-medoids:
signatures.
Seconds are of the processor, of one thread, with those of children, and by the clock beside them; each size in a process of its own, which
has done a small one before. Targets are for the largest size, by the processor. An exponent of at most 1.1 is asked, except where work is
done for every PAIR of HEMs, which is quadratic by nature. --quick: sizes a tenth as large, for which the targets mean nothing. Nothing is
asserted.
"""

import argparse
import io
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from functools import partial
from itertools import combinations
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hemcore.analysis import Question  # noqa: E402
from hemcore.charts.picture import Scene  # noqa: E402
from hemcore.datasets.importing.inspection import apply_unpacked, inspect_unpacked  # noqa: E402
from hemcore.datasets.readers.recognition import unpack  # noqa: E402
from hemcore.datasets.readers.uploaded_files import UploadedFile  # noqa: E402
from hemcore.datasets.shelf import staged  # noqa: E402
from hemcore.datasets.tables.signature_table import METRICS  # noqa: E402
from hemcore.datasets.tables.subexperiments import Subexperiments  # noqa: E402
from hemcore.params import Params  # noqa: E402
from hemcore.registry import analysis_named, pictures_of, view_of  # noqa: E402
from hemcore.segmentation import segment  # noqa: E402
from hemcore.segmentation.params import Statistic  # noqa: E402
from hemcore.signatures import fit_kmedoids  # noqa: E402
from sample_data.collect.synthetic_signatures import generate_signatures  # noqa: E402

EVENTS = [f"event_{number}" for number in range(170)]
Work = Callable[[], object]


def uploaded(name: str, content: bytes) -> Work:
    """What an upload does with the file, as work."""

    def read() -> object:
        unpacked = unpack([UploadedFile(name, content)])
        unpacked.recognised()
        preview = inspect_unpacked(unpacked)
        return apply_unpacked(preview.recipe, unpacked) if preview.recipe is not None else unpacked.read()

    return read


def looked_at(name: str, content: bytes) -> Work:
    """What the page does with the file before anything is chosen, as work."""

    def look() -> object:
        with tempfile.TemporaryDirectory() as folder:
            id = staged.stage([UploadedFile(name, content)], Path(folder))
            return staged.first_look(staged=id, progress=lambda done, note: None, root=Path(folder))

    return look


def zipped(n: int, one: Callable[[random.Random], str], then: Callable[[str, bytes], Work] = uploaded) -> Work:
    made, chance = io.BytesIO(), random.Random(0)
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(n):
            archive.writestr(f"run_{number}.csv", one(chance))
    return then("runs.zip", made.getvalue())


def counts_of_perf(chance: random.Random) -> str:
    return "".join(f"{chance.randrange(10**5, 10**8)},,{event},100000000,100.00,,\n" for event in EVENTS)


def plain_table(chance: random.Random) -> str:
    rows = (f"{row * 0.1:.1f}," + ",".join(str(chance.randrange(10**5, 10**8)) for _ in EVENTS) for row in range(20))
    return "time," + ",".join(EVENTS) + "\n" + "\n".join(rows) + "\n"


def german_table(chance: random.Random) -> str:
    rows = (f"{row / 2:.1f};".replace(".", ",") + ";".join(str(chance.randrange(10**5, 10**8)) for _ in EVENTS) for row in range(20))
    return f"Messung {chance.randrange(10**4)} im Labor\nZeit;" + ";".join(EVENTS) + "\n" + "\n".join(rows) + "\n"


def english_table(chance: random.Random) -> str:
    rows = (f"{row * 0.1:.1f}," + ",".join(str(chance.randrange(10**5, 10**8)) for _ in EVENTS) for row in range(20))
    head = [f"Measurement {chance.randrange(10**4)}" + "," * len(EVENTS), "Time," + ",".join(EVENTS), "s," + ",".join(["1"] * len(EVENTS))]
    return "\n".join([*head, *rows]) + "\n"


def perf_lines(n: int) -> Work:
    chance = random.Random(0)
    lines = (f"{(line // 8 + 1) * 0.1:.9f},{chance.randrange(10**8)},,event{line % 8},100000000,100.00,,\n" for line in range(n))
    return uploaded("perf.csv", "".join(lines).encode())


def asked(name: str, table: Subexperiments, params: Params) -> Work:
    """The answer that the page shows: result, verdict, figures in words, first picture."""
    analysis = analysis_named(name)
    question = Question(analysis=analysis, dataset="made", params=params)
    picture = next(each for each in pictures_of(name).values() if each.needs is None)

    def answer() -> object:
        found = question.answer(table)
        shown = [make(found) for make in (analysis.cards, analysis.verdict) if make is not None]
        figures = picture.draw(Scene(question=question, table=table, result=found, view=(view_of(name) or type(None))()))
        return shown, [figure.to_json() for figure in figures]

    return answer


def frames_of(groups: list[list[int]], runs: int) -> Subexperiments:
    chance = np.random.default_rng(0)
    loads = chance.normal(size=(4, 1 + max(map(max, groups))))
    frames = []
    for group in groups:
        counts = 1e6 + 1e4 * (chance.normal(size=(runs, 4)) @ loads[:, group] + chance.normal(size=(runs, len(group))))
        frames.append(pd.DataFrame(counts, columns=[f"HEM_{hem}" for hem in group]))
    return Subexperiments(frames=tuple(frames), n_pmcs=6)


def much(hems: int) -> Work:
    blocks = [list(range(first, min(first + 3, hems))) for first in range(0, hems, 3)]
    table = frames_of([[*one, *other] for one, other in combinations(blocks, 2)], 60)
    analysis = analysis_named("merge.much")
    return asked("merge.much", table, analysis.params(dep_lvl=1.0))


def copula(runs: int) -> Work:
    table = frames_of([[0, *range(first, min(first + 5, 40))] for first in range(1, 40, 5)], runs)
    return asked("merge.copula", table, analysis_named("merge.copula").params())


def samples(levels: int, statistic: Statistic, n: int) -> Work:
    chance = np.random.default_rng(0)
    series = np.repeat(chance.uniform(1e6, 1e7, levels), -(-n // levels))[:n] + chance.normal(0, 2e5, n)
    threshold = 3 * float(np.log(n)) * (4e10 if statistic == "mean" else 1.0)
    return lambda: segment(series, threshold, statistic=statistic)


def signatures(n: int) -> Work:
    # Ten million at once would take more memory than the machine has.
    sizes = [min(1_000_000, n - first) for first in range(0, n, 1_000_000)]
    drawn = (generate_signatures(size, seed=part)[0].rename(columns={"CPU_GFLOPS": "GFLOPS"}) for part, size in enumerate(sizes))
    table = pd.concat([each[list(METRICS)] for each in drawn], ignore_index=True)
    return lambda: fit_kmedoids(table)


# What is made, its three sizes, the seconds asked of the largest, and the exponent asked.
TASKS: dict[str, tuple[Callable[[int], Work], tuple[int, int, int], float, float]] = {
    "files, perf": (partial(zipped, one=counts_of_perf), (100, 300, 1_000), 20, 1.1),
    "files, plain": (partial(zipped, one=plain_table), (100, 300, 1_000), 20, 1.1),
    "files, German": (partial(zipped, one=german_table), (100, 300, 1_000), 20, 1.1),
    "files, English": (partial(zipped, one=english_table), (100, 300, 1_000), 20, 1.1),
    "first look, German": (partial(zipped, one=german_table, then=looked_at), (100, 300, 1_000), 20, 1.1),
    "first look, English": (partial(zipped, one=english_table, then=looked_at), (100, 300, 1_000), 20, 1.1),
    "perf -I": (perf_lines, (300_000, 1_000_000, 3_000_000), 8, 1.1),
    "MUCH": (much, (50, 100, 200), 4, 2.0),
    "copula": (copula, (350, 1_100, 3_500), 6.7, 1.1),
    **{
        f"segment, {statistic}, {levels}": (partial(samples, levels, statistic), (100_000, 1_000_000, 10_000_000), 8, 1.1)
        for levels in (1, 12, 300)
        for statistic in ("mean", "rms", "std")
    },
    "k-medoids": (signatures, (100_000, 1_000_000, 10_000_000), 10.4, 1.1),
}


def used() -> float:
    """Processor seconds of this process and its children."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def measure(name: str, size: int, smallest: int) -> None:
    make = TASKS[name][0]
    make(max(smallest // 10, 12))()
    work = make(size)
    begun, start = used(), time.perf_counter()
    work()
    print(used() - begun, time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=list(TASKS), choices=list(TASKS), metavar="NAME")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        measure(options.one[0], int(options.one[1]), int(options.one[2]))
        return
    print(f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"{'task':19} {'sizes':>30} {'processor, s':>24} {'clock, s':>24} {'MB':>6} {'target':>7} {'exponent':>9} {'asked':>6}")
    for name in options.only:
        _, sizes, target, exponent = TASKS[name]
        sizes = tuple(max(size // 10, 20) for size in sizes) if options.quick else sizes
        found = []
        for size in sizes:
            command = [sys.executable, __file__, "--one", name, str(size), str(sizes[0])]
            found.append([float(cell) for cell in subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()])
        slope = np.polyfit(np.log(sizes), np.log([row[0] for row in found]), 1)[0]
        shown = [" / ".join(f"{row[column]:.2f}" for row in found) for column in (0, 1)]
        print(
            f"{name:19} {' / '.join(f'{size:,}' for size in sizes):>30} {shown[0]:>24} {shown[1]:>24} {found[-1][2]:6.0f}"
            f" {target:7.1f} {slope:9.2f} {exponent:6.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
