"""Model files: an .npz of arrays and a JSON header, in a folder next to the datasets. Nothing in a file is executed.

The header holds the kind of model, its training programs, counters and target, and its error.
"""

import dataclasses
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import numpy as np

from hemcore.datasets.shelf.kept_files import KeptFiles
from hemcore.errors import ReadError
from hemcore.prediction.arrays import Floats, Settings
from hemcore.prediction.evaluate.training_distance import Reach
from hemcore.prediction.model_rows import Rows
from hemcore.prediction.models.fitted import AnyFitted, Curves, Linear, Local, NearestMean, Together, Trees
from hemcore.prediction.models.model_names import current_name
from hemcore.prediction.models.trained_models import FittedModels

_VERSION = 1
_KINDS = {kind.__name__: kind for kind in (Linear, Local, Trees, Curves, NearestMean)}
_SUFFIX = ".model.npz"
_LARGEST = 512 * 2**20


class _Written(TypedDict, total=False):
    """A fitted model in a header: its class and the fields that are no arrays, or the members of a Together."""

    kind: str
    plain: dict[str, object]
    members: list["_Written"]


@dataclass(frozen=True, kw_only=True, eq=False)
class KeptModel:
    """A fitted model with everything needed to use it.

    name: of the model. fitted: its arrays. settings: those chosen. target: what it predicts; counters: its input, in order. programs: its
    training programs. scores: "mape", the mean relative error on programs left out. off: their quantiles, shape (programs, steps).
    reach: its training phases, for distances; None in older files. dataset: the id of the dataset, "" if unknown.
    """

    name: str
    fitted: AnyFitted
    settings: Settings
    target: str
    counters: tuple[str, ...]
    programs: tuple[str, ...]
    scores: dict[str, float]
    off: Floats
    reach: Reach | None = None
    dataset: str = ""

    def predict(self, rows: Rows) -> Floats:
        """The target of each row; shape (n,). Raises ReadError if the rows have other counters."""
        if rows.counters != self.counters:
            lacking = [name for name in self.counters if name not in rows.counters]
            fault = f"{lacking[0]} is not among the counters" if lacking else "there are other counters, or in another order"
            raise ReadError(f"{self.name}: {fault}. Choose the features {', '.join(self.counters)}.")
        return self.fitted.predict(rows)


def kept_models(found: FittedModels, *, dataset: str = "") -> dict[str, KeptModel]:
    """Trained models by name, each as a model that can be saved."""
    return {
        name: KeptModel(
            name=name,
            fitted=each.fitted,
            settings=each.settings,
            target=found.target,
            counters=found.example.counters,
            programs=found.programs,
            scores={"mape": found.scores[name]},
            off=found.off[name],
            reach=found.reach,
            dataset=dataset,
        )
        for name, each in found.models.items()
    }


def model_bytes(model: KeptModel) -> bytes:
    """The content of a model's file. Raises TypeError for a model that is not trained."""
    arrays: dict[str, np.ndarray] = {"off": model.off}
    if model.reach is not None:
        arrays |= {
            "reach.middle": model.reach.middle,
            "reach.units": model.reach.units,
            "reach.points": model.reach.points.astype(np.float32),
        }
    header = {
        "version": _VERSION,
        "name": model.name,
        "settings": model.settings,
        "target": model.target,
        "counters": model.counters,
        "programs": model.programs,
        "scores": {name: value for name, value in model.scores.items() if np.isfinite(value)},
        "dataset": model.dataset,
        "far": None if model.reach is None else model.reach.far,
        "fitted": _written(model.fitted, arrays, ""),
    }
    to = io.BytesIO()
    np.savez_compressed(to, allow_pickle=False, header=np.array(json.dumps(header, ensure_ascii=False)), **arrays)
    return to.getvalue()


def model_from_bytes(content: bytes, *, name: str = "model") -> KeptModel:
    """The model in a file. Raises ReadError for anything else."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            if sum(each.file_size for each in file.infolist()) > _LARGEST:
                raise ReadError(f"{name}: it would unpack to more than {_LARGEST // 2**20} MiB. Use a model file from this project.")
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
        header = json.loads(str(arrays.pop("header")))
        if header["version"] != _VERSION:
            raise ReadError(f"{name}: version {header['version']!r} of model files is not known. Train the model again.")
        return KeptModel(
            name=current_name(str(header["name"])),
            fitted=_read(header["fitted"], arrays, ""),
            settings=header["settings"],
            target=str(header["target"]),
            counters=tuple(str(each) for each in header["counters"]),
            programs=tuple(str(each) for each in header["programs"]),
            scores={str(key): float(value) for key, value in header["scores"].items()},
            off=np.asarray(arrays["off"], dtype=np.float64),
            reach=_reach(arrays, header.get("far"), len(header["counters"])),
            dataset=str(header["dataset"]),
        )
    except ReadError:
        raise
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, zipfile.BadZipFile, RecursionError):
        raise ReadError(f"{name}: not a model file of this project, or damaged. Download the model again.") from None


def keep_model(model: KeptModel, root: Path) -> str:
    """Save a model under `root`, the folder of the shelf, and return its id. The same model is saved once. Raises StoreError on failure."""
    return _files(root).keep(model_bytes(model))


def kept_ids(root: Path) -> list[str]:
    """The ids of the models saved under `root`, newest first."""
    return _files(root).ids()


def model_kept(id: str, root: Path) -> KeptModel:
    """The model with that id. Raises UnknownNameError if there is none, StoreError or ReadError for a damaged file."""
    return model_from_bytes(_files(root).load(id), name=f"model {id[:8]}")


def delete_model(id: str, root: Path) -> None:
    """Delete the model with that id. Raises UnknownNameError if there is none, StoreError if it cannot be deleted."""
    _files(root).delete(id)


def _files(root: Path) -> KeptFiles:
    return KeptFiles(root / "models", _SUFFIX, "model")


def _reach(arrays: dict[str, np.ndarray], far: float | None, n_counters: int) -> Reach | None:
    if far is None:
        return None
    middle, units, points = (np.asarray(arrays.pop(f"reach.{name}"), dtype=np.float64) for name in ("middle", "units", "points"))
    if (
        middle.shape != (n_counters,)
        or units.shape != (n_counters,)
        or points.ndim != 2
        or points.shape[1] != n_counters
        or not len(points)
    ):
        raise ValueError("the training phases have other counters than the model")
    return Reach(middle=middle, units=units, points=points, far=float(far))


def _written(fitted: AnyFitted, arrays: dict[str, np.ndarray], at: str) -> _Written:
    if isinstance(fitted, Together):
        members = [_written(each, arrays, f"{at}{number}.") for number, each in enumerate(fitted.members)]
        return {"kind": "Together", "members": members}
    if type(fitted).__name__ not in _KINDS:
        raise TypeError(f"{type(fitted).__name__} is not trained and cannot be saved")
    plain = {}
    for each in dataclasses.fields(fitted):
        value = getattr(fitted, each.name)
        if isinstance(value, np.ndarray):
            arrays[f"{at}{each.name}"] = value
        else:
            plain[each.name] = value
    return {"kind": type(fitted).__name__, "plain": plain}


def _read(header: _Written, arrays: dict[str, np.ndarray], at: str) -> AnyFitted:
    if header["kind"] == "Together":
        return Together(members=tuple(_read(each, arrays, f"{at}{number}.") for number, each in enumerate(header["members"])))
    kind = _KINDS[header["kind"]]
    values: dict[str, object] = {}
    for each in dataclasses.fields(kind):
        if f"{at}{each.name}" in arrays:
            values[each.name] = arrays[f"{at}{each.name}"]
        else:
            plain = header["plain"][each.name]
            values[each.name] = tuple(plain) if isinstance(plain, list) else plain
    make: Callable[..., AnyFitted] = kind
    made = make(**values)
    if isinstance(made, Trees):
        _check_trees(made)
    return made


def _check_trees(trees: Trees) -> None:
    """Raise ValueError if a node points outside its tree or backwards: a damaged file must not cause an endless search."""
    ends = np.append(trees.starts[1:], len(trees.value))
    tree = np.searchsorted(trees.starts, np.arange(len(trees.value)), side="right") - 1
    place, size = np.arange(len(trees.value)) - trees.starts[tree], (ends - trees.starts)[tree]
    inner = trees.left >= 0
    for side in (trees.left, trees.right):
        if ((side <= place) | (side >= size))[inner].any():
            raise ValueError("a node points outside its tree")
