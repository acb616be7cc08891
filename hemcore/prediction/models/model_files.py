"""Models as files: one .npz of arrays and a JSON header, and a folder of them beside the datasets. Nothing in a file is run.

The header says what the model is, which programs it was fitted on, from which counters it predicts which target, and how far off it was.
"""

import dataclasses
import io
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hemcore.datasets.shelf.kept_files import KeptFiles
from hemcore.errors import HemError, ReadError
from hemcore.prediction.arrays import Floats, Settings
from hemcore.prediction.evaluate.training_distance import Reach
from hemcore.prediction.model_rows import Rows
from hemcore.prediction.models.fitted import AnyFitted, Linear, Local, NearestMean, Together, Trees
from hemcore.prediction.models.trained_models import FittedModels

_VERSION = 1
_KINDS: dict[str, Any] = {kind.__name__: kind for kind in (Linear, Local, Trees, NearestMean)}
_SUFFIX = ".model.npz"
_LARGEST = 512 * 2**20


@dataclass(frozen=True, kw_only=True, eq=False)
class KeptModel:
    """A fitted model and what must be known to use it.

    name: of the model. fitted: what it has learnt. settings: that were chosen. target: what it predicts; counters: what it reads, in order.
    programs: those it was fitted on. scores: "mape", the mean relative error on programs left out. off: those errors at even steps,
    shape (programs, steps). reach: how far a phase is from those that it was fitted on; None in files from before it was kept. dataset: the
    id of the dataset, "" where not known.
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
        """The target of each row; shape (n,). Raises ReadError where the rows' counters are not those that it reads."""
        if rows.counters != self.counters:
            lacking = [name for name in self.counters if name not in rows.counters]
            said = f"{lacking[0]} is not among the counters" if lacking else "the counters are others or in another order"
            raise ReadError(f"{self.name}: {said}; it reads {', '.join(self.counters)}. Choose these features.")
        return self.fitted.predict(rows)


def kept_models(found: FittedModels, *, dataset: str = "") -> dict[str, KeptModel]:
    """The models of an answer, each as one to keep, by name."""
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
    """The file of a model. Raises TypeError for one that has learnt nothing."""
    arrays: dict[str, Any] = {"off": model.off}
    if model.reach is not None:
        arrays |= {"reach.middle": model.reach.middle, "reach.units": model.reach.units, "reach.points": np.float32(model.reach.points)}
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
    np.savez_compressed(to, header=np.array(json.dumps(header, ensure_ascii=False)), **arrays)
    return to.getvalue()


def model_from_bytes(content: bytes, *, name: str = "model") -> KeptModel:
    """The model of a file. Raises ReadError for anything that is not one."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            if sum(each.file_size for each in file.infolist()) > _LARGEST:
                raise ReadError(f"{name}: it would take more than {_LARGEST // 2**20} MiB. Only files of this project are models.")
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
        header = json.loads(str(arrays.pop("header")))
        if header["version"] != _VERSION:
            raise ReadError(f"{name}: version {header['version']!r} of models is not known. Fit the model again.")
        return KeptModel(
            name=str(header["name"]),
            fitted=_read(header["fitted"], arrays, ""),
            settings=dict(header["settings"]),
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
        raise ReadError(f"{name}: it is no model of this project, or it is damaged. Download the model again.") from None


def keep_model(model: KeptModel, root: Path) -> str:
    """Keep a model under `root`, the folder of the shelf; its id. The same model is kept once. Raises StoreError where it cannot be."""
    return _files(root).keep(model_bytes(model))


def models_kept(root: Path) -> dict[str, KeptModel]:
    """The models kept under `root` by id, the newest first; files that are none, or are damaged, are passed over."""
    found = {}
    for id in kept_ids(root):
        try:
            found[id] = model_kept(id, root)
        except HemError:
            continue
    return found


def kept_ids(root: Path) -> list[str]:
    """The ids of the models kept under `root`, the newest first."""
    return _files(root).ids()


def model_kept(id: str, root: Path) -> KeptModel:
    """The model of that id. Raises UnknownNameError where none is kept, StoreError or ReadError for a file that is damaged."""
    return model_from_bytes(_files(root).load(id), name=f"model {id[:8]}")


def delete_model(id: str, root: Path) -> None:
    """Take the model of that id away. Raises UnknownNameError where none is kept, StoreError where the disk does not let it go."""
    _files(root).delete(id)


def _files(root: Path) -> KeptFiles:
    return KeptFiles(root / "models", _SUFFIX, "model")


def _reach(arrays: dict[str, Any], far: float | None, n_counters: int) -> Reach | None:
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
        raise ValueError("the phases learnt from have other counters than the model")
    return Reach(middle=middle, units=units, points=points, far=float(far))


def _written(fitted: AnyFitted, arrays: dict[str, Any], at: str) -> dict[str, Any]:
    if isinstance(fitted, Together):
        members = [_written(each, arrays, f"{at}{number}.") for number, each in enumerate(fitted.members)]
        return {"kind": "Together", "members": members}
    if type(fitted).__name__ not in _KINDS:
        raise TypeError(f"{type(fitted).__name__} has learnt nothing that could be kept")
    plain = {}
    for each in dataclasses.fields(fitted):
        value = getattr(fitted, each.name)
        if isinstance(value, np.ndarray):
            arrays[f"{at}{each.name}"] = value
        else:
            plain[each.name] = value
    return {"kind": type(fitted).__name__, "plain": plain}


def _read(said: Any, arrays: dict[str, Any], at: str) -> AnyFitted:
    if said["kind"] == "Together":
        return Together(members=tuple(_read(each, arrays, f"{at}{number}.") for number, each in enumerate(said["members"])))
    kind = _KINDS[said["kind"]]
    values: dict[str, Any] = {}
    for each in dataclasses.fields(kind):
        if f"{at}{each.name}" in arrays:
            values[each.name] = arrays[f"{at}{each.name}"]
        else:
            plain = said["plain"][each.name]
            values[each.name] = tuple(plain) if isinstance(plain, list) else plain
    made: AnyFitted = kind(**values)
    if isinstance(made, Trees):
        _check_trees(made)
    return made


def _check_trees(trees: Trees) -> None:
    """Raise ValueError where a node leads out of its tree or back: a damaged file must not send the search astray."""
    ends = np.append(trees.starts[1:], len(trees.value))
    tree = np.searchsorted(trees.starts, np.arange(len(trees.value)), side="right") - 1
    place, size = np.arange(len(trees.value)) - trees.starts[tree], (ends - trees.starts)[tree]
    inner = trees.left >= 0
    for side in (trees.left, trees.right):
        if ((side <= place) | (side >= size))[inner].any():
            raise ValueError("a node leads out of its tree")
