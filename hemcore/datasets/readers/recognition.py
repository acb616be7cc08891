"""Which format files are of, told by their first lines; and reading them as that."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hemcore.datasets.readers import csv_text
from hemcore.datasets.readers.formats import FORMATS, Format, ReadOptions, ReadResult, format_of
from hemcore.datasets.readers.perf.refusals import why_not_perf
from hemcore.datasets.readers.series import cumulative_csv, powmon_series
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import HemError, ReadError

_NAMED = 5


@dataclass(frozen=True, kw_only=True)
class Match:
    """A format that fits: its key, how well it fits (0 to 1) and why. Plain data, so that a page can keep it.

    asks: of the likeliest, why the format must be chosen although this one fits, a sentence; "" where nothing is in doubt.
    """

    key: str
    score: float
    why: str
    asks: str = ""

    @property
    def format(self) -> Format:
        """The format itself."""
        return format_of(self.key)


def recognise(files: Sequence[UploadedFile]) -> list[Match]:
    """The formats that the files can be of, the likeliest first; empty when none fits. Never raises for what is in the files.

    A pure function of names and bytes: a page may keep the answer under files.files_id.
    """
    matches = _matches(files)
    if matches and matches[0].key == "series_wide":
        matches[0] = replace(matches[0], asks=cumulative_csv.doubt(files))
    return matches


def _matches(files: Sequence[UploadedFile]) -> list[Match]:
    """As `recognise`, without what must be asked."""
    matches = []
    for each in FORMATS:
        try:
            score, why = each.sniff(files)
        except HemError:
            continue
        if score > 0:
            matches.append(Match(key=each.key, score=score, why=why))
    return sorted(matches, key=lambda match: -match.score)


def read_upload(files: Sequence[UploadedFile], *, format_key: str | None = None, options: ReadOptions | None = None) -> ReadResult:
    """Read unpacked `files` as the format `format_key`, or as what is recognised.

    Raises ReadError when no format fits (as why_not_recognised says), there is none of that key or the format must be chosen
    (Match.asks), and what the format's reader raises.
    """
    options = options or ReadOptions()
    if format_key is not None:
        return format_of(format_key).read(files, options)
    matches = recognise(files)
    if not matches:
        raise ReadError(why_not_recognised(files))
    if matches[0].asks:
        raise ReadError(matches[0].asks)
    return matches[0].format.read(files, options)


def why_not_recognised(files: Sequence[UploadedFile]) -> str:
    """Why `files`, which no format fits together, are not recognised: what is wrong with a file, or what each is by itself."""
    title_of = taken_for(files)
    strange = [file for file, title in zip(files, title_of, strict=True) if title is None]
    if len(strange) == len(files):
        perf = next((said for file in files if (said := why_not_perf(file)) is not None), None)
        if perf is not None:
            return perf
        if len(files) == 1:
            try:
                csv_text.header_of(files[0].name, files[0].content)
            except ReadError as error:
                return str(error)
        known = ", ".join(each.title for each in FORMATS)
        return f"{'; '.join(_faults(files))}. What can be read: {known}. Choose the format to see why not."
    rest = [file for file, title in zip(files, title_of, strict=True) if title is not None]
    together = recognise(rest) if strange else []
    if together:
        kinds = {_in_words(together[0]): [file.name for file in rest]}
    else:
        kinds = {title: [f.name for f, t in zip(files, title_of, strict=True) if t == title] for title in title_of if title is not None}
    said = "; ".join(f"{_some(names)} {'is' if len(names) == 1 else 'are'} {title}" for title, names in kinds.items())
    if not strange:
        choose = " Where all are of one format, choose it." if all(title.startswith("a series") for title in kinds) else ""
        return f"{said}: upload them separately.{choose}"
    names = _some([file.name for file in strange])
    remedy = f"Leave out {names}, or choose the format." if together else f"Upload them separately, without {names}."
    return f"{'; '.join(_faults(strange))}. {said}. {remedy}"


def taken_for(files: Sequence[UploadedFile]) -> list[str | None]:
    """What each file is by itself, in words; None where nothing recognises it. What belongs to a log counts as one beside a log."""
    matches = [_matches([file]) for file in files]
    found = [_in_words(match[0]) if match else None for match in matches]
    log = next((_in_words(match[0]) for match in matches if match and match[0].key == "cortex_a15_log"), None)
    if log is not None:
        found = [log if powmon_series.belongs_to_logs(file) else title for file, title in zip(files, found, strict=True)]
    return found


def _in_words(match: Match) -> str:
    return f"a {match.format.title}" if match.format.title.startswith("series") else match.format.title


def _faults(files: Sequence[UploadedFile]) -> list[str]:
    """What is wrong with each of the first `files`, after its name; none of them is recognised."""
    faults = []
    for file in files[:_NAMED]:
        fault = "not recognised"
        try:
            csv_text.header_of(file.name, file.content)
        except ReadError as error:
            # The sentence without its remedy.
            fault = str(error).removeprefix(f"{file.name}: ").partition(". ")[0]
        faults.append(f"{file.name}: {fault}")
    more = len(files) - _NAMED
    return [*faults, f"and {more} more"] if more > 0 else faults


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
