"""A Python that has imported every room of analyses, neither streamlit nor plotly, and runs each program in a fork of itself."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Importing either raises.
BLOCKED = "import sys\nsys.modules.update(dict.fromkeys(('streamlit', 'plotly')))\n"
_FORKING = (
    BLOCKED
    + """
import json, os, traceback
from hemcore.registry import analyses_of, rooms
for room in rooms():
    analyses_of(room)
for line in sys.stdin:
    program, folder, data, errors = json.loads(line)
    if (child := os.fork()) == 0:
        os.environ['HEM_DATA_DIR'] = data
        os.chdir(folder)
        with open(errors, 'w') as sys.stderr:
            try:
                exec(compile(program, 'snippet', 'exec'), {'__name__': '__main__'})
                sys.stderr.flush()
                os._exit(0)
            except BaseException:
                traceback.print_exc()
                sys.stderr.flush()
                os._exit(1)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
)


@dataclass(frozen=True)
class Done:
    returncode: int
    stderr: str


class FreshPython:
    """No name, no working folder and no setting of one program is there for the next; what hemcore imports is."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(self, program: str, data: Path, folder: Path) -> Done:
        """data: the folder of the shelf; folder: where the program runs, in which errors.txt is written."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        errors = folder / "errors.txt"
        self._process.stdin.write(json.dumps([program, str(folder), str(data), str(errors)]) + "\n")
        self._process.stdin.flush()
        code = self._process.stdout.readline()
        assert code, "the Python that forks has ended"
        return Done(int(code), errors.read_text())


@contextlib.contextmanager
def fresh_python() -> Iterator[FreshPython]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", _FORKING], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as started:
        yield FreshPython(started)
        assert started.stdin is not None
        started.stdin.close()
