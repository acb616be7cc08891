"""Python that reproduces what is on the screen, with hemcore alone."""

from pydantic import BaseModel

from hemcore.datasets.shelf.library import Entry
from hemcore.merge import HrmParams, MuchParams
from hemcore.segmentation import RunsParams


def merge(dataset: Entry, params: HrmParams | MuchParams) -> str:
    """The merge on the screen: ends with `merged`, the table that the page shows."""
    method = "hrm" if isinstance(params, HrmParams) else "much"
    return "\n".join(
        [
            f"from hemcore.merge import {type(params).__name__}, {method}",
            *_table(dataset),
            f"params = {_call(params)}",
            f"merged = {method}(table, params).merged",
        ]
    )


def segments(dataset: Entry, params: RunsParams) -> str:
    """The segments of every run: ends with `segments`, the table that the page gives away."""
    return "\n".join(
        [
            "from hemcore.segmentation import RunsParams, report",
            *_table(dataset),
            f"params = {_call(params)}",
            "segments = report.at_threshold(table, params).segments",
        ]
    )


def _table(dataset: Entry) -> list[str]:
    return ["from hemcore.datasets import load", "", f"# {_comment(dataset.name)}", f"table = load({dataset.id!r})"]


def _comment(words: str) -> str:
    return " ".join(words.split())


def _call(params: BaseModel) -> str:
    given = ", ".join(f"{name}={value!r}" for name, value in params.model_dump().items())
    return f"{type(params).__name__}({given})"
