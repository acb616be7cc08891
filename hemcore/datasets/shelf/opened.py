"""When something of an owner was last opened: a time of its file or folder, which retention goes by."""

import os
import time
from contextlib import suppress
from pathlib import Path

from hemcore.datasets.owners import whose

_OFTEN_S = 3600


def set_opened(path: Path, root: Path, *, read: bool = False) -> None:
    """Note that `path`, of the store `root`, was opened now; at most once an hour, and for one user's store not at all.

    read: as the time of the last reading, where the time of the last change has another use.
    """
    if not whose.key_at(root):
        return
    with suppress(OSError):
        found, now = path.stat(), time.time()
        if now - (found.st_atime if read else found.st_mtime) > _OFTEN_S:
            os.utime(path, (now, found.st_mtime if read else now))
