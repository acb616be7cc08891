"""Display settings of the pictures of phases."""

from typing import Literal

from hemcore.charts.picture import Scene
from hemcore.params import Params, parameter

# How the choices of `score`, which are part of links, read in texts.
SCORES = {"a phase": "per phase", "as a whole": "per program"}


class PredictionView(Params):
    """Display settings; an empty one has not been chosen."""

    colour: str = parameter("program", title="Colour by", description="The property shown by the colours of the points.")
    across: str = parameter(
        "", title="Across", description="The counter on the horizontal axis. Empty: the one most correlated with the target."
    )
    up: str = parameter("", title="Up", description="The counter on the vertical axis. Empty: the target.")
    rates: bool = parameter(
        False,
        title="Per instruction",
        description="Divide counts by executed instructions, so that phases of different lengths are comparable.",
    )
    drawn: tuple[str, ...] = parameter(
        (),
        title="Models shown",
        description="Models to compare in the picture. Empty: the best one, cost per event, CLSLR, Lasso and the copied load.",
    )
    score: Literal["a phase", "as a whole"] = parameter(
        "a phase", title="Error", description="The mean error over a program's phases, or the absolute error of the sum over its phases."
    )
    promised: Literal["80 %", "90 %"] = parameter(
        "80 %", title="Interval", description="The share of unseen programs (or of their phases) that the intervals should contain."
    )
    unseen: str = parameter(
        "",
        title="Held-out program",
        description="The program to show, predicted by training on all others. Empty: the one with the largest error.",
    )
    beside: str = parameter("", title="Compare with", description="A second model's prediction of the same phases. Empty: the best model.")
    loses: str = parameter(
        "", title="Program", description="The program whose causes are ranked. Empty: the one that loses the largest share to misses."
    )
    reference: str = parameter(
        "none",
        title="Reference",
        description="Shown as ticks, for as many instructions: another program, or for each cause the program with the least of it.",
    )
    start: str = parameter("", title="Program", description="The program with the starting phase. Empty: the first.")
    start_phase: int | None = parameter(
        None, title="Phase", description="The number of the starting phase. Empty: the phase with the median target.", ge=0
    )
    counts: tuple[tuple[str, float], ...] = parameter(
        (), title="Counts", description="The values of the sliders, one per counter. Empty: the counts of the starting phase."
    )
    row: int | None = parameter(None, title="Phase", description="The row of the clicked phase in the table.", ge=0)


def view_of(scene: Scene) -> PredictionView:
    """The display settings of the scene, or the defaults."""
    return scene.view if scene.view is not None else PredictionView()


def uirevision(scene: Scene, *more: str) -> str:
    """What identifies the picture: its zoom is reset if this changes."""
    return "|".join([scene.question.dataset, *more])
