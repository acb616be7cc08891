"""Importing it adds the room `hemcore.trial` (rooms/trial beside this file): analyses made up for tests, in each way that one can go.

Workers import it first, because the tests name it in dask's own setting for that (see conftest.py); the program itself knows nothing of it.
"""

from pathlib import Path

import hemcore
from hemcore import registry
from hemcore.analysis import Analysis


def _trial() -> registry.Analyses:
    from hemcore.trial import analysis

    return [each for each in vars(analysis).values() if isinstance(each, Analysis)]


if "trial" not in registry.rooms():
    hemcore.__path__.append(str(Path(__file__).parent / "rooms"))
    registry.register(registry.Room(name="trial", analyses=_trial))
