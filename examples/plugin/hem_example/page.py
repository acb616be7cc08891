"""Levels: the level of an event, interval by interval."""

from hem_example import LevelsParams
from hem_example.analysis import LEVELS
from hemcore.web.navigation import enter
from hem_example.room import PAGE

frame = enter(PAGE)
frame.work()
with frame.left:
    dataset, table = frame.data()
    params = LevelsParams(**frame.form.values(LevelsParams, ("event", "window"), choices={"event": list(table.counts.columns)}))
    frame.chosen()
frame.ask(LEVELS, params)
frame.headline()
frame.pictures()
