"""What an owner lets others read: a dataset, or a report with its datasets, for a person, a group, or whoever has the link.

    <base>/shares/<id>.json              one share; without the file it has ended, at once
    <base>/owners/<key>/claimed/<id>     a link that this owner has opened

What is shared stays where it is: receivers read it there and cannot change it.
"""

import json
import os
import re
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from hemcore.datasets.owners import audit_log, people, whose
from hemcore.datasets.shelf.durable import put_in_place, reason
from hemcore.datasets.shelf.remembered import Remembered
from hemcore.errors import ParameterError, StoreError, UnknownNameError

_ID = re.compile(r"[0-9a-f]{32}")
_WHICH = re.compile(r"[0-9a-f]{32}|[0-9a-f]{64}")
PERSON, GROUP, LINK = "person", "group", "link"
NOTHING = "This link opens nothing for you: what it names does not exist, is no longer shared, or never was. Ask who sent it."


@dataclass(frozen=True, kw_only=True)
class Share:
    """kind: "dataset" or "report"; which: its id; datasets: the ids that it lets others read. owner: the key of who shares; name: of them.

    to: PERSON with the key of one, GROUP with its name, or LINK with "". since: ISO 8601, UTC.
    """

    id: str
    kind: str
    which: str
    datasets: tuple[str, ...]
    owner: str
    name: str
    to: str
    receiver: str
    since: str


_remembered: Remembered[Share | None] = Remembered()


def share(root: Path, *, kind: str, which: str, datasets: Iterable[str], to: str, receiver: str = "") -> Share:
    """Share what is on the shelf `root`. Raises ParameterError for what cannot be shared, StoreError if the disk does not take it.

    Of `datasets`, those that the owner has are shared: samples everyone has, and what was shared with the owner is not theirs to pass on.
    """
    owner = whose.key_at(root)
    who = people.person(owner, whose.base_at(root))
    if who is None or kind not in ("dataset", "report") or to not in (PERSON, GROUP, LINK) or not _WHICH.fullmatch(which):
        raise ParameterError(f"share: a {kind} {which[:8]} cannot be shared with a {to}. Choose one of your own on its page.")
    if to == PERSON and (receiver == owner or people.person(receiver, whose.base_at(root)) is None):
        raise ParameterError("person: no one else of that name has signed in here. Ask them to sign in once, or share by link.")
    if to == GROUP and receiver not in who.groups:
        raise ParameterError(f"group: you are not in {receiver[:60]!r}. Choose one of yours: {', '.join(who.groups) or 'you are in none'}.")
    own = tuple(id for id in dict.fromkeys(datasets) if (root / "datasets" / id).is_dir() and _WHICH.fullmatch(id))
    made = Share(
        id=secrets.token_hex(16),
        kind=kind,
        which=which,
        datasets=own,
        owner=owner,
        name=who.label,
        to=to,
        receiver=receiver,
        since=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    folder = whose.base_at(root) / "shares"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        put_in_place(folder / f"{made.id}.json", json.dumps(asdict(made), indent=1).encode())
    except OSError as error:
        raise StoreError(f"It could not be shared in {folder}: {reason(error)}. Is the folder writable?") from None
    audit_log.note(f"share.{to}", which, at=root)
    return made


def revoke(root: Path, id: str) -> None:
    """End a share of the owner at `root`. Raises UnknownNameError if they have none of that id."""
    if id not in {each.id for each in given(root)}:
        raise UnknownNameError(f"share {id[:8]!r}: you have none of that name. It may have ended already.")
    (whose.base_at(root) / "shares" / f"{id}.json").unlink(missing_ok=True)
    audit_log.note("share.revoke", id, at=root)


def given(root: Path) -> list[Share]:
    """What the owner at `root` shares, the newest first."""
    owner = whose.key_at(root)
    return sorted((each for each in _all(whose.base_at(root)) if each.owner == owner), key=lambda each: each.since, reverse=True)


def received(root: Path) -> list[Share]:
    """What others share with the owner at `root`; empty for one user's store."""
    key, base = whose.key_at(root), whose.base_at(root)
    if not key:
        return []
    who = people.person(key, base)
    groups = () if who is None else who.groups
    claimed = {path.name for path in (root / "claimed").iterdir()} if (root / "claimed").is_dir() else set()
    reaches = {PERSON: {key}, GROUP: set(groups)}
    found = [
        each
        for each in _all(base)
        if each.owner != key and (each.id in claimed if each.to == LINK else each.receiver in reaches.get(each.to, ()))
    ]
    return [*found, *_everyones(base, key)]


def claim(root: Path, id: str) -> Share:
    """Open a link: from now on the owner at `root` receives what it shares. Raises UnknownNameError (NOTHING) if there is nothing."""
    found = _read(whose.base_at(root) / "shares" / f"{id}.json") if _ID.fullmatch(id) else None
    mine = found is not None and (found.owner == whose.key_at(root) or found.id in {each.id for each in received(root)})
    if found is None or not (mine or found.to == LINK):
        raise UnknownNameError(NOTHING)
    if not mine:
        try:
            (root / "claimed").mkdir(mode=0o700, exist_ok=True)
            (root / "claimed" / id).touch()
        except OSError as error:
            raise StoreError(f"The link could not be kept in {root}: {reason(error)}. Is the folder writable?") from None
        audit_log.note("share.claim", id, at=root)
    return found


def dataset_folders(root: Path) -> dict[str, tuple[Path, Share]]:
    """The folders of the datasets that others share with the owner at `root`, by id."""
    base = whose.base_at(root)
    places = {}
    for each in received(root):
        for id in each.datasets:
            folder = whose.folder_of(each.owner, base) / "datasets" / id
            if id not in places and folder.is_dir():
                places[id] = folder, each
    return places


def report_shares(root: Path) -> dict[str, tuple[Path, Share]]:
    """The folders of reports that others share with the owner at `root`, by the report's id."""
    shared = [each for each in received(root) if each.kind == "report"]
    return {each.which: (whose.folder_of(each.owner, whose.base_at(root)) / "reports", each) for each in shared}


def _everyones(base: Path, key: str) -> Iterator[Share]:
    """What was there before there were owners, if it was given to everyone."""
    folder = whose.folder_of(people.EVERYONE, base)
    who = people.person(people.EVERYONE, base)
    if who is None or key == people.EVERYONE:
        return
    for kind, place in (("dataset", "datasets"), ("report", "reports")):
        for path in (folder / place).iterdir() if (folder / place).is_dir() else ():
            which = path.name.removesuffix(".json")
            if _WHICH.fullmatch(which):
                datasets = (which,) if kind == "dataset" else ()
                yield Share(
                    id=which[:32], kind=kind, which=which, datasets=datasets, owner=people.EVERYONE, name="everyone", to=GROUP,
                    receiver="", since=who.first_seen,
                )  # fmt: skip


def _all(base: Path) -> list[Share]:
    folder = base / "shares"
    names = os.listdir(folder) if folder.is_dir() else []
    paths = [folder / name for name in names if _ID.fullmatch(name[:-5])]
    found = [_remembered.of(path, partial(_read, path)) for path in paths]
    return [each for each in found if each is not None]


def _read(path: Path) -> Share | None:
    try:
        values = json.loads(path.read_bytes())
        made = Share(**{**values, "datasets": tuple(values["datasets"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return made if made.id == path.stem and _WHICH.fullmatch(made.which) and len(made.owner) == 32 else None
