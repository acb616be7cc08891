"""Pictures that the browser moves with a slider's thumb by itself, before the server has answered."""

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
# (where each step begins on the x axis, ascending; what its hover tells, a column each): customdata of the points at and after it.
Told = tuple[NDArray, Sequence[NDArray]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Live:
    """What a picture shows at each stand of a slider.

    field: the parameter that the slider sets. stops: the values from which on each frame is shown, ascending; highest: up to which the
    last one is. Elsewhere the server's answer is waited for. frames: (x, y) of the traces that change, by their meta; one a stop.
    told: what the points of other traces tell, by their meta; one a stop, or none. With it a frame is all that the server would draw.
    named: what the picture's title says of the value, as "threshold "; the number after it is changed too.
    """

    field: str
    stops: Sequence[float]
    highest: float
    frames: Sequence[Frame]
    told: Sequence[Mapping[str, Told]] = ()
    named: str = ""

    @cached_property
    def json(self) -> str:
        """As picture.js reads it."""
        frames: list[dict[str, object]] = [
            {meta: {"x": _packed(x), "y": _packed(y)} for meta, (x, y) in frame.items()} for frame in self.frames
        ]
        for frame, told in zip(frames, self.told, strict=False):
            for meta, (begins, columns) in told.items():
                frame[meta] = {"begins": _numbers(begins), "columns": [_numbers(each) for each in columns]}
        return json.dumps({"stops": list(map(float, self.stops)), "highest": self.highest, "named": self.named, "frames": frames})

    @cached_property
    def id(self) -> str:
        """By which a browser that has it already knows it."""
        return hashlib.sha256(self.json.encode()).hexdigest()[:16]


def _numbers(values: NDArray) -> list[float | None]:
    return [value if math.isfinite(value) else None for value in np.asarray(values, dtype=float).tolist()]


def _packed(values: NDArray) -> dict[str, str]:
    return {"dtype": "f4", "bdata": base64.b64encode(np.asarray(values, dtype="<f4").tobytes()).decode()}
