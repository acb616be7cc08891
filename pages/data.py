"""Data: upload readings, see what is in them and what was repaired, keep them."""

from hemcore.web.data import PAGE, dataset, format_help, shelf_table, upload
from hemcore.web.navigation import enter

frame = enter(PAGE)
frame.beside()
with frame.left:
    upload.panel()
with frame.right:
    chosen = shelf_table.choose()
    if chosen is not None:
        dataset.show(*chosen)
    format_help.show()
