"""A report: an ordered list of questions with pictures, titles and notes.

    {"format": "hem report 1", "sha256": ..., "report": {"id", "title", "intro", "created", "changed", "items": [...]}}

Files are not trusted: every field is checked, names are looked up, nothing is executed.
"""

import hashlib
import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from hemcore.analysis import Question
from hemcore.errors import HemError, ParameterError
from hemcore.registry import pictures_of, question_from, view_of

MOST_ITEMS = 200
LONGEST_TEXT = 20_000
LONGEST_TITLE = 300
MOST_BYTES = 32 * 2**20
_FORMAT = "hem report 1"
_ID = re.compile(r"[0-9a-f]{32}")
_LINK = re.compile(r"/(?![/\\])[!-~]*")
_LONGEST_TIME = 40


@dataclass(frozen=True, kw_only=True)
class ReportItem:
    """A question, the picture of its answer, and the user's title and note.

    picture: its name in `pictures_of(question.analysis.name)`, "" = only verdict and figures. baseline: the question it is compared with.
    view: fields of the view model, plain values. title: "" = see `heading`. note: plain text. dataset_name: the dataset's name at the
    time. link: the path in the workbench that shows it, "/merge?q=...", "" = none. added: ISO 8601.

    Raises ParameterError, one sentence, for a value that does not fit, and for an unknown picture.
    """

    question: Question
    baseline: Question | None = None
    picture: str = ""
    view: Mapping[str, object] = field(default_factory=dict)
    title: str = ""
    note: str = ""
    dataset_name: str = ""
    link: str = ""
    added: str = field(default_factory=lambda: _now())

    def __post_init__(self) -> None:
        for name, most in (("title", LONGEST_TITLE), ("note", LONGEST_TEXT), ("dataset_name", LONGEST_TITLE), ("picture", LONGEST_TITLE)):
            _check_text(name, getattr(self, name), most)
        _check_time("added", self.added)
        _check_text("link", self.link, LONGEST_TEXT)
        if self.link and not _LINK.fullmatch(self.link):
            raise ParameterError(f"link: {self.link[:60]!r} is not a path in the workbench; it must look like '/merge?q=...'.")
        for question in (self.question, self.baseline):
            if question is not None:
                _check_text("dataset", question.dataset, LONGEST_TITLE)
        known = pictures_of(self.question.analysis.name)
        if self.picture and self.picture not in known:
            there = f"it has {', '.join(known)}" if known else "it has none"
            raise ParameterError(f"picture: {self.question.analysis.title} has none called {self.picture[:60]!r}; {there}.")
        object.__setattr__(self, "view", _checked_view(self.question.analysis.name, self.view))

    @property
    def heading(self) -> str:
        """The title, or else `picture_heading`."""
        return self.title.strip() or self.picture_heading

    def own_title(self, answer: str) -> str:
        """The title for a section in which the verdict's `answer` stands; "" if there is none, or if it only repeats that answer."""
        return "" if self.title.strip() == answer.strip() else self.title.strip()

    @property
    def picture_heading(self) -> str:
        """Analysis and picture: "MUCH merge: Merged correlation"."""
        analysis = self.question.analysis.title
        shown = pictures_of(self.question.analysis.name)[self.picture].tab if self.picture else ""
        return f"{analysis[:1].upper()}{analysis[1:]}" + (f": {shown}" if shown else "")

    def to_dict(self) -> dict[str, object]:
        """The item as plain values; `item_from` reads it."""
        return {
            "question": self.question.to_dict(),
            "baseline": None if self.baseline is None else self.baseline.to_dict(),
            "picture": self.picture,
            "view": dict(self.view),
            "title": self.title,
            "note": self.note,
            "dataset_name": self.dataset_name,
            "link": self.link,
            "added": self.added,
        }


def item_from(plain: object) -> ReportItem:
    """The item in `plain` (ReportItem.to_dict). Raises HemError, one sentence, for anything that does not fit."""
    given = _object("item", plain, ("question",), ("baseline", "picture", "view", "title", "note", "dataset_name", "link", "added"))
    questions: dict[str, Any] = {}
    for name in ("question", "baseline"):
        found = given.pop(name, None)
        if found is not None or name == "question":
            questions[name] = question_from(_object(name, found, ("analysis", "dataset", "params")))
    return ReportItem(**questions, **given)


@dataclass(frozen=True, kw_only=True)
class Report:
    """Items under a title. id: 32 hex digits. author, intro: plain text. created, changed: ISO 8601, UTC.

    At most 200 items and 20,000 characters per text. Raises ParameterError, one sentence, for a value that does not fit.
    """

    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    title: str = "Report"
    author: str = ""
    intro: str = ""
    items: tuple[ReportItem, ...] = ()
    created: str = field(default_factory=lambda: _now())
    changed: str = field(default_factory=lambda: _now())

    def __post_init__(self) -> None:
        if not isinstance(self.id, str) or not _ID.fullmatch(self.id):
            raise ParameterError(f"id: {str(self.id)[:60]!r} is not a report id, which has 32 hex digits. Save the report again.")
        _check_text("title", self.title, LONGEST_TITLE)
        if not self.title.strip():
            raise ParameterError("title: it is empty. Give the report a title.")
        _check_text("author", self.author, LONGEST_TITLE)
        _check_text("intro", self.intro, LONGEST_TEXT)
        for name in ("created", "changed"):
            _check_time(name, getattr(self, name))
        if len(self.items) > MOST_ITEMS:
            raise ParameterError(f"items: {len(self.items):,} are too many; a report holds {MOST_ITEMS}. Split it into two reports.")

    def but(self, **changed: Any) -> Self:
        """A copy with these fields changed. Raises ParameterError as the class does."""
        return replace(self, **changed)

    def with_item(self, item: ReportItem) -> Self:
        """A copy with `item` added at the end."""
        return self.but(items=(*self.items, item))

    def with_moved(self, index: int, to: int) -> Self:
        """A copy with item `index` (from 0) moved to position `to`. Raises ParameterError for an index out of range."""
        items = list(self.items)
        self._check_index(to)
        items.insert(to, items.pop(self._check_index(index)))
        return self.but(items=tuple(items))

    def without(self, index: int) -> Self:
        """A copy without item `index` (from 0). Raises ParameterError for an index out of range."""
        self._check_index(index)
        return self.but(items=self.items[:index] + self.items[index + 1 :])

    def with_changed(self, index: int, **changed: Any) -> Self:
        """A copy with these fields of item `index` (from 0) changed. Raises ParameterError as ReportItem does."""
        self._check_index(index)
        return self.but(items=(*self.items[:index], replace(self.items[index], **changed), *self.items[index + 1 :]))

    def as_of_now(self) -> Self:
        """A copy whose `changed` is now, and later than before."""
        before = datetime.fromisoformat(self.changed)
        before = before if before.tzinfo is not None else before.replace(tzinfo=UTC)
        return self.but(changed=_now(after=before))

    def to_dict(self) -> dict[str, object]:
        """The report as plain values."""
        texts = {name: getattr(self, name) for name in ("id", "title", "author", "intro", "created", "changed")}
        return texts | {"items": [item.to_dict() for item in self.items]}

    def to_json(self) -> bytes:
        """The report as a file; `report_from_json` reads it."""
        plain = self.to_dict()
        return json.dumps({"format": _FORMAT, "sha256": _hash(plain), "report": plain}, indent=1).encode()

    def _check_index(self, index: int) -> int:
        if not 0 <= index < len(self.items):
            raise ParameterError(
                f"index: {index} is not the index of an item; there are {len(self.items)}, counted from 0. Load the report again."
            )
        return index


def report_from_json(content: bytes) -> Report:
    """The report in a file of `Report.to_json`. The hash may be missing (a file written by hand), but must match if present.

    Raises ParameterError or another HemError, one sentence that names the item, for anything that does not fit.
    """
    if len(content) > MOST_BYTES:
        raise ParameterError(f"report: the file has {len(content):,} bytes; a report has {MOST_BYTES:,} at most. Choose another file.")
    try:
        parsed = json.loads(content)
        hashed = _hash(parsed["report"]) if isinstance(parsed, dict) and "report" in parsed else ""
    except (ValueError, RecursionError):
        raise ParameterError("report: the file is not the JSON of a report, or is cut off. Save the report again.") from None
    whole = _object("report", parsed, ("format", "report"), ("sha256",))
    if whole["format"] != _FORMAT:
        raise ParameterError(f"format: {str(whole['format'])[:60]!r} is not {_FORMAT!r}. Save the report again with this version.")
    if "sha256" in whole and whole["sha256"] != hashed:
        raise ParameterError(
            "report: the file does not match its own SHA-256: it was cut off, damaged or edited. Use a copy, or remove the line sha256."
        )
    return _report_from(whole["report"])


def _report_from(plain: object) -> Report:
    given = _object("report", plain, ("id", "title", "items"), ("author", "intro", "created", "changed"))
    items = given.pop("items")
    if not isinstance(items, list):
        raise ParameterError("items: they are not a list. Save the report again.")
    if len(items) > MOST_ITEMS:
        raise ParameterError(f"items: {len(items):,} are too many; a report holds {MOST_ITEMS}. Split it into two reports.")
    report = Report(**given)
    return report.but(items=tuple(_numbered_item(number, each) for number, each in enumerate(items, 1)))


def _numbered_item(number: int, plain: object) -> ReportItem:
    try:
        return item_from(plain)
    except HemError as error:
        title = plain.get("title") if isinstance(plain, dict) else None
        called = f" ({title[:60]!r})" if isinstance(title, str) and title else ""
        raise type(error)(f"item {number}{called}: {error}") from None


def _checked_view(analysis: str, view: object) -> dict[str, object]:
    if not isinstance(view, Mapping):
        raise ParameterError(f"view: {str(view)[:60]!r} is not a set of named values. Save the report again.")
    if not view:
        return {}
    model = view_of(analysis)
    if model is None:
        raise ParameterError(f"view: the pictures of {analysis} have no {str(next(iter(view)))[:60]!r}; there is nothing to choose.")
    given = {str(name): value for name, value in view.items()}
    plain = model(**given).model_dump(mode="json", include=set(given))
    if len(json.dumps(plain)) > LONGEST_TEXT:
        raise ParameterError(f"view: it has more than {LONGEST_TEXT:,} characters. Choose less.")
    return plain


def _object(name: str, plain: object, needed: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    if not isinstance(plain, dict):
        raise ParameterError(f"{name}: {str(plain)[:60]!r} is not a set of named values. Save the report again.")
    missing = [each for each in needed if each not in plain]
    strange = [each for each in plain if each not in (*needed, *optional)]
    if missing or strange:
        wrong = f"{missing[0]!r} is missing" if missing else f"{strange[0][:60]!r} is not known"
        raise ParameterError(f"{name}: {wrong}; it has {', '.join((*needed, *optional))}. Save the report again.")
    return dict(plain)


def _check_text(name: str, text: object, most: int) -> None:
    if not isinstance(text, str):
        raise ParameterError(f"{name}: {str(text)[:60]!r} is not text. Save the report again.")
    if len(text) > most:
        raise ParameterError(f"{name}: it has {len(text):,} characters; {most:,} are allowed. Shorten it.")
    if any("\ud800" <= each <= "\udfff" for each in text):
        raise ParameterError(f"{name}: it contains half a character, which cannot be stored. Type it again.")


def _check_time(name: str, time: Any) -> None:
    _check_text(name, time, _LONGEST_TIME)
    try:
        datetime.fromisoformat(time)
    except ValueError:
        raise ParameterError(f"{name}: {time!r} is not a time such as 2026-01-31T12:00:00+00:00. Save the report again.") from None


def _now(after: datetime | None = None) -> str:
    now = datetime.now(UTC)
    return (now if after is None or now > after else after + timedelta(microseconds=1)).isoformat(timespec="microseconds")


def _hash(plain: object) -> str:
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()
