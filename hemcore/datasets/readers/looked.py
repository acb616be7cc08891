"""What an upload is before it is read: the formats that fit, and what each of its files is by itself."""

from collections.abc import Sequence
from dataclasses import dataclass

from hemcore.datasets.readers.recognition import Match, recognise, taken_for, why_not_recognised
from hemcore.datasets.readers.uploaded_files import UploadedFile, expand
from hemcore.errors import ReadError

_LISTED = 200


@dataclass(frozen=True, kw_only=True)
class Recognised:
    """What an upload was taken for. matches: the formats that fit, the likeliest first. files: (name, what it is by itself) of each file.

    fault: the sentence of why not; "" where a format fits. unpacked: whether it could be opened, so that a format can be chosen.
    """

    matches: tuple[Match, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    fault: str = ""
    unpacked: bool = True


def inspect_upload(files: Sequence[UploadedFile]) -> Recognised:
    """What `files` are; of more than 200, the first are listed. Never raises for what is in them."""
    try:
        parts = expand(files)
    except ReadError as error:
        return Recognised(fault=str(error), unpacked=False)
    matches = tuple(recognise(parts))
    alone = taken_for(parts[:_LISTED]) if len(parts) > 1 else []
    listed = tuple((part.name, title or "not recognised by itself") for part, title in zip(parts, alone, strict=False))
    if len(parts) > _LISTED:
        listed = (*listed, (f"and {len(parts) - _LISTED:,} more", ""))
    return Recognised(matches=matches, files=listed, fault="" if matches else why_not_recognised(parts))
