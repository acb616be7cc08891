"""The pictures of a comparison, in the order of the tabs."""

from collections.abc import Sequence

from hemcore.charts.compare.forest import forest_caption, forest_figures, forest_table
from hemcore.charts.compare.runs_in_order import order_caption, order_figures, order_table
from hemcore.charts.picture import Picture
from hemcore.compare.results import Comparison

PICTURES: Sequence[Picture[Comparison]] = (
    Picture(name="forest", tab="Changes", draw=forest_figures, caption=forest_caption, table=forest_table),
    Picture(name="order", tab="Runs in order", draw=order_figures, caption=order_caption, table=order_table, view=("hem",)),
)
