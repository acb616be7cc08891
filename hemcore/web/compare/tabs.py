"""The controls of the Compare page's pictures."""

from hemcore.charts.compare.phase_split import programs_by_change
from hemcore.charts.compare.release_courses import followed_hems
from hemcore.charts.compare.runs_in_order import hems_in_order
from hemcore.charts.compare.view import CompareView
from hemcore.charts.picture import Scene
from hemcore.web.frame import Frame, Tab


def _hem(frame: Frame, scene: Scene) -> dict[str, object]:
    return _chosen(frame, hems_in_order(scene.result))


def _followed(frame: Frame, scene: Scene) -> dict[str, object]:
    return _chosen(frame, followed_hems(scene.more))


def _chosen(frame: Frame, known: list[str]) -> dict[str, object]:
    if frame.form.stands("hem") not in (None, *known):
        frame.form.put("hem", known[0])  # left from another dataset
    return frame.form.values(CompareView, ("hem",), choices={"hem": known})


def _hem_and_program(frame: Frame, scene: Scene) -> dict[str, object]:
    chosen = _hem(frame, scene)
    known = programs_by_change(scene)
    if len(known) < 2:
        return chosen
    if frame.form.stands("program") not in (None, *known):
        frame.form.put("program", known[0])  # left from another dataset
    return chosen | frame.form.values(CompareView, ("program",), choices={"program": known})


PARTS = {
    "order": Tab(place="side", controls=_hem),
    "phases": Tab(place="side", controls=_hem_and_program),
    "releases": Tab(place="side", controls=_followed),
}
