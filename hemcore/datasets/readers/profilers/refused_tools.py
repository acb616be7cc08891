"""Output of tools that is no table of counts: which tool's it is, and what to ask it for instead."""

import re

from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.answers.own_answers import why_own_answer
from hemcore.datasets.readers.perf.refusals import why_not_perf
from hemcore.datasets.readers.uploaded_files import UploadedFile

_HEAD_BYTES = 8_192
_PART = r"^[ ]{0,3}\*[ ]{1,2}\*[ ]{1,2}\*[ ]{1,4}\w[^\n*]{1,80}\*[ ]{1,2}\*[ ]{1,2}\*[ ]*$"  # " * * *   Title   * * *" of PowerTOP
# What the beginning of a file holds -> what it is, and the remedy. The first that fits is taken.
_KNOWN = (
    (
        r"\A\s*Percent\s*\|\s+Source code & Disassembly of ",
        "comes from perf annotate, which holds shares of samples by instruction, not counts. Count with `perf stat -x';' -o FILE`"
        " (-I 100 for a series)",
    ),
    (
        r"^# Running '?[\w-]+/[\w-]+'? benchmark",
        "is what perf bench prints of one run. Send a CSV with one column per value and one row per run, or count with"
        " `perf stat -x';' -o FILE perf bench ...`",
    ),
    (
        r"\A\s*(?:Memory Cache and TLB Hierarchy Information|-+\s*CPU name:[^\n]*(?:\n(?!\+)[^\n]*){0,12}\nHardware Thread Topology)",
        "describes the machine (papi_mem_info, likwid-topology) and holds no counts. Send what was measured on it, as"
        " `perf stat -x';' -o FILE` writes it",
    ),
    (
        r"^\s*Task\s+\|\s+Runtime ms\s+\|\s+(?:Switches|Count)\s+\|",
        "comes from perf sched latency, which holds sums by task, not counts over time. Count with `perf stat -x';' -o FILE`",
    ),
    (
        rf"{_PART}(?=[\s\S]*{_PART})|\*  \*  \*   PowerTOP Report",
        "is PowerTOP's report of several tables. Measure power with `turbostat --interval 1 -o FILE`",
    ),
    (
        r"^\s*Min\.\s+:.*\n\s*1st Qu\.:",
        "is a summary by R, statistics and no readings. Write the table itself with `write.csv(frame, row.names = FALSE)`",
    ),
    (
        r"\A\s*\[\s*\[\s*-?\d",
        "is JSON without names of columns. Write it with them, as `frame.to_json(orient='split')` does, or as CSV with a header",
    ),
    (
        r"^Average:.*\n\s*\n\d\d:\d\d:\d\d(?: [AP]M)?\s+[A-Za-z%]",
        "is of sar, several tables below each other. Print one at a time, as `sadf -d -- -u` and `sadf -d -- -r` do",
    ),
    (
        r"^\s*(?:\[\d+[KMGT]?(?:, ?\d+[KMGT]?)?[)\]]|\d+ -> \d+)\s*:?\s+\d+\s+\|[@* ]",
        "is a histogram (of bpftrace or bcc): how often values fell into ranges, not the values. Print each value, with its time",
    ),
    (r"^top - \d\d:\d\d:\d\d", "is of top, whose pages are a table each. Sample with `pidstat -h -u 1`"),
    (
        r'^==\d+== NVPROF(?![\s\S]*^"?Device"?,"?Kernel"?,"?Invocations)',
        "is of nvprof, whose counts are sums over all calls. Send a CSV with one row per kernel and one column per event",
    ),
    (r"^tiptop - ", "is of tiptop, whose pages are a table each. Count with `perf stat -I 1000 -x';' -o FILE`"),
    (
        r"^# TYPE \S+ (?:counter|gauge|untyped|summary|histogram)[^\n]*\n(?:#[^\n]*\n)*"
        r"(?![A-Za-z_:][\w:]*(?:\{[^\n]*\})? \S+ \d{9,}(?:\.\d+)?\s*$)",
        "is one scrape of Prometheus. Export a range of time as JSON",
    ),
    (
        r"\A(?=[\s\S]*Instantaneous power reading:)(?![\s\S]*Instantaneous power reading:[\s\S]*Instantaneous power reading:)"
        r"\s*Instantaneous power reading:\s+\d+ Watts",
        "is one reading of the power. Read it again and again: `while sleep 1; do ipmitool dcmi power reading; done > FILE`",
    ),
    (
        r"\A\s*(?:<\?xml[^>]*\?>\s*)?<svg\b",
        "is a picture (SVG). Send the numbers that it shows",
    ),
    (
        r"^# Histogram\s*\n\d{6} \d{6}",
        "is a histogram of cyclictest: how often each latency came. Send what `cyclictest -v` prints, a latency per wake-up",
    ),
    (
        r"\ATime \[s\](?:,[^,\n]+)+\n(?:[\d.]+(?:,[01X])+\n){3,}\Z",
        "is a capture of digital signals, with a row where one of them changed, no counts. Count the edges per interval and send these",
    ),
    (
        r"^This utility lets you add events from the command line",
        "is of papi_command_line. Send its counts as a CSV with one column per event and one row per run, or count with `perf stat`",
    ),
)  # fmt: skip
_PATTERNS = tuple((re.compile(pattern, re.MULTILINE), what) for pattern, what in _KNOWN)


def why_refused(file: UploadedFile, *, alone: bool = True) -> str | None:
    """Why the output of a known tool cannot be read, with the line and the remedy; None for any other file. alone: as why_own_answer."""
    known = why_not_perf(file) or why_own_answer(file, alone=alone)
    if known is not None:
        return known
    head = decoding.head_text(file.content, _HEAD_BYTES)
    for pattern, what in _PATTERNS:
        if (found := pattern.search(head)) is not None:
            line = head.count("\n", 0, found.start()) + 1
            return f"{file.name}: line {line}, {head.splitlines()[line - 1].strip()[:60]!r}, {what}."
    return None
