"""The controls of the Compare page's pictures."""

from hemcore.charts.compare.runs_in_order import hems_in_order
from hemcore.charts.compare.view import CompareView
from hemcore.charts.picture import Scene
from hemcore.web.frame import Frame, Tab


def _hem(frame: Frame, scene: Scene) -> dict[str, object]:
    known = hems_in_order(scene.result)
    if frame.form.stands("hem") not in (None, *known):
        frame.form.put("hem", known[0])  # left from another dataset
    return frame.form.values(CompareView, ("hem",), choices={"hem": known})


PARTS = {"order": Tab(place="side", controls=_hem)}
