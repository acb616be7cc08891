"""One reading of one program: its phases' events under callgrind, or their cycles natively."""

import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from sample_data.collect.build import CollectError, Program

EVENTS = ("Ir", "Dr", "Dw", "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw", "Bc", "Bcm", "Bi", "Bim")
WHOLE = 0
"""The granularity that makes one phase of the whole run."""

_CALLGRIND = [
    "valgrind",
    "--tool=callgrind",
    "--cache-sim=yes",
    "--branch-sim=yes",
    "--I1=32768,2,64",
    "--D1=32768,4,64",
    "--LL=524288,16,64",
    "--instr-atstart=no",
    "--dump-line=no",
    "--combine-dumps=yes",
]
_TIME_LIMIT_S = 600
_TOTALS = re.compile(r"^totals: (.*)$", re.MULTILINE)
_EVENT_NAMES = re.compile(r"^events: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Reading:
    """phases: a list a phase (events in the order of EVENTS, or [cycles]); stages: (name, phase, basic blocks into it);
    last_blocks: basic blocks of the last phase (0 for a whole run); result: the program's checksum."""

    phases: list[list[int]]
    stages: list[tuple[str, int, int]]
    last_blocks: int
    result: str


def read_events(program: Program, seed: int, *, scale: int = 100, granularity: int = WHOLE) -> Reading:
    """The 13 events of every phase, counted by callgrind on the cache model of a Cortex-A53."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind.out"
        printed = _run([*_CALLGRIND, f"--callgrind-out-file={out}"], program, seed, scale, granularity, [])
        dump = out.read_text()
    names = _EVENT_NAMES.search(dump)
    if names is None or tuple(names[1].split()) != EVENTS:
        raise CollectError(f"callgrind counted {names and names[1]!r}, not {' '.join(EVENTS)}: is this valgrind older than 3.15?")
    parsed = _parse(printed)
    # Trailing zeros are left out of a totals line; what comes after the program's own phases is the runtime's.
    totals = [[int(count) for count in line.split()] for line in _TOTALS.findall(dump)][: parsed["n_phases"]]
    phases = [line + [0] * (len(EVENTS) - len(line)) for line in totals]
    return Reading(phases, parsed["stages"], parsed["last"], parsed["result"])


def read_cycles(program: Program, seed: int, *, scale: int = 100, granularity: int = WHOLE, cores: str | None = None) -> Reading:
    """The time-stamp-counter ticks of every phase, natively, on `cores` (as taskset takes them; None: any)."""
    pinned = ["taskset", "-c", cores] if cores is not None else []
    parsed = _parse(_run([], program, seed, scale, granularity, pinned))
    return Reading([[cycles] for cycles in parsed["cycles"]], parsed["stages"], parsed["last"], parsed["result"])


def _run(tool: list[str], program: Program, seed: int, scale: int, granularity: int, pinned: list[str]) -> str:
    executable = program.executable(phased=granularity != WHOLE)
    # The same environment and the same name each time: both end up on the process's stack.
    command = [*pinned, *tool, f"./{executable.name}", str(seed), str(scale), str(granularity)]
    try:
        done = subprocess.run(
            command,
            cwd=executable.parent,
            env={"PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            timeout=_TIME_LIMIT_S,
            check=False,
        )
    except FileNotFoundError:
        raise CollectError(f"{command[0]} is not installed. On Debian or Ubuntu: apt-get install valgrind util-linux") from None
    except subprocess.TimeoutExpired:
        raise CollectError(f"{' '.join(command)} did not end within {_TIME_LIMIT_S} s.") from None
    if done.returncode:
        raise CollectError(f"{' '.join(command)} failed:\n{done.stderr}")
    return done.stdout


def _parse(printed: str) -> dict:
    parsed: dict = {"cycles": [], "stages": [], "last": 0, "result": "", "n_phases": 0}
    for line in printed.splitlines():
        word, *rest = line.split()
        if word == "cycles":
            parsed["cycles"].append(int(rest[0]))
        elif word == "phases":
            parsed["n_phases"] = int(rest[0])
        elif word == "stage":
            parsed["stages"].append((rest[0], int(rest[1]), int(rest[2])))
        elif word == "last":
            parsed["last"] = int(rest[0])
        elif word == "result":
            parsed["result"] = rest[0]
    if not parsed["result"]:
        raise CollectError(f"the program printed no result, only {printed[-200:]!r}.")
    return parsed
