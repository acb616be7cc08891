"""The one command: build the programs, collect what is not collected yet, write sample_data/.

python -m sample_data.collect                    everything (about an hour on two cores; stop and start it as you like)
python -m sample_data.collect --quick            a small collection of each kind, into sample_data/collect/build/quick, in a few minutes
python -m sample_data.collect --signatures 1000000 --to FOLDER        any number of synthetic signatures, nothing else
"""

import argparse
import json
import os
import platform
import sys
from pathlib import Path

from sample_data.collect import describe, pairs, phases, series, signatures, subexperiments, synthetic_readings
from sample_data.collect.build import BUILD, CollectError, build, long_programs, phase_programs, request_server, toolchain

SAMPLE_DATA = Path(__file__).resolve().parents[1]
KINDS = ("subexperiments", "pairs", "phases", "series", "signatures", "synthetic")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m sample_data.collect", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a small collection, written beside the build and not into sample_data/")
    parser.add_argument("--only", nargs="+", choices=KINDS, default=KINDS, help="these kinds only")
    parser.add_argument("--signatures", type=int, metavar="N", help="write N synthetic signatures and stop")
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="where to write (default: sample_data/, or build/quick with --quick)")
    options = parser.parse_args()
    folder = options.to or (BUILD / "quick" if options.quick else SAMPLE_DATA)
    try:
        if options.only == ["synthetic"]:
            synthetic_readings.write(folder)
        elif options.signatures is not None:
            signatures.write(folder, jobs=options.signatures)
        else:
            _collect(folder, options.only, quick=options.quick)
    except (CollectError, ValueError, OSError) as error:
        sys.exit(f"sample data: {error}")
    except KeyboardInterrupt:
        sys.exit("\nsample data: stopped. What was read is kept; the same command goes on from here.")
    print(f"sample data: written to {folder}", file=sys.stderr)


def _collect(folder: Path, only: list[str], *, quick: bool) -> None:
    cores = len(os.sched_getaffinity(0))
    phased, long = phase_programs(), long_programs()
    groups = subexperiments.collections()
    pair_runs = pairs.RUNS
    repeats, ocoe_runs, mpx_runs, jobs = phases.REPEATS, series.OCOE_RUNS, series.MPX_RUNS, signatures.JOBS
    if quick:
        phased, long, groups = phased[::8], long[:1], subexperiments.collections(runs=10, truth_runs=20)
        pair_runs = 3
        repeats, ocoe_runs, mpx_runs, jobs = 3, 2, 1, 200
    for program in (*phased, *long, request_server(), *(each.program for each in pairs.VARIANTS)):
        build(program)
    # The natively timed readings come first within each kind, one at a time: leave the machine alone meanwhile.
    if "phases" in only:
        phases.collect(phased, repeats=repeats, cores=cores)
        phases.write(phased, folder / "phases", repeats=repeats, cores=cores)
    if "subexperiments" in only:
        subexperiments.collect(groups, cores=cores, measured_core=str(max(os.sched_getaffinity(0))))
        subexperiments.write(groups, folder / "subexperiments")
    if "pairs" in only:
        pairs.collect(pairs.VARIANTS, runs=pair_runs, cores=cores, measured_core=str(max(os.sched_getaffinity(0))))
        pairs.write(pairs.VARIANTS, folder / "pairs", runs=pair_runs)
    if "series" in only:
        series.collect(long, ocoe_runs=ocoe_runs, mpx_runs=mpx_runs, cores=cores)
        series.write(long, folder / "series", ocoe_runs=ocoe_runs, mpx_runs=mpx_runs)
    if "signatures" in only:
        signatures.write(folder / "signatures", jobs=jobs)
    if "synthetic" in only:
        synthetic_readings.write(folder)
    record = {**toolchain(), "processor": _processor(), "cores": cores, "system": f"{platform.system()} {platform.machine()}"}
    (folder / "machine.json").write_text(json.dumps(record, indent=1) + "\n")
    if folder == SAMPLE_DATA and set(only) == set(KINDS):
        describe.write(folder)


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


if __name__ == "__main__":
    main()
