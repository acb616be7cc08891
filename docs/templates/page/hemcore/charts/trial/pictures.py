"""The picture of a level."""

from plotly.graph_objects import Figure

from hemcore.charts.look import Layout, figure
from hemcore.charts.picture import Picture, Scene
from hemcore.trial.analysis import Levels


def _levels(scene: Scene[Levels]) -> list[Figure]:
    levels = scene.result.levels
    line = {"type": "scatter", "x": levels["interval"].tolist(), "y": levels["level"].tolist()}
    axes: Layout = {"xaxis": {"title": "interval"}, "yaxis": {"title": f"mean of {scene.result.params.window} intervals"}}
    return [figure([line], title="How high does it stand?", height=200, **axes)]


PICTURES = (Picture(name="levels", tab="Levels", draw=_levels, table=lambda scene: scene.result.levels.head(20)),)
