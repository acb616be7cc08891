"""Writes tables as programs that people use write them: separators, decimal signs, encodings, workbooks, and headers in three languages."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

import openpyxl

Cell = str | int | float | datetime | date | None
Grid = Sequence[Sequence[Cell]]


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """How a program writes. language: of headers. thousands: between groups of three, of whole numbers from 1,000 on."""

    name: str
    language: str = "en"
    ending: str = "csv"
    delimiter: str = ","
    decimal: str = "."
    encoding: str = "utf-8"
    line_end: str = "\n"
    quoted: bool = False
    thousands: str = ""
    trailing: bool = False
    missing: str = ""

    @property
    def is_workbook(self) -> bool:
        return self.ending == "xlsx"


DIALECTS = (
    Dialect(name="pandas"),
    Dialect(name="excel_de", language="de", delimiter=";", decimal=",", encoding="cp1252", line_end="\r\n"),
    Dialect(name="libreoffice_fr", language="fr", delimiter=";", decimal=",", encoding="utf-8-sig"),
    Dialect(name="unicode_text", ending="txt", delimiter="\t", encoding="utf-16", line_end="\r\n"),
    Dialect(name="r_write_csv", quoted=True, missing="NA"),
    Dialect(name="xlsx", ending="xlsx"),
    Dialect(name="xlsx_de", ending="xlsx", language="de"),
    Dialect(name="tab_fr", ending="tsv", language="fr", delimiter="\t", decimal=","),
    Dialect(name="logger_de", language="de", delimiter=";", decimal=",", trailing=True, missing="-"),
)
WORDS = {
    "time": ("Time", "Zeit", "Temps"),
    "timestamp": ("timestamp", "Zeitstempel", "Horodatage"),
    "date": ("Date", "Datum", "Date"),
    "clock": ("Time", "Uhrzeit", "Heure"),
    "run": ("Run", "Lauf", "Essai"),
    "iteration": ("iteration", "Durchlauf", "itération"),
    "program": ("Program", "Programm", "Programme"),
    "command": ("Command", "Befehlszeile", "Commande"),
    "stage": ("Stage", "Abschnitt", "Étape"),
    "comment": ("Comment", "Bemerkung", "Commentaire"),
    "year": ("Year", "Jahr", "Année"),
    "index": ("index", "Index", "indice"),
    "event": ("Event", "Ereignis", "Événement"),
    "value": ("Value", "Wert", "Valeur"),
    "counter": ("Counter", "Zähler", "Compteur"),
    "subexperiment": ("Group", "Gruppe", "Groupe"),
    "total": ("Total", "Summe", "Total"),
    "mean": ("Mean", "Mittelwert", "Moyenne"),
    "load": ("Load", "Last", "Charge"),
    "cycles": ("cycles", "Zyklen", "cycles"),
    "instructions": ("instructions", "Befehle", "instructions"),
    "misses": ("cache-misses", "Cache-Fehlzugriffe", "défauts de cache"),
    "temperature": ("Temperature delta (°C)", "Temperaturänderung (°C)", "Écart de température (°C)"),
    "title": ("Measurements of 12 March", "Messung vom 12. März", "Mesures du 12 mars"),
    "source": ("Source: lab 3", "Quelle: Labor 3", "Source : labo 3"),
}


def word(key: str, dialect: Dialect) -> str:
    return WORDS[key][("en", "de", "fr").index(dialect.language)]


def text_of(cell: Cell, dialect: Dialect) -> str:
    if cell is None:
        return dialect.missing
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, int):
        return f"{cell:,}".replace(",", dialect.thousands)
    if isinstance(cell, float):
        return repr(cell).replace(".", dialect.decimal)
    return str(cell)


def written(grid: Grid, dialect: Dialect) -> bytes:
    """The bytes of one file of text."""
    out = io.StringIO()
    quoting = csv.QUOTE_MINIMAL
    writer = csv.writer(out, delimiter=dialect.delimiter, lineterminator=dialect.line_end, quoting=quoting)
    for row in grid:
        cells = [text_of(cell, dialect) for cell in row]
        cells += [""] * (dialect.trailing and len(cells) > 1)
        if dialect.quoted:
            doubled = [text.replace('"', '""') for text in cells]
            words = [f'"{text}"' if isinstance(cell, str) else text for cell, text in zip(row, doubled, strict=False)]
            out.write(dialect.delimiter.join(words) + dialect.line_end)
        elif any(cells):
            writer.writerow(cells)
        else:
            out.write(dialect.line_end)
    return out.getvalue().encode(dialect.encoding)


def workbook(sheets: dict[str, Grid]) -> bytes:
    """An .xlsx with these sheets."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, grid in sheets.items():
        sheet = book.create_sheet(title)
        for number, row in enumerate(grid, start=1):
            for place, cell in enumerate(row, start=1):
                if cell is not None and cell != "":
                    sheet.cell(number, place, cell)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def file_of(name: str, grid: Grid, dialect: Dialect) -> tuple[str, bytes]:
    """(name with its ending, bytes) of one table."""
    content = workbook({"Sheet1": grid}) if dialect.is_workbook else written(grid, dialect)
    return f"{name}.{dialect.ending}", content
