"""Jobs before and after, and courses over releases: cells, dots, lines and words by hand."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hemcore.analysis import Question
from hemcore.charts.compare.job_matrix import job_caption, job_figures, job_table
from hemcore.charts.compare.release_courses import _without_what_they_share, followed_hems, release_caption, release_figures, release_table
from hemcore.charts.compare.view import CompareView
from hemcore.charts.picture import Scene
from hemcore.compare import releases
from hemcore.compare.analysis import COMPARE_RUNS
from hemcore.compare.matched_jobs import JobChanges
from hemcore.compare.params import CompareParams
from hemcore.compare.results import Comparison
from hemcore.compare.two_sets import compare
from hemcore.datasets.tables.subexperiments import Subexperiments
from tests.charts.conftest import names, trace

PARAMS = CompareParams(before="old", level=0.9)


def runs(**hems: list[float]) -> Subexperiments:
    return Subexperiments(frames=(pd.DataFrame(hems, dtype=float),), labels=("runs",), n_pmcs=6)


def scene(more: object, view: CompareView | None = None) -> Scene[Comparison]:
    table = runs(A=[1, 2])
    question = Question(analysis=COMPARE_RUNS, dataset="new", params=PARAMS)
    return Scene(question=question, table=table, result=replace(compare(table, table), params=PARAMS), view=view, more=more)


def jobs(pairs: list[int], probability: float = 0.001) -> JobChanges:
    """Two classes; pairs of jobs CPU to CPU, CPU to MEM, MEM to CPU, MEM to MEM. One user left."""
    applications = pd.DataFrame(
        {
            "application": ["solver", "mesh"], "users": [2, 1], "jobs_before": [6, 2], "jobs_after": [6, 1],
            "class_before": ["CPU", "MEM"], "class_after": ["MEM", "MEM"], "pairs": [6, 0], "moved": [4, 0],
            "by_chance": [1.5, 0.0], "class_probability": [probability, np.nan],
        }
    )  # fmt: skip
    flows = pd.DataFrame(
        {
            "class_before": ["CPU", "CPU", "MEM", "MEM"],
            "class_after": ["CPU", "MEM"] * 2,
            "pairs": pairs,
            "by_chance": [2.5, 0.75, 0.75, 2.0],
        }
    )
    unmatched = pd.DataFrame(
        {"side": ["before"], "user": ["u1"], "application": ["mesh"], "jobs": [1], "reason": ["more jobs before than after"]}
    )
    return JobChanges(
        applications=applications,
        flows=flows,
        replicates=None,
        unmatched=unmatched,
        named_by=("user", "application"),
        classes_by="Classes are kept.",
        unclassified=0,
        params=PARAMS,
    )


def test_classes_are_a_matrix_from_before_to_after() -> None:
    (figure,) = job_figures(scene(jobs([1, 4, 0, 1])))  # no energy is known: one picture
    heat, cells = figure.data
    assert heat.z.tolist() == [[1, 4], [0, 1]]
    # Before downwards, after across, the first class on top.
    assert list(cells.y) == [0, 0, 1, 1]
    assert list(cells.x) == [0, 1, 0, 1]
    assert list(cells.text) == ["1<br>(2.5)", "4<br>(0.75)", "0<br>(0.75)", "1<br>(2)"]
    assert cells.customdata[1] == "CPU → MEM: 4 jobs<br>0.75 if nothing had changed"
    assert list(figure.layout.xaxis.ticktext) == list(figure.layout.yaxis.ticktext) == ["CPU", "MEM"]
    assert figure.layout.yaxis.range == (1.5, -0.5)
    assert "4 of 6 pairs of jobs differ" in figure.layout.title.text
    assert job_figures(scene(jobs([0, 0, 0, 0]))) == []


def test_jobs_in_words_and_in_rows() -> None:
    there = scene(jobs([1, 4, 0, 1]))
    assert job_caption(there) == (
        "The classes surely changed in 1 of 2 applications: solver. The energy per job surely changed in 0 of 2 applications."
        " 1 job without a partner: in the table. Classes are kept."
    )
    assert "0 of 2 applications. The energy" in job_caption(scene(jobs([1, 4, 0, 1], probability=0.4)))
    rows = job_table(there)
    solver, mesh, alone = (rows.iloc[place] for place in range(3))
    columns = ["user", "class", "of another class", "by chance", "class surely changed"]
    assert solver[columns].tolist() == ["2 users", "CPU → MEM", "4 of 6", "1.5", "yes"]
    assert mesh[columns].tolist() == ["1 user", "MEM", "", "", ""]
    assert alone[["user", "jobs before", "jobs after", "not matched because"]].tolist() == ["u1", "1", "", "more jobs before than after"]


def courses(**more: object) -> Scene[Comparison]:
    """Eight sets of two runs: A counts 5% more from e on, B half as much from c on, C alternates by a tenth of a percent."""
    sets = {
        label: runs(
            A=[1_000 * (1.05 if place > 3 else 1.0) + place % 2] * 2,
            B=[(400 if place > 1 else 800) + place % 2] * 2,
            C=[500 + place % 2, 501 - place % 2 + 0.1],
        )
        for place, label in enumerate("abcdefgh")
    }
    return scene(releases(sets), **more)  # type: ignore[arg-type]


def test_a_course_has_a_dot_per_set_and_a_line_per_level() -> None:
    course, _ = release_figures(courses(view=CompareView(hem="A")))
    dots = next(each for each in course.data if each.name.startswith("set"))
    assert list(dots.x) == list(range(8))
    # 1,000, 1,001, 1,000, 1,001, 1,050, 1,051, ...: against the first set.
    assert list(dots.y) == pytest.approx([0, 0.001, 0, 0.001, 0.05, 0.051, 0.05, 0.051])
    level = trace(course, "level")
    # A gap before the fifth set.
    assert list(level.x[:4]) == [0, 1, 2, 3]
    assert np.isnan(level.x[4])
    assert list(level.x[5:]) == [4, 5, 6, 7]
    assert level.y[0] == pytest.approx(np.sqrt(1.001) - 1)
    assert level.y[5] == pytest.approx(np.sqrt(1.05 * 1.051) - 1)
    (line,) = course.layout.shapes
    assert (line.x0, line.x1) == (3.5, 3.5)  # between d and e
    (note,) = course.layout.annotations
    assert (note.x, note.text) == (3.5, "+5.0%")
    assert list(course.layout.xaxis.ticktext) == list("abcdefgh")
    assert dots.customdata[4] == "<b>e</b><br>1,050 per run, +5.0%"


def test_dates_are_triangles_at_the_first_set_of_each_level() -> None:
    _, dates = release_figures(courses())
    assert names(dates) == ["less", "more"]
    less, more = trace(dates, "less"), trace(dates, "more")
    order = list(dates.layout.yaxis.ticktext)
    assert sorted(order) == ["A", "B"]
    assert (list(less.x), list(less.y), list(less.text)) == ([2], [order.index("B")], ["−50.0%"])
    assert (list(more.x), list(more.y), list(more.text)) == ([4], [order.index("A")], ["+5.0%"])
    assert (less.marker.symbol, more.marker.symbol) == ("triangle-down", "triangle-up")
    assert "from c on" in less.customdata[0]


def test_a_hem_that_did_not_change_has_one_level_and_no_line() -> None:
    course, _ = release_figures(courses(view=CompareView(hem="C")))
    assert not course.layout.shapes
    assert len(trace(course, "level").x) == 8
    assert followed_hems(courses().more)[-1] == "C"
    steady = scene(releases([runs(A=[1, 2]), runs(A=[2, 1]), runs(A=[1, 2])]))
    assert len(release_figures(steady)) == 1  # nothing changed: no dates


def test_courses_in_words_and_in_rows() -> None:
    there = courses()
    assert release_caption(there).startswith("2 of 3 HEMs surely changed over 8 sets. Noise is the scatter of the sets")
    rows = release_table(there).set_index("hem")
    assert rows.loc["A", ["from", "change", "would have shown"]].tolist() == ["e", "+5.0%", ""]
    assert rows.loc["C", ["from", "change"]].tolist() == ["no change", ""]
    assert rows.loc["C", "would have shown"].endswith("%")
    few = scene(releases([runs(A=[1, 2, 1, 2])] * 3))
    assert "six sets are needed" in release_caption(few)


def test_sets_are_named_by_what_differs_in_long_names() -> None:
    builds = [f"nightly release build {number} of a long project.csv" for number in (1, 2, 10)]
    assert _without_what_they_share([*builds, "newest set"]) == ["build 1", "build 2", "build 10", "newest set"]
    assert _without_what_they_share(["night 1", "night 2", "newest set"]) == ["night 1", "night 2", "newest set"]
    alike = ["the same long name", "the same long name", "newest set"]
    assert _without_what_they_share(alike) == alike
