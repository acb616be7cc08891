"""Pictures that the browser moves with a slider's thumb by itself, before the server has answered."""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Frame = Mapping[str, tuple[NDArray[Any], NDArray[Any]]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Live:
    """What a picture shows at each stand of a slider.

    field: the parameter that the slider sets. stops: the values from which on each frame is shown, ascending; highest: up to which the
    last one is. Elsewhere the server's answer is waited for. frames: (x, y) of the traces that change, by their meta; one a stop.
    named: what the picture's title says of the value, as "threshold "; the number after it is changed too.
    """

    field: str
    stops: Sequence[float]
    highest: float
    frames: Sequence[Frame]
    named: str = ""

    @cached_property
    def json(self) -> str:
        """As picture.js reads it."""
        frames = [{meta: {"x": _packed(x), "y": _packed(y)} for meta, (x, y) in frame.items()} for frame in self.frames]
        return json.dumps({"stops": list(map(float, self.stops)), "highest": self.highest, "named": self.named, "frames": frames})

    @cached_property
    def id(self) -> str:
        """By which a browser that has it already knows it."""
        return hashlib.sha256(self.json.encode()).hexdigest()[:16]


def _packed(values: NDArray[Any]) -> dict[str, str]:
    return {"dtype": "f4", "bdata": base64.b64encode(np.asarray(values, dtype="<f4").tobytes()).decode()}
