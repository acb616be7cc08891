"""Report: what was found, in order, as one file that opens anywhere and a notebook that computes it again."""

from hemcore.web.navigation import enter
from hemcore.web.report import PAGE, export, items, picker

frame = enter(PAGE)
frame.beside()
with frame.left:
    report = picker.choose()
    picker.manage(report)
    frame.name(report.title)
with frame.right:
    export.buttons(report)
    items.show(report)
