"""Packages that can be called: `hemcore.merge` is the room of the merges, and `hem.merge(...)` a question of the front door."""

import sys
from collections.abc import Callable
from types import ModuleType


def make_callable(package: str, question: Callable[[], Callable[..., object]]) -> None:
    """Let the imported `package` be called as the function that `question` imports and returns."""

    class _Callable(ModuleType):
        def __call__(self, *data: object, **params: object) -> object:
            return question()(*data, **params)

    sys.modules[package].__class__ = _Callable
