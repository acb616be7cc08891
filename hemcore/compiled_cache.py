"""Where numba keeps what it compiled: beside the code, else in the user's cache folder, else where temporary files are.

numba looks for a place itself, but fails where neither the package's folder nor the home folder can be written, as in a container
that is read-only.
"""

import os
import sys
import tempfile
from collections.abc import MutableMapping
from pathlib import Path

VARIABLE = "NUMBA_CACHE_DIR"


def choose(package: Path, environment: MutableMapping[str, str] = os.environ) -> None:
    """Name the folder in `environment`, before numba is imported, where `package` cannot be written and nobody named one.

    An absolute XDG_CACHE_HOME is the user's cache folder, else ~/.cache. Raises nothing.
    """
    if environment.get(VARIABLE) or os.access(package, os.W_OK):
        return
    cache = environment.get("XDG_CACHE_HOME", "")
    places = [Path(cache) if os.path.isabs(cache) else Path(os.path.expanduser("~")) / ".cache", Path(tempfile.gettempdir())]
    for place in places:
        # Other users must not put code here: each has a folder of their own.
        folder = place / (f"hem-workbench-{os.getuid()}" if hasattr(os, "getuid") else "hem-workbench")
        if _is_own(folder):
            environment[VARIABLE] = str(folder)
            numba = sys.modules.get("numba")
            if numba is not None:  # imported before us: it has read the environment already
                numba.config.CACHE_DIR = str(folder)
            return


def _is_own(folder: Path) -> bool:
    """Whether `folder` is there, or could be made, is nobody else's and can be written."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = folder.lstat()
    except OSError:
        return False
    owned = not hasattr(os, "getuid") or (state.st_uid == os.getuid() and not state.st_mode & 0o022)
    return owned and not folder.is_symlink() and os.access(folder, os.W_OK)
