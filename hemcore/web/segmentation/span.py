"""The span of a run that was selected by dragging, to compare it with the rest of the run."""

import math

from hemcore.web.drawing import Picked
from hemcore.web.segmentation import PAGE
from hemcore.web.selection import Selection


def pick(picked: Picked) -> None:
    """Take the box that was dragged over the events; a click chooses nothing."""
    if isinstance(picked, dict) and len(picked.get("box", ())) == 4:
        start, stop = (float(each) for each in picked["box"][:2])
        SPAN.put(f"{start:.8g} {stop:.8g}")


def _ends(text: str) -> dict[str, object] | None:
    try:
        ends = tuple(float(each) for each in text.split(" "))
    except ValueError:
        return None
    return {"span": ends} if len(ends) == 2 and all(map(math.isfinite, ends)) and ends[0] < ends[1] else None


SPAN = Selection(PAGE, "span", _ends)
