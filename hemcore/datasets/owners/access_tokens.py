"""Tokens: what a program shows the server where a person signs in. Made by an owner, shown once, kept as a hash.

    <base>/tokens/<SHA-256 of the token>.json      one token; without the file it has ended, at once

A token has 256 random bits, so that a plain hash of it tells nothing, and no number of tries finds one.
"""

import hashlib
import json
import re
import secrets
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hemcore.datasets.owners import audit_log, whose
from hemcore.datasets.shelf.durable import put_in_place, reason
from hemcore.errors import ParameterError, StoreError, UnknownNameError

PREFIX = "hem_"
MOST = 50  # of one owner
DAYS = (30, 90, 365)
_TEXT = re.compile(rf"{PREFIX}[\w-]{{43}}", re.ASCII)
_ID = re.compile(r"[0-9a-f]{64}")
_LONGEST_NAME = 60


@dataclass(frozen=True, kw_only=True)
class Token:
    """id: SHA-256 of the token, 64 hex digits. owner: a key; "" of one user's store. name: for people. made, expires: ISO 8601, UTC."""

    id: str
    owner: str
    name: str
    made: str
    expires: str

    @property
    def is_over(self) -> bool:
        """Whether its time is up."""
        return datetime.fromisoformat(self.expires) <= datetime.now(UTC)


def make(root: Path, name: str, days: int = 90) -> str:
    """A new token of the owner whose store `root` is; it cannot be had again. days: as long it is good for, 1 to 365.

    Raises ParameterError for a blank name, other days and more than MOST tokens, StoreError if the disk does not take it.
    """
    name = " ".join(name.split())[:_LONGEST_NAME]
    if not name:
        raise ParameterError("name: it is blank. Say what the token is for, such as the name of a job or a machine.")
    if not 1 <= days <= DAYS[-1]:
        raise ParameterError(f"days: {days} is out of bounds; a token is good for 1 to {DAYS[-1]} days.")
    if len(owned(root)) >= MOST:
        raise ParameterError(f"You have {MOST} tokens, and no more are allowed. End one that is not used any more.")
    text, now = PREFIX + secrets.token_urlsafe(32), datetime.now(UTC)
    made, expires = (each.isoformat(timespec="seconds") for each in (now, now + timedelta(days=days)))
    token = Token(id=_id_of(text), owner=whose.key_at(root), name=name, made=made, expires=expires)
    folder = _folder(whose.base_at(root))
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        put_in_place(folder / f"{token.id}.json", json.dumps(asdict(token), indent=1).encode())
    except OSError as error:
        raise StoreError(f"The token could not be kept in {folder}: {reason(error)}. Is the folder writable?") from None
    audit_log.note("token.make", token.id, at=root)
    return text


def owned(root: Path) -> list[Token]:
    """The tokens of the owner whose store `root` is, those whose time is up too, the newest first; may be empty."""
    folder = _folder(whose.base_at(root))
    found = [_read(path) for path in folder.glob("*.json")] if folder.is_dir() else []
    mine = [each for each in found if each is not None and each.owner == whose.key_at(root)]
    return sorted(mine, key=lambda each: (each.made, each.id), reverse=True)


def end(root: Path, id: str) -> None:
    """End a token of the owner at `root`, at once. Raises UnknownNameError if they have none of that id."""
    if id not in {each.id for each in owned(root)}:
        raise UnknownNameError(f"token {id[:8]!r}: you have none of that name. It may have ended already.")
    (_folder(whose.base_at(root)) / f"{id}.json").unlink(missing_ok=True)
    audit_log.note("token.end", id, at=root)


def root_of(text: str, base: Path | None = None) -> Path | None:
    """The store's folder of the owner whose token `text` is; None for none, one that has ended or whose time is up."""
    base = whose.base() if base is None else base
    token = _read(_folder(base) / f"{_id_of(text)}.json") if _TEXT.fullmatch(text) else None
    if token is None or token.is_over:
        return None
    if not token.owner:  # of the one user who was here before there were owners
        return None if whose.has_owners() else base
    return whose.folder_of(token.owner, base)


def _id_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _folder(base: Path) -> Path:
    return base / "tokens"


def _read(path: Path) -> Token | None:
    try:
        token = Token(**json.loads(path.read_bytes()))
        datetime.fromisoformat(token.expires)
    except (OSError, ValueError, TypeError):
        return None
    whole = all(isinstance(each, str) for each in asdict(token).values()) and datetime.fromisoformat(token.expires).tzinfo is not None
    return token if whole and token.id == path.stem and _ID.fullmatch(token.id) else None
