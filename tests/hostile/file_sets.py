"""Uploads of 3 to 60 files of one shape in which some differ, by seed and number."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from hemcore.datasets.readers.uploaded_files import UploadedFile

NAMES = ("cycles", "instructions", "L1-misses", "branches", "E5", "LLC_loads", "Fehler", "stalls", "PAPI_TOT_INS", "x y", "E10", "E11")
KEYS = ("Zeit", "time", "Time (ms)", "run", "Lauf", "date", "", "interval")
NUMBERS = ("whole", "decimal", "small", "large", "mixed", "gaps")


@dataclass(frozen=True)
class Shape:
    """What the files of a set have in common. key: the name of the first column, "" for none. title: what stands above, "{}" is the file's
    number; units: the row below the names."""

    separator: str
    comma: bool
    key: str
    names: tuple[str, ...]
    numbers: tuple[str, ...]
    title: tuple[str, ...]
    units: tuple[str, ...]
    remark: bool
    end: str


def shape_of(chance: random.Random) -> Shape:
    """One of them."""
    separator = chance.choice((";", ";", ",", "\t"))
    names = tuple(chance.sample(NAMES, chance.randrange(1, 6)))
    key = chance.choice(KEYS) if len(names) > 1 else chance.choice(KEYS[:6])
    width = len(names) + bool(key)
    full = separator * (width - 1) if chance.random() < 0.5 else ""
    titles = (
        (),
        (f"Messung {{}} im Labor{full}",),
        (f"Run {{}}{full}", f"Host: ws4{full}"),
        (f"Measurement{full}", ""),
        (f"No.{separator}{{}}",),
        ("# take {}",),
    )
    units = ("ms" if "ms" in key else "s",) * bool(key) + tuple(chance.choice(("1", "", "k", "W", "[1]")) for _ in names)
    return Shape(
        separator,
        separator != "," and chance.random() < 0.6,
        key,
        names,
        tuple(chance.choice(NUMBERS if chance.random() < 0.3 else NUMBERS[:4]) for _ in names),
        chance.choice(titles),
        units if chance.random() < 0.3 else (),
        chance.random() < 0.1,
        chance.choice(("\n", "\n", "\n", "\r\n")),
    )


Rows = list[list[str]]


def rows_of(shape: Shape, chance: random.Random, n: int) -> Rows:
    """`n` rows of a file, with points in decimals."""
    start, step = chance.choice((0, 0, 1, 100)), chance.choice((1, 1, 0.5, 10))
    made = []
    for row in range(n):
        at = start + step * row
        key = f"2024-05-06 14:{row // 60:02}:{row % 60:02}" if shape.key == "date" else f"{at:.1f}" if at % 1 or step % 1 else f"{at:.0f}"
        key = str(row + 1) if shape.key in ("run", "Lauf", "interval") else key
        made.append([key] * bool(shape.key) + [_number(kind, chance) for kind in shape.numbers])
    return made


def _number(kind: str, chance: random.Random) -> str:
    if kind == "gaps" and chance.random() < 0.2:
        return chance.choice(("", "", "NA", "<not counted>"))
    if kind == "decimal":
        return f"{chance.uniform(0, 5_000):.{chance.choice((1, 2, 3))}f}"
    if kind == "mixed":
        return f"{chance.uniform(0, 100):.3f}" if chance.random() < 0.5 else str(chance.randrange(10**6))
    return str(chance.randrange({"large": 10**12, "small": 12}.get(kind, 10**7)))


def text_of(shape: Shape, rows: Rows, number: int) -> str:
    """File `number` as it is written."""
    lines = [line.replace("{}", str(number)) for line in shape.title]
    lines += [shape.separator.join((*(shape.key,) * bool(shape.key), *shape.names))]
    lines += [shape.separator.join(shape.units)] * bool(shape.units)
    cells = [shape.separator.join(cell.replace(".", ",") if shape.comma else cell for cell in row) for row in rows]
    lines += [*cells[:2], *["# warm from here"] * shape.remark, *cells[2:]]
    return shape.end.join([*lines, ""])


def _head(shape: Shape) -> int:
    return len(shape.title) + 1 + bool(shape.units)


Change = Callable[[Shape, Rows, str, random.Random], str | bytes]


def _cell(new: tuple[str, ...]) -> Change:
    def change(shape: Shape, rows: Rows, text: str, chance: random.Random) -> str:
        lines = text.split("\n")
        place = chance.randrange(min(_head(shape), len(lines) - 1), len(lines))
        cells = lines[place].rstrip("\r").split(shape.separator)
        cells[chance.randrange(len(cells))] = chance.choice(new)
        lines[place] = shape.separator.join(cells)
        return "\n".join(lines)

    return change


def _sums(shape: Shape, rows: Rows, text: str, chance: random.Random) -> str:
    first = chance.choice(("Summe", "Total", "", "Mittelwert", str(len(rows) + 1), "0"))
    numbers = [[float(row[place]) for row in rows if _is_number(row[place])] for place in range(bool(shape.key), len(rows[0]))]
    means = chance.random() < 0.4
    found = [sum(each) / (max(len(each), 1) if means else 1) for each in numbers]
    cells = [f"{each:.2f}" if means or each % 1 else f"{each:.0f}" for each in found]
    line = shape.separator.join(cell.replace(".", ",") if shape.comma else cell for cell in [first] * bool(shape.key) + cells)
    blank = shape.end * chance.choice((0, 0, 1))
    if chance.random() < 0.2:  # again at once below: of no rows
        line += shape.end + line
    return text + blank + line + shape.end


def _sums_between(shape: Shape, rows: Rows, text: str, chance: random.Random) -> str:
    lines = text.split(shape.end)
    place = min(_head(shape) + chance.randrange(2, 6), len(lines) - 1)
    above = rows[: place - _head(shape)]
    numbers = [[float(row[at]) for row in above if at < len(row) and _is_number(row[at])] for at in range(bool(shape.key), len(rows[0]))]
    first = chance.choice((str(place), "0", "5", "", "Summe"))
    cells = [first] * bool(shape.key) + [f"{sum(each):.6g}".replace(".", "," if shape.comma else ".") for each in numbers]
    return shape.end.join([*lines[:place], shape.separator.join(cells), *lines[place:]])


def _is_number(cell: str) -> bool:
    return cell.replace(".", "", 1).isdigit()


def _lines(change: Callable[[list[str], int, Shape, random.Random], list[str]]) -> Change:
    def changed(shape: Shape, rows: Rows, text: str, chance: random.Random) -> str:
        lines = text.split("\n")
        return "\n".join(change(lines, min(_head(shape), len(lines) - 1), shape, chance))

    return changed


def _inserted(*new: str) -> Change:
    def insert(lines: list[str], head: int, shape: Shape, chance: random.Random) -> list[str]:
        place = chance.randrange(len(lines) + 1)
        return [*lines[:place], chance.choice(new), *lines[place:]]

    return _lines(insert)


def _named(change: Callable[[list[str], random.Random], list[str]]) -> Change:
    """The names, and no cell below them, changed."""

    def renamed(lines: list[str], head: int, shape: Shape, chance: random.Random) -> list[str]:
        place = len(shape.title)
        lines[place] = shape.separator.join(change(lines[place].split(shape.separator), chance))
        return lines

    return _lines(renamed)


def _renamed(names: list[str], chance: random.Random) -> list[str]:
    place = chance.randrange(len(names))
    names[place] = chance.choice(
        ("renamed", names[place].upper(), f" {names[place]}", f"{names[place]} (k)", "", names[0], "7", "Zeit [ms]")
    )
    return names


def _columns(change: Callable[[list[str], int], list[str]]) -> Change:
    """Each line from the names on changed, at one place."""

    def changed(lines: list[str], head: int, shape: Shape, chance: random.Random) -> list[str]:
        place, start = chance.randrange(len(shape.names) + bool(shape.key)), len(shape.title)
        return [
            *lines[:start],
            *(shape.separator.join(change(line.split(shape.separator), place)) if line else "" for line in lines[start:]),
        ]

    return _lines(changed)


_ODD = (
    "",
    "",
    "NA",
    "-",
    "n/a",
    "x",
    "-5",
    "1e3",
    "0x1F",
    "5 5",
    "1.234",
    "1,234",
    "1.234.567",
    ".5",
    "007",
    "9" * 20,
    "nan",
    "12k",
    "50 %",
)
_TITLES = ("Ein Titel\n", "7\n", "# pic0=cycles\n", "a;b\n", "\n", "Einheit: k\n", "Zeit in ms\n")
CHANGES: dict[str, Change] = {
    "cell": _cell(_ODD),
    "sums": _sums,
    "sums between": _sums_between,
    "title": lambda shape, rows, text, chance: chance.choice(_TITLES) + text,
    "no title": lambda shape, rows, text, chance: text.split("\n", 1)[1],
    "decimal sign": lambda shape, rows, text, chance: text.replace(",", ".") if shape.comma else text.replace(".", ","),
    "ends of lines": lambda shape, rows, text, chance: text.replace("\n", chance.choice(("\r\n", "\r", "\n\n"))),
    "one end of line": lambda shape, rows, text, chance: text.replace("\n", "\r\n", chance.randrange(1, 4)),
    "remark": _inserted("# a remark", "Bemerkung", "", ";;;", "// x", "Mittelwert:", "---"),
    "number row": _inserted("5", "1;2", "1;2;3", "0,0,0"),
    "cut off": lambda shape, rows, text, chance: text[: chance.randrange(len(text))],
    "no last end": lambda shape, rows, text, chance: text.rstrip("\r\n"),
    "separator": lambda shape, rows, text, chance: text.replace(shape.separator, chance.choice((",", ";", "\t", " ", "|"))),
    "renamed": _named(_renamed),
    "swapped": _named(lambda names, chance: chance.sample(names, len(names))),
    "column moved": _columns(lambda cells, place: [*cells[place:], *cells[:place]]),
    "column gone": _columns(lambda cells, place: [*cells[:place], *cells[place + 1 :]]),
    "column twice": _columns(lambda cells, place: [*cells[: place + 1], *cells[place:]]),
    "ends in separators": _columns(lambda cells, place: [*cells, ""]),
    "quoted": _columns(lambda cells, place: [f'"{cell}"' for cell in cells]),
    "blanks": _columns(lambda cells, place: [f" {cell} " for cell in cells]),
    "lines shuffled": _lines(lambda lines, head, shape, chance: [*lines[:head], *chance.sample(lines[head:], len(lines) - head)]),
    "names again": _lines(lambda lines, head, shape, chance: [*lines[: head + 3], *lines[:head], *lines[head + 3 :]]),
    "row twice": _lines(lambda lines, head, shape, chance: [*lines[: head + 1], *lines[head:]]),
    "one row": _lines(lambda lines, head, shape, chance: [*lines[: head + 1], ""]),
    "no row": _lines(lambda lines, head, shape, chance: [*lines[:head], ""]),
    "BOM": lambda shape, rows, text, chance: text.encode(chance.choice(("utf-8-sig", "utf-16"))),
    "letters": lambda shape, rows, text, chance: ("Messung für Köln\n" + text).encode(chance.choice(("utf-8", "latin-1"))),
    "empty": lambda shape, rows, text, chance: "",
}  # fmt: skip


@dataclass(frozen=True)
class FileSet:
    """files: of the upload. plain: (file, numbers in it) of those that do not differ. changes: what was done to the others, by place."""

    files: tuple[tuple[str, bytes], ...]
    plain: tuple[tuple[str, tuple[str, ...]], ...]
    changes: dict[int, str]
    shape: Shape

    def upload(self) -> list[UploadedFile]:
        """Made anew, so that nothing is known of them."""
        return [UploadedFile(name, content) for name, content in self.files]


def file_set(seed: int, number: int) -> FileSet:
    """Set `number` of `seed`."""
    chance = random.Random(f"sets {seed} {number}")
    shape, n_rows = shape_of(chance), chance.choice((2, 3, 5, 6, 8, 12, 20))
    n_files = chance.choice((3, 4, 4, 5, 5, 6, 6, 8, 8, 12, 12, 20, 60))
    places = set(chance.sample(range(n_files), min(n_files - 1, chance.choice((0, 1, 1, 2, 3, 6)))))
    same = chance.random() < 0.6
    files, plain, changes = [], [], {}
    for place in range(n_files):
        rows = rows_of(shape, chance, n_rows if same else max(2, n_rows + chance.randrange(-1, 4)))
        text = text_of(shape, rows, place + 1)
        content, name = text.encode(), f"run_{place + 1}.csv"
        if place in places:
            changes[place] = chance.choice(list(CHANGES))
            made = CHANGES[changes[place]](shape, rows, text, chance)
            content = made.encode() if isinstance(made, str) else made
        else:
            plain.append((name, tuple(cell for row in rows for cell in row[bool(shape.key) :] if _is_number(cell))))
        files.append((name, content))
    return FileSet(tuple(files), tuple(plain), changes, shape)
