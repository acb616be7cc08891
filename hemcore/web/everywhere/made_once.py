"""What is made of an answer, once while it stands: each rerun draws the same verdict, figures and tables from the same frozen answer.

An answer is told by its identity, as `ask` gives the same object to every rerun and session. Nothing here keeps an answer alive, and what
was made of it goes with it. What is made is shared: do not change it.
"""

import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar, cast

from hemcore.charts.picture import Scene
from hemcore.params import Params

_MOST = 384  # a page makes about ten things
_Made = TypeVar("_Made")
_known: OrderedDict[tuple[object, ...], tuple[list[weakref.ref[object]], object]] = OrderedDict()
_lock = threading.Lock()


def once(make: Callable[..., _Made], *given: object) -> _Made:
    """`make(*given)`, made once of the same objects: numbers, text, parameters and tuples are told by value, all else by identity.

    make: a function that stays, of nothing but what it is given. What it raises is not kept.
    """
    return _of(given, lambda: make(*given), make)


def of_scene(make: Callable[[Scene[Any]], _Made], scene: Scene[Any]) -> _Made:
    """`make(scene)`, made once of the same question, table, answers and view."""
    asked = scene.question
    parts = (asked.analysis.name, asked.dataset, asked.params, scene.view, scene.baseline_words)
    return _of((*parts, scene.table, scene.result, scene.more, scene.baseline), lambda: make(scene), make)


def _of(given: tuple[object, ...], made: Callable[[], _Made], make: object) -> _Made:
    key: list[object] = []
    seen: list[object] = []
    for each in (make, *given):
        if each is None or isinstance(each, str | int | float | tuple):
            key.append(each)
        elif isinstance(each, Params):
            key += [type(each), each.model_dump_json()]
        else:
            key.append((id(each),))
            seen.append(each)
    whole = tuple(key)
    with _lock:
        known = _known.get(whole)
        if known is not None and all(ref() is each for ref, each in zip(known[0], seen, strict=True)):
            _known.move_to_end(whole)
            return cast(_Made, known[1])
    found = made()
    try:
        held = [weakref.ref(each, lambda _: _known.pop(whole, None)) for each in seen]
    except TypeError:  # a list, a number of NumPy: nothing tells when it is gone
        return found
    with _lock:
        _known[whole] = held, found
        while len(_known) > _MOST:
            _known.popitem(last=False)
    return found
