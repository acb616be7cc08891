"""Which changes of a figure are green, and which zooms a link may ask for."""

import pytest

from hemcore.headline import Change
from hemcore.web.cards import _under
from hemcore.web.selection import _ranges


@pytest.mark.parametrize(
    ("text", "better", "color"),
    [("+3%", True, "normal"), ("+3%", False, "inverse"), ("−3%", True, "inverse"), ("−3%", False, "normal"), ("+3%", None, "off")],
)
def test_what_is_better_is_green(text: str, better: bool | None, color: str) -> None:
    # "normal" shows + in green and - in red, "inverse" the other way round.
    told = _under("", Change(text=text, better=better))
    assert told["delta_color"] == color
    assert told["delta"] == text.replace("−", "-") + {True: " better", False: " worse", None: ""}[better]


def test_a_zoom_has_two_ends() -> None:
    assert _ranges("runs x 0 10 y2 -1 1.5") == {"x": (0.0, 10.0), "y2": (-1.0, 1.5)}
    for text in ("runs", "runs x 0", "runs x 3 3", "runs x 0 inf", "runs z 0 1", "runs x a b"):
        assert _ranges(text) is None
