"""Merge: HEMs read in separate subexperiments, put together as if the processor had read them all at once."""

from hemcore.web import sentences
from hemcore.web.merge import PAGE, form, tabs, unread
from hemcore.web.navigation import enter

frame = enter(PAGE)
frame.work()
with frame.left:
    dataset, table = frame.data()
    unread.note(frame, dataset, table)
    with sentences.show_errors(place=frame.right, last=frame.chosen, actions=frame.remedies):
        analysis = form.method_choice(frame, dataset, table)
        params = form.params_choice(frame, analysis, table)
    frame.chosen()
frame.ask(analysis, params)
frame.headline()
frame.pictures(tabs.PARTS)
