"""Prediction: errors on unseen programs, cost shares, and which phases to measure."""

from hemcore.web import selection, sentences
from hemcore.web.navigation import enter
from hemcore.web.prediction import PAGE, explore, form, tabs

frame = enter(PAGE)
frame.work()
with frame.left:
    dataset, table = frame.data()
    selection.of(PAGE, dataset.id, (explore.PHASE,))
    analysis = form.family_choice(frame)
    frame.sliders_here()
    with sentences.show_errors(place=frame.right, last=frame.chosen):
        params = form.params_choice(frame, analysis, table)
    frame.chosen()
frame.ask(analysis, params)
frame.headline()
frame.pictures(tabs.PARTS)
