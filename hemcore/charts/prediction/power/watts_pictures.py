"""The pictures of the question "Watts", one tab each."""

from collections.abc import Sequence

from hemcore.charts.picture import Picture
from hemcore.charts.prediction.power import frequency_curves, left_out_errors, watt_stack
from hemcore.prediction.power.another_frequency import PowerWhatIf

WATTS_PICTURES: Sequence[Picture[PowerWhatIf]] = (
    Picture(
        name="frequency",
        tab="Another frequency",
        draw=frequency_curves.draw,
        caption=frequency_curves.caption,
        table=frequency_curves.table,
        plain_table=True,
    ),
    Picture(
        name="power-programs",
        tab="Unseen programs",
        draw=left_out_errors.draw_programs,
        caption=left_out_errors.programs_caption,
        table=left_out_errors.programs_table,
    ),
    Picture(
        name="power-clocks",
        tab="Unseen frequencies",
        draw=left_out_errors.draw_clocks,
        caption=left_out_errors.clocks_caption,
        table=left_out_errors.clocks_table,
        shown=left_out_errors.several_clocks,
    ),
    Picture(
        name="watt-stack",
        tab="Where the watts go",
        draw=watt_stack.draw,
        caption=watt_stack.caption,
        table=watt_stack.table,
    ),
)
