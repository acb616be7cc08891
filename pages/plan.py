"""Plan: which HEMs to read together, so that few subexperiments have every pair of them."""

from hemcore.planning.analysis import PLAN
from hemcore.web import sentences
from hemcore.web.navigation import enter
from hemcore.web.plan import PAGE, form, metrics_box, tabs

frame = enter(PAGE)
frame.work()
with frame.left:
    form.hems_box(frame)
    metrics_box.new_list_box(frame)
    dataset, table = frame.data()
    form.constraints_box(frame, table)
    with sentences.show_errors(place=frame.right, last=frame.chosen, actions=frame.remedies):
        params = form.params_choice(frame, table)
    frame.chosen()
frame.ask(PLAN, params)
frame.headline()
frame.pictures(tabs.PARTS)
