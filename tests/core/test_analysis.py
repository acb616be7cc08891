"""How analyses are put together: inputs, optional ones, parts; what each must be for its page and its job."""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
import pytest

from hemcore import registry
from hemcore.analysis import Analysis, Question
from hemcore.errors import ParameterError
from hemcore.merge import HrmParams
from hemcore.merge.analysis import DEP_LVL, MUCH
from hemcore.params import Params, parameter
from hemcore.registry import Room, analyses_of, analysis_named, pictures_of, register, rooms, view_of
from tests.core.kinds import own_analyses

ROOT = Path(__file__).parents[2]
EVERY = own_analyses()


class Cut(Params):
    size: int = parameter(3, title="Size", description="x", ge=1, le=9)
    factor: float = parameter(1.0, title="Factor", description="x", ge=0, le=9)
    piece: int = parameter(0, title="Piece", description="x", ge=0, le=9)
    unread: int = parameter(0, title="Unread", description="x", ge=0, le=9)
    how: Literal["sum", "mean"] = parameter("sum", title="How", description="x")


asked: list[tuple[str, Cut]] = []


def noting(name: str, compute: Callable[..., Any]) -> Callable[..., Any]:
    """`compute`, noting for which params it was called and telling its progress at a half."""

    def noted(table: Any, params: Cut, progress: Any, *taken: Any) -> Any:
        asked.append((name, params))
        if progress is not None:
            progress(0.5, name)
        return compute(table, params, *taken)

    return noted


SCALED = Analysis(
    name="none.scaled", title="scaled", params=Cut, reads=("factor",), compute=noting("scaled", lambda table, params: table * params.factor)
)
HEAD = Analysis(
    name="none.head", title="head", params=Cut, reads=("size",), compute=noting("head", lambda table, params: table[: params.size])
)
BOTH = Analysis(
    name="none.both", title="both", params=Cut, reads=("factor", "size", "how"), inputs=(SCALED,), optional=(HEAD,),
    compute=noting("both", lambda table, params, scaled, head: (params.how, scaled.sum(), None if head is None else head.sum())),
)  # fmt: skip
PIECE = Analysis(
    name="none.piece", title="piece", params=Cut, reads=("size", "piece"),
    compute=noting("piece", lambda table, params: table[params.piece * params.size : (params.piece + 1) * params.size].sum()),
)  # fmt: skip
SUMS = Analysis(
    name="none.sums", title="sums", params=Cut, reads=("size",), part=PIECE,
    parts=lambda table, params: [params.but(piece=number) for number in range(-(-len(table) // params.size))],
    gather=lambda table, params, found: (params.size, list(found)),
)  # fmt: skip
TABLE = np.arange(10.0)


def test_inputs_are_computed_for_the_params_that_each_reads() -> None:
    asked.clear()
    params = Cut(size=4, factor=2, piece=5, unread=7, how="mean")
    assert BOTH.of(TABLE, params) == ("mean", 90.0, 6.0)
    assert asked == [("scaled", Cut(factor=2)), ("head", Cut(size=4)), ("both", Cut(size=4, factor=2, how="mean"))]
    assert BOTH.of(TABLE) == ("sum", 45.0, 3.0)
    assert Question(analysis=BOTH, dataset="a", params=params).answer(TABLE) == ("mean", 90.0, 6.0)


def test_parts_are_put_together_in_their_order() -> None:
    asked.clear()
    assert SUMS.of(TABLE, Cut(size=4, factor=2)) == (4, [6.0, 22.0, 17.0])
    assert asked == [("piece", Cut(size=4, piece=number)) for number in range(3)]


def test_progress_of_inputs_and_parts_is_told_as_a_share_of_the_whole() -> None:
    told: list[tuple[float, str]] = []

    def progress(share: float, note: str) -> None:
        told.append((share, note))

    SCALED.of(TABLE, progress=progress)
    assert told == [(0.5, "scaled")]
    told.clear()
    BOTH.of(TABLE, progress=progress)
    assert told == [(pytest.approx(0.5 / 3), "scaled"), (0.5, "head"), (pytest.approx(2.5 / 3), "both")]
    told.clear()
    SUMS.of(TABLE, Cut(size=4), progress=progress)
    assert told == [(0.0, "1 of 3"), (pytest.approx(1 / 3), "2 of 3"), (pytest.approx(2 / 3), "3 of 3"), (1.0, "done")]


def test_what_a_progress_raises_ends_the_work() -> None:
    def stop(share: float, note: str) -> None:
        if share > 0.2:
            raise InterruptedError

    for analysis in (BOTH, SUMS):
        with pytest.raises(InterruptedError):
            analysis.of(TABLE, progress=stop)


def test_params_of_another_analysis_are_told() -> None:
    for wrong in (HrmParams(), Cut()):
        with pytest.raises(ParameterError, match=f"^params: {type(wrong).__name__} does not fit MUCH merge, which takes MuchParams.$"):
            MUCH.of(None, wrong)
        with pytest.raises(ParameterError, match="does not fit MUCH merge"):
            Question(analysis=MUCH, dataset="a", params=wrong).id  # noqa: B018


def test_the_table_of_a_result() -> None:
    frame = pd.DataFrame({"a": [1]})
    assert DEP_LVL.table_of(frame) is frame

    class Result:
        merged = frame

    assert MUCH.table_of(Result) is frame


# Of every analysis


def composed() -> list[tuple[str, str]]:
    return [(name, each.name) for name, analysis in EVERY.items() for each in (*analysis.inputs, *analysis.optional)]


@pytest.mark.parametrize(("whole", "one"), composed())
def test_an_answer_hangs_on_all_that_its_inputs_read(whole: str, one: str) -> None:
    assert set(EVERY[one].reads) <= set(EVERY[whole].reads)
    assert issubclass(EVERY[whole].params, EVERY[one].params)


@pytest.mark.parametrize("analysis", EVERY.values(), ids=EVERY)
def test_an_analysis_is_made_as_its_page_and_its_job_need_it(analysis: Analysis) -> None:
    assert set(analysis.reads) <= set(analysis.params.model_fields)
    assert len(set(analysis.reads)) == len(analysis.reads)
    fans_out = (analysis.part, analysis.parts, analysis.gather)
    assert all(each is not None for each in fans_out) == any(each is not None for each in fans_out)
    assert analysis.compute is not None or analysis.part is not None
    assert analysis.part is None or analysis.part in EVERY.values()
    assert (analysis.cards is None) == (analysis.verdict is None)
    assert len({kept.name for kept in analysis.keeps}) == len(analysis.keeps)
    assert analysis_named(analysis.name) is analysis


def test_the_registry_has_every_room_with_an_analysis() -> None:
    assert {"merge", "segmentation"} <= set(rooms())
    assert set(rooms()) - {"trial"} == {path.parent.name for path in (ROOT / "hemcore").glob("*/analysis.py")}
    assert all(name.partition(".")[0] == room for room in rooms() for name in analyses_of(room))


def test_the_registry_has_every_analysis_that_a_file_makes() -> None:
    files = [path.relative_to(ROOT).with_suffix("") for path in (ROOT / "hemcore").rglob("*.py") if "Analysis[" in path.read_text()]
    modules = [importlib.import_module(".".join(path.parts).removesuffix(".__init__")) for path in files]
    values = [value for module in modules for value in vars(module).values()]
    # One analysis has a name of its own, or stands in a tuple with those of the other kinds of table.
    made = {each.name for value in values for each in (value if isinstance(value, tuple) else (value,)) if isinstance(each, Analysis)}
    assert made == set(EVERY)


def test_a_room_joins_under_a_name_of_its_own() -> None:
    scaled = Room(name="none", analyses=lambda: (SCALED,))
    register(scaled)
    try:
        assert analysis_named("none.scaled") is SCALED
        assert pictures_of("none.scaled") == {}
        assert view_of("none.scaled") is None
        with pytest.raises(ParameterError, match="^room: 'none' already exists; give the new one another name.$"):
            register(scaled)
    finally:
        registry._rooms.pop("none")
        analyses_of.cache_clear()
        pictures_of.cache_clear()
        registry._gallery_of.cache_clear()
