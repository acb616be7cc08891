"""The cells of columns that are numbers with units, as plain numbers."""

from collections.abc import Sequence

import pandas as pd

from hemcore.datasets.importing.header_words import meaning_of
from hemcore.datasets.importing.recipe import CHOSEN, ImportRecipe
from hemcore.datasets.importing.units.cell_kinds import missing, plain_columns, with_columns
from hemcore.datasets.importing.units.missing_words import SHEET_ERROR
from hemcore.datasets.importing.units.united_numbers import from_hex, numbers_alone_of, with_points, without_spreads, without_units
from hemcore.datasets.readers.repairs import Repair

ERRORS = "errors of a spreadsheet"
# Roles of columns whose numbers may have units; one that was guessed to be text may be one.
_TIMES, _COUNTED = ("time", "date"), ("", "event", "value", "share", "summary", "ignore")


def columns_without_units(
    texts: pd.DataFrame, names: Sequence[str], recipe: ImportRecipe, repairs: list[Repair], file: str, units: dict[str, str]
) -> pd.DataFrame:
    """Columns of numbers with units as plain numbers, each listed, its unit in `units`; what names rows stays as it is."""
    changed = {}
    plain_ones = plain_columns(texts)
    for name, column in zip(names, texts.columns, strict=True):
        if column in plain_ones:
            continue
        if errors := int(texts[column].str.fullmatch(SHEET_ERROR).sum()):
            first = next(cell for cell in texts[column] if SHEET_ERROR.fullmatch(cell))
            repairs.append(Repair(file, name, f"{ERRORS} ({first}): no values", errors))
            changed[column] = texts[column] = texts[column].str.replace(SHEET_ERROR, "", regex=True)
        if str(texts[column].iloc[0]).endswith("%"):
            units[name] = "%"
        chosen = recipe.role_of(name)
        role = chosen.role if chosen is not None else meaning_of(name).role
        plain = with_points(texts[column], missing(texts[column]), recipe.decimal)
        units_read = role in (*_TIMES, *_COUNTED)
        made = without_units(plain, missing(plain), are_times=role in _TIMES, small_m=recipe.small_m) if units_read else None
        made = from_hex(plain, missing(plain)) if made is None and role in _COUNTED else made
        made = without_spreads(plain, missing(plain)) if made is None and role in _COUNTED else made
        if made is None and chosen is not None and chosen.why == CHOSEN and chosen.role in ("event", "value"):
            made = numbers_alone_of(plain, missing(plain))
        if made is not None or plain is not texts[column]:
            changed[column] = plain if made is None else made.texts
        if made is not None:
            repairs.append(Repair(file, name, made.what, made.cells))
            units[name] = made.unit
    return with_columns(texts, changed)
