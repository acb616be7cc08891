"""Signatures: what limits each job, by EAR's three strategies side by side, its model files, and what its policies cost."""

from hemcore.signatures.analysis import CLASSIFY
from hemcore.web import selection, sentences
from hemcore.web.navigation import enter
from hemcore.web.signatures import PAGE, database, form, selected, tabs

frame = enter(PAGE)
frame.work()
with frame.left:
    database.head()
    dataset, table = frame.data()
    selection.of(PAGE, dataset.id, selected.EVERY)
    with sentences.show_errors(place=frame.right, last=frame.chosen):
        params = form.params_choice(frame, table)
    frame.chosen()
frame.ask(CLASSIFY, params)
frame.headline()
frame.pictures(tabs.PARTS)
