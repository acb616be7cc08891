"""Figures that the browser updates while a slider moves, before the server answers."""

import base64
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Frame = Mapping[str, tuple[NDArray, NDArray]]
# (start of each step on the x axis, ascending; columns of its hover text): customdata of the points from there on.
HoverColumns = tuple[NDArray, Sequence[NDArray]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Live:
    """The frames of a figure at each position of a slider.

    field: the parameter of the slider. stops: the values from which each frame is shown, ascending; highest: the end of the last frame.
    Outside them the browser waits for the server. frames: (x, y) of the traces that change, by their meta; one per stop.
    hover: columns of the hover text of other traces, by their meta; one per stop, or empty. With it a frame is complete.
    title_prefix: the text before the value in the figure's title, such as "threshold "; the number after it is updated too.
    """

    field: str
    stops: Sequence[float]
    highest: float
    frames: Sequence[Frame]
    hover: Sequence[Mapping[str, HoverColumns]] = ()
    title_prefix: str = ""

    @cached_property
    def json(self) -> str:
        """The JSON that picture.js reads."""
        frames: list[dict[str, object]] = [
            {meta: {"x": _packed(x), "y": _packed(y)} for meta, (x, y) in frame.items()} for frame in self.frames
        ]
        for frame, hover in zip(frames, self.hover, strict=False):
            for meta, (begins, columns) in hover.items():
                frame[meta] = {"begins": _numbers(begins), "columns": [_numbers(each) for each in columns]}
        return json.dumps({"stops": list(map(float, self.stops)), "highest": self.highest, "named": self.title_prefix, "frames": frames})

    @cached_property
    def id(self) -> str:
        """A hash by which the browser recognises frames that it already has."""
        return hashlib.sha256(self.json.encode()).hexdigest()[:16]


def _numbers(values: NDArray) -> list[float | None]:
    return [value if math.isfinite(value) else None for value in np.asarray(values, dtype=float).tolist()]


def _packed(values: NDArray) -> dict[str, str]:
    return {"dtype": "f4", "bdata": base64.b64encode(np.asarray(values, dtype="<f4").tobytes()).decode()}
