"""Which classes a file of results may name, and how one is made again; nothing in a file is executed."""

import dataclasses
import functools
import importlib
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from hemcore.plugins import is_ours

PLAIN_KINDS = "biufcmMUS"
_CLASS = re.compile(r"[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)+:[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*")


def is_plain(dtype: object) -> bool:
    """Whether numpy stores a column of this type as it is."""
    return isinstance(dtype, np.dtype) and dtype.kind in PLAIN_KINDS


def name_of(kind: type) -> str:
    """module:class of a class of hemcore or of a plugin. Raises TypeError for any other."""
    name = f"{kind.__module__}:{kind.__qualname__}"
    if not (_CLASS.fullmatch(name) and is_ours(kind.__module__)):
        raise TypeError(f"{name} is not a class of hemcore or of a plugin and cannot be stored in a file")
    return name


def class_named(name: str, base: type | None = None) -> Any:
    """The hemcore class called `name`: a subclass of `base`, or a dataclass. Raises ValueError for anything else."""
    module, _, qualified = name.partition(":")
    if _CLASS.fullmatch(name) and is_ours(module):
        try:
            found = functools.reduce(getattr, qualified.split("."), importlib.import_module(module))
        except (ImportError, AttributeError):
            found = None
        if (
            isinstance(found, type)
            and found.__module__ == module
            and (issubclass(found, base) if base else dataclasses.is_dataclass(found))
        ):
            return found
    raise ValueError(f"{name[:80]!r} is not a class of results")


def made_of(kind: Any, values: Mapping[str, object]) -> object:
    """A `kind` with these fields, bypassing __init__, which might convert them."""
    if values.keys() != {each.name for each in dataclasses.fields(kind)}:
        raise ValueError(f"{kind.__qualname__}: the fields of the file are not those of this version of hemcore")
    made = object.__new__(kind)
    for name, value in values.items():
        object.__setattr__(made, name, value)
    return made
