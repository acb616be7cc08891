"""The pictures of predictions, on programs whose costs are known."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hemcore.analysis import Question
from hemcore.charts.look import log_axis
from hemcore.charts.picture import Picture, Scene
from hemcore.charts.prediction import what_if
from hemcore.charts.prediction.models import colour_of_model, drawn_models, symbol_of_model
from hemcore.charts.prediction.view import PredictionView
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.prediction.models.model_names import MODEL_NAMES
from hemcore.prediction.params import DEFAULT_MODELS
from hemcore.registry import analysis_named, pictures_of
from tests.charts.conftest import MARKUP, escaped, names, trace
from tests.core.prediction.made import phases

MODELS = "Ridge; cost per event; copy the other load"


def scene(name: str, table: PhaseTable | None = None, view: PredictionView | None = None, **given: Any) -> tuple[Picture, Scene]:
    """The picture called `name`, and what it is drawn from."""
    room = next(each for each in ("evaluation", "cost_stack", "what_if") if name in pictures_of(f"prediction.{each}"))
    analysis = analysis_named(f"prediction.{room}")
    picture, table = pictures_of(analysis.name)[name], table or phases()
    question = Question(analysis=analysis, dataset="made", params=analysis.params(**({"n_bootstrap": 20, "models": MODELS} | given)))
    more = picture.needs.of(table, question.params) if picture.needs is not None else None
    return picture, Scene(question=question, table=table, result=question.answer(table), more=more, view=view or PredictionView())


def test_programs_stand_in_the_order_of_their_errors_and_a_dot_tells_its_program() -> None:
    picture, drawn = scene("programs")
    dots, bars = picture.draw(drawn)
    best = str(drawn.result.best["model"])
    own = trace(dots, best)
    assert list(own.x) == sorted(own.x, reverse=True)
    assert own.customdata[0, 0] == dots.layout.yaxis.ticktext[0]
    means = drawn.result.summary.set_index("model")["mape_mean"]
    _, dots, rings, *legend = bars.data
    assert list(dots.x) == pytest.approx(sorted(means))
    models = means.sort_values(kind="stable").index
    assert list(dots.marker.color) == [colour_of_model(name) for name in models]
    assert list(dots.marker.symbol) == [symbol_of_model(name) for name in models]
    assert list(rings.marker.symbol) == [f"{symbol}-open" for symbol in dots.marker.symbol]
    assert [each.name for each in bars.data if each.showlegend is not False] == ["mean program", "median program"]
    assert [each.marker.symbol for each in legend] == ["circle", "circle-open"]


def test_the_models_that_are_chosen_are_drawn_and_others_are_passed_over() -> None:
    picture, drawn = scene("programs", view=PredictionView(drawn=("Ridge", "nobody's"), score="as a whole"))
    assert names(picture.draw(drawn)[0]) == ["Ridge"]
    assert drawn_models(drawn.result, ["nobody's"])[0] == str(drawn.result.best["model"])


def test_every_model_has_a_look_of_its_own() -> None:
    assert len({symbol_of_model(name) for name in MODEL_NAMES}) == len(MODEL_NAMES)
    assert len({colour_of_model(name) for name in DEFAULT_MODELS}) == len(DEFAULT_MODELS)


@pytest.mark.slow
@pytest.mark.parametrize("promised", ["80 %", "90 %"])
def test_intervals_stand_around_the_prediction_of_each_program(promised: str) -> None:
    picture, drawn = scene("measured", view=PredictionView(promised=promised))
    wholes, _ = picture.draw(drawn)
    level = promised.partition(" ")[0]
    rows = drawn.more.programs.set_index("program")
    dots = [each for each in wholes.data if each.customdata is not None]
    assert sum(len(each.x) for each in dots) == len(rows)
    for each in dots:
        for (program,), low, high, y in zip(each.customdata, each.error_y.arrayminus, each.error_y.array, each.y, strict=True):
            assert (y - low, y + high) == pytest.approx((rows[f"low_{level}"][program], rows[f"high_{level}"][program]))
            assert (each.name.startswith("inside")) == rows[f"covered_{level}"][program]


def test_one_programs_course_has_its_interval_and_both_models() -> None:
    picture, drawn = scene("unseen", view=PredictionView(unseen="program 2", beside="Ridge"))
    course, errors = picture.draw(drawn)
    own = drawn.more.phases[drawn.more.phases["program"] == "program 2"]
    assert list(trace(course, "measured").y) == pytest.approx(list(own["measured"]))
    assert list(trace(course, "cost per event").y) == pytest.approx(list(own["predicted"]))
    expected = drawn.result.phases.loc[drawn.result.phases["program"] == "program 2", "Ridge"]
    assert list(trace(course, "Ridge").y) == pytest.approx(list(expected))
    assert set(errors.layout.yaxis.ticktext) == set(drawn.result.models)
    assert len(picture.table(drawn)) == 40


def test_phases_held_out_by_domain_are_drawn_by_domain() -> None:
    table = phases()
    domains = table.frame["program"].map(lambda name: "even" if int(name[-1]) % 2 == 0 else "odd")
    domains = domains.where(table.frame["program"] != "program 5", "third").where(table.frame["program"] != "program 4", "fourth")
    table = replace(table, frame=table.frame.assign(domain=domains))
    picture, drawn = scene("unseen", table, PredictionView(unseen="odd"), group="domain")
    assert len(trace(picture.draw(drawn)[0], "measured").y) == 2 * 40


def test_the_stacks_of_each_program_reach_one_and_the_least_base_is_on_top() -> None:
    picture, drawn = scene("stack")
    stacks, groups = picture.draw(drawn)
    assert np.sum([each.x for each in stacks.data], axis=0) == pytest.approx(1)
    assert list(stacks.data[0].x) == sorted(stacks.data[0].x)
    overall = drawn.result.overall
    assert list(groups.data[0].x) == pytest.approx(list(overall["share"]))
    assert list(groups.data[0].x - groups.data[0].error_x.arrayminus) == pytest.approx(list(overall["low"]))


def test_a_what_if_draws_every_answer_and_tells_an_extrapolation() -> None:
    picture, drawn = scene("what-if")
    usual = picture.draw(drawn)[0]
    assert usual.layout.title.text.startswith("What would half of each counter do to CYCLES?<")
    far = replace(drawn, view=PredictionView(counts=(("Ir", 1.0), ("DLmr", 1e6))))
    figure = picture.draw(far)[0]
    assert "extrapolation: do not rely on it" in figure.layout.title.text.replace("<br>", " ")
    assert "no training phase is similar" in picture.caption(far)
    answers = picture.table(far)
    assert what_if.answer(far)["far"].all()
    drawn_at = [float(each.x[0]) for each in figure.data if each.error_x.array is not None]
    assert drawn_at == pytest.approx(list(answers["predicted"]))


def test_a_count_of_a_counter_that_no_model_reads_is_passed_over() -> None:
    picture, drawn = scene("what-if", view=PredictionView(counts=(("nobody's", 1.0),)))
    assert "No count is changed" in picture.caption(drawn)


@pytest.mark.slow
def test_names_are_not_read_as_markup() -> None:
    table = phases()
    frame = table.frame.assign(program=table.frame["program"].replace("program 0", MARKUP)).rename(columns={"Bcm": MARKUP})
    odd = PhaseTable(frame=frame, counters=tuple(MARKUP if name == "Bcm" else name for name in table.counters))
    for name in ("programs", "measured", "unseen", "leak", "stack", "costs", "what-if", "models"):
        picture, drawn = scene(name, odd, PredictionView(unseen=MARKUP), held_out=MARKUP)
        # What a click tells, and what the zoom hangs on, are no words of the picture.
        figures = [figure.update_traces(customdata=None).update_layout(uirevision=None) for figure in picture.draw(drawn)]
        assert all(escaped(figure) for figure in figures), name


def test_a_logarithmic_axis_has_the_ticks_that_its_length_has_room_for() -> None:
    assert log_axis([1_500, 40_000])["tickvals"] == pytest.approx([2e3, 5e3, 1e4, 2e4])
    assert log_axis([1e3, 1e9])["tickvals"] == pytest.approx([1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9])
    assert log_axis([1e3, 1e9])["ticktext"] == ["1k", "10k", "100k", "1M", "10M", "100M", "1G"]
    assert log_axis([0.05, 3_000])["ticktext"] == ["0.1", "1", "10", "100", "1,000"]
    assert log_axis([])["type"] == "log"
    low, high = log_axis([5.0, 5.0, 0.0, np.nan])["range"]
    assert low < np.log10(5) < high
