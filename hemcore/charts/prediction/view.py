"""How the pictures of phases are looked at."""

from typing import Literal

from hemcore.charts.picture import Scene
from hemcore.params import Params, parameter


class PredictionView(Params):
    """How phases are looked at; what is empty was not chosen."""

    colour: str = parameter("program", title="Colour by", description="What the colours of the points say.")
    across: str = parameter(
        "", title="Across", description="The counter from left to right. Empty: the one that goes with the target most."
    )
    up: str = parameter("", title="Up", description="The counter from below to above. Empty: the target.")
    rates: bool = parameter(
        False, title="Per instruction", description="Counts divided by executed instructions, so that long phases are no other phases."
    )
    drawn: tuple[str, ...] = parameter(
        (), title="Models drawn", description="Those that are drawn beside each other. Empty: the best one, Lasso, CLSLR, and the copy."
    )
    score: Literal["a phase", "as a whole"] = parameter(
        "a phase", title="Error", description="Of a program's phases, their mean; or of the sum over its phases, without its sign."
    )
    promised: Literal["80 %", "90 %"] = parameter(
        "80 %", title="Interval", description="The share of unseen programs (or of their phases) that the intervals promise to hold."
    )
    unseen: str = parameter(
        "", title="Held-out program", description="The program that is looked at: predicted by all others. Empty: the worst predicted."
    )
    beside: str = parameter("", title="Beside it", description="A second model's prediction of the same phases. Empty: the best one's.")
    start: str = parameter("", title="Program", description="The program that the what-if starts at a phase of. Empty: the first.")
    start_phase: int | None = parameter(
        None, title="Phase", description="The number of the phase that the what-if starts at. Empty: the middling one.", ge=0
    )
    counts: tuple[tuple[str, float], ...] = parameter(
        (), title="Counts", description="What the sliders say, a counter and its count each. Empty: as the phase was counted."
    )
    row: int | None = parameter(None, title="Phase", description="The place in the table of the phase that was clicked.", ge=0)


def view_of(scene: Scene) -> PredictionView:
    """The view of the scene, the defaults where nobody chose."""
    return scene.view if scene.view is not None else PredictionView()


def kept(scene: Scene, *more: str) -> str:
    """What makes it a picture of something else, so that its zoom goes."""
    return "|".join([scene.question.dataset, *more])
