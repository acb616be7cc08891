"""Importing it adds the room `hemcore.trial` (rooms/trial beside this file): analyses made up for tests, in each way that one can go.

Workers import it first, because the tests name it in dask's own setting for that (see conftest.py); the program itself knows nothing of it.
"""

from pathlib import Path

import hemcore
from hemcore import analysis

if analysis.rooms.__name__ == "rooms":
    _known = analysis.rooms
    hemcore.__path__.append(str(Path(__file__).parent / "rooms"))

    def _rooms_and_trial() -> tuple[str, ...]:
        return (*_known(), "trial")

    analysis.rooms = _rooms_and_trial  # type: ignore[assignment]
    analysis.analyses_of.cache_clear()
