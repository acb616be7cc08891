"""The cached call: an analysis of a stored dataset, kept under (function, dataset id, params) and nothing else."""

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st
from pydantic import BaseModel

from hemcore.web import shelf

Result = TypeVar("Result")


def result_of(function: Callable[..., Result], dataset_id: str, params: BaseModel | None = None) -> Result:
    """`function(table)` or `function(table, params)` for the dataset, from the cache where it was asked before."""
    text = "" if params is None else params.model_dump_json()
    return _computed(f"{function.__module__}.{function.__qualname__}", dataset_id, text, _function=function, _params=params)


@st.cache_resource(max_entries=64, show_spinner="Computing")
def _computed(name: str, dataset_id: str, params_text: str, *, _function: Callable[..., Any], _params: BaseModel | None) -> Any:
    # The name and the text are the key; the table is not hashed, since hashing a big frame looks at a sample of it only.
    table = shelf.table(dataset_id)
    return _function(table) if _params is None else _function(table, _params)
