"""Small JSON files with a checksum: their last line is the SHA-256 of everything before it, checked before anything is parsed."""

import hashlib
import re

_KEY = b'"sha256": "'
_LAST = re.compile(rb'\n "sha256": "[0-9a-f]{64}"\n\}\Z')


def sealed(content: bytes) -> bytes:
    """`content`, an object in JSON with at least one member, with its sum as one more."""
    said = content.rstrip().removesuffix(b"}").rstrip() + b","
    return said + _last_line(said)


def opened(content: bytes) -> bytes:
    """`content` without its sum; as it is where it has none, being of before there were sums.

    Raises ValueError where it is not what was written.
    """
    if _KEY not in content:
        return content
    last = _LAST.search(content)
    if last is None or last[0] != _last_line(content[: last.start()]):
        raise ValueError("its sum is not the one that it was written with")
    return content[: last.start()].removesuffix(b",") + b"\n}"


def _last_line(said: bytes) -> bytes:
    return b'\n "sha256": "' + hashlib.sha256(said).hexdigest().encode() + b'"\n}'
