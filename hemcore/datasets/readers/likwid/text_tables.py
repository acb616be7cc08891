"""The tables that `likwid-perfctr` draws on the screen, as the lines that it writes with -o."""

import re

_GROUP = re.compile(r"(?:Region (?P<region>.*?), )?Group (?P<group>\d+): (?P<name>\S+)\s*")
_THREAD = re.compile(r"[Cc]ore (?=\d+$)")
_ROW = re.compile(r",\s*\d")
_RULE = re.compile(r"\+(?:-+\+)+\s*")


def as_csv(text: str) -> str:
    """`text` with each row of a table between bars as a line of CSV and `TABLE,Group 1 Raw,NAME` in place of the rule above it.

    As many lines as before, each at its place; other lines below a table are blank. A text without such a table as it is.
    """
    if _RULE.search(text) is None or "|" not in text:
        return text
    lines, made = text.split("\n"), []
    region, group, name = "", "1", ""
    drawn = False
    short = False  # as LIKWID 3 draws them, without the counters
    for number, line in enumerate(lines):
        if (found := _GROUP.fullmatch(line)) is not None:
            region, group, name = found["region"] or "", found["group"], found["name"]
        if not line.startswith("|"):
            made.append("" if _RULE.fullmatch(line) is not None or (drawn and _ROW.search(line) is None) else line)
            continue
        drawn = True
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if cells[0] in ("Event", "Metric", "Region Info") and number and _RULE.fullmatch(lines[number - 1]) is not None:
            what = "Metric" if cells[0] == "Metric" else "Raw"
            stat = " STAT" if {"Sum", "Min"} & set(cells) else ""
            place = f"Region {region}," if region else ""
            short = cells[0] == "Event" and len(cells) > 1 and _THREAD.match(cells[1]) is not None
            made[-1] = "STRUCT,Region Info,2" if cells[0] == "Region Info" else f"TABLE,{place}Group {group} {what}{stat},{name}"
        cells = [cells[0], "Counter" if cells[0] == "Event" else "", *cells[1:]] if short else cells
        made.append(",".join(_THREAD.sub("HWThread ", cell) for cell in cells))
    return "\n".join(made)
