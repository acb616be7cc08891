"""What stands above or below the data of a table and is none: sums, means and spreads of its columns, sources, remarks, a line cut off."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.importing.guessing.row_kinds import form_of, of_another_form
from hemcore.datasets.importing.header_words import meaning_of, plain
from hemcore.datasets.importing.one_pass.number_tables import FEWEST_SUMMED, MOST_SUMMED, ends_in_sums, may_end_in_sums
from hemcore.datasets.importing.raw_grid import numbers_of
from hemcore.datasets.importing.units.cell_kinds import filled, is_missing, is_number, is_reading
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.uploaded_files import UploadedFile

_MOST_FOOTERS = 20
_MOSTLY = 0.9
_FEWEST_WHOLE = 2  # rows beside one that is cut off
_CLOSE = 1e-6
# Values are compared in tables of at most so many cells.
_MOST_CELLS, _FEWEST_ROWS = 200_000, 3
# Numbers that happen to lie as near to a sum or mean are rarer.
_CHANCE = 1e-4
_FEWEST_OF_HEADED = 3  # columns
# The words of rows that summarise others, in English, German, French, Spanish and Italian; besides those that columns may have, too.
_HEADS = frozenset(
    "subtotal subtotals gesamtergebnis zwischensumme teilsumme teilergebnis totalresult totalresultat soustotal totale totali somma suma"
    " averages schnitt mittelwerte promedio moyennes medianwert mediana gmean hmean geomittel stdabw stabw standardabw standardfehler"
    " stdabweichung rsd sem stderr relstd relstdev ecart ecarttype ecarttypes desviacion desvest deviazione devst variance varianz varianza"
    " soma totaal subtotaal tussentotaal delsumma mellansumma razem ukupno yhteensa итого всего 小計 合計 小计 合计 总计 소계 합계"
    " minimo massimo maximo spannweite konfidenzintervall vertrauensbereich percentile perzentil quartil quartile σ ∑ ø ⌀ ±".split()
)
# A program, a phase or a run may have these names, too.
_WEAK = frozenset(
    "all alle alles tous toutes todos todas tutti n s mw m cv ci count anzahl nombre numero range rms iqr media medio sigma streuung"
    " err error ges".split()
)
_ALL_HEADS = _HEADS | _WEAK
_BESIDE = frozenset(
    "of the runs run laufe lauf row rows result results ergebnis resultat resultats resultado resultados risultato general generale rel"
    " relative relativ relativer relativa abs standard dev deviation type typ tipica estandar geometric geometrisches geom arithmetic"
    " arithmetisches harmonic harmonisches grand in der des von de del und and et y e p interval intervall intervalle intervalo confidence"
    " confiance fehler corrected %".split()
)


def without_footers(texts: pd.DataFrame, repairs: list[Repair], name: str) -> pd.DataFrame:
    """Without what stands below the data: sums, means and spreads of the columns, sources and remarks; nor such sums right above them; nor
    rows of a heading alone between rows of a name and numbers."""
    tail = texts.iloc[-_MOST_FOOTERS:]
    above = texts.iloc[:-_MOST_FOOTERS] if len(texts) > 40 else texts
    form = form_of(above.iloc[:, 0])
    while len(tail) > 1:
        row = tail.iloc[-1]
        words = _words_of(row)
        cells = [cell for cell in row if cell]
        alone = len(cells) == 1 and bool(words) and texts.shape[1] > 1 and bool((tail.iloc[:-1] != "").sum(axis=1).max() > 1)
        rule = not words and bool(cells) and all(not cell.strip("-=") for cell in cells)
        summary = _summary(row, texts.iloc[:-1])
        other = of_another_form(row, form) if not alone else ""
        said = summary or (words[0] if alone else other or (cells[0] if rule else ""))
        if not said and _is_sum(texts.loc[: tail.index[-1]], above):
            said = "sums of the columns"
        if not said:
            break
        what = "a remark below the data" if alone else "a line of another form below the data" if other else "a row of sums or means"
        repairs.append(Repair(f"{name}, row {tail.index[-1]}", "", f"{what} left out: {said[:60]!r}", 1))
        texts, tail = texts.iloc[:-1], tail.iloc[:-1]
    while len(texts) > _FEWEST_ROWS and (summary := _summary(texts.iloc[0], texts.iloc[1:], is_last=False)):
        repairs.append(Repair(f"{name}, row {texts.index[0]}", "", f"a row of sums or means left out: {summary[:60]!r}", 1))
        texts = texts.iloc[1:]
    return _without_headings(texts, repairs, name)


def without_remarks(texts: pd.DataFrame, repairs: list[Repair], name: str) -> pd.DataFrame:
    """Without rows of words in one cell alone, which is not the first, where no first cell is blank in any other row."""
    unnamed = texts.iloc[:, 0] == ""
    if texts.shape[1] <= 2 or not unnamed.any():
        return texts
    blank = texts[unnamed]
    said = blank.index[(blank != "").sum(axis=1) == 1].tolist()
    said = [row for row in said if not any(map(is_reading, filter(None, texts.loc[row])))]
    if not said or len(said) < len(blank) or 2 * len(said) > len(texts):
        return texts
    shown = next(filter(None, texts.loc[said[0]]))[:40]
    return without_rows(texts, said, repairs, name, f"a remark between the rows, left out: {shown!r}")


def _without_headings(texts: pd.DataFrame, repairs: list[Repair], name: str) -> pd.DataFrame:
    """Without rows of a name alone between rows of a name and numbers: they head those below, whose names, where they come again, begin
    with it. As it is where fewer than three columns, another form of rows, or two headings for each row stand there."""
    if texts.shape[1] < _FEWEST_OF_HEADED or not ((texts.iloc[:, 1] == "") & (texts.iloc[:, -1] == "")).any():
        return texts
    names = texts.iloc[:, 0]
    alone = (texts.iloc[:, 1:] == "").all(axis=1) & (names != "")
    below = texts[~alone]
    if not alone.any() or 2 * int(alone.sum()) > len(below) or names.map(is_reading).any() or (below == "").any(axis=None):
        return texts
    if not all(is_numeric(below[place]) for place in below.columns[1:]):
        return texts
    again = names[~alone].duplicated(keep=False)
    heads = names.where(alone).ffill()[~alone]
    repairs.append(Repair(name, "", f"rows of a heading alone, as {names[alone].iloc[0][:40]!r}, left out", int(alone.sum())))
    below = below.copy()
    below.iloc[:, 0] = below.iloc[:, 0].where(~again | heads.isna(), heads + " " + below.iloc[:, 0])
    return below


def has_open_end(file: UploadedFile, limit: int | None) -> bool:
    """Whether `file` has no end of line at its end, which is within `limit` bytes (None: anywhere)."""
    return (limit is None or file.size <= limit) and file.content[-1:] not in (b"\n", b"\r", b"\x00", b"")


def without_cut_line(texts: pd.DataFrame, repairs: list[Repair], name: str) -> pd.DataFrame:
    """Without a last row that lacks its last cell, as no other row does, in a file that ends within a line."""
    blank = texts.iloc[:, -1] == ""
    if len(texts) <= _FEWEST_WHOLE or not bool(blank.iloc[-1]) or bool(blank.iloc[:-1].any()):
        return texts
    repairs.append(Repair(f"{name}, row {texts.index[-1]}", "", "the last line is cut off, left out", 1))
    return texts.iloc[:-1]


def without_rows(texts: pd.DataFrame, rows: Sequence[int], repairs: list[Repair], name: str, what: str) -> pd.DataFrame:
    """Without the rows of these numbers; `what` is said of those that are there."""
    there = [row for row in rows if row in texts.index]
    if not there:
        return texts
    shown = ", ".join(map(str, there[:5])) + (f" and {len(there) - 5:,} more" if len(there) > 5 else "")
    repairs.append(Repair(f"{name}, row {shown}", "", what, len(there)))
    return texts.drop(index=there)


def is_summary(cell: str) -> bool:
    """Whether a cell is the name of a row of sums or means: "Total:", "Avg/Max", "rel. std", "Gesamtergebnis", "Ø", "*"."""
    if is_number(cell):
        return False
    return cell == "*" or all(meaning_of(part).role == "summary" for part in cell.rstrip(":").split("/")) or _is_named(cell, _HEADS)


def may_be_summary(cell: str) -> bool:
    """Whether a cell is such a name, or one that a program may have as well: "All", "n", "MW"."""
    return not is_number(cell) and (is_summary(cell) or _is_named(cell, _ALL_HEADS))


def unsure_summaries(names: pd.Series) -> list[int]:
    """The numbers of the rows among `names`, the names of rows, that are named as summaries of others, each once, and were not left out."""
    said = names[~names.duplicated(keep=False)]
    rows = zip(said.index.tolist(), said.tolist(), strict=True)
    return [row for row, cell in rows if cell and not is_reading(cell) and may_be_summary(cell)]


@lru_cache(maxsize=8_192)
def _is_named(cell: str, heads: frozenset[str]) -> bool:
    """Whether `cell` has one of the words `heads`, and nothing but words that stand beside them."""
    if len(cell) > 60:
        return False
    found = [word for part in re.findall(r"±|%|[^\W_]+|[∑⌀]", cell.replace("+/-", "±").replace("+-", "±")) if (word := plain(part) or part)]
    known = [word in heads or meaning_of(word).role == "summary" for word in found]
    beside = (word in _BESIDE or word in _WEAK or word.isdigit() for word in found)
    return plain(cell) in heads or (any(known) and all(a or b for a, b in zip(known, beside, strict=True)))


def _words_of(row: pd.Series) -> list[str]:
    return [cell for cell in row if cell and not is_reading(cell) and not is_missing(cell) and cell.strip("-=")]


def _summary(row: pd.Series, others: pd.DataFrame, *, is_last: bool = True) -> str:
    """The name of `row` where it is a summary of `others`: by its name at the end or among numbered rows, by its values, or by both."""
    words = _words_of(row)[:2]
    named = next((cell for cell in words if is_summary(cell)), "")
    if is_last and named:
        return named
    said = named or next((cell for cell in words if may_be_summary(cell)), "") or (words[0] if is_last and words else "")
    if not said:
        return ""
    place = next(place for place, cell in row.items() if cell == said)
    others = others.iloc[:200] if others.size > _MOST_CELLS else others
    rows = others[~others[place].map(may_be_summary)]
    if said in set(others[place]):
        return ""  # one row of each of several tables, as sar has of "all" processors
    numbered = len(rows) >= _FEWEST_ROWS and all(map(is_number, rows[place].iloc[:200]))
    if numbered and (named or (is_last and may_be_summary(said))):
        return said
    return said if _fits(row, rows, may_be_summary(said)) else ""


def _fits(row: pd.Series, rows: pd.DataFrame, named: bool) -> bool:
    """Whether each number of `row` is the sum, mean or spread of its column in `rows`, too nearly for chance. named: as a summary."""
    if len(rows) < _FEWEST_ROWS:
        return False
    chance = 1.0
    for place, cell in row.items():
        if not is_number(cell) or not is_numeric(rows[place]):
            continue
        values = numbers_of(rows[place]).dropna().to_numpy()
        value = float(numbers_of(pd.Series([cell])).iloc[0])
        # The last digit may be rounded or cut.
        step = max(10.0 ** -len(cell.partition(".")[2]) if "e" not in cell.lower() else 0.0, _CLOSE * abs(value))
        if len(values) < _FEWEST_ROWS or not any(abs(value - each) <= step for each in statistics_of(values, named=named)):
            return False
        spread = float(values.max() - values.min())
        chance *= min(1.0, 10 * step / spread) if spread else 1.0
    return chance < _CHANCE


def statistics_of(values: NDArray[np.float64], *, named: bool = True) -> Iterator[float]:
    """The sum, mean, standard deviations and variances of `values`, one at least; others where a row or column is `named` as one."""
    deviation = float(values.std(ddof=1)) if len(values) > 1 else np.nan
    yield from (float(values.sum()), float(values.mean()), deviation, float(values.std()), deviation**2, float(values.var()))
    if named:
        yield from (float(np.median(values)), float(values.min()), float(values.max()), float(np.ptp(values)), float(len(values)))


def is_numeric(texts: pd.Series) -> bool:
    """Whether nearly all cells of a column that say something are numbers."""
    there = filled(texts)
    return len(there) > 0 and sum(map(is_number, there.iloc[:200])) >= _MOSTLY * min(len(there), 200)


def _is_sum(texts: pd.DataFrame, judged: pd.DataFrame) -> bool:
    """Whether the last row has no key (its first cell is blank, as nowhere else) and is the sum or the mean of all above it, of numbered
    rows in one column at least; or whether it is of numbers alone and ends_in_sums.

    judged: the rows that say which columns are of numbers.
    """
    keys = texts.iloc[:, 0]
    unnamed = is_missing(keys.iloc[-1]) or not keys.iloc[-1]
    if len(texts) < FEWEST_SUMMED or len(texts) > MOST_SUMMED or (unnamed and bool((keys.iloc[:-1] == "").any())):
        return False
    if not unnamed and texts.shape[1] > 1 and not may_end_in_sums(numbers_of(texts.iloc[:, 1]).to_numpy()):
        return False
    last = texts.iloc[-1].to_dict()
    values = [numbers_of(texts[place]) for place in judged.columns if last[place] and is_numeric(judged[place])]
    if not unnamed:
        return len(values) == texts.shape[1] and ends_in_sums(np.column_stack(values))
    above = [column.iloc[:-1] for column in values]
    fits = [
        bool(np.isclose(column.iloc[-1], (each.sum(), each.mean()), rtol=_CLOSE).any()) for column, each in zip(values, above, strict=True)
    ]
    numbered = all(map(is_number, keys.iloc[:-1]))  # then a row without a number is no run, though some columns may be ratios
    return bool(fits) and (any(fits) if numbered else all(fits))
