"""Packages of other projects that add readers, estimators, analyses and pages, found by their entry points (see examples/plugin)."""

import functools
import importlib.metadata
import logging
from typing import TypeVar

GROUPS = ("hemcore.readers", "hemcore.estimators", "hemcore.analyses", "hemcore.pages")
_logger = logging.getLogger(__name__)
T = TypeVar("T")


def offered(group: str, kind: type[T]) -> tuple[T, ...]:
    """The objects of type `kind` that installed packages offer in `group`, sorted by the names of their entry points.

    One that cannot be imported or is of another type is left out with a warning in the log: the rest of the app does not depend on it.
    """
    found: list[T] = []
    for point in sorted(importlib.metadata.entry_points(group=group), key=lambda each: each.name):
        try:
            each = point.load()
        except Exception as error:  # whatever another project's module raises
            _logger.warning("plugin %s (%s): it cannot be imported (%s: %s)", point.name, group, type(error).__name__, error)
            continue
        if isinstance(each, kind):
            found.append(each)
        else:
            _logger.warning("plugin %s (%s): it must be a %s, not a %s", point.name, group, kind.__name__, type(each).__name__)
    return tuple(found)


@functools.cache
def packages() -> frozenset[str]:
    """The top-level packages whose classes and functions jobs and stored results may name: hemcore and the installed plugins."""
    points = (point for group in GROUPS for point in importlib.metadata.entry_points(group=group))
    return frozenset({"hemcore", *(point.module.partition(".")[0] for point in points)})


def is_ours(module: str) -> bool:
    """Whether `module` belongs to hemcore or to a plugin."""
    return module.partition(".")[0] in packages()
