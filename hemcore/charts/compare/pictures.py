"""The pictures of a comparison, in the order of the tabs."""

from collections.abc import Sequence

from hemcore.analysis import AnyAnalysis
from hemcore.charts.compare.contradicting import contradiction_caption, contradiction_figures, contradiction_table
from hemcore.charts.compare.cycle_bars import cycle_caption, cycle_figures, cycle_table, has_cycles
from hemcore.charts.compare.forest import forest_caption, forest_figures, forest_table
from hemcore.charts.compare.job_matrix import job_caption, job_figures, job_table
from hemcore.charts.compare.phase_split import split_caption, split_figures, split_table
from hemcore.charts.compare.relation_matrices import relation_caption, relation_figures, relation_table
from hemcore.charts.compare.release_courses import release_caption, release_figures, release_table
from hemcore.charts.compare.runs_in_order import order_caption, order_figures, order_table
from hemcore.charts.picture import Picture
from hemcore.compare.analysis import COMPARE_PHASES, COMPARE_SERIES, COMPARE_SIGNATURES, COMPARISONS
from hemcore.compare.releases.release_analyses import RELEASES
from hemcore.compare.results import Comparison
from hemcore.compare.split_analyses import PHASES_OF_PHASES, PHASES_OF_SERIES, WATERFALL
from hemcore.compare.tab_analyses import CONTRADICTIONS, JOBS, RELATIONS

_JOBS: Picture[Comparison] = Picture(
    name="jobs",
    tab="Jobs",
    draw=job_figures,
    needs=JOBS,
    caption=job_caption,
    table=job_table,
    arranged=lambda scene: "pair",
)


_WATERFALL: Picture[Comparison] = Picture(
    name="waterfall",
    tab="Waterfall",
    draw=cycle_figures,
    needs=WATERFALL,
    caption=cycle_caption,
    table=cycle_table,
    shown=has_cycles,
)


def _phases(analysis: AnyAnalysis) -> Picture[Comparison]:
    return Picture(
        name="phases",
        tab="Phases",
        draw=split_figures,
        needs=analysis,
        caption=split_caption,
        table=split_table,
        arranged=lambda scene: "pair",
        view=("hem", "program"),
    )


# What only some kinds of table have.
_OWN: dict[str, Sequence[Picture[Comparison]]] = {
    COMPARE_SERIES.name: (_phases(PHASES_OF_SERIES),),
    COMPARE_PHASES.name: (_phases(PHASES_OF_PHASES), _WATERFALL),
    COMPARE_SIGNATURES.name: (_JOBS,),
}


def pictures_of_kind(place: int) -> Sequence[Picture[Comparison]]:
    """The pictures of the comparison of one kind of table. place: in analysis.COMPARISONS."""
    return (
        Picture(name="forest", tab="Changes", draw=forest_figures, caption=forest_caption, table=forest_table),
        *_OWN.get(COMPARISONS[place].name, ()),
        Picture(
            name="releases",
            tab="Releases",
            draw=release_figures,
            needs=RELEASES[place],
            caption=release_caption,
            table=release_table,
            shown=lambda scene: bool(scene.result.params.between),
            arranged=lambda scene: "pair",
            view=("hem",),
            judged=True,
        ),
        Picture(
            name="relations",
            tab="Relations",
            draw=relation_figures,
            needs=RELATIONS[place],
            caption=relation_caption,
            table=relation_table,
            arranged=lambda scene: "pair",
        ),
        Picture(name="order", tab="Runs in order", draw=order_figures, caption=order_caption, table=order_table, view=("hem",)),
        Picture(
            name="contradictions",
            tab="Contradictions",
            draw=contradiction_figures,
            needs=CONTRADICTIONS[place],
            caption=contradiction_caption,
            table=contradiction_table,
        ),
    )
