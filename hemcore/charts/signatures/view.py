"""The view of signatures."""

from typing import Literal

from hemcore.charts.picture import Scene
from hemcore.params import Params, parameter
from hemcore.signatures.results import ClassifiedSignatures

Colour = Literal["class", "application", "user", "time"]
Pair = Literal["CPI, MEM_GBS", "MEM_GBS, GFLOPS", "CPI, GFLOPS", "CPI, TPI", "TPI, MEM_GBS", "TPI, GFLOPS"]


class SignatureView(Params):
    """The view of signatures; an empty value was not chosen."""

    colour: Colour = parameter("class", title="Colour by", description="The quantity shown by the colours of the points.")
    drag: Literal["zoom", "select"] = parameter(
        "zoom", title="Dragging", description="Dragging in the plot zooms in, or selects the rows listed in the table."
    )
    roofs: tuple[str, ...] = parameter((), title="Further roofs", description="Roofs of other machines, clocks and precisions.")
    box: tuple[float, ...] = parameter(
        (), title="Box", description="Minimum and maximum FLOP/byte, minimum and maximum GFLOPS of the selection."
    )
    row: int | None = parameter(None, title="Row", description="The row of the signature that was clicked.", ge=0)
    one: str = parameter("", title="Strategy down", description="The strategy whose classes are the rows of the table.")
    other: str = parameter("", title="Strategy across", description="The strategy whose classes are the columns of the table.")
    cell: tuple[str, ...] = parameter((), title="Cell", description="The classes of the cell that was clicked: down, then across.")
    metrics: Pair = parameter("CPI, MEM_GBS", title="Metrics", description="The two metrics of the left plot.")
    by: str = parameter("class", title="Use by", description="Node-hours and energy are summed by this.")
    tag: str = parameter("node", title="Tag", description="The tag of the node type in ear.conf; it is part of the files' names.")
    per_cpu: bool = parameter(
        False,
        title="Extremes per CPU",
        description="Divided by the CPUs per node, as EAR's releases compare them. Off: of the whole node, as documented.",
    )


def view_of(scene: Scene[ClassifiedSignatures]) -> SignatureView:
    """The view of the scene, the defaults if nothing was chosen."""
    return scene.view if scene.view is not None else SignatureView()


def uirevision(scene: Scene[ClassifiedSignatures], *more: str) -> str:
    """What makes it a picture of something else, so that its zoom goes."""
    return "|".join([scene.question.dataset, *more])
