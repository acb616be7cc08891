"""The script of a plan: run with perf, or with something in its place that writes what perf writes, and read again as an upload."""

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from hemcore.datasets.readers.recognition import read_upload, recognise
from hemcore.datasets.readers.uploaded_files import UploadedFile, expand
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ParameterError, ReadError
from hemcore.planning import plan_subexperiments

HEMS = ["cycles", "instructions", "branch-misses", "cpu/event=0x3c,umask=0x1/", "page-faults"]
# Takes the arguments that the script gives to perf, runs the program, and writes a value an event, as perf stat -x does.
FAKE = """#!/bin/sh
[ "$1 $2 $3 $4" = "stat -x ; -o" ] || { echo "unexpected: $*" >&2; exit 9; }
file=$5 events=$7
shift 8
"$@"
status=$?
{
    echo "# started on Mon Nov 16 09:12:01 2026"
    echo
    echo "$events" | sed 's/^{//; s/}$//; s/,umask/%umask/g' | tr ',' '\\n' | sed 's/%/,/g' | while read -r event; do
        echo "$((1000 + $$ % 997 + ${#event}));;$event;500000;100.00;;"
    done
} >"$file"
exit $status
"""


# A program that was built with PAPI, as PAPI 7 writes: two ranks, each with a region and one within it; NO_SUCH is left out.
FAKE_PAPI = """#!/bin/sh
[ -n "$1" ] && exit "$1"
mkdir -p "$PAPI_OUTPUT_DIRECTORY/papi_hl_output"
for rank in 0 1; do
    {
        echo '{"papi_version":"7.0.0.0","threads":{"0":{"regions":{'
        echo '"0":{"name":"work","parent_region_id":"-1","cycles":"9","real_time_nsec":"7"'
        echo "$PAPI_EVENTS" | tr ',' '\\n' | grep -v NO_SUCH | while read -r event; do echo ",\\"$event\\":\\"$((1000 + $$ % 997))\\""; done
        echo '},"1":{"name":"inner","parent_region_id":"0","cycles":"3"'
        echo "$PAPI_EVENTS" | tr ',' '\\n' | grep -v NO_SUCH | while read -r event; do echo ",\\"$event\\":\\"5\\""; done
        echo '}}}}}'
    } >"$PAPI_OUTPUT_DIRECTORY/papi_hl_output/rank_00000$rank.json"
done
"""
PAPI_PROGRAM = """
#include <papi.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    PAPI_hl_region_begin("work");
    for (int i = 0; i < 20; i++) { volatile char *a = malloc(1 << 20); memset((char *)a, i, 1 << 20); }
    return PAPI_hl_region_end("work");
}
"""


def script_of(program: str | list[str] = "true", runs: int = 3) -> str:
    return plan_subexperiments(HEMS, 3, time_limit=0.2).commands("perf", program, runs)


def run(folder: Path, script: str, *, perf: str) -> subprocess.CompletedProcess[str]:
    (folder / "plan.sh").write_text(script)
    return subprocess.run(["sh", "plan.sh"], cwd=folder, env=os.environ | {"PERF": perf}, capture_output=True, text=True, timeout=120)


@pytest.fixture
def fake_perf(tmp_path: Path) -> str:
    fake = tmp_path / "fake perf"
    fake.write_text(FAKE)
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    return str(fake)


def upload(archive: Path) -> list[UploadedFile]:
    return expand([UploadedFile(archive.name, archive.read_bytes())])


def test_what_the_script_measures_is_an_upload(tmp_path: Path, fake_perf: str) -> None:
    plan = plan_subexperiments(HEMS, 3, time_limit=0.2)
    done = run(tmp_path, plan.commands("perf", "true", 4), perf=fake_perf)
    assert done.returncode == 0, done.stderr
    files = upload(tmp_path / "plan_runs.zip")
    assert [match.key for match in recognise(files)] == ["plan_runs"]
    read = read_upload(files)
    assert isinstance(read.table, Subexperiments)
    assert [tuple(frame.columns) for frame in read.table.frames] == list(plan.subexperiments)
    assert {len(frame) for frame in read.table.frames} == {4}
    assert read.table.n_pmcs == 3
    assert read.table.labels[0] == "subexperiment 1"


@pytest.mark.skipif(shutil.which("perf") is None, reason="perf is not installed")
def test_perf_itself_reads_software_events(tmp_path: Path) -> None:
    events = ["page-faults", "minor-faults", "task-clock", "context-switches"]
    plan = plan_subexperiments(events, 2, time_limit=0.2)
    done = run(tmp_path, plan.commands("perf", "sh -c 'ls /; exit 0'", 2), perf="perf")
    if "ermission" in done.stderr:
        pytest.skip("the kernel does not let perf count here")
    assert done.returncode == 0, done.stderr
    read = read_upload(upload(tmp_path / "plan_runs.zip"))
    assert isinstance(read.table, Subexperiments)
    assert {"page-faults", "minor-faults", "task-clock"} <= set(read.table.hems)
    assert {len(frame) for frame in read.table.frames} == {2}


def test_it_goes_on_where_it_stopped_and_keeps_to_its_plan(tmp_path: Path, fake_perf: str) -> None:
    script = script_of("sh -c 'echo ran >>log'", runs=2)
    assert run(tmp_path, script, perf=fake_perf).returncode == 0
    ran = len((tmp_path / "log").read_text().split())
    last = sorted((tmp_path / "plan_runs").glob("*/run_00002.perf"))[-1]
    last.unlink()
    assert run(tmp_path, script, perf=fake_perf).returncode == 0
    assert len((tmp_path / "log").read_text().split()) == ran + 1
    other = run(tmp_path, script_of("true", runs=3), perf=fake_perf)
    assert other.returncode == 2
    assert "another plan" in other.stderr


def test_a_program_that_fails_is_no_run(tmp_path: Path, fake_perf: str) -> None:
    done = run(tmp_path, script_of("false"), perf=fake_perf)
    assert done.returncode == 1
    assert "ended with 1" in done.stderr
    assert not list((tmp_path / "plan_runs").glob("*/*.perf"))


def test_perf_that_is_not_there_is_said(tmp_path: Path) -> None:
    done = run(tmp_path, script_of(), perf=str(tmp_path / "none"))
    assert done.returncode == 2
    assert "perf not found" in done.stderr


@pytest.mark.parametrize(
    "program",
    [
        "echo hello; touch broken",
        "echo $(touch broken)",
        "echo `touch broken`",
        "echo a && touch broken",
        "echo 'a' > broken",
        'echo "$HOME" | tee broken',
    ],
)
def test_nothing_of_a_program_is_run_as_shell(tmp_path: Path, fake_perf: str, program: str) -> None:
    done = run(tmp_path, script_of(program, runs=1), perf=fake_perf)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "broken").exists()


def test_words_with_blanks_and_quotes_reach_the_program_whole(tmp_path: Path, fake_perf: str) -> None:
    words = ["sh", "-c", 'printf "%s\\n" "$@" >words', "x", "two words", "it's", '"quoted"', "$HOME", "*", "-n"]
    assert run(tmp_path, script_of(words, runs=1), perf=fake_perf).returncode == 0
    assert (tmp_path / "words").read_text().splitlines() == words[4:]


PAPI_HEMS = ["PAPI_TOT_CYC", "PAPI_TOT_INS", "PAPI_L1_DCM", "perf::PAGE-FAULTS"]


@pytest.fixture
def fake_papi(tmp_path: Path) -> str:
    fake = tmp_path / "papi program"
    fake.write_text(FAKE_PAPI)
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    return str(fake)


def test_what_a_program_with_papi_writes_is_an_upload(tmp_path: Path, fake_papi: str) -> None:
    plan = plan_subexperiments(PAPI_HEMS, 3, time_limit=0.2)
    script = plan.commands("papi", [fake_papi], 4)
    done = run(tmp_path, script, perf="")
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "plan_runs" / ".papi").exists()
    files = upload(tmp_path / "plan_runs.zip")
    assert [match.key for match in recognise(files)] == ["plan_runs"]
    read = read_upload(files)
    assert isinstance(read.table, Subexperiments)
    assert [tuple(frame.columns) for frame in read.table.frames] == list(plan.subexperiments)
    # Both ranks, and of the regions the outer one.
    assert all(len(frame) == 4 and (frame >= 2_000).all(axis=None) and (frame % 2 == 0).all(axis=None) for frame in read.table.frames)
    assert "the sum of up to 2 regions" in read.notes[0]
    last = sorted((tmp_path / "plan_runs").glob("*/run_00004.json"))[-1]
    kept = {path: path.read_bytes() for path in (tmp_path / "plan_runs").glob("*/*.json") if path != last}
    last.unlink()
    assert run(tmp_path, script, perf="").returncode == 0
    assert last.exists()
    assert all(path.read_bytes() == content for path, content in kept.items())


def test_a_program_without_papi_or_that_fails_is_no_run(tmp_path: Path, fake_papi: str) -> None:
    plan = plan_subexperiments(PAPI_HEMS, 3, time_limit=0.2)
    silent = run(tmp_path, plan.commands("papi", "true", 2), perf="")
    assert silent.returncode == 1
    assert "no output of PAPI. Does the program call PAPI_hl_region_begin" in silent.stderr
    failed = run(tmp_path, plan.commands("papi", [fake_papi, "3"], 2), perf="")
    assert failed.returncode == 1
    assert "ended with 3: the program failed" in failed.stderr
    assert not list((tmp_path / "plan_runs").glob("*/*.json"))


def test_an_event_that_papi_left_out_is_named(tmp_path: Path, fake_papi: str) -> None:
    plan = plan_subexperiments(["PAPI_TOT_CYC", "NO_SUCH"], 2, time_limit=0.2)
    assert run(tmp_path, plan.commands("papi", [fake_papi], 2), perf="").returncode == 0
    with pytest.raises(ReadError, match=r"subexperiment_0001.json, run 1: no 'NO_SUCH' in it, which plan.txt plans"):
        read_upload(upload(tmp_path / "plan_runs.zip"))


@pytest.mark.skipif(shutil.which("cc") is None or not Path("/usr/include/papi.h").exists(), reason="PAPI or a C compiler is not installed")
def test_papi_itself_reads_software_events(tmp_path: Path) -> None:
    (tmp_path / "program.c").write_text(PAPI_PROGRAM)
    subprocess.run(["cc", "program.c", "-o", "program", "-lpapi"], cwd=tmp_path, check=True)
    plan = plan_subexperiments(["perf::PAGE-FAULTS", "perf::TASK-CLOCK", "perf::CPU-CLOCK"], 2, time_limit=0.2)
    done = run(tmp_path, plan.commands("papi", "./program", 2), perf="")
    if "no output of PAPI" in done.stderr or "ermission" in done.stderr:
        pytest.skip("the kernel does not let PAPI count here")
    assert done.returncode == 0, done.stderr
    read = read_upload(upload(tmp_path / "plan_runs.zip"))
    assert read.table.hems == list(plan.hems)
    assert {len(frame) for frame in read.table.frames} == {2}
    assert (read.table.frames[0]["perf::PAGE-FAULTS"] > 1_000).all()


def test_papi_without_a_program_takes_a_line_a_subexperiment() -> None:
    plan = plan_subexperiments(["PAPI_TOT_CYC", "PAPI_TOT_INS", "PAPI_L1_DCM"], 2, time_limit=0.2)
    lines = [line for line in plan.commands("papi", runs=10).splitlines() if not line.startswith("#")]
    assert lines == [",".join(group) for group in plan.subexperiments]


@pytest.mark.parametrize(
    ("tool", "program", "runs", "said"),
    [
        ("perf", "", 3, "program: it is empty"),
        ("perf", "   ", 3, "program: it is empty"),
        ("perf", "echo 'a", 3, "unbalanced quotes"),
        ("perf", ["echo", "a\nb"], 3, "printable text"),
        ("perf", "true", 0, "runs: 0"),
        ("perf", "true", 100_001, "runs: 100001"),
        ("likwid", "true", 3, "tool: 'likwid'"),
    ],
)
def test_what_cannot_be_run_is_said(tool: str, program: str, runs: int, said: str) -> None:
    plan = plan_subexperiments(HEMS, 3, time_limit=0.2)
    with pytest.raises(ParameterError, match=said.replace("(", r"\(")):
        plan.commands(tool, program, runs)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["a b", "a'b", "{a}", "$(a)", "a;b", "-e", "a\\b", "a|b"])
def test_an_event_that_perf_cannot_be_given_is_refused_unless_it_is_named(name: str) -> None:
    plan = plan_subexperiments([name, "cycles"], 2, time_limit=0.2)
    with pytest.raises(ParameterError, match="is not a valid event for perf stat"):
        plan.commands("perf", "true", 1)
    assert "{r3c,cycles}" in plan.commands("perf", "true", 1, events={name: "r3c"})
