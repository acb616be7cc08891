"""What reading an upload may take of a worker's memory: a breach is a sentence, and the process works on."""

import os
import subprocess
import sys

import pyarrow as pa
import pytest

from hemcore.datasets.shelf import memory_bound
from hemcore.datasets.shelf.memory_bound import bounded
from hemcore.errors import ReadError

ASKS = """
import resource, numpy as np, pyarrow as pa
from hemcore.datasets.shelf.memory_bound import bound_this_process, bounded
from hemcore.errors import ReadError
before, pool = resource.getrlimit(resource.RLIMIT_DATA), pa.default_memory_pool().backend_name
bound_this_process()
for ask in (lambda size: np.zeros(size, dtype=np.uint8), pa.allocate_buffer):
    try:
        with bounded(1 << 20, "f.csv") as more:  # 4 MiB and 300 MiB more, of which 32 are for the code of libraries
            ask(250 << 20)
            print("small: given")
            more(25 << 20)
            ask(350 << 20)
            print("of more unpacked: given")
            ask(380 << 20)
    except ReadError as error:
        print(error)
assert (resource.getrlimit(resource.RLIMIT_DATA), pa.default_memory_pool().backend_name) == (before, pool)
np.zeros(600 << 20, dtype=np.uint8)
print("after: given")
"""

# What pandas' parser is refused is no wrong row.
PARSES = """
import numpy as np
from hemcore.datasets.importing.inspection import apply_unpacked
from hemcore.datasets.importing.recipe import ImportRecipe
from hemcore.datasets.readers.recognition import Unpacked
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import memory_bound
from hemcore.errors import ReadError
rows = b"".join(b"%d.5,%d,note %d\\n" % (row, row % 7, row % 9) for row in range(300_000))
files = [UploadedFile("f.csv", b"time,cycles,stage\\n" + rows)]
recipe = ImportRecipe()
apply_unpacked(recipe, Unpacked([UploadedFile("s.csv", b"time,cycles,stage\\n1,2,a\\n2,3,b\\n")]))
memory_bound.bound_this_process()
memory_bound.MOST_MORE, memory_bound._OF_CODE = 24 << 20, 0
try:
    with memory_bound.bounded(0, "f.csv"):
        apply_unpacked(recipe, Unpacked(files))
    print("read")
except ReadError as error:
    print(error)
with memory_bound.bounded(1 << 30, "f.csv"):
    print(len(apply_unpacked(recipe, Unpacked(files)).table.counts))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Linux says how much memory a process holds")
def test_a_breach_is_a_sentence_and_the_limit_ends() -> None:
    for_each = [
        "small: given",
        "of more unpacked: given",
        "f.csv: reading it takes more than 404 MiB of memory, the most for 26 MiB unpacked."
        " Send fewer rows or columns at once, in several uploads.",
    ]
    assert _said(ASKS) == [*for_each, *for_each, "after: given"]


@pytest.mark.skipif(sys.platform != "linux", reason="Linux says how much memory a process holds")
def test_a_table_that_takes_more_is_refused_and_read_where_there_is_more() -> None:
    refused, read = _said(PARSES)
    assert refused.startswith("f.csv: reading it takes more than 24 MiB of memory, the most for 0 MiB unpacked. Send fewer rows")
    assert read == "300000"


@pytest.mark.skipif(sys.platform != "linux", reason="Linux says how much memory a process holds")
def test_what_arrow_is_refused_is_a_breach_and_other_faults_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_bound, "_is_own", True)
    with pytest.raises(ReadError, match="f.csv: reading it takes more than"), bounded(1 << 40, "f.csv"):
        raise pa.ArrowException("Unknown error: Wrapping a text\nof two lines failed")
    with pytest.raises(pa.ArrowException, match="^Unknown error: another$"), bounded(1 << 40, "f.csv"):
        raise pa.ArrowException("Unknown error: another")


def test_what_has_happened_if_the_process_ends_is_told_before_memory_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    for name, value in (("_is_own", True), ("_last_words", told.append), ("_held", lambda: 1 << 50)):
        monkeypatch.setattr(memory_bound, name, value)
    with bounded(10 << 20, "f.zip") as more:
        more(1 << 19)  # a twentieth more is not worth a message
        more(1 << 20)
    assert told == [
        "f.zip: the process that read it ended, as one does that needs more than 340 MiB of memory, the most for 10 MiB unpacked."
        " Send fewer rows or columns at once, in several uploads.",
        "f.zip: the process that read it ended, as one does that needs more than 346 MiB of memory, the most for 12 MiB unpacked."
        " Send fewer rows or columns at once, in several uploads.",
        "",
    ]


def _said(script: str) -> list[str]:
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment)
    return done.stdout.splitlines()


def test_a_process_that_is_shared_is_not_bounded() -> None:
    with bounded(0, "f.csv"), pytest.raises(MemoryError):
        raise MemoryError
