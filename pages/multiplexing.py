"""Multiplexing: hidden counts estimated, compared with the truth, and what fewer counters would lose."""

from hemcore.mpx.analysis import ESTIMATE
from hemcore.web import sentences
from hemcore.web.multiplexing import PAGE, form, tabs
from hemcore.web.navigation import enter

frame = enter(PAGE)
frame.work()
with frame.left:
    dataset, table = frame.data()
    with sentences.show_errors(place=frame.right, last=frame.chosen):
        series = form.series_choice(frame, table)
    with sentences.show_errors(place=frame.right, last=frame.chosen):
        params = form.params_choice(frame, table, series)
    frame.chosen()
frame.ask(ESTIMATE, params)
frame.headline()
frame.pictures(tabs.PARTS)
