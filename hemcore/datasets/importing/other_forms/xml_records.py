"""XML whose elements are records, as the text of a CSV. What was sent is data: a document type, and with it every entity, is refused."""

import csv
import io
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import partial
from xml.parsers import expat

from hemcore.datasets.reading_progress import EVERY, passed
from hemcore.errors import ReadError

_NAMES, _VALUES = ("name", "key", "id", "event", "counter", "metric"), ("value", "val", "count", "v")
_DEEPEST, _FEWEST = 32, 2
_PICTURES = ("svg", "kml", "gpx", "xsd", "schema", "plist")
Pairs = dict[str, str]
Around = tuple[tuple[tuple[str, ...], Mapping[str, str]], ...]


def as_table(name: str, text: str, *, whole: bool) -> str | None:
    """CSV with commas, a header and one row per record; None where `text` is no XML, or XML without records that come several times.

    A record is an element with attributes or fields; of several sorts the most frequent, the outermost of equally frequent ones. A field is
    an element with a text (`<cycles>5</cycles>`), named by its attribute name, key, id or event where it has one, or an empty element with
    a name and a value. Elements without attributes around fields are passed through. An element around several records that comes several
    times itself gives each of them its attributes. whole: whether `text` is the whole file, which must then end where it should.

    name: of the file, for messages. Raises ReadError, naming the line, for a document type and for XML that is damaged.
    """
    start = text.lstrip()[:200]
    if start.lower().startswith(("<!doctype html", "<html")):
        return None
    if not start.startswith("<") or (start[1:2] not in "?!" and not start[1:2].isalpha()):
        return None
    records = _Records(name)
    parser = expat.ParserCreate("utf-8")  # the text is decoded already, whatever it declares
    parser.StartDoctypeDeclHandler = records.refuse  # so no entity is ever declared, and none is fetched
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = records.start, records.end, records.text
    parser.buffer_text = True
    records.parser = parser
    try:
        for at in range(text.index("<"), len(text), EVERY):
            piece = text[at : at + EVERY]
            parser.Parse(piece.encode(), False)
            passed(len(piece))
        parser.Parse(b"", whole)
    except _PictureError:
        return None
    except expat.ExpatError as error:
        if whole:
            raise ReadError(
                f"{name}: line {error.lineno}: XML that is damaged or cut off ({expat.errors.messages[error.code]}). Send the whole file."
            ) from None
    return records.table()


class _PictureError(Exception):
    """The elements draw something: their numbers are places."""


class _Records:
    """What the elements of a document hold: the open ones, and the records of each path."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.parser: expat.XMLParserType | None = None
        self._open: list[_Element] = []
        self._times: dict[tuple[str, ...], int] = defaultdict(int)
        self._found: dict[tuple[str, ...], _Rows] = defaultdict(_Rows)

    def refuse(self, *_: object) -> None:
        """A document type."""
        line = self.parser.CurrentLineNumber if self.parser is not None else 1
        raise ReadError(f"{self.name}: line {line}: a document type (<!DOCTYPE ...>) is not read. Export XML without one, or CSV.")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        if len(self._open) >= _DEEPEST:
            raise ReadError(f"{self.name}: elements within elements more than {_DEEPEST} deep. Export the readings as CSV.")
        if self._open:
            self._open[-1].has_children = True
        if not self._open and tag.rpartition(":")[2] in _PICTURES:
            raise _PictureError
        path = (*(self._open[-1].path if self._open else ()), tag.rpartition(":")[2])
        self._times[path] += 1
        self._open.append(_Element(path, attributes))

    def text(self, text: str) -> None:
        """What stands between two tags."""
        if self._open:
            self._open[-1].text += text

    def end(self, _: str) -> None:
        """An element ends: a field of the one around it, or a record."""
        element = self._open.pop()
        above = self._open[-1] if self._open else None
        field = element.field()
        if field is not None:
            if above is not None:
                above.add(*field)
            return
        pairs = {**element.attributes, **element.fields}
        if len(pairs) < _FEWEST and not element.attributes:
            if above is not None:
                for each in element.fields.items():
                    above.add(*each)
            return
        self._found[element.path].add(pairs, tuple((each.path, each.attributes) for each in self._open if each.attributes))
        if above is not None and self._times[element.path] == self._times[above.path]:
            # One within each: all of it is of the element around it.
            named = {f"{element.path[-1]} {key}": value for key, value in element.attributes.items()}
            for each in {**named, **element.fields}.items():
                above.add(*each)

    def table(self) -> str | None:
        """The most frequent records."""
        several = {path: found for path, found in self._found.items() if len(found) >= _FEWEST}
        if not several:
            return None
        path = min(several, key=lambda path: (-len(several[path]), len(path)))
        rows = partial(self._rows, several[path])
        names = list(dict.fromkeys(key for row in rows() for key in row))
        if len(names) < _FEWEST:
            return None
        tag = path[-1]
        made = io.StringIO()
        writer = csv.writer(made, lineterminator="\n")
        # <run id="3">: the identity of a run is its number.
        writer.writerow([tag if key == "id" and tag not in names else key for key in names])
        writer.writerows([" ".join(row.get(key, "").split()) for key in names] for row in rows())
        return made.getvalue()

    def _rows(self, records: "_Rows") -> Iterator[Pairs]:
        for pairs, around in records:
            outer: Pairs = {}
            for above, attributes in around:
                if self._times[above] > 1:
                    tag = above[-1]
                    outer |= {tag if len(attributes) == 1 or key in _NAMES else f"{tag} {key}": value for key, value in attributes.items()}
            yield {**{key: value for key, value in outer.items() if key not in pairs}, **pairs}


class _Rows:
    """Records, each with the elements around it that have attributes; a million of them in one text each, not in a dict."""

    def __init__(self) -> None:
        self._keys: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._rows: list[tuple[tuple[str, ...], str, Around]] = []
        self._around: Around = ()

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[tuple[Pairs, Around]]:
        return ((dict(zip(keys, values.split("\0"), strict=True)), around) for keys, values, around in self._rows)

    def add(self, pairs: Pairs, around: Around) -> None:
        """One more; XML has no NUL."""
        if around != self._around:
            self._around = around
        keys = tuple(pairs)
        self._rows.append((self._keys.setdefault(keys, keys), "\0".join(pairs.values()), self._around))


class _Element:
    """An element that is open."""

    def __init__(self, path: tuple[str, ...], attributes: dict[str, str]) -> None:
        self.path, self.attributes = path, {key.rpartition(":")[2]: value for key, value in attributes.items()}
        self.fields: Pairs = {}
        self.text = ""
        self.has_children = False

    def add(self, name: str, value: str) -> None:
        """A field; of one name, the second is "NAME (2)"."""
        number, own = 1, name
        while own in self.fields:
            number += 1
            own = f"{name} ({number})"
        self.fields[own] = value

    def field(self) -> tuple[str, str] | None:
        """(name, value) where it is a field of the element around it."""
        text = self.text.strip()
        named = next((self.attributes[key] for key in _NAMES if self.attributes.get(key)), None)
        if self.has_children or len(self.path) < _FEWEST:
            return None
        if text:
            return (named or self.path[-1]), text
        value = next((self.attributes[key] for key in _VALUES if key in self.attributes), None)
        if named is not None and value is not None:
            return named, value
        return (self.path[-1], "") if not self.attributes else None
