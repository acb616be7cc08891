"""The pictures of classified signatures, a tab each."""

from collections.abc import Sequence

from hemcore.charts.picture import Picture
from hemcore.charts.signatures import ear_file_texts, job_timeline, medoids, plane, policy_costs, roofline, stability, verdicts
from hemcore.charts.signatures.points import facts
from hemcore.signatures.analysis import JOB, KMEDOIDS, POLICIES, SIDE_BY_SIDE, STABILITY
from hemcore.signatures.results import ClassifiedSignatures

PICTURES: Sequence[Picture[ClassifiedSignatures]] = (
    Picture(
        name="roofline",
        tab="Roofline",
        draw=roofline.draw,
        caption=roofline.caption,
        table=roofline.table,
        hint="Click a point, or drag with Dragging: select, to list its rows below.",
        view=("colour", "drag", "roofs", "box", "row"),
    ),
    Picture(
        name="verdicts",
        tab="Verdicts",
        draw=verdicts.draw,
        needs=SIDE_BY_SIDE,
        caption=verdicts.caption,
        table=verdicts.table,
        hint="Click a cell to list its signatures.",
        view=("one", "other", "cell"),
    ),
    Picture(
        name="medoids",
        tab="k-medoids",
        draw=medoids.draw,
        needs=KMEDOIDS,
        caption=medoids.caption,
        table=medoids.table,
        view=("metrics",),
    ),
    Picture(
        name="stability",
        tab="Stability",
        draw=stability.draw,
        needs=STABILITY,
        caption=stability.caption,
        table=stability.table,
    ),
    Picture(name="plane", tab="Thresholds", draw=plane.draw, caption=plane.caption, table=plane.table, plain_table=True),
    Picture(
        name="policies",
        tab="Policies",
        draw=policy_costs.compared,
        needs=POLICIES,
        caption=policy_costs.policies_caption,
        table=policy_costs.policies_table,
        shown=lambda scene: facts(scene.table).policies,
    ),
    Picture(
        name="usage",
        tab="Energy",
        draw=policy_costs.used,
        needs=POLICIES,
        caption=policy_costs.used_caption,
        table=policy_costs.used_table,
        view=("by",),
    ),
    Picture(
        name="job",
        tab="Job in time",
        draw=job_timeline.draw,
        needs=JOB,
        caption=job_timeline.caption,
        table=job_timeline.table,
        shown=lambda scene: facts(scene.table).loops,
    ),
    Picture(
        name="files",
        tab="EAR files",
        draw=lambda scene: [],
        needs=SIDE_BY_SIDE,
        caption=ear_file_texts.caption,
        table=ear_file_texts.table,
        view=("tag", "per_cpu"),
    ),
)
