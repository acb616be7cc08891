"""A plan as a shell script for `perf stat` or PAPI's high-level API that measures it, or as event lists for PAPI.

Everything from the user (program, HEM names) is quoted in the script: none of it is interpreted by the shell.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Literal

from hemcore.datasets.readers.plan_runs import FIRST_LINE, MANIFEST, manifest
from hemcore.datasets.tables.checks import listed
from hemcore.errors import ParameterError
from hemcore.events.spelling import SLOTS, TOPDOWN, event_key, perf_event

Tool = Literal["perf", "papi"]
MOST_RUNS = 100_000
_LONGEST = 10_000
# What perf accepts as an event: no blank, quote or brace (used for groups), and no separator of its output.
_PERF = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:/=,\-+%@]*")
_PAPI = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:=\-+@]*")

_SCRIPT = r"""#!/bin/sh
# Measures {groups} subexperiments with {tool}, {runs} runs each: {what}, one file per run.
#
#     sh {name} [FOLDER]        FOLDER: where runs are written, default ./plan_runs
#
# Runs are taken in rounds, one of each subexperiment, so that any drift affects all subexperiments equally. If started again
# with the same folder, it continues where it stopped. At the end the folder is zipped: upload that file to use it in Merge.
set -eu
out=${{1:-plan_runs}}
runs={runs}
{needs}if [ -e "$out/{manifest}" ] && [ "$(cat "$out/{manifest}")" != "$(plan)" ]; then
    echo "$out contains runs of another plan: use another folder" >&2
    exit 2
fi
mkdir -p "$out"
plan >"$out/{manifest}"
run=1
while [ "$run" -le "$runs" ]; do
    round
    echo "round $run of $runs" >&2
    run=$((run + 1))
done
archive=$out.zip
rm -f "$archive"
if command -v zip >/dev/null; then
    (cd "$out" && zip -qr - {manifest} subexperiment_*) >"$archive"
elif command -v python3 >/dev/null; then
    python3 -m zipfile -c "$archive" "$out"/{manifest} "$out"/subexperiment_*
else
    echo "zip the folder $out and upload it" >&2
    exit 0
fi
echo "upload $archive" >&2
"""

_PLAN = r"""
plan() {{
    cat <<'{end}'
{manifest}{end}
}}

round() {{
{calls}
}}
"""
_PERF_NEEDS = r"""perf=${PERF:-perf}
command -v "$perf" >/dev/null || { echo "perf not found: install it, or set PERF to its path" >&2; exit 2; }
if [ "$(cat /proc/sys/kernel/nmi_watchdog 2>/dev/null)" = 1 ]; then
    echo "the NMI watchdog takes a counter: full groups may not be counted. Off: echo 0 | sudo tee /proc/sys/kernel/nmi_watchdog" >&2
fi
"""
_MEASURE_PERF = r"""
# measure SUBEXPERIMENT EVENTS: one run, unless it exists already. The output of the program is discarded.
measure() {{
    folder=$out/$1
    file=$folder/$(printf 'run_%05d.perf' "$run")
    [ ! -s "$file" ] || return 0
    mkdir -p "$folder"
    "$perf" stat -x ';' -o "$out/.run" -e "$2" -- {program} >/dev/null || {{
        echo "run $run of $1 ended with $?: the program or perf failed" >&2
        exit 1
    }}
    mv "$out/.run" "$file"
}}
"""
# A program with several ranks writes one file per rank; together they are the run.
_MEASURE_PAPI = r"""
# measure SUBEXPERIMENT EVENTS: one run, unless it exists already. The output of the program is discarded.
# The program must be built with PAPI and call PAPI_hl_region_begin and PAPI_hl_region_end around what is measured.
measure() {{
    folder=$out/$1
    file=$folder/$(printf 'run_%05d.json' "$run")
    [ ! -s "$file" ] || return 0
    mkdir -p "$folder"
    rm -rf "$out/.papi"
    PAPI_EVENTS=$2 PAPI_OUTPUT_DIRECTORY=$out/.papi {program} >/dev/null || {{
        echo "run $run of $1 ended with $?: the program failed" >&2
        exit 1
    }}
    cat "$out"/.papi/papi_hl_output/*.json >"$out/.run" 2>/dev/null || {{
        echo "run $run of $1: no output of PAPI. Does the program call PAPI_hl_region_begin and PAPI_hl_region_end?" >&2
        exit 1
    }}
    mv "$out/.run" "$file"
    rm -rf "$out/.papi"
}}
"""


def perf_script(
    groups: Sequence[Sequence[str]], n_pmcs: int, program: str | Sequence[str], runs: int, *, events: Mapping[str, str] | None = None
) -> str:
    """A POSIX shell script that measures every subexperiment `runs` times; its zipped folder can be uploaded.

    program: the command, as text that is split like in a shell (quotes work; ; | > and $ are plain characters: a pipeline needs
    sh -c '...') or as a list of words. events: HEM -> the event's name in perf, if different.
    Names of Intel's and perf's formulas (`X:c1`) become perf's events. If the kernel's NMI watchdog is on, the script warns that it takes
    a counter. Topdown events are led by `slots`, as the kernel wants them.

    Raises ParameterError for no program, unbalanced quotes, control characters, an invalid event name, 0 runs or more than 100,000.
    """
    groups = [sorted(group, key=_place_in_group) for group in groups]
    named = {hem: perf_event(hem) for group in groups for hem in group} | dict(events or {})
    events_of = [[_event(hem, named, _PERF, "perf stat") for hem in group] for group in groups]
    of_each = ["{" + ",".join(each) + "}" for each in events_of]
    texts = {"tool": "perf stat", "what": "one event group per subexperiment", "needs": _PERF_NEEDS}
    return _script(groups, n_pmcs, program, runs, of_each, _MEASURE_PERF, texts)


def papi_script(
    groups: Sequence[Sequence[str]], n_pmcs: int, program: str | Sequence[str], runs: int, *, events: Mapping[str, str] | None = None
) -> str:
    """The same for a program that calls PAPI's high-level API: events are set in PAPI_EVENTS, the JSON output is the run.

    Arguments, upload and ParameterError as for `perf_script`.
    """
    of_each = [",".join(_event(hem, events, _PAPI, "PAPI") for hem in group) for group in groups]
    texts = {"tool": "PAPI", "what": "PAPI_EVENTS per subexperiment", "needs": ""}
    return _script(groups, n_pmcs, program, runs, of_each, _MEASURE_PAPI, texts)


def _script(
    groups: Sequence[Sequence[str]],
    n_pmcs: int,
    program: str | Sequence[str],
    runs: int,
    events: Sequence[str],
    measure: str,
    texts: Mapping[str, str],
) -> str:
    _check_runs(runs)
    measure = measure.format(program=shlex.join(_words(program)))
    calls = "\n".join(f"    measure subexperiment_{at:04d} {shlex.quote(each)}" for at, each in enumerate(events, start=1))
    # No line of the manifest can equal the end mark: each begins with a keyword.
    plan = _PLAN.format(manifest=manifest(n_pmcs, runs, groups), end="END_OF_PLAN", calls=calls)
    script = _SCRIPT.format(groups=len(groups), runs=runs, name="plan.sh", manifest=MANIFEST, **texts)
    head, mark, rest = script.partition("set -eu\n")
    return head + mark + measure + plan + rest


def papi_list(groups: Sequence[Sequence[str]], runs: int, *, events: Mapping[str, str] | None = None) -> str:
    """One line per subexperiment for PAPI's high-level API: the value of PAPI_EVENTS. Raises ParameterError as `perf_script`."""
    _check_runs(runs)
    lines = [
        f"# {FIRST_LINE}: PAPI_EVENTS of {len(groups)} subexperiments, {runs} runs each.",
        "# For each line: PAPI_EVENTS=... PAPI_OUTPUT_DIRECTORY=... before the program, which calls PAPI_hl_region_begin and _end.",
        "# If a program is given, the plan is a script that does this, and its folder can be uploaded for Merge.",
    ]
    for group in groups:
        lines.append(",".join(_event(hem, events, _PAPI, "PAPI") for hem in group))
    return "\n".join(lines) + "\n"


def _place_in_group(hem: str) -> int:
    base = event_key(hem).base
    return 0 if base == SLOTS else 1 if base in TOPDOWN else 2


def _check_runs(runs: int) -> None:
    if isinstance(runs, bool) or not isinstance(runs, int) or not 1 <= runs <= MOST_RUNS:
        raise ParameterError(f"runs: {runs!r} is out of bounds; it must be from 1 to {MOST_RUNS:,}.")


def _words(program: str | Sequence[str]) -> list[str]:
    try:
        words = shlex.split(program) if isinstance(program, str) else [str(word) for word in program]
    except ValueError as error:
        raise ParameterError(f"program: {str(program)[:80]!r} has unbalanced quotes ({error}). Correct them.") from None
    if not words or not words[0]:
        raise ParameterError("program: it is empty. Give the command to measure, for example ./program --size 1000.")
    if sum(map(len, words)) > _LONGEST or not all(word.isprintable() for word in words):
        raise ParameterError(
            f"program: it must be printable text of at most {_LONGEST:,} characters, without line breaks. Put a longer one into a script."
        )
    return words


def _event(hem: str, events: Mapping[str, str] | None, allowed: re.Pattern[str], tool: str) -> str:
    name = (events or {}).get(hem, hem)
    if not allowed.fullmatch(name) or len(name) > 500:
        of = "" if name == hem else f" of {hem}"
        raise ParameterError(f"events: {listed([name])}{of} is not a valid event for {tool}. Use the name from `{tool.split()[0]} list`.")
    return name
