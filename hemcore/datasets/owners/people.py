"""The people of a team's store: <base>/owners/<key>/owner.json, written when one signs in."""

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock

from hemcore.datasets.owners import whose
from hemcore.datasets.shelf.durable import put_in_place, reason
from hemcore.datasets.shelf.remembered import Remembered
from hemcore.errors import StoreError

FILE = "owner.json"
EVERYONE = "0" * 32  # the owner of what everyone may read
_MOST_ENDED = 200
_SEEN_AGAIN_S = 3600.0
_remembered: "Remembered[Person | None]" = Remembered()


@dataclass(frozen=True, kw_only=True)
class Person:
    """An owner. email: "" unless the provider vouches for it. groups: as of the last sign-in. seen: seconds since 1970.

    ended: marks of sign-ins that were ended by signing out, the last ones.
    """

    key: str
    name: str
    email: str = ""
    groups: tuple[str, ...] = ()
    first_seen: str = ""
    seen: float = 0.0
    ended: tuple[str, ...] = field(default=())

    @property
    def label(self) -> str:
        """The name, with the address where one is known."""
        return f"{self.name} ({self.email})" if self.email and self.email != self.name else self.name


def person(key: str, base: Path | None = None) -> Person | None:
    """The owner `key`; None if there is none. A damaged file is as none: it is written again at the next sign-in."""
    path = whose.folder_of(key, base) / FILE
    return _remembered.of(path, lambda: _read(path))


def all_people(base: Path | None = None) -> list[Person]:
    """Every owner, by name; not the one of what everyone may read."""
    place = (whose.base() if base is None else base) / whose.OWNERS
    keys = [each.name for each in place.iterdir()] if place.is_dir() else []
    found = [each for key in keys if len(key) == len(EVERYONE) and (each := person(key, base)) is not None]
    return sorted((each for each in found if each.key != EVERYONE), key=lambda each: (each.name.lower(), each.key))


def signed_in(key: str, *, name: str, email: str, groups: Iterable[str], base: Path | None = None) -> Person:
    """Note that the owner is here: makes the folder at first, then writes what has changed. Raises StoreError as the store does."""
    known = person(key, base)
    now = Person(key=key, name=name, email=email, groups=tuple(sorted(set(groups))))
    if known is not None:
        now = replace(now, first_seen=known.first_seen, ended=known.ended, seen=known.seen)
        if now == known and time.time() - known.seen < _SEEN_AGAIN_S:
            return known
    else:
        now = replace(now, first_seen=datetime.now(UTC).isoformat(timespec="seconds"))
    return _changed(key, base, lambda stored: replace(now, seen=time.time(), ended=() if stored is None else stored.ended))


def end_sign_in(key: str, mark: str, base: Path | None = None) -> None:
    """The sign-in with this mark is over, in every window and at every server of this store."""
    if person(key, base) is not None:
        _changed(
            key, base, lambda stored: replace(stored or _unknown(key), ended=((stored.ended if stored else ()) + (mark,))[-_MOST_ENDED:])
        )


def _changed(key: str, base: Path | None, change: Callable[[Person | None], Person]) -> Person:
    folder = whose.folder_of(key, base)
    try:
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        with FileLock(folder / f"{FILE}.lock", mode=0o600):
            made = change(_read(folder / FILE))
            put_in_place(folder / FILE, json.dumps(asdict(made), indent=1).encode())
    except OSError as error:
        raise StoreError(f"Could not make the folder of {key[:8]} in {folder.parent}: {reason(error)}. Is it writable?") from None
    return made


def _unknown(key: str) -> Person:
    return Person(key=key, name=key[:8])


def _read(path: Path) -> Person | None:
    try:
        values = json.loads(path.read_bytes())
        return Person(**{**values, "groups": tuple(values["groups"]), "ended": tuple(values["ended"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None
