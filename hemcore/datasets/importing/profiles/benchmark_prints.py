"""What benchmarks print of each program, a counter on a line, as the text of a CSV: poop, iai-callgrind; and rrdtool's fetch.

Sources: poop, src/main.zig; iai-callgrind (gungraun), the guide, "Comparing benchmarks"; rrdtool, rrdfetch(1).
"""

import re
from collections.abc import Callable
from itertools import islice

from hemcore.datasets.importing.other_forms.written_csv import csv_of_records, csv_of_rows
from hemcore.datasets.readers.decoding import lines_of

_HEAD = 60
_POOP = re.compile(r"Benchmark \d+ \(\d+ runs\): (\S.*?)\s*")
_OF_POOP = re.compile(r"\s*([a-z][a-z_]+)\s+(\d+(?:\.\d*)?)\s?(ns|us|µs|ms|s|[KMGT]?B|[KMGT])?\s+±\s+[^±]*")
_HAS_DIGIT = re.compile(r"\d")
_SIZES = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12} | {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0}
_SIZES |= {f"{prefix}B": _SIZES[prefix] for prefix in ("", "K", "M", "G", "T")}
_OF_IAI = re.compile(r"\s+([A-Z][\w +]{1,20}):\s+(\d+)\|[^|]*")
_IAI_FIRST = re.compile(r"\s+Instructions:\s+\d+\|.*")
_FETCHED = re.compile(r"(\d{9,10}):((?:\s+(?:[-+]?\d[\d.]*(?:e[-+]?\d+)?|[-+]?nan))+)\s*", re.IGNORECASE)


def as_table(text: str, unread: list[str]) -> str | None:
    """CSV with commas, a header and one row per program or moment; None where `text` is of none of these. `unread` gets the lines of
    readings that do not fit.

    Of poop the means over its runs, in s and bytes where they have units; of iai-callgrind the new counts.
    """
    head = list(islice((line for line in lines_of(text) if line.strip()), _HEAD))
    if any(map(_POOP.fullmatch, head)):
        return _of_programs(text, _POOP, _poop, unread)
    if any(map(_IAI_FIRST.fullmatch, head)):
        return _of_programs(text, re.compile(r"(\S.*?::\S.*?)\s*"), _iai, unread)
    if len(head) > 2 and head[0][:1] == " " and all(map(_FETCHED.fullmatch, head[1:])):
        found = [each for line in lines_of(text) if (each := _FETCHED.fullmatch(line)) is not None]
        unread += [line for line in lines_of(text) if line.strip() and _FETCHED.fullmatch(line) is None][1:]
        rows = ([each[1], *("" if "nan" in cell.lower() else cell for cell in each[2].split())] for each in found)
        return csv_of_rows(["timestamp", *head[0].split()], rows)
    return None


def _of_programs(text: str, begins: re.Pattern[str], counter: Callable[[str], tuple[str, str] | None], unread: list[str]) -> str | None:
    """A row per line that begins a program; of one program alone, without its name."""
    programs: list[dict[str, str]] = []
    for line in lines_of(text):
        if (begun := begins.fullmatch(line)) is not None:
            programs.append({"program": begun[1], "granularity": "whole run"})
        elif programs and (found := counter(line)) is not None:
            programs[-1][found[0]] = found[1]
        elif _HAS_DIGIT.search(line):
            unread.append(line)
    if len(programs) == 1:
        programs = [{name: value for name, value in programs[0].items() if name not in ("program", "granularity")}]
    return csv_of_records(programs)


def _poop(line: str) -> tuple[str, str] | None:
    if (found := _OF_POOP.fullmatch(line)) is None:
        return None
    unit = found[3] or ""
    what = " [s]" if unit.endswith("s") else " [bytes]" if unit.endswith("B") else ""
    return f"{found[1]}{what}", f"{float(found[2]) * _SIZES[unit]:.12g}"


def _iai(line: str) -> tuple[str, str] | None:
    found = _OF_IAI.fullmatch(line)
    return (found[1], found[2]) if found is not None else None
