"""What tools print of a run, a name and a number on a line, as the text of a CSV with a row per run: Valgrind, CoreMark, qacct.

Sources: Valgrind, cachegrind/cg_main.c and callgrind/main.c; CoreMark, core_main.c; Grid Engine's accounting(5) and qacct(1).
"""

import re
from itertools import islice

from hemcore.datasets.importing.other_forms.written_csv import csv_of_records
from hemcore.datasets.readers.decoding import lines_of

_HEAD = 60
_VALGRIND = re.compile(r"==(\d+)==\s?(.*)")
_COMMAND = re.compile(r"Command: (\S.*)")
# "D1  misses:  46,242  (45,000 rd + 1,242 wr)", but no rate, "D1  miss rate:  0.1%".
_COUNT = re.compile(r"((?:I1?|LLi|D1?|LLd|LL|L2i?d?|Branches|Mispredicts)(?:\s+(?:refs|misses))?):\s+(\d[\d,]*)(?:\s.*)?")
_EVENTS, _COLLECTED = re.compile(r"Events\s+:((?:\s+[A-Z]\w*)+)"), re.compile(r"Collected\s+:((?:\s+\d+)+)")
_COREMARK = "CoreMark Size    :"
_COREMARK_ROW = re.compile(r"(Total ticks|Total time \(secs\)|Iterations/Sec|Iterations)\s*:\s+(\d[\d.]*)")
_QACCT = re.compile(r"=+\s*")
_QACCT_ROW = re.compile(r"(jobname|ru_\w+|cpu|mem|io|iow|maxvmem|maxrss|wallclock)\s+(\S.*?)\s*")
_QACCT_NUMBER = re.compile(r"(\d[\d.]*)(s|GBs|GB)?")

Report = dict[str, str]


def as_table(text: str) -> str | None:
    """CSV with commas, a header and one row per run or job; None where `text` is of none of these tools.

    Of Cachegrind and Callgrind the totals of each process, without rates; of several commands, with their names. Of CoreMark each run. Of
    qacct -j the usage of each job by its name, sizes in bytes as they are printed.
    """
    head = list(islice(lines_of(text), _HEAD))
    if any(_VALGRIND.fullmatch(line) for line in head):
        return _table(_of_valgrind(text), "program")
    if any(line.startswith(_COREMARK) for line in head):
        return _table(_of_coremark(text), "")
    if len(head) > 1 and _QACCT.fullmatch(head[0]) and head[1].split(maxsplit=1)[:1] == ["qname"]:
        return _table(_of_qacct(text), "program")
    return None


def _table(reports: list[Report], names: str) -> str | None:
    """A row per report that holds a number; several runs of one program are numbered."""
    found = [report for report in reports if len(report) > (names in report)]
    programs = {report.get(names, "") for report in found}
    if len(programs) > 1:
        return csv_of_records({names: report[names], "granularity": "whole run", **report} for report in found if names in report)
    rows = [{name: value for name, value in report.items() if name != names} for report in found]
    return csv_of_records({"run": str(number), **row} if len(rows) > 1 else row for number, row in enumerate(rows, start=1))


def _of_valgrind(text: str) -> list[Report]:
    runs: dict[str, Report] = {}
    events: list[str] = []
    for line in lines_of(text):
        if (said := _VALGRIND.fullmatch(line)) is None:
            continue
        run = runs.setdefault(said[1], {})
        if (command := _COMMAND.fullmatch(said[2])) is not None:
            run["program"] = command[1]
        elif (count := _COUNT.fullmatch(said[2])) is not None:
            run.setdefault(" ".join(count[1].split()), count[2].replace(",", ""))
        elif (named := _EVENTS.fullmatch(said[2])) is not None:
            events = named[1].split()
        elif (sums := _COLLECTED.fullmatch(said[2])) is not None:
            run |= dict(zip(events, sums[1].split(), strict=False))
    return list(runs.values())


def _of_coremark(text: str) -> list[Report]:
    runs: list[Report] = []
    for line in lines_of(text):
        if line.startswith(_COREMARK):
            runs.append({})
        elif runs and (found := _COREMARK_ROW.fullmatch(line.strip())) is not None:
            runs[-1]["Total time [s]" if found[1].startswith("Total time") else found[1]] = found[2]
    return runs


def _of_qacct(text: str) -> list[Report]:
    jobs: list[Report] = []
    for line in lines_of(text):
        if _QACCT.fullmatch(line):
            jobs.append({})
        elif jobs and (found := _QACCT_ROW.fullmatch(line)) is not None:
            number = _QACCT_NUMBER.fullmatch(found[2])
            jobs[-1]["program" if found[1] == "jobname" else found[1]] = number[1] if number is not None else found[2]
    return jobs
