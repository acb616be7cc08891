"""Metrics: from event counts to IPC, miss ratios and the top-down tree: over whole runs with intervals, over time, by phase."""

from hemcore.web import sentences
from hemcore.web.metrics import PAGE, form, missing, tabs
from hemcore.web.navigation import enter

frame = enter(PAGE)
frame.work()
with frame.left:
    dataset, table = frame.data()
    with sentences.show_errors(place=frame.right, last=frame.chosen, actions=frame.remedies):
        params = form.params_choice(frame, table)
    frame.sliders_here()
    frame.chosen()
missing.open_plan(frame, dataset, table, params, frame.ask(form.analysis_for(table), params).needs)
frame.headline()
frame.pictures(tabs.PARTS)
