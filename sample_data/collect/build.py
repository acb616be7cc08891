"""Compiles the sample programs, each in two forms: whole (no callback) and phased (a callback at every basic block)."""

import hashlib
import re
import subprocess
import tempfile
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

COLLECT = Path(__file__).parent
BUILD = COLLECT / "build"
_DAY = "request_server_day"

_RUNTIME = (COLLECT / "runtime" / "hem.h", COLLECT / "runtime" / "hem_runtime.c")
_RUNTIME_FLAGS = ["-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fno-pie"]
_PROGRAM_FLAGS = [
    *_RUNTIME_FLAGS,
    "-ffreestanding",
    "-fno-builtin",
    "-fno-math-errno",
    "-ffp-contract=off",
    "-fno-tree-loop-distribute-patterns",
    "-fcf-protection=none",
    "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables",
]


class CollectError(RuntimeError):
    """The collection cannot go on; the message says why and what to do."""


@dataclass(frozen=True)
class Program:
    """A sample program: `name`, its `domain` ("long_programs" for the staged ones), its source file and further `flags` of the compiler."""

    name: str
    domain: str
    source: Path
    flags: tuple[str, ...] = ()

    def executable(self, *, phased: bool) -> Path:
        return BUILD / "bin" / (f"{self.name}.phased" if phased else f"{self.name}.whole")

    @property
    def sources(self) -> list[Path]:
        """Its file, the program that it includes, if it does ("request_server.c"), and the runtime."""
        included = re.findall(r'^#include "(\w+\.c)"$', self.source.read_text(), flags=re.MULTILINE)
        return [self.source, *(self.source.with_name(name) for name in included), *_RUNTIME]

    @cached_property
    def fingerprint(self) -> str:
        """Changes with the sources and the flags: readings of what the program was before are not its readings."""
        digest = hashlib.sha256(repr((_RUNTIME_FLAGS, [*_PROGRAM_FLAGS, *self.flags])).encode())
        for path in self.sources:
            digest.update(path.read_bytes())
        return f"{self.name}-{digest.hexdigest()[:12]}"


def short_programs() -> list[Program]:
    """The programs of the eight domains, by domain and name."""
    return [Program(path.stem, path.parent.name, path) for path in sorted((COLLECT / "programs").glob("*/*.c"))]


def phase_programs() -> list[Program]:
    """The programs that are cut into phases: the request server's day, then the short ones. The pages ask about
    the first."""
    return [replace(request_server_day(), domain="miscellaneous"), *short_programs()]


def long_programs() -> list[Program]:
    """The staged programs that the series are read from: the request server's day, then the others by name."""
    others = [program for program in _long() if program.name not in ("request_server", _DAY)]
    return [request_server_day(), *others]


def request_server() -> Program:
    """The program whose whole runs are the subexperiments."""
    return next(program for program in _long() if program.name == "request_server")


def request_server_day() -> Program:
    """The same server with requests that change with the hour: its series, and its phases among those of the short programs."""
    return next(program for program in _long() if program.name == _DAY)


@cache
def _long() -> list[Program]:
    return [Program(path.stem, path.parent.name, path) for path in sorted((COLLECT / "long_programs").glob("*.c"))]


def build(program: Program) -> None:
    """Compile both forms of `program` where the sources are newer than they are."""
    runtime = COLLECT / "runtime"
    newest = max(path.stat().st_mtime for path in (*program.sources, Path(__file__)))
    for phased in (False, True):
        executable = program.executable(phased=phased)
        if executable.exists() and executable.stat().st_mtime > newest:
            continue
        executable.parent.mkdir(parents=True, exist_ok=True)
        callback = ["-fsanitize-coverage=trace-pc"] if phased else []
        with tempfile.TemporaryDirectory(dir=executable.parent) as folder:  # two processes may build the same
            objects = [Path(folder) / "runtime.o", Path(folder) / "program.o"]
            _run(["gcc", *_RUNTIME_FLAGS, f"-I{runtime}", "-c", str(runtime / "hem_runtime.c"), "-o", str(objects[0])])
            _run(["gcc", *_PROGRAM_FLAGS, *program.flags, *callback, f"-I{runtime}", "-c", str(program.source), "-o", str(objects[1])])
            _refuse_libc(objects[1], program)
            linked = Path(folder) / executable.name
            _run(["gcc", "-static", "-no-pie", *map(str, objects), "-o", str(linked)])
            linked.replace(executable)


def build_stream() -> Path:
    """Compile the load program and return its executable."""
    executable = BUILD / "bin" / "stream"
    executable.parent.mkdir(parents=True, exist_ok=True)
    _run(["gcc", "-O2", "-Wall", "-Wextra", "-Werror", str(COLLECT / "load" / "stream.c"), "-o", str(executable)])
    return executable


def toolchain() -> dict[str, str]:
    """The versions of what the counts depend on: gcc, glibc (its start-up code shares the executable) and valgrind."""
    return {
        "gcc": _run(["gcc", "--version"]).splitlines()[0],
        "glibc": _run(["ldd", "--version"]).splitlines()[0],
        "valgrind": _run(["valgrind", "--version"]).strip(),
    }


def _refuse_libc(object_file: Path, program: Program) -> None:
    undefined = [line.split()[-1] for line in _run(["nm", "-u", str(object_file)]).splitlines()]
    foreign = [name for name in undefined if not name.startswith(("hem_", "__sanitizer_cov_trace_pc"))]
    if foreign:
        raise CollectError(f"{program.source}: calls {', '.join(foreign)}; a sample program uses nothing but hem.h, so that counts repeat.")


def _run(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise CollectError(f"{command[0]} is not installed. On Debian or Ubuntu: apt-get install gcc libc6-dev valgrind") from None
    if done.returncode:
        raise CollectError(f"{' '.join(command)} failed:\n{done.stderr}")
    return done.stdout
