"""Compare: two sets of runs, and what changed between them by more than noise."""

from hemcore.web import sentences
from hemcore.web.compare import PAGE, drop_field, form, tabs
from hemcore.web.navigation import enter

frame = enter(PAGE)
frame.work()
drop_field.finish()
with frame.left:
    dataset, table = frame.data(upload=drop_field.show)
    with sentences.show_errors(place=frame.right, last=frame.chosen, actions=frame.remedies):
        params = form.params_choice(frame, dataset, table)
    frame.sliders_here()
    frame.chosen()
frame.ask(form.analysis_for(table), params)
frame.headline()
frame.pictures(tabs.PARTS)
