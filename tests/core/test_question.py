"""A question: its links, its id, its differences from another, and the Python that asks it again."""

import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hemcore.analysis import Analysis, Question
from hemcore.datasets.shelf import library
from hemcore.errors import HemError, ParameterError, UnknownNameError
from hemcore.merge import HrmParams, MuchParams
from hemcore.merge.analysis import DEP_LVL, HRM, MUCH
from hemcore.params import Params, control, parameter
from hemcore.registry import analysis_named, question_from, question_from_link
from hemcore.segmentation import SegmentationParams
from hemcore.segmentation.analysis import JOINT, PROFILE, SEGMENTATION, SEGMENTS
from tests.core.kinds import own_analyses
from tests.fresh_python import FreshPython, fresh_python

EVERY = own_analyses()


@st.composite
def questions(draw: st.DrawFn) -> Question:
    """Any analysis of any dataset with any parameters that fit."""
    asks = [name for name, each in EVERY.items() if each.params.model_fields]
    analysis = EVERY[draw(st.sampled_from(sorted(asks)))]
    given_values = {
        name: draw(values(analysis.params, name)) for name in draw(st.sets(st.sampled_from(sorted(analysis.params.model_fields))))
    }
    try:
        params = analysis.params(**given_values)
    except ParameterError:  # a rule between fields
        params = analysis.params()
    dataset = draw(st.sampled_from(["sample-series-ocoe", "0123456789abcdef" * 4, "ä 'quoted' \"x\" <b>"]))
    return Question(analysis=analysis, dataset=dataset, params=params)


def values(model: type[Params], name: str) -> st.SearchStrategy[Any]:
    """Values that the field takes."""
    field = control(model, name)
    if field.choices is not None:
        return st.sampled_from(field.choices)
    if field.kind is bool:
        return st.booleans()
    if field.kind is float:
        return st.floats(field.low, field.high)
    if field.kind is int:
        return st.integers(field.low, field.high)
    if field.kind == int | None:
        return st.none() | st.integers(field.low, field.high)
    if field.kind == float | None:
        return st.none() | st.floats(field.low, field.high)
    words = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
    if field.kind == tuple[str, ...]:
        return st.lists(words, max_size=3).map(tuple)
    assert field.kind is str, field
    return words


@pytest.mark.slow
@given(questions())
@settings(max_examples=100)
def test_a_question_survives_its_link_and_its_plain_values(question: Question) -> None:
    read = question.analysis.reads
    for again in (
        question_from_link(question.link),
        question_from(question.to_dict()),
        question_from(json.loads(json.dumps(question.to_dict()))),
    ):
        assert again.to_dict() == question.to_dict()
        assert (again.id, again.link) == (question.id, question.link)
        assert again.params == question.params.only(read)
        assert again.analysis is question.analysis
        assert question.differences(again) == []
    assert len(question.id) == 64
    assert set(question.to_dict()["params"]) == set(question.analysis.fields_asked(question.params))
    question.link.encode()
    compile(question.python(comment=question.dataset), "snippet", "exec")


@pytest.mark.slow
@given(questions(), st.data())
@settings(max_examples=100)
def test_the_id_changes_with_every_field_that_is_read_and_with_no_other(question: Question, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(question.analysis.params.model_fields)))
    try:
        changed = question.params.but(**{name: data.draw(values(question.analysis.params, name))})
    except ParameterError:  # a rule between fields
        return
    other = Question(analysis=question.analysis, dataset=question.dataset, params=changed)
    same = name not in question.analysis.reads or getattr(changed, name) == getattr(question.params, name)
    assert (other.id == question.id) is same
    assert (other.link == question.link) is same
    assert (other.differences(question) == []) is same
    words = other.differences(question)
    assert len(words) == (0 if same else 1)
    for word in words:
        before, _, after = word.rpartition(" → ")
        assert not before.endswith(f" {after}"), word


def test_a_field_that_came_later_changes_no_id_until_it_is_chosen() -> None:
    before = Question(analysis=JOINT, dataset="a", params=SegmentationParams())
    after = Question(analysis=JOINT, dataset="a", params=SegmentationParams(detrend="line"))
    assert "detrend" not in before.to_dict()["params"]
    assert after.to_dict()["params"] == before.to_dict()["params"] | {"detrend": "line"}
    assert after.differences(before) == ["detrend nothing → line"]
    assert before.differences(after) == ["detrend line → nothing"]


def test_the_id_changes_with_the_dataset_and_the_analysis() -> None:
    question = Question(analysis=SEGMENTS, dataset="a", params=SegmentationParams())
    others = [
        Question(analysis=SEGMENTS, dataset="b", params=SegmentationParams()),
        question.about(SEGMENTATION),
        Question(analysis=SEGMENTS, dataset="a", params=SegmentationParams(threshold=11)),
    ]
    assert len({each.id for each in (question, *others)}) == 4
    assert question.about(SEGMENTATION) == Question(analysis=SEGMENTATION, dataset="a", params=SegmentationParams())
    assert Question(analysis=SEGMENTS, dataset="a", params=SegmentationParams(threshold=-0.0)).id == (
        Question(analysis=SEGMENTS, dataset="a", params=SegmentationParams(threshold=0.0)).id
    )


def test_a_link_is_short_and_leaves_defaults_out() -> None:
    question = Question(analysis=MUCH, dataset="sample", params=MuchParams(dep_lvl=0.9, seed=3))
    assert question.link == '["merge.much","sample",{"dep_lvl":0.9,"seed":3}]'
    assert Question(analysis=MUCH, dataset="sample", params=MuchParams()).link == '["merge.much","sample",{}]'
    assert (
        Question(analysis=HRM, dataset="sample", params=HrmParams(anchor_hem="Zähler")).link
        == '["merge.hrm","sample",{"anchor_hem":"Zähler"}]'
    )


# Links from anybody

GOOD = '["merge.much","sample",{"dep_lvl":0.9,"seed":3}]'
DAMAGED = "^question: the link's text is cut off or damaged. Copy the whole link again.$"
SHAPE = "^question: it must name an analysis, a dataset and parameters."


@pytest.mark.parametrize("length", range(len(GOOD)))
def test_a_link_that_is_cut_off_is_told(length: int) -> None:
    with pytest.raises(ParameterError, match=DAMAGED):
        question_from_link(GOOD[:length])


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("null", ParameterError, DAMAGED),
        ("3", ParameterError, DAMAGED),
        ('"merge.much"', ParameterError, DAMAGED),
        ("[]", ParameterError, SHAPE),
        ("{}", ParameterError, SHAPE),
        ('["merge.much","a"]', ParameterError, SHAPE),
        ('["merge.much","a",{},{}]', ParameterError, SHAPE),
        ('["merge.much","a",[]]', ParameterError, SHAPE),
        ('["merge.much","a",null]', ParameterError, SHAPE),
        ('["merge.much",3,{}]', ParameterError, SHAPE),
        ('["merge.much",["a"],{}]', ParameterError, SHAPE),
        ('[["merge.much"],"a",{}]', ParameterError, SHAPE),
        ('[{},"a",{}]', ParameterError, SHAPE),
        ('{"analysis":"merge.much","dataset":"a"}', ParameterError, SHAPE),
        ('["merge.much","\\ud800",{}]', ParameterError, "is not the id of a dataset"),
        ('["merge.much","a\\nb",{}]', ParameterError, "is not the id of a dataset"),
        ('["merge.more","a",{}]', UnknownNameError, "^analysis: 'merge.more' is not known; there are .*merge.much"),
        ('["os.path","a",{}]', UnknownNameError, "^analysis: 'os.path' is not known"),
        ('["merge","a",{}]', UnknownNameError, "is not known"),
        ('["merge.analysis.much","a",{}]', UnknownNameError, "is not known"),
        ('["","a",{}]', UnknownNameError, "^analysis: '' is not known"),
        ('["../merge.much","a",{}]', UnknownNameError, "is not known"),
        ('["merge.much","a",{"seed":-1}]', ParameterError, "^seed: -1 is out of bounds"),
        ('["merge.much","a",{"seed":NaN}]', ParameterError, "^seed: nan"),
        ('["merge.much","a",{"dep_lvl":NaN}]', ParameterError, "^dep_lvl: nan is out of bounds"),
        ('["merge.much","a",{"dep_lvl":Infinity}]', ParameterError, "^dep_lvl: inf is out of bounds"),
        ('["merge.much","a",{"dep_lvl":1e999}]', ParameterError, "^dep_lvl: inf is out of bounds"),
        ('["merge.much","a",{"dep_lvl":{}}]', ParameterError, "^dep_lvl: {} does not fit"),
        ('["merge.much","a",{"anchor_hem":"T"}]', ParameterError, "^question: MUCH merge has no parameter 'anchor_hem'; it reads dep_lvl"),
        ('["merge.dep_lvl","a",{"dep_lvl":0.5}]', ParameterError, "^question: HEMs kept by dep_lvl has no parameter 'dep_lvl'"),
        ('["merge.much","a",{"self":1}]', ParameterError, "has no parameter 'self'"),
        ('["merge.much","a",{"__class__":1}]', ParameterError, "has no parameter '__class__'"),
        ('["segmentation.segments","a",{"min_distance":1}]', ParameterError, "^Minimum segment length: 1 is too short for rms"),
        ('["merge.much","a",{"seed":' + "1" * 4000 + "}]", ParameterError, "^seed: "),
        ('["merge.much","a",{"seed":' + "1" * 100_000 + "}]", ParameterError, DAMAGED),
        ('["merge.much","a",{"' + "x" * 1_000_000 + '":1}]', ParameterError, "has no parameter 'xxx"),
        ('["merge.much","a",{"method":"' + "x" * 1_000_000 + '"}]', ParameterError, "^method: 'xxx"),
        ('["merge.hrm","a",{"anchor_hem":"' + "x" * 1_000_000 + '"}]', ParameterError, "^anchor_hem: 'xxx"),
        ('["merge.much","' + "x" * 1_000_000 + '",{}]', ParameterError, "^question: 'xxx.*is not the id of a dataset"),
        ('["' + "x" * 1_000_000 + '","a",{}]', UnknownNameError, "^analysis: 'xxx"),
        ('["merge.' + "x" * 1_000_000 + '","a",{}]', UnknownNameError, "^analysis: 'merge.xxx"),
        ("x" * 1_000_000, ParameterError, DAMAGED),
        ("[" * 1_000_000, ParameterError, DAMAGED),
        ('["merge.much","a",{"seed":' + "[" * 100_000 + "]" * 100_000 + "}]", ParameterError, DAMAGED),
    ],
    ids=range(44),
)  # fmt: skip
def test_a_link_that_does_not_fit_is_told_in_a_sentence(text: str, error: type, message: str) -> None:
    with pytest.raises(error, match=message) as refusal:
        question_from_link(text)
    assert len(str(refusal.value)) < 700
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("depth", [10, 500, 800, 900, 940, 980, 1000, 2000])
def test_a_link_that_nests_as_deep_as_can_be_read_is_told(depth: int) -> None:
    with pytest.raises(ParameterError):
        question_from_link('["merge.much","a",{"seed":' + "[" * depth + "]" * depth + "}]")


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
        lambda each: st.lists(each) | st.dictionaries(st.text(), each),
        max_leaves=8,
    ),
    st.data(),
)
def test_plain_values_from_anybody_are_a_question_or_a_sentence(value: Any, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(each for each in EVERY if EVERY[each].reads)))
    field = data.draw(st.sampled_from(EVERY[name].reads))
    for said in ([name, "a", {field: value}], [name, "a", value], [name, value, {}], [value, "a", {}], value):
        try:
            question_from_link(json.dumps(said))
        except HemError:
            continue


def test_names_from_anybody_are_not_remembered() -> None:
    tracemalloc.start()
    try:
        for number in range(50):
            with pytest.raises(UnknownNameError):
                analysis_named(f"{number}{'x' * 200_000}.y")
        assert tracemalloc.get_traced_memory()[0] < 2_000_000
    finally:
        tracemalloc.stop()


# In words


@pytest.mark.parametrize(
    ("now", "before", "words"),
    [
        ({"threshold": 12.5}, {}, ["threshold 10 → 12.5"]),
        ({"threshold": 100_000.5}, {"threshold": 100_000}, ["threshold 100000 → 100000.5"]),
        ({"threshold": 0.1234567}, {"threshold": 0.12345678}, ["threshold 0.12345678 → 0.1234567"]),
        ({"threshold": 1e6}, {}, ["threshold 10 → 1000000"]),
        ({"early_exit": True}, {}, ["early exit (findchangepts) off → on"]),
        ({"run": 3}, {}, ["run automatic → 3"]),
        ({"event": ""}, {"event": "Ir"}, ["event Ir → automatic"]),
        ({"statistic": "mean", "min_distance": 1}, {}, ["statistic rms → mean", "minimum segment length automatic → 1"]),
        ({}, {}, []),
    ],
)
def test_differences_in_words(now: dict[str, Any], before: dict[str, Any], words: list[str]) -> None:
    question, other = (Question(analysis=SEGMENTATION, dataset="a", params=SegmentationParams(**each)) for each in (now, before))
    assert sorted(question.differences(other)) == sorted(words)


def test_what_is_not_at_its_default_in_words() -> None:
    """Fields that the answer does not depend on are no choices of it."""
    params = MuchParams(dep_lvl=0.7, absolute=True)
    chosen = Question(analysis=MUCH, dataset="a", params=params)
    assert chosen.changed == {"dep_lvl": 0.7, "absolute": True}
    assert chosen.choices == ["dep_lvl 0.7", "compare |r| on"]
    assert Question(analysis=DEP_LVL, dataset="a", params=params).changed == {"absolute": True}
    assert Question(analysis=MUCH, dataset="a", params=MuchParams()).choices == []


def test_differences_of_dataset_and_analysis_in_words() -> None:
    much = Question(analysis=MUCH, dataset="a", params=MuchParams(dep_lvl=0.9))
    hrm = Question(analysis=HRM, dataset="b", params=HrmParams())
    assert much.differences(hrm) == ["dataset b → a", "HRM merge → MUCH merge"]
    assert much.differences(hrm, {"a": "first", "b": "second"}.__getitem__)[0] == "dataset second → first"
    # What the other analysis does not read is no difference.
    assert much.differences(Question(analysis=DEP_LVL, dataset="a", params=MuchParams())) == ["HEMs kept by dep_lvl → MUCH merge"]


def test_titles_that_begin_with_an_abbreviation_keep_it() -> None:
    class Titled(Params):
        a: int = parameter(0, title="MPX share", description="x")
        b: int = parameter(0, title="Share", description="x")
        c: int = parameter(0, title="dep_lvl", description="x")

    analysis = Analysis(name="none.titled", title="t", params=Titled, reads=("a", "b", "c"))
    now, before = (Question(analysis=analysis, dataset="a", params=Titled(a=n, b=n, c=n)) for n in (1, 0))
    assert now.differences(before) == ["MPX share 0 → 1", "share 0 → 1", "dep_lvl 0 → 1"]


# As Python


@pytest.fixture(scope="module")
def forking() -> Iterator[FreshPython]:
    with fresh_python() as forking:
        yield forking


@pytest.mark.slow
@pytest.mark.parametrize(
    ("analysis", "dataset", "params"),
    [
        (HRM, "sample-subexperiments-hrm", HrmParams()),
        (MUCH, "sample-subexperiments-much", MuchParams(n_runs=50, dep_lvl=0.5, seed=7)),
        (DEP_LVL, "sample-subexperiments-much", MuchParams(absolute=True)),
        (SEGMENTATION, "sample-series-ocoe", SegmentationParams(threshold=20, statistic="mean", min_distance=1, run=2)),
        (PROFILE, "sample-series-ocoe", SegmentationParams(max_threshold=5, early_exit=True)),
    ],
)
def test_the_python_of_a_question_gives_the_same_table(
    analysis: Analysis, dataset: str, params: Params, tmp_path: Path, forking: FreshPython
) -> None:
    question = Question(analysis=analysis, dataset=dataset, params=params)
    code = question.python(comment='Made\nby "me"\0\u2028import os \ud800')
    last = code.splitlines()[-1]
    name = last.partition(" = ")[0]
    assert name == (analysis.gives or "result")
    file = tmp_path / "table.json"
    code += f"\n{name}.to_json({str(file)!r}, double_precision=15, orient='split')\n"
    done = forking.run(code, tmp_path, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    expected = analysis.table_of(question.answer(library.load(dataset)))
    expected.to_json(tmp_path / "expected.json", double_precision=15, orient="split")
    assert file.read_text() == (tmp_path / "expected.json").read_text()
    assert len(expected) > 1


@pytest.mark.sweep(of=3)
@pytest.mark.parametrize("analysis", EVERY.values(), ids=EVERY)
def test_the_python_of_every_analysis_finds_it_and_its_parameters(analysis: Analysis) -> None:
    *lines, last = Question(analysis=analysis, dataset="a", params=analysis.params()).python().splitlines()
    names: dict[str, Any] = {}
    exec("\n".join(line for line in lines if not line.startswith("table = ")), names)  # noqa: S102 our own lines
    assert names["analysis"] is analysis
    assert names["params"] == analysis.relevant_params(analysis.params())
    assert last.partition(" = ")[0] == (analysis.gives or "result")


def test_segments_of_one_sample_can_be_asked_of_all_events_together() -> None:
    question = Question(analysis=JOINT, dataset="d", params=SegmentationParams(statistic="mean", min_distance=1))
    assert question_from_link(question.link).params.min_distance == 1  # type: ignore[attr-defined]
