"""Modules: none has the name of a function or class in it or of another module, no room has too many, and none is too long."""

import ast
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from hemcore.registry import rooms

ROOT = Path(__file__).parents[2]
MOST = 20  # modules of a room, without __init__
LONGEST = 300  # lines of a module
ANALYSES = tuple(f"hemcore.{room}" for room in rooms())
# The layout that rooms repeat: each of these names may stand once in each room below the places given, which says where its base is too.
LAYOUT: dict[str, tuple[str, ...]] = {
    "analysis": ("hemcore", *ANALYSES),
    "headline": ("hemcore", *ANALYSES),
    "params": ("hemcore", *ANALYSES),
    "results": ANALYSES,
    "warm_up": ANALYSES,
    "pictures": ("hemcore.charts",),
    "view": ("hemcore.charts",),
    "form": ("hemcore.web",),
    "tabs": ("hemcore.web",),
    "__main__": ("hemcore", "hemcore.report"),  # `python -m` asks for it
}
Sources = Mapping[str, str]  # module -> its text


def sources() -> Sources:
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): path.read_text() for path in sorted(ROOT.glob("hemcore/**/*.py"))}


def room_and_name(module: str) -> tuple[str, str]:
    room, _, name = module.removesuffix(".__init__").rpartition(".")
    return room, name


def in_its_place(module: str) -> bool:
    room, name = room_and_name(module)
    return any(room == place or (place != "hemcore" and room.startswith(f"{place}.")) for place in LAYOUT.get(name, ()))


def shadowed(texts: Sources) -> list[str]:
    """The modules and packages that define a function or class of their own name."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return [
        module
        for module, text in texts.items()
        if any(isinstance(node, kinds) and node.name == room_and_name(module)[1] for node in ast.parse(text).body)
    ]


def repeated(texts: Sources) -> dict[str, list[str]]:
    """The names that several modules have, with those modules; what the layout repeats in its place is left out."""
    found: dict[str, list[str]] = defaultdict(list)
    for module in texts:
        if not module.endswith(".__init__"):
            found[room_and_name(module)[1]].append(module)
    return {name: modules for name, modules in found.items() if len(modules) > 1 and not all(map(in_its_place, modules))}


def too_full(texts: Sources) -> dict[str, int]:
    """The rooms with more than `MOST` modules, and how many they have."""
    sizes = Counter(room_and_name(module)[0] for module in texts if not module.endswith(".__init__"))
    return {room: size for room, size in sizes.items() if size > MOST}


def too_long(texts: Sources) -> dict[str, int]:
    """The modules with more than `LONGEST` lines, and how many they have."""
    return {module: length for module, text in texts.items() if (length := len(text.splitlines())) > LONGEST}


def test_no_module_has_more_than_300_lines() -> None:
    assert too_long(sources()) == {}


def test_no_function_or_class_has_the_name_of_its_module() -> None:
    assert shadowed(sources()) == []


def test_no_two_modules_have_one_name() -> None:
    assert repeated(sources()) == {}


def test_no_room_has_more_than_twenty_modules() -> None:
    assert too_full(sources()) == {}


@pytest.mark.parametrize("text", ["def ranks(): ...", "async def ranks(): ...", "class ranks: ..."])
@pytest.mark.parametrize("module", ["hemcore.merge.ranks", "hemcore.merge.ranks.__init__"])
def test_a_function_of_its_modules_name_is_found(module: str, text: str) -> None:
    assert shadowed({module: text, "hemcore.merge.order": text}) == [module]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("hemcore.front.tables", "hemcore.web.tables"),
        ("hemcore.merge.results", "hemcore.jobs.results"),
        ("hemcore.charts.mpx.pictures", "hemcore.web.pictures"),
        ("hemcore.params", "hemcore.front.params"),
    ],
)
def test_a_name_in_two_rooms_is_found(one: str, other: str) -> None:
    assert repeated({one: "", other: "", "hemcore.web.__init__": "", "hemcore.jobs.__init__": ""}) == {one.rpartition(".")[2]: [one, other]}


def test_what_the_layout_repeats_is_not_found() -> None:
    assert repeated(dict.fromkeys(("hemcore.params", "hemcore.mpx.params", "hemcore.mpx.learned.params"), "")) == {}


def test_a_room_of_twenty_one_is_found() -> None:
    room = {f"hemcore.web.part_{number}": "" for number in range(MOST)}
    inside = {"hemcore.web.__init__": "", "hemcore.web.actions.keep": ""}
    assert too_full(room | inside) == {}
    assert too_full(room | inside | {"hemcore.web.more": ""}) == {"hemcore.web": 21}


def test_a_module_of_301_lines_is_found() -> None:
    assert too_long({"hemcore.whole": "a = 1\n" * 300, "hemcore.longer": "a = 1\n" * 301}) == {"hemcore.longer": 301}
