"""How multiplexed counts are shown."""

from typing import Literal, get_args

from hemcore.charts.colours import SERIES
from hemcore.charts.picture import Scene
from hemcore.headline import amount
from hemcore.mpx.estimator_names import info_of
from hemcore.mpx.params import MethodName
from hemcore.mpx.results import Multiplexed
from hemcore.params import Params, parameter

MOST_EVENTS, MOST_BESIDE = 5, 2
TRAINED = ("trained curve", "trained counts")
METHODS: tuple[str, ...] = tuple(name for name in get_args(MethodName) if name not in TRAINED)
Score = Literal["RA", "WA", "total", "DTW"]
SCORES = {"RA": "ra", "WA": "wa", "total": "total", "DTW": "dtw"}
SAID = {
    "RA": "RA, per slot",
    "WA": "WA, per count",
    "total": "signed error of run totals",
    "DTW": "DTW-cost, of log10(1 + count)",
}


class MpxView(Params):
    """How multiplexed counts are shown; empty: the default."""

    events: tuple[str, ...] = parameter(
        (), title="Events", description=f"Drawn over one time axis, at most {MOST_EVENTS}. Empty: the median, worst and best event."
    )
    beside: tuple[str, ...] = parameter(("fixed",), title="Also drawn", description=f"At most {MOST_BESIDE} further estimators.")
    score: Score = parameter(
        "RA", title="Score", description="The number in each cell: RA and WA of hidden slots, the signed total, or DTW-cost."
    )
    by: Literal["application", "event"] = parameter("application", title="By", description="The rows of the table.")
    compared: tuple[str, ...] = parameter((), title="Estimators", description="Whose accuracy is drawn against k. Empty: all.")


def view_of(scene: Scene[Multiplexed]) -> MpxView:
    """The view of the scene, the defaults if nothing was chosen."""
    return scene.view if scene.view is not None else MpxView()


def uirevision(scene: Scene[Multiplexed], *more: object) -> str:
    """The subject of the picture; its zoom lasts as long as it."""
    return "|".join([scene.question.dataset, scene.result.application, *map(str, more)])


def title_of(method: str) -> str:
    """The name of a method on screen."""
    return info_of(method).title


def colour_of_method(method: str) -> tuple[str, int]:
    """The color of a method on every page, and how many methods before it have the same."""
    known = (*METHODS, *TRAINED)
    place = known.index(method) if method in known else len(known)
    return SERIES[place % len(SERIES)], place // len(SERIES)


def counting(scene: Scene[Multiplexed]) -> str:
    """ "1 slot in 4"."""
    return f"1 slot in {amount(scene.result.slots_per_count)}"
