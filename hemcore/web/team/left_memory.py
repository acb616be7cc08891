"""Memory that is free, given back to the machine: while people work, and once they have left.

Streamlit keeps the session of who left for two minutes, in case the browser comes back, but drops it only when the next one leaves: after
the last one of a day all stay. And the C library keeps what is free between what is not, most of it in one heap per thread; so does Arrow.

Holds for the version in requirements.txt; a test fails if another one works in another way.
"""

import asyncio
import ctypes
import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

from streamlit.runtime.runtime import Runtime

_EVERY_S = 30.0
_TRIMMED_EVERY = 4  # looks; a trim holds up the server for some hundredths of a second
# Parameters of mallopt (malloc.h), and what they are set to.
_TRIM, _MAP, _HEAPS = -1, -3, -8
_LARGE, _FEW = 2**20, 2


def few_heaps() -> bool:
    """Have this process share two heaps among its threads, and give large blocks back when they are freed; whether it can (glibc)."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and all(mallopt(*each) for each in ((_HEAPS, _FEW), (_MAP, _LARGE), (_TRIM, _LARGE)))


def drop_expired(storage: Any) -> int:
    """Drop the sessions whose time is up; how many. storage: Streamlit's, in the thread of its event loop."""
    return len(storage._cache.expire())


def give_back() -> None:
    """Collect what no one holds and return free memory to the machine, which takes a few tenths of a second."""
    gc.collect()
    trim()


def trim() -> None:
    """Return free memory to the machine, of the C library (glibc) and of Arrow where it is in use."""
    if (arrow := sys.modules.get("pyarrow")) is not None:
        arrow.default_memory_pool().release_unused()
    trim_heaps = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim_heaps is not None:
        trim_heaps(0)


@asynccontextmanager
async def looked_after(app: object) -> AsyncIterator[None]:
    """While the server runs: free memory is given back every two minutes; what people who left have used, within half a minute after their
    time is up."""
    work = asyncio.create_task(_look())
    try:
        yield
    finally:
        work.cancel()


async def _look() -> None:
    for looks in count(1):
        await asyncio.sleep(_EVERY_S)
        if drop_expired(Runtime.instance()._session_mgr._session_storage):  # type: ignore[attr-defined]
            await asyncio.to_thread(give_back)
        elif looks % _TRIMMED_EVERY == 0:
            await asyncio.to_thread(trim)
