"""The tabs of phases to measure: a click on a curve sets their number."""

from hemcore.web.drawing import Picked
from hemcore.web.form import put
from hemcore.web.frame import Tab
from hemcore.web.prediction import PAGE


def _measure(picked: Picked) -> None:
    put(PAGE.key("n_measured"), int(picked[0] if isinstance(picked, list) else picked))


PARTS = {"representatives": Tab(on_pick=_measure), "enough": Tab(on_pick=_measure)}
