"""A small EAR database to try things on: the bundled synthetic signatures in EAR's schema, in SQLite.

    python -m hemcore.signatures.database.demo_db [FILE]

Its loops are made up too: the jobs' own metrics with noise.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import sqlalchemy as sa

from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.signature_table import METRICS, SignatureTable
from hemcore.errors import HemError
from hemcore.signatures.database.connection import VARIABLE
from hemcore.signatures.database.schema import JOB, LOOP, SIGNATURE, STEP, tables

_WHOLE = ("CYCLES", "INSTRUCTIONS")
JOBS_WITH_LOOPS, LOOPS_A_JOB, LOOP_S = 20, 30, 10


def main() -> None:
    """Make the database and say how to use it."""
    parser = argparse.ArgumentParser(prog="python -m hemcore.signatures.database.demo_db", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path, default=Path("ear_demo.sqlite"), help="default: ear_demo.sqlite, here")
    path = parser.parse_args().file
    try:
        make(path)
    except HemError as error:
        sys.exit(str(error))
    print(f"{path}: made. Use it: export {VARIABLE}=sqlite:///{path.resolve()}")


def make(path: Path) -> None:
    """Write the demo database to `path`. Raises HemError where that exists or cannot be written."""
    if path.exists():
        raise HemError(f"{path}: it is there already. Remove it, or name another file.")
    if not path.absolute().parent.is_dir():
        raise HemError(f"{path}: there is no folder {path.absolute().parent}. Make it, or name another file.")
    table = samples.load("signatures")
    assert isinstance(table, SignatureTable)
    engine = sa.create_engine(f"sqlite:///{path}")
    try:
        fill(engine, table.frame)
    finally:
        engine.dispose()


def fill(engine: sa.Engine, jobs: pd.DataFrame, *, lower_case: bool = False) -> None:
    """Make EAR's tables in the empty database of `engine` and put `jobs` (eacct's columns) into them, with loops of the first 20."""
    metadata = tables(lower_case=lower_case)
    metadata.create_all(engine)
    jobs = jobs.assign(**{name: jobs[name].fillna(0) for name in METRICS}).reset_index(drop=True)
    loops = _loops(jobs)
    n = len(jobs)
    active = (jobs["GPU0_UTIL_PERC"] > 0).to_numpy()
    gpu_ids = np.where(active, np.cumsum(active), 0)
    of_jobs = _columns(jobs, SIGNATURE).assign(id=np.arange(1, n + 1), min_GPU_sig_id=gpu_ids, max_GPU_sig_id=gpu_ids)
    of_loops = _columns(loops, SIGNATURE).assign(id=np.arange(n + 1, n + 1 + len(loops)), min_GPU_sig_id=0, max_GPU_sig_id=0)
    gpus = pd.DataFrame(
        {"id": gpu_ids[active], "GPU_power": jobs["GPU0_POWER_W"].to_numpy()[active], "GPU_util": jobs["GPU0_UTIL_PERC"].to_numpy()[active]}
    )
    contents = {
        "Signatures": pd.concat([of_jobs, of_loops], ignore_index=True),
        "GPU_signatures": gpus,
        "Jobs": _columns(jobs, {name: STEP[name] for name in ("job_id", "step_id", "local_id")} | JOB),
        "Applications": _columns(jobs, STEP).assign(signature_id=of_jobs["id"]),
        "Loops": _columns(loops, STEP | LOOP).assign(signature_id=of_loops["id"].to_numpy()),
    }
    with engine.begin() as connection:
        for name, frame in contents.items():
            own = frame.rename(columns=str.lower) if lower_case else frame
            names = [str(column) for column in own.columns]
            values = own.astype(object).where(own.notna(), None).to_numpy().tolist()
            rows = [dict(zip(names, row, strict=True)) for row in values]
            connection.execute(metadata.tables[name.lower() if lower_case else name].insert(), rows)


def _columns(frame: pd.DataFrame, names: dict[str, str]) -> pd.DataFrame:
    return pd.DataFrame({own: frame[name].to_numpy() for own, name in names.items() if name in frame.columns})


def _loops(jobs: pd.DataFrame) -> pd.DataFrame:
    """Thirty loops, ten seconds apart, of each of the first twenty jobs that were measured."""
    random = np.random.default_rng(0)
    measured = jobs[jobs["CPI"] > 0].head(JOBS_WITH_LOOPS)
    loops = measured.loc[measured.index.repeat(LOOPS_A_JOB)].reset_index(drop=True)
    place = np.tile(np.arange(LOOPS_A_JOB), len(measured))
    noise = {name: loops[name] * random.uniform(0.9, 1.1, len(loops)) for name in (*METRICS, "DC_NODE_POWER_W")}
    # Counters are of the loop's ten seconds.
    counters = [name for name in SIGNATURE.values() if name.endswith("MISSES") or "OPS_" in name or name in _WHOLE]
    noise |= {name: (loops[name] * LOOP_S / loops["TIME_SEC"]).round() for name in counters}
    stamps = loops["JOB_START_TIME"].to_numpy() + LOOP_S * (place + 1)
    return loops.assign(**noise, TIME_SEC=LOOP_S / 10, LOOPID=1, LOOP_SIZE=1, LOOP_NEST_LEVEL=1, TIMESTAMP=stamps)


if __name__ == "__main__":
    main()
