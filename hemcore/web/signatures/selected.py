"""What can be selected in the pictures of signatures: points of the roofline, and a cell of the verdicts' table."""

import math

from hemcore.signatures import CLASSES
from hemcore.web.drawing import Picked
from hemcore.web.selection import Selection
from hemcore.web.signatures import PAGE

_MOST_ROWS = 2**53


def pick_points(picked: Picked) -> None:
    """A point that was clicked, or a box that was drawn, on the roofline."""
    if isinstance(picked, dict):
        POINTS.put("box " + " ".join(f"{float(each):.8g}" for each in picked.get("box", ())))
    else:
        POINTS.put(f"row {int(picked[0] if isinstance(picked, list) else picked)}")


def pick_cell(picked: list[str]) -> None:
    """A cell of the table of two strategies that was clicked: the classes down and across."""
    CELL.put(" ".join(str(each) for each in picked))


def _points(text: str) -> dict[str, object] | None:
    kind, _, values = text.partition(" ")
    if kind == "row" and values.isdecimal() and len(values) <= 16 and int(values) < _MOST_ROWS:
        return {"row": int(values)}
    try:
        box = tuple(float(each) for each in values.split(" "))
    except ValueError:
        return None
    return {"box": box} if kind == "box" and len(box) == 4 and all(math.isfinite(each) for each in box) else None


def _cell(text: str) -> dict[str, object] | None:
    cell = tuple(text.split(" "))
    return {"cell": cell} if len(cell) == 2 and set(cell) <= set(CLASSES) else None


POINTS, CELL = Selection(PAGE, "selected", _points), Selection(PAGE, "cell", _cell)
EVERY = (POINTS, CELL)
