"""Which format files have, recognised by their first lines; and reading them."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import product

from hemcore.datasets.importing.header_search import NoTableError
from hemcore.datasets.importing.nearest_formats import binary_kind, is_prose, looks_like, nearest_to
from hemcore.datasets.importing.one_pass.number_tables import numbers_alone
from hemcore.datasets.importing.plain_tables import look_at, read_tables
from hemcore.datasets.importing.recipe import ImportRecipe
from hemcore.datasets.importing.two_tables import SideBySideError, StatisticsError
from hemcore.datasets.readers import csv_text, decoding
from hemcore.datasets.readers.formats import FORMATS, PLAIN, TABLES, AnyFormat, ReadResult, format_of
from hemcore.datasets.readers.perf.refusals import why_mixed
from hemcore.datasets.readers.profilers.refused_tools import why_refused
from hemcore.datasets.readers.series import cumulative_csv, powmon_series
from hemcore.datasets.readers.uploaded_files import UploadedFile, UploadLimits, expand
from hemcore.datasets.tables.kinds import Table
from hemcore.errors import HemError, ReadError, UnclearNumbersError
from hemcore.params import Params

_NAMED = 5
_LISTED = 200
_LOOKED_AT, _ALIKE, _BEGINNING = 30, 8, 2
_NUMBERS = re.compile(rb"\d++(?:[.,]\d++)*+")
_NO_TEXT = "and no format here is near to that. Export its readings as CSV or a workbook, or copy its table into a text file."


@dataclass(frozen=True, kw_only=True)
class Match:
    """A format that fits: its key, how well it fits (0 to 1) and why. Plain data, so that a page can keep it.

    asks: of the likeliest, a sentence on why the format must be chosen although this one fits; "" if nothing is in doubt.
    """

    key: str
    score: float
    why: str
    asks: str = ""

    @property
    def format(self) -> AnyFormat:
        """The format itself."""
        return format_of(self.key)


@dataclass(frozen=True, kw_only=True)
class Recognised:
    """What files were taken for. matches: the formats that fit, the likeliest first. files: (name, what it is by itself) of each file.

    fault: why no format fits, a sentence; "" where one does. unpacked: whether they could be opened, so that a format can be chosen.
    """

    matches: tuple[Match, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    fault: str = ""
    unpacked: bool = True


class Unpacked:
    """Files out of their archives: recognised at most once, then read.

    files: as expand gives them. matches: the formats that fit, where they are known already. made: a recipe and the table that a preview
    made by it, which reading by the same recipe gives.
    """

    made: tuple[ImportRecipe, ReadResult[Table]] | None = None

    def __init__(self, files: Sequence[UploadedFile], matches: Sequence[Match] | None = None) -> None:
        self.files = tuple(files)
        if matches is not None:
            self.matches = tuple(matches)

    @cached_property
    def matches(self) -> tuple[Match, ...]:
        """The formats that fit, the likeliest first; empty where none does."""
        return tuple(recognise(self.files))

    def read(self, *, format_key: str | None = None, options: Params | None = None) -> ReadResult[Table]:
        """Read them as the format `format_key`, or as what is recognised; of `options`, those that the format takes.

        An ImportRecipe as `options` says all: then `format_key` says nothing, and they are read as inspection.apply does.

        Raises ReadError when no format fits (as why_not_recognised says), there is none of that key or the format must be chosen
        (Match.asks), and what the format's reader raises.
        """
        if isinstance(options, ImportRecipe):
            from hemcore.datasets.importing.inspection import apply_unpacked  # it stands above this

            return apply_unpacked(options, self)
        if format_key is not None:
            return format_of(format_key).read_with(self.files, options)
        if not self.matches:
            raise ReadError(why_not_recognised(self.files))
        if self.matches[0].asks:
            raise ReadError(self.matches[0].asks)
        try:
            return self.matches[0].format.read_with(self.files, options)
        except HemError as error:
            if self.matches[0].key not in PLAIN or options is not None or isinstance(error, UnclearNumbersError):
                raise
            with suppress(HemError):  # a table as people write it, which the pages read so too
                return read_tables(self.files, ImportRecipe())
            raise

    def keep(self, recipe: ImportRecipe | None, result: ReadResult[Table] | None) -> None:
        """Keep what a preview made, where its completed `recipe` reads the files just as the open one did: a tool's, and numbers alone."""
        if recipe is None or result is None:
            return
        if recipe.format or all(file.name in recipe.leave_out or numbers_alone(file) is not None for file in self.files):
            self.made = (recipe, result)

    def recipe(self, format_key: str | None, options: Params) -> str:
        """The recipe, as JSON, that reads the files as `read` does again; "" where what is recognised and the usual options do."""
        if isinstance(options, ImportRecipe):
            return options.to_json()
        if given := str(getattr(options, "recipe", "")):
            return given
        if format_key is None and options == type(options)():
            return ""
        said = {name: value for name, value in options if name in ImportRecipe.model_fields and value is not None}
        return ImportRecipe(format=format_key or self.matches[0].key, **said).to_json()

    def recognised(self) -> Recognised:
        """What they were taken for, together and one by one; of more than 200, the first are listed. Never raises for what is in them."""
        alone = taken_for(self.files[:_LISTED]) if len(self.files) > 1 else []
        listed = tuple((file.name, title or "not recognised by itself") for file, title in zip(self.files, alone, strict=False))
        if len(self.files) > _LISTED:
            listed = (*listed, (f"and {len(self.files) - _LISTED:,} more", ""))
        return Recognised(matches=self.matches, files=listed, fault="" if self.matches else why_not_recognised(self.files))


def unpack(files: Sequence[UploadedFile], limits: UploadLimits | None = None, *, unpacked: Callable[[int], None] | None = None) -> Unpacked:
    """Open archives and workbooks (see expand, which says what it raises): what pages, workers and `hem.read` begin with."""
    return Unpacked(expand(files, limits, unpacked=unpacked))


def recognise(files: Sequence[UploadedFile]) -> list[Match]:
    """The formats that the files can be of, the likeliest first; empty when none fits. Never raises for what is in the files.

    A pure function of names and bytes: a page may keep the answer under files.files_id.
    """
    matches = _matches(files)
    if matches and matches[0].key in PLAIN:
        doubt = _unclear_table(files, series=matches[0].format.kind == "CounterSeries")
        doubt = doubt or (cumulative_csv.doubt(files) if matches[0].key == "series_wide" else "")
        matches[0] = replace(matches[0], asks=doubt)
    return matches


def _unclear_table(files: Sequence[UploadedFile], *, series: bool) -> str:
    """What must be chosen before a plain table is read: its decimal sign, or, where its reader takes it for no `series`, whether it adds
    up; "" where its first rows settle it."""
    try:
        asks = look_at(files).asks
        return "" if series else asks
    except HemError as error:
        # Whatever else is wrong, the format's reader says.
        return str(error) if isinstance(error, UnclearNumbersError | SideBySideError | StatisticsError) else ""


def _matches(files: Sequence[UploadedFile]) -> list[Match]:
    """As `recognise`, without what must be asked."""
    matches: list[Match] = []
    refused = any(
        (why_refused(file, alone=len(files) == 1) or why_mixed(file, below_words=True)) is not None for file in files[:_LOOKED_AT]
    )
    has_tool = cache(lambda: _has_tool(files))
    # What a tool wrote is never a plain table, although it may look like one.
    for each in sorted(FORMATS, key=lambda each: each.key in TABLES):
        if each.key in TABLES and (any(match.key not in PLAIN for match in matches) or (len(files) > 1 and has_tool())):
            break
        if each.key in PLAIN and refused:
            continue
        try:
            score, why = each.recognise(files)
        except HemError:
            continue
        if score > 0:
            matches.append(Match(key=each.key, score=score, why=why))
    return sorted(matches, key=lambda match: -match.score)


def _has_tool(files: Sequence[UploadedFile]) -> bool:
    """Whether one of the first files is what a tool writes."""
    tools = [each for each in FORMATS if each.key not in PLAIN]
    for file, tool in product(files[:_LOOKED_AT], tools):
        with suppress(HemError):
            if tool.recognise([file])[0] > 0:
                return True
    return False


def read_upload(files: Sequence[UploadedFile], *, format_key: str | None = None, options: Params | None = None) -> ReadResult[Table]:
    """Read files that need no unpacking; see Unpacked.read."""
    return Unpacked(files).read(format_key=format_key, options=options)


def why_not_recognised(files: Sequence[UploadedFile]) -> str:
    """Why `files`, which no format fits together, are not recognised: what is wrong with a file, or what each is by itself."""
    title_of = taken_for(files)
    strange = [file for file, title in zip(files, title_of, strict=True) if title is None]
    if len(strange) == len(files):
        tool = next((said for file in files if (said := why_refused(file, alone=len(files) == 1) or why_mixed(file)) is not None), None)
        if tool is not None:
            return tool
        if len(files) == 1 and (kind := binary_kind(files[0].content)):
            return f"{files[0].name}: not recognised; it looks like {kind}, {_NO_TEXT}"
        if len(files) == 1 and not is_prose(files[0]):
            try:
                csv_text.header_of(files[0].name, files[0].content)
                look_at(files)
            except NoTableError:
                pass
            except HemError as error:
                return str(error)
        return f"{'; '.join(_faults(files))}. {nearest_to(files[0], FORMATS)}"
    rest = [file for file, title in zip(files, title_of, strict=True) if title is not None]
    together = recognise(rest) if strange else []
    if together:
        kinds = {_in_words(together[0]): [file.name for file in rest]}
    else:
        kinds = {title: [f.name for f, t in zip(files, title_of, strict=True) if t == title] for title in title_of if title is not None}
    said = "; ".join(f"{_some(names)} {'is' if len(names) == 1 else 'are'} {title}" for title, names in kinds.items())
    if not strange:
        choose = " If they all have one format, choose it." if all(title.startswith("a series") for title in kinds) else ""
        return f"{said}: upload them separately.{choose}"
    names = _some([file.name for file in strange])
    remedy = f"Leave out {names}, or choose the format." if together else f"Upload them separately, without {names}."
    return f"{'; '.join(_faults(strange))}. {said}. {remedy}"


def taken_for(files: Sequence[UploadedFile]) -> list[str | None]:
    """What each file is by itself, as text; None if no format fits. A file that begins as eight others do, but for the numbers in its first
    lines, is what they all are; one that belongs to a log counts as one next to a log."""
    matches: list[list[Match]] = []
    alike: dict[bytes, list[list[Match]]] = {}
    for file in files:
        known = alike.setdefault(_NUMBERS.sub(b"0", decoding.first_lines(file.content, _BEGINNING)), [])
        # Of a thousand runs with one header, the first few say what each is, or that none is anything by itself.
        sure = len(known) >= _ALIKE and len({each[0].key if each else "" for each in known}) == 1
        matches.append(known[0] if sure else _matches([file]))
        known += [] if sure else matches[-1:]
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
        fault = f"not recognised; {looks_like(file)}" if len(files) == 1 else "not recognised"
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
