"""What colors mean is seen by the color-blind too.

Simulated with the matrices of Machado, Oliveira and Fernandes (2009), doi:10.1109/TVCG.2009.113, severity 1; distances in CIELAB.
"""

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from hemcore.charts.colours import BASELINE, CLASS_COLOURS, MUTED, SERIES, TRUTH, on_dark

SEEN = {
    "all cones": np.eye(3),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    ),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    ),
}
THEMES = {"light": str, "dark": on_dark}
# A difference of 2.3 is just noticeable side by side.
TOLD_APART = 20
GREY_APART = 8
_XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]])
_WHITE = np.array([0.95047, 1.0, 1.08883])


def lab(colour: str, eyes: str) -> NDArray[np.float64]:
    """CIELAB of #rrggbb as these eyes see it."""
    share = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    xyz = _XYZ @ np.clip(SEEN[eyes] @ linear, 0, 1) / _WHITE
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def apart(one: str, other: str, eyes: str) -> float:
    return float(np.linalg.norm(lab(one, eyes) - lab(other, eyes)))


def test_the_simulation_knows_what_deuteranopes_confuse() -> None:
    # Black to white is 100; red and green of one lightness are far apart for most people and close for some.
    assert apart("#000000", "#FFFFFF", "deuteranopia") == pytest.approx(100, abs=0.1)
    assert apart("#A65A4E", "#6B7A2F", "deuteranopia") < 0.5 * apart("#A65A4E", "#6B7A2F", "all cones")


@pytest.mark.parametrize("eyes", SEEN)
@pytest.mark.parametrize("theme", THEMES)
def test_the_truth_is_no_event_and_no_baseline(theme: str, eyes: str) -> None:
    shown = THEMES[theme]
    assert min(apart(shown(TRUTH), shown(other), eyes) for other in (*SERIES, BASELINE)) > TOLD_APART


@pytest.mark.parametrize("eyes", SEEN)
@pytest.mark.parametrize("theme", THEMES)
def test_the_classes_of_signatures_differ(theme: str, eyes: str) -> None:
    shown = THEMES[theme]
    assert min(apart(shown(one), shown(other), eyes) for one, other in combinations(CLASS_COLOURS.values(), 2)) > TOLD_APART


@pytest.mark.parametrize("eyes", SEEN)
@pytest.mark.parametrize("theme", THEMES)
def test_grey_is_what_has_no_colour_of_its_own(theme: str, eyes: str) -> None:
    shown = THEMES[theme]
    assert min(apart(shown(MUTED), shown(other), eyes) for other in (*SERIES, *CLASS_COLOURS.values())) > GREY_APART
    assert min(apart(shown(SERIES[-1]), shown(other), eyes) for other in SERIES[:-1]) > TOLD_APART
    # The baseline is another grey than what stands for others.
    assert apart(shown(MUTED), shown(BASELINE), eyes) > GREY_APART
