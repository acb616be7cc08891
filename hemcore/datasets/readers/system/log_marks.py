"""What others put around the lines of a tool: colours, a container's log, the number of a task, a stamp or name before each line."""

import json
import re
from collections.abc import Iterable

# Colours and such, of terminals.
_ESCAPE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\))")
# Of containers: {"log": "a line\n", "stream": "stderr", "time": "2024-05-06T10:00:00.1Z"}
_CONTAINER = re.compile(rb'\{"log": ?"(?:[^"\\]|\\.)*", ?"stream": ?"std(?:out|err)"')
# What srun -l, mpirun --tag-output and ctest put before each line of a task.
_TASK = re.compile(rb"^(?:[ ]*(\d{1,6}):(?:[ ]|$)|\[(\d+,\d+|[\w.-]+,\d+)\]<std(?:out|err)>:[ ]?)", re.MULTILINE)
_OF_TASKS = re.compile(rb"Performance counter stats for |^[^\n]{0,80}[,;]\d+[,;]\d{1,3}\.\d\d(?:[,;]|$)", re.MULTILINE)
# Words that only perf and LIKWID begin a line with, behind a mark: "2024-05-06T10:00:00Z ", "bench_1  | ", "INFO: ".
_MARKED = re.compile(
    rb"^([ ]*[\w\[(<][^\n{\"']{0,120}?)[ ]*"
    rb"(?:Performance counter stats for |# +time +counts unit events|TABLE,Group \d|\+-{4,}\+-{4,}\+)",
    re.MULTILINE,
)
# One of these is in what _MARKED finds; looking for them is far quicker.
_WORDS = (b"Performance counter stats for ", b"counts unit events", b"TABLE,Group ", b"+----")
_MOST = 32 << 20  # the lines are held one by one
_HEAD, _FEWEST = 1 << 16, 3


def without_marks(content: bytes) -> bytes:
    """`content` without what was put around its lines; as it is where nothing was, and where it is larger than 32 MiB.

    Only the output of perf stat and LIKWID loses the marks of its lines; that of several tasks comes task by task, behind the lines that
    have no mark.
    """
    if len(content) > _MOST:
        return content
    if _CONTAINER.match(content) is not None:
        content = _out_of_container(content)
    head = content[:_HEAD]
    if b"\x1b" in head:
        content = _ESCAPE.sub(b"", content)
        head = content[:_HEAD]
    if _TASK.match(head) is not None and _OF_TASKS.search(head) is not None and (tasks := _task_by_task(content)):
        return tasks
    found = _MARKED.search(head) if any(word in head for word in _WORDS) else None
    return content if found is None else _unmarked(content, found[1])


def _out_of_container(content: bytes) -> bytes:
    """What was printed, with the time before each line unless it is a tool's own, which has its times; `content` where a line is odd."""
    try:
        lines = [json.loads(line) for line in content.splitlines() if line.strip()]
        printed = "".join(line["log"] for line in lines).encode()
        if printed.lstrip()[:1] == b"{" or _OF_TASKS.search(printed[:_HEAD]) is not None:
            return printed
        return "".join(f"{line['time']} {line['log']}" for line in lines).encode()
    except (ValueError, KeyError, TypeError, RecursionError):
        return content


def _task_by_task(content: bytes) -> bytes:
    """The lines of tasks, each marked with its number, task by task and without the marks; b"" where a line has none, or all one number."""
    tasks = _tasks([line for line in content.replace(b"\r\n", b"\n").split(b"\n") if line.strip()], _TASK)
    if b"" in tasks:
        return b""
    order = sorted(tasks, key=lambda task: (len(task), task))
    return b"\n".join(line for task in order for line in (*tasks[task], b"")) if len(tasks) > 1 else b""


def _unmarked(content: bytes, mark: bytes) -> bytes:
    """The lines without `mark`, whatever its numbers are; of marks that are the number of a task, the tasks one after the other. As it is
    where fewer than three lines have it."""
    text = b"".join(rb"\d+" if part.isdigit() else re.escape(part) for part in re.split(rb"(\d+)", mark.rstrip()))
    pattern = re.compile(rb"^" + text + rb"(?:[ ]|(?=\r?$))", re.MULTILINE)
    if len(pattern.findall(content)) < _FEWEST:
        return content
    if _TASK.fullmatch(mark.rstrip() + b" ") is None:
        return pattern.sub(b"", content)
    tasks = _tasks(content.rstrip(b"\n").split(b"\n"), pattern)
    return b"\n".join([*tasks.pop(b"", ()), *(line for lines in tasks.values() for line in lines), b""])


def _tasks(lines: Iterable[bytes], mark: re.Pattern[bytes]) -> dict[bytes, list[bytes]]:
    """The lines of each task without their mark, by its group or, where it has none, by all of it; by b"" those that have no mark."""
    tasks: dict[bytes, list[bytes]] = {}
    for line in lines:
        found = mark.match(line)
        task = b"" if found is None else next(filter(None, found.groups()), found[0])
        tasks.setdefault(task, []).append(line[found.end() if found else 0 :])
    return tasks
