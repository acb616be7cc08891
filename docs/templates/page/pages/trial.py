"""Trial: the level of an event, interval by interval."""

from hemcore.trial import LevelsParams
from hemcore.trial.analysis import LEVELS
from hemcore.web.navigation import enter
from hemcore.web.trial import PAGE

frame = enter(PAGE)
frame.work()
with frame.left:
    dataset, table = frame.data()
    params = LevelsParams(**frame.form.values(LevelsParams, ("event", "window"), choices={"event": list(table.counts.columns)}))
    frame.chosen()
frame.ask(LEVELS, params)
frame.headline()
frame.pictures()
