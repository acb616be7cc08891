"""A trained model as data: its weights, and what must be known to use it; in one .npz file, which holds numbers and text alone."""

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.errors import ReadError

Kind = Literal["all events", "bi-gru", "mlp"]
KINDS: tuple[Kind, ...] = ("all events", "bi-gru", "mlp")
_FORMAT = 1
# A model of 1,000 events takes less; anything larger is no model of ours.
_LARGEST = 256 * 2**20


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainedModel:
    """What training found.

    kind: of estimator. events: those it estimates, in the order of its outputs. programs: those whose runs it has learned from.
    slots_per_count: k that it was trained at; 0: as the series was measured. seed: of training. weights: arrays by name.
    losses: one row per point of the training curve: step, training, validation (NaN where not taken). scores: of held-out runs of the same
    programs, by method and score ("harmonic:ra"), and of programs left out ("by program:harmonic:ra"); empty where there were none.
    settings: the parameters of training; "left_out" names those programs.
    parent: the id of the dataset that it was trained on, "" = not one of the shelf; version: of the program that kept it.
    """

    kind: Kind
    events: tuple[str, ...]
    programs: tuple[str, ...]
    slots_per_count: int
    seed: int
    weights: Mapping[str, NDArray[np.float32]]
    losses: pd.DataFrame
    scores: Mapping[str, float] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)
    parent: str = ""
    version: str = ""

    @cached_property
    def id(self) -> str:
        """64 hex digits, the SHA-256 of its file: the same model and no other."""
        return hashlib.sha256(self.to_bytes()).hexdigest()

    @property
    def left_out(self) -> list[str]:
        """The programs left out of training; empty where there were none."""
        names = self.settings.get("left_out")
        return [str(name) for name in names] if isinstance(names, list) else []

    def fits(self, events: list[str]) -> bool:
        """Whether a series of these events can be given to it; their order is free."""
        return sorted(events) == sorted(self.events)

    def to_bytes(self) -> bytes:
        """The file of the model: the same bytes for the same model."""
        about = {
            "format": _FORMAT,
            "kind": self.kind,
            "events": list(self.events),
            "programs": list(self.programs),
            "slots_per_count": self.slots_per_count,
            "seed": self.seed,
            "scores": {name: _plain(value) for name, value in self.scores.items()},
            "settings": dict(self.settings),
            "losses": [[str(name), [_plain(value) for value in self.losses[name]]] for name in self.losses.columns],
            "parent": self.parent,
            "version": self.version,
        }
        text = json.dumps(about, sort_keys=True, allow_nan=False).encode()
        out = io.BytesIO()
        np.savez(out, allow_pickle=False, about=np.frombuffer(text, dtype=np.uint8), **{f"weight:{n}": w for n, w in self.weights.items()})
        return out.getvalue()

    def save(self, path: Path) -> None:
        """Write the file of the model."""
        Path(path).write_bytes(self.to_bytes())


def load_model(source: Path | bytes) -> TrainedModel:
    """The model in a file, or in the bytes of one. Raises ReadError for a file that is not there, is damaged, or is none of a model."""
    name = "model" if isinstance(source, bytes) else str(source)
    try:
        content = source if isinstance(source, bytes) else Path(source).read_bytes()
    except OSError as error:
        raise ReadError(f"{name}: the model cannot be read ({error.strerror}). Train it again.") from None
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            if sum(part.file_size for part in parts.infolist()) > _LARGEST:
                raise ValueError(f"it unpacks to more than {_LARGEST // 2**20} MiB")
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            about = json.loads(bytes(arrays["about"]))
            weights = {key.removeprefix("weight:"): arrays[key] for key in arrays.files if key.startswith("weight:")}
        if about["format"] != _FORMAT or about["kind"] not in KINDS:
            raise ValueError(f"it is of format {about['format']!r} and kind {about['kind']!r}")
        if not all(each.dtype == np.float32 and np.isfinite(each).all() for each in weights.values()):
            raise ValueError("its weights are not finite numbers")
        losses = pd.DataFrame({key: [np.nan if each is None else each for each in values] for key, values in about["losses"]})
        return TrainedModel(
            kind=about["kind"],
            events=tuple(map(str, about["events"])),
            programs=tuple(map(str, about["programs"])),
            slots_per_count=int(about["slots_per_count"]),
            seed=int(about["seed"]),
            weights=weights,
            losses=losses,
            scores={str(key): np.nan if value is None else float(value) for key, value in about["scores"].items()},
            settings=dict(about["settings"]),
            parent=str(about["parent"]),
            version=str(about["version"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError, OSError, EOFError, RecursionError, zipfile.BadZipFile) as error:
        raise ReadError(f"{name}: it is no model of this program, or damaged ({error}). Train it again.") from None


def _plain(value: str | float | np.number) -> float | int | str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, int | np.integer):
        return int(value)
    return float(value) if np.isfinite(value) else None
