"""What reading an upload may take of a worker's memory: a breach is a sentence, and the process works on."""

import os
import subprocess
import sys

import pytest

from hemcore.datasets.shelf.memory_bound import bounded

ASKS = """
import resource, numpy as np
from hemcore.datasets.shelf.memory_bound import bound_this_process, bounded
from hemcore.errors import ReadError
before = resource.getrlimit(resource.RLIMIT_DATA)
bound_this_process()
try:
    with bounded(1 << 20, "f.csv"):  # 10 MiB and 512 MiB more
        np.zeros(400 << 20, dtype=np.uint8)
        print("small: given")
        np.zeros(600 << 20, dtype=np.uint8)
except ReadError as error:
    print(error)
assert resource.getrlimit(resource.RLIMIT_DATA) == before
np.zeros(600 << 20, dtype=np.uint8)
print("after: given")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Linux says how much memory a process holds")
def test_a_breach_is_a_sentence_and_the_limit_ends() -> None:
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", ASKS], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.splitlines() == [
        "small: given",
        "f.csv: reading it takes more than 522 MiB of memory, the most for 1 MiB unpacked. Send fewer rows or columns at once.",
        "after: given",
    ]


def test_a_process_that_is_shared_is_not_bounded() -> None:
    with bounded(0, "f.csv"), pytest.raises(MemoryError):
        raise MemoryError
