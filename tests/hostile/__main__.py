"""`python -m tests.hostile --inputs 10000 --seed 1`: mutated uploads, in processes of their own; what became of them, and what it took."""

import argparse
import json
import os
import sys
import time
from collections import Counter
from pathlib import Path

from tests.hostile.campaign import DIED, campaign, costs_of, table_of
from tests.hostile.originals import originals
from tests.hostile.verdict import FAULTS


def main() -> int:
    """Run it; the number of faults, at most 1, is the exit status."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--inputs", type=int, default=10_000)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--processes", type=int, default=os.cpu_count())
    asked.add_argument("--faults", type=Path, help="where the faults are listed, a JSON object a line")
    given = asked.parse_args()
    start = time.monotonic()
    counts: Counter[tuple[str, str]] = Counter()
    faults, costs = [], []
    for number, name, kind, verdict, why, cost in campaign(given.seed, given.inputs, given.processes):
        counts[kind, verdict] += 1
        costs.append(cost)
        if verdict in (*FAULTS, DIED):
            faults.append({"seed": given.seed, "number": number, "original": name, "mutation": kind, "verdict": verdict, "why": why})
    print(f"seed {given.seed}: {given.inputs:,} inputs of {len(originals())} originals in {time.monotonic() - start:.0f} s")
    print(table_of(counts))
    print(costs_of(costs))
    for fault in faults[:20]:
        print(json.dumps(fault)[:800])
    if given.faults is not None:
        given.faults.write_text("".join(json.dumps(fault) + "\n" for fault in faults))
    return min(1, len(faults))


if __name__ == "__main__":
    sys.exit(main())
