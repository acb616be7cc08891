"""How multiplexed counts are looked at."""

from typing import Literal, get_args

from hemcore.charts.picture import Scene
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
    "WA": "WA, right in counts",
    "total": "signed error of run totals",
    "DTW": "DTW-cost, of log10(1 + count)",
}


class MpxView(Params):
    """How multiplexed counts are looked at; what is empty was not chosen."""

    events: tuple[str, ...] = parameter(
        (), title="Events", description=f"Those over one time axis, {MOST_EVENTS} at most. Empty: a middling one, the worst and the best."
    )
    beside: tuple[str, ...] = parameter(
        ("fixed",), title="Also drawn", description=f"Further estimators beside the one for curves, {MOST_BESIDE} at most."
    )
    score: Score = parameter(
        "RA", title="Score", description="What the cells say: RA and WA on hidden slots, the signed total, or DTW-cost."
    )
    by: Literal["application", "event"] = parameter("application", title="By", description="What the rows of the table are.")
    compared: tuple[str, ...] = parameter((), title="Estimators", description="Those whose accuracy is drawn against k. Empty: all.")


def view_of(scene: Scene[Multiplexed]) -> MpxView:
    """The view of the scene, the defaults if nothing was chosen."""
    return scene.view if scene.view is not None else MpxView()


def uirevision(scene: Scene[Multiplexed], *more: object) -> str:
    """What makes it a picture of something else, so that its zoom goes."""
    return "|".join([scene.question.dataset, scene.result.application, *map(str, more)])


def title_of(method: str) -> str:
    """What a method is called before people."""
    return info_of(method).title


def counting(scene: Scene[Multiplexed]) -> str:
    """ "1 slot in 4"."""
    return f"1 slot in {scene.result.slots_per_count:.3g}"
