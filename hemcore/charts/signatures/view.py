"""How signatures are looked at."""

from typing import Literal

from hemcore.charts.picture import Scene
from hemcore.params import Params, parameter
from hemcore.signatures.results import ClassifiedSignatures

Colour = Literal["class", "application", "user", "time"]
Pair = Literal["CPI, MEM_GBS", "MEM_GBS, GFLOPS", "CPI, GFLOPS", "CPI, TPI", "TPI, MEM_GBS", "TPI, GFLOPS"]


class SignatureView(Params):
    """How signatures are looked at; what is empty was not chosen."""

    colour: Colour = parameter("class", title="Colour by", description="What the colours of the points say.")
    drag: Literal["zoom", "select"] = parameter(
        "zoom", title="Dragging", description="What dragging in the picture does: zoom in, or select the rows that the table lists."
    )
    roofs: tuple[str, ...] = parameter((), title="Further roofs", description="Roofs of other machines, clocks and precisions.")
    box: tuple[float, ...] = parameter((), title="Box", description="Least and most FLOP/byte, least and most GFLOPS of what is selected.")
    row: int | None = parameter(None, title="Row", description="The row of the signature that was clicked.", ge=0)
    one: str = parameter("", title="Strategy down", description="The strategy whose classes are the rows of the table.")
    other: str = parameter("", title="Strategy across", description="The strategy whose classes are the columns of the table.")
    cell: tuple[str, ...] = parameter((), title="Cell", description="The classes of the cell that was clicked: down, then across.")
    metrics: Pair = parameter("CPI, MEM_GBS", title="Metrics", description="The two metrics of the picture on the left.")
    by: str = parameter("class", title="Use by", description="What node-hours and energy are added up by.")
    tag: str = parameter("node", title="Tag", description="The tag of the node type in ear.conf; it is part of the files' names.")
    per_cpu: bool = parameter(
        False,
        title="Extremes a CPU",
        description="As EAR's releases compare them: divided by the CPUs of a node. Off: of the node, as the documentation says.",
    )


def view_of(scene: Scene[ClassifiedSignatures]) -> SignatureView:
    """The view of the scene, the defaults where nobody chose."""
    return scene.view if scene.view is not None else SignatureView()


def uirevision(scene: Scene[ClassifiedSignatures], *more: str) -> str:
    """What makes it a picture of something else, so that its zoom goes."""
    return "|".join([scene.question.dataset, *more])
