"""What every page keeps to, read from the table of pages: a new page is held to it as it is.

A page that works on a kind of table is opened empty, by each of its starts, by hostile links and on tables that are hard to work on; one of
a new kind needs a maker of its tables in MAKERS.
"""

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from hemcore import __version__
from hemcore.analysis import Question
from hemcore.datasets.shelf import library, samples
from hemcore.datasets.shelf.store import Lineage
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.hem_list import HemList
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import METRICS, SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.registry import pictures_of
from hemcore.web import shelf
from hemcore.web.page import Page, Start
from hemcore.web.pages import PAGES, page_named

WORKING = [page for page in PAGES if page.kind]
STARTS = [pytest.param(page, start, id=f"{page.name}-{start.sample}") for page in WORKING for start in page.start]
_MOST_LINES = 80


def each_page(pages: list[Page]) -> Any:
    return pytest.mark.parametrize("page", pages, ids=lambda page: page.name)


pytestmark = pytest.mark.usefixtures("workers", "a_small_pilot")


@pytest.fixture
def a_small_pilot(workbench, request) -> None:
    """What Plan's tabs judge cuts by is the visitor's newest readings: few, so that it takes no time."""
    if "[plan" in request.node.name:
        workbench.pilot(60)


def first_start(workbench, page: Page, **query: str) -> AppTest:
    """The page on its first sample, by a link."""
    asked = page.query(f"{samples.title(page.start[0].sample)} · sample", page.start[0].choices)
    return workbench.open(page.name, {name.removeprefix(f"{page.name}."): value for name, value in asked.items()} | query)


def elements(at: AppTest) -> Iterator[Any]:
    """Every element of the page that is a widget or may be one: it has an id, in which its key is."""
    for each in at._tree:
        proto = getattr(each, "proto", None)
        if getattr(proto, "id", "") and not getattr(each, "type", "").endswith("container"):
            yield each


def key_of(element: Any) -> str:
    return re.sub(r"^\$\$ID-[0-9a-f]+-", "", element.proto.id)


def bound(at: AppTest) -> dict[str, Any]:
    """The widgets whose value is in the link, by their keys."""
    return {key_of(each): each for each in elements(at) if getattr(each.proto, "query_param_key", "")}


def told(workbench, at: AppTest) -> list[str]:
    """The sentences of all boxes, as they are read."""
    return [workbench.read(each.value) for kind in (at.error, at.warning, at.info) for each in kind]


def words(at: AppTest) -> list[str]:
    """All that is drawn as markdown, as it is sent."""
    return [each.value for kind in (at.markdown, at.caption, at.error, at.warning, at.subheader, at.title) for each in kind]


def an_answer(page: Page, at: AppTest) -> None:
    """Verdict, figures, pictures in tabs, and what can be done with them."""
    assert any("frame-verdict" in str(getattr(getattr(each, "proto", None), "id", "")) for each in at._tree)
    assert at.metric
    assert all(each.label and each.value for each in at.metric)
    assert at.tabs


# Opened.


@pytest.mark.slow
@each_page(list(PAGES))
def test_it_opens_empty_with_its_title_and_purpose(workbench, page: Page) -> None:
    at = workbench.open(page.name)
    assert [each.value for each in at.title] == [page.heading or page.title]
    assert not page.purpose or any(page.purpose in each.value for each in (*at.caption, *at.markdown))
    assert not at.error
    assert not at.warning


@pytest.mark.slow
@each_page(WORKING)
def test_the_empty_state_offers_its_starts_and_uploading(workbench, page: Page) -> None:
    at = workbench.open(page.name)
    assert not at.metric
    assert not at.tabs
    assert [each.label for each in at.button] == [samples.title(start.sample) for start in page.start]
    assert [link.proto.page for link in at.page_link] == ["data"]


@pytest.mark.slow
@pytest.mark.sweep(of=2)
@pytest.mark.parametrize(("page", "start"), STARTS)
def test_one_click_on_a_start_shows_verdict_figures_pictures_actions_and_every_tab(workbench, page: Page, start: Start) -> None:
    at = workbench.open(page.name)
    at.button(key=page.key(f"start-{start.sample}")).click()
    at = workbench.settled(workbench.run(at))
    assert not at.error
    assert not at.warning
    an_answer(page, at)
    shown = [page.methods[method] for method in page.methods]
    assert [each.label for each in at.tabs] in [
        [picture.tab for picture in pictures_of(analysis.name).values() if picture.tab in [tab.label for tab in at.tabs]]
        for analysis in shown
    ]
    assert workbench.pictures(at)
    labels = {each.label for each in at._tree if getattr(each, "label", None)} | {each.proto.popover.label for each in popovers(at)}
    assert {"Pin as baseline", "Download", "Add to report", "How it works"} <= labels
    assert ("Keep" in labels) == any(analysis.keeps for analysis in shown)
    assert {name: str(at.session_state[page.key(name)]) for name in start.choices} == {k: str(v) for k, v in start.choices.items()}
    for label in [each.label for each in at.tabs]:
        workbench.in_tab(at, label)
        at = workbench.settled(at)
        assert len(list(workbench.in_tab(at, label))) > 0
        assert not at.error, label


def popovers(at: AppTest) -> list[Any]:
    return [each for each in at._tree if getattr(each, "type", "") == "popover"]


# Links.

MARKUP = "<img src=x onerror=alert(1)> **b** $x$ :red[y]"
HOSTILE = {
    "markup": MARKUP,
    "long": "x" * 15_000,
    "NUL": "a\0b",
    "a number out of range": "-1e308",
    "another type": '{"a": [1, null]}',
}
_LIVE = re.compile(r"(?<!\\)(<img|\*\*b|\$x|:red\[)")
PINS = {
    "cut off": "[1,2",
    "empty": "",
    "nested": "[" * 10_000,
    "a number": "7",
    "markup": MARKUP,
    "nobody's analysis": json.dumps(["os.system", "x", {}]),
    "NUL in the id": json.dumps(["{analysis}", "a\0b", {}]),
    "no dataset": json.dumps(["{analysis}", "0" * 64, {}]),
    "no parameter": json.dumps(["{analysis}", "{dataset}", {MARKUP: 1}]),
    "parameters of another type": json.dumps(["{analysis}", "{dataset}", ["a"]]),
}


def in_turns(kinds: Iterable[str], start: Page) -> list[Any]:
    """(page, kind) of every page: `make test` tries each kind on one page, one or two on each of the others, in turns."""
    kinds = list(kinds)
    turns = {page.name: kinds if page is start else kinds[place % len(kinds) :: 5][:2] for place, page in enumerate(WORKING)}
    return [
        pytest.param(page, kind, id=f"{page.name}-{kind}", marks=[pytest.mark.long] * (kind not in turns[page.name]))
        for page in WORKING
        for kind in kinds
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("page", "kind"), in_turns(HOSTILE, start=page_named("segmentation")))
def test_a_hostile_link_is_told_in_sentences(workbench, page: Page, kind: str) -> None:
    """Every choice of the page at once, on its sample; what is not taken as it stands is told, and by its name."""
    known = bound(first_start(workbench, page))
    hostile = {key.removeprefix(f"{page.name}."): HOSTILE[kind] for key in known if key != page.key("dataset")}
    assert hostile
    at = workbench.settled(first_start(workbench, page, **hostile, view=HOSTILE[kind], pin=HOSTILE[kind]))
    assert [each for each in words(at) if _LIVE.search(each)] == []
    said = told(workbench, at)
    assert all(each.endswith((".", "?")) and len(each) < 2_000 for each in said)
    for key, element in bound(at).items():
        taken = str(at.session_state[key]) == HOSTILE[kind]
        named = element.label.partition(",")[0] if hasattr(element, "label") else element.proto.label.partition(",")[0]
        asked = key in known and key != page.key("dataset")
        assert taken or not asked or any(f"asks for {named} " in each for each in said), f"{key}: {said}"
    assert any("baseline" in each for each in said) or at.error
    assert not at.tabs or any("asks for Tab " in each for each in said)


@pytest.mark.slow
@pytest.mark.parametrize("kind", HOSTILE)
@each_page(WORKING)
def test_a_hostile_dataset_in_the_link_is_told_and_the_starts_are_offered(workbench, page: Page, kind: str) -> None:
    at = workbench.open(page.name, {"dataset": HOSTILE[kind] if kind != "long" else "x" * 500_000})
    assert [each for each in words(at) if _LIVE.search(each)] == []
    (said,) = workbench.sentences(at)
    assert said.startswith("The link names the dataset")
    assert len(said) < 2_000
    assert len(at.button) == len(page.start)


@each_page(list(PAGES))
def test_a_link_of_a_million_letters_opens_the_page_as_without_a_link(workbench, page: Page) -> None:
    """Streamlit follows no address of more than half a million."""
    at = workbench.open(page.name, dict.fromkeys(("dataset", "pin", "view"), "x" * 10**6))
    assert [each.value for each in at.title] == [page.heading or page.title]
    assert not at.error
    assert not at.metric


def each_alone(workbench, page: Page, kinds_of: Callable[[int], list[str]]) -> None:
    for place, key in enumerate(bound(first_start(workbench, page))):
        for kind in kinds_of(place):
            at = workbench.settled(first_start(workbench, page, **{key.removeprefix(f"{page.name}."): HOSTILE[kind]}))
            assert [each for each in words(at) if _LIVE.search(each)] == []
            assert bool(at.error) != bool(at.metric), f"{key}: {kind}"


@pytest.mark.sweep(of=3)
@pytest.mark.slow
@each_page(WORKING)
def test_each_choice_alone_hostile_in_the_link(workbench, page: Page) -> None:
    """With one kind each, in turns."""
    each_alone(workbench, page, lambda place: [list(HOSTILE)[place % len(HOSTILE)]])


@pytest.mark.slow
@pytest.mark.long
@each_page(WORKING)
def test_each_choice_alone_hostile_in_every_way_in_the_link(workbench, page: Page) -> None:
    each_alone(workbench, page, lambda place: list(HOSTILE))


@pytest.mark.slow
@pytest.mark.parametrize(("page", "kind"), in_turns(PINS, start=page_named("merge")))
def test_a_damaged_baseline_in_the_link_is_told_and_the_answer_stands(workbench, page: Page, kind: str) -> None:
    name = next(iter(page.methods.values())).name
    pin = PINS[kind].replace("{analysis}", name).replace("{dataset}", f"{library.SAMPLE_PREFIX}{page.start[0].sample}")
    at = workbench.settled(first_start(workbench, page, pin=pin))
    (said,) = (workbench.read(each.value) for each in at.warning)
    assert said.startswith("The baseline")
    assert said.endswith(".")
    assert [each for each in words(at) if _LIVE.search(each)] == []
    an_answer(page, at)


@each_page([page for page in PAGES if not page.kind])
def test_a_hostile_link_to_a_page_without_a_dataset(workbench, page: Page) -> None:
    for value in HOSTILE.values():
        keys = {key.removeprefix(f"{page.name}.") for key in bound(workbench.open(page.name))}
        at = workbench.open(page.name, dict.fromkeys(keys | {"dataset", "open", "view", "pin"}, value))
        assert [each for each in words(at) if _LIVE.search(each)] == []
        assert all(each.endswith((".", "?")) and len(each) < 2_000 for each in told(workbench, at))


# Tables that are hard to work on.


def counts(n: int, names: list[str]) -> pd.DataFrame:
    random = np.random.default_rng(n)
    level = np.repeat([1e4, 9e4, 3e4], -(-n // 3))[:n]
    return pd.DataFrame({name: np.rint(level * random.uniform(0.8, 1.2, n) + 1e4 * random.uniform(0, 1, n)) for name in names})


LONG = [f"{number:02d}" + "N" * 198 for number in range(40)]
NAMES = ["<img src=x onerror=alert(1)>", "**b**", "$x$", ":red[y]"]
ABC = ["A", "B", "C"]
HARD: dict[str, Callable[[], pd.DataFrame]] = {
    "one row": lambda: counts(1, ABC),
    "constant": lambda: counts(30, ABC) * 0 + 7,
    "one column all NaN": lambda: counts(30, ABC).assign(B=np.nan),
    "huge counts": lambda: counts(30, ABC) * 1e24,
    "40 columns of long names": lambda: counts(30, LONG),
    "names of markup": lambda: counts(30, NAMES),
}


def _subexperiments(frame: pd.DataFrame) -> Subexperiments:
    """Every pair of HEMs read together once where they are few; around the first one where they are many."""
    names = list(frame)
    others = [names[place : place + 2] for place in range(1, len(names))] if len(names) > 5 else []
    pairs = [[names[0], *part] for part in others] or [[one, two] for place, one in enumerate(names) for two in names[place + 1 :]]
    return Subexperiments(frames=tuple(frame[part] for part in pairs), n_pmcs=max(map(len, pairs)))


def _series(frame: pd.DataFrame) -> CounterSeries:
    intervals = pd.DataFrame({"application": next(iter(frame)), "run": 1, "interval": np.arange(len(frame))})
    return CounterSeries(intervals=intervals, counts=frame, mode="OCOE")


def _phases(frame: pd.DataFrame) -> PhaseTable:
    keys = pd.DataFrame({"program": next(iter(frame)), "granularity": 1000, "load": "single core", "phase": np.arange(len(frame))})
    return PhaseTable(frame=pd.concat([keys, frame], axis=1), counters=tuple(frame.columns))


def _signatures(frame: pd.DataFrame) -> SignatureTable:
    measured = frame.iloc[:, [place % frame.shape[1] for place in range(len(METRICS))]].set_axis(list(METRICS), axis=1)
    return SignatureTable(frame=pd.concat([pd.DataFrame({"JOBID": np.arange(len(frame))}), measured, frame], axis=1))


MAKERS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "Subexperiments": _subexperiments,
    "CounterSeries": _series,
    "PhaseTable": _phases,
    "SignatureTable": _signatures,
    "HemList": lambda frame: HemList(frame=pd.DataFrame({"hem": list(frame)})),
}


# Of a list of HEMs there are the names alone, which these have in common with another one.
_SAME_NAMES = ("constant", "one column all NaN", "huge counts")


def hard_on(every: int, always: str = "") -> list[Any]:
    """(page, case) of every page and hard table: `make test` tries one of `every`, in turns, and the case `always` on each page."""
    return [
        pytest.param(page, case, id=f"{page.name}-{case}", marks=[pytest.mark.long] * bool(case != always and (place + number) % every))
        for number, page in enumerate(WORKING)
        for place, case in enumerate(HARD)
        if page.kind != "HemList" or case not in _SAME_NAMES
    ]


def kept(kind: str, case: str) -> str:
    """The label of the case's table on the shelf."""
    table = MAKERS[kind](HARD[case]())
    lineage = Lineage(
        parent="sample-series-ocoe", parent_name=case, analysis="segmentation.segmentation", params={}, version=__version__, gives=case
    )
    record = shelf.store().keep(table, name=f"{case} {NAMES[0]}", lineage=lineage)
    return next(entry.label for entry in library.entries(shelf.store()) if entry.id == record.id)


@pytest.mark.slow
@pytest.mark.parametrize(("page", "case"), hard_on(4))
def test_a_hard_table_gives_a_sentence_or_an_answer(workbench, page: Page, case: str) -> None:
    # A page of several kinds of table asks by them what it asks.
    for kind, method in [(page.kind, method) for method in page.methods] if page.has_families else [(each, "") for each in page.kinds]:
        label = kept(kind, case)
        family = {"family": method} if method else {}
        at = workbench.settled(workbench.open(page.name, {"dataset": label, **family}))
        assert [each for each in words(at) if _LIVE.search(each)] == []
        if at.metric:
            an_answer(page, at)
            assert not at.error
        else:
            (said,) = workbench.sentences(at)
            assert said.endswith((".", "?"))
            assert not at.tabs


@pytest.mark.slow
@pytest.mark.parametrize(("page", "case"), hard_on(12, always="names of markup"))
def test_every_tab_of_a_hard_table_opens(workbench, page: Page, case: str) -> None:
    for kind in page.kinds:
        label = kept(kind, case)
        at = workbench.settled(workbench.open(page.name, {"dataset": label}))
        for tab in [each.label for each in at.tabs]:
            workbench.in_tab(at, tab)
            at = workbench.settled(at)
            assert all(each.endswith((".", "?")) for each in workbench.sentences(at))
            assert [each for each in words(at) if _LIVE.search(each)] == []


# Keys, and choices taken back.


@pytest.mark.sweep(of=2)
@pytest.mark.slow
@each_page(list(PAGES))
def test_the_keys_of_its_widgets_begin_with_its_name(workbench, page: Page) -> None:
    seen = {key_of(each) for each in elements(workbench.open(page.name))}
    if page.kind:
        at = workbench.settled(first_start(workbench, page))
        for label in [each.label for each in at.tabs]:
            workbench.in_tab(at, label)
            seen |= {key_of(each) for each in elements(at)}
        boxes = {each.proto.popover.label for each in popovers(at)}
        for label in sorted({"Keep", "Download", "Add to report"} & boxes):
            before = set(seen)
            seen |= {key_of(each) for each in elements(workbench.open_box(at, label))}
            assert seen > before
    shared = ("again-", "cancel-", "frame-")  # of a job, which is the same wherever it is watched; of the corner of every page
    assert [key for key in seen if not key.startswith((f"{page.name}.", *shared))] == []


def moved(element: Any) -> Any:
    """Another value of the widget than the one where it stands; None where there is no other."""
    options = list(getattr(element, "options", []))
    kind = element.type
    if kind == "multiselect":
        return options[-2:]
    if kind == "selectbox":  # what it shows may be another word than its value
        return next((place for place in range(len(options)) if place != element.index), None)
    if kind in ("select_slider", "button_group"):
        # The last one: of the questions that a page answers the second may be the one that takes longest.
        places = range(len(options)) if kind == "select_slider" else reversed(range(len(options)))
        return next((place for place in places if str(options[place]) != str(element.value)), None)
    if kind == "toggle":
        return not element.value
    if kind in ("text_input", "text_area"):
        return f"{element.value}x"
    low, high = element.min, element.max
    return next(value for value in (low, high) if value != element.value)


def put(element: Any, value: Any) -> None:
    if element.type in ("selectbox", "select_slider"):
        element.set_value(element.options[value]) if element.type == "selectbox" else element.set_value(float(element.options[value]))
    elif element.type == "button_group":
        element.set_value(element.options[value])
    else:
        element.set_value(value)


def standing(page: Page, at: AppTest) -> dict[str, Any]:
    return {key: at.session_state[key] for key in bound(at)}


def few_jobs() -> str:
    """The label of a dataset of every eighth of the sample's jobs: what is asked of them is asked anew for each value of each choice."""
    table = SignatureTable(frame=samples.load("signatures").frame.iloc[::8].reset_index(drop=True))
    record = shelf.store().take(table, name="few jobs", source="a test")
    return next(entry.label for entry in library.entries(shelf.store()) if entry.id == record.id)


@pytest.mark.slow
@pytest.mark.sweep(of=6)
@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.long)])
@each_page(WORKING)
def test_defaults_and_undo_put_back_every_choice_of_the_link(workbench, no_more_begun, page: Page, every: int) -> None:
    """Which data is looked at stays at Defaults; Undo takes that back too. What a choice asks of the workers is not waited for.

    What the sample's start chooses is no default. The short sweep tries every seventh choice, in turns with one of the two.
    """
    data = {page.key(name) for name in ("dataset", "family", "application", "event", "run", *page.start[0].choices)}
    few = {"dataset": few_jobs()} if page.kind == "SignatureTable" else {}
    labels = [each.label for each in workbench.settled(first_start(workbench, page, **few)).tabs]
    tried = set()

    def opened(label: str) -> AppTest:
        at = workbench.settled(first_start(workbench, page, view=label, **few))
        workbench.in_tab(at, label)
        # What a closed box sends does not count.
        return workbench.open_box(at, "Options") if "Options" in {each.proto.popover.label for each in popovers(at)} else at

    for label in labels:
        opened(label)
    no_more_begun()
    for label in labels:
        at = opened(label)
        before = standing(page, at)
        new = sorted(before.keys() - tried - {page.key("dataset")})
        tried.update(new)
        for number, key in enumerate(new[::every]):
            both = ("Undo",) if key in data else ("Undo", "Defaults")
            for button in both if every == 1 else both[number % len(both) :][:1]:
                if standing(page, at) != before:
                    at = opened(label)
                element = bound(at)[key]
                value = moved(element)
                if value is None:
                    continue
                put(element, value)
                at = workbench.settled(workbench.run(at))
                assert at.session_state[key] != before[key], key
                next(each for each in at.button if each.label == button).click()
                at = workbench.settled(workbench.run(at))
                assert at.session_state[key] == before[key], f"{button} of {key}"
    assert tried


# The script.


def arithmetic(tree: ast.AST) -> list[str]:
    """The operators on anything but words that are put together."""
    found = [each for each in ast.walk(tree) if isinstance(each, ast.BinOp | ast.AugAssign)]
    return [ast.unparse(each) for each in found if not _of_words(each)]


def _of_words(node: ast.AST) -> bool:
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return True
    if isinstance(node, ast.BinOp):
        return (isinstance(node.op, ast.Mod) and _of_words(node.left)) or (
            isinstance(node.op, ast.Add) and _of_words(node.left) and _of_words(node.right)
        )
    return False


@each_page(list(PAGES))
def test_its_script_chooses_asks_and_shows_and_does_nothing_else(page: Page) -> None:
    text = page.script.read_text()
    tree = ast.parse(text)
    assert len(text.splitlines()) <= _MOST_LINES
    assert arithmetic(tree) == []
    imported = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imported += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    assert [name for name in imported if name.split(".")[0] in ("pages", "app", "numpy", "pandas", "plotly")] == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("a + b", ["a + b"]),
        ("a += 1", ["a += 1"]),
        ("f'{a}' + 'b'", []),
        ("'%s' % a", []),
        ("f(2 * len(a))", ["2 * len(a)"]),
        ("x = a", []),
    ],
)
def test_arithmetic_is_seen(source: str, found: list[str]) -> None:
    assert arithmetic(ast.parse(source)) == found


# What the page table says.


@each_page(WORKING)
def test_what_it_registers_is_there(page: Page) -> None:
    assert page.start
    assert page.leads
    assert page.answers
    assert page.how
    for start in page.start:
        assert samples.kind(start.sample) == page.kind
    for method in page.methods:
        analysis = page.methods[method]
        assert analysis.verdict is not None
        assert analysis.cards is not None
        compile(Question(analysis=analysis, dataset="x", params=analysis.params()).python(), "snippet", "exec")
    assert page.picture in pictures_of(next(iter(page.methods.values())).name)
    assert page_named(page.name) is page
