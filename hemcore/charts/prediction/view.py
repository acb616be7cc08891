"""How the pictures of phases are looked at."""

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
    row: int | None = parameter(None, title="Phase", description="The place in the table of the phase that was clicked.", ge=0)


def view_of(scene: Scene) -> PredictionView:
    """The view of the scene, the defaults where nobody chose."""
    return scene.view if scene.view is not None else PredictionView()


def kept(scene: Scene, *more: str) -> str:
    """What makes it a picture of something else, so that its zoom goes."""
    return "|".join([scene.question.dataset, *more])
