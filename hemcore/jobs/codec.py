"""Results to files and back: plain values, arrays, frames, Params and frozen dataclasses of hemcore. Nothing in a file is executed.

A file is an uncompressed zip of .npy members, Parquet for columns without a numpy type, and result.json: the tree that refers to them.
"""

import dataclasses
import functools
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from hemcore.datasets.readers.repairs import Note
from hemcore.jobs.stored_classes import PLAIN_KINDS, class_named, is_plain, made_of, name_of
from hemcore.params import Params

# A node of the JSON tree of a file: its values are checked as they are read.
Node = dict[str, Any]
_TREE = "result.json"
# Arrays up to this many bytes share a member: a threshold path has thousands of them.
_SMALL = 64 * 2**10


def write(path: Path, value: object) -> None:
    """Write `value` to `path`. Raises TypeError for unsupported types, OSError if it cannot be written."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as file:
        tree = _Writer(file).whole(value)
        with file.open(_TREE, "w", force_zip64=True) as member:
            member.write(json.dumps(tree, separators=(",", ":")).encode())


def read(path: Path) -> Any:
    """What `write` wrote. Raises OSError, ValueError, TypeError, KeyError, IndexError or zipfile.BadZipFile for any other file."""
    with zipfile.ZipFile(path) as file:
        return _Reader(file).whole(json.loads(file.read(_TREE)))


class _Writer:
    def __init__(self, file: zipfile.ZipFile) -> None:
        self._file = file
        self._members = 0
        self._pools: dict[str, list[np.ndarray]] = {}
        self._filled: dict[str, int] = {}
        # Objects that occur several times are written once; holding them prevents their ids from being reused.
        self._seen: dict[int, tuple[int, object]] = {}

    def whole(self, value: object) -> Node:
        tree = self._node(value)
        pools = {dtype: self._member(np.concatenate(parts)) for dtype, parts in self._pools.items()}
        return {"value": tree, "pools": pools}

    def _node(self, value: Any) -> object:
        if value is None or type(value) in (bool, int, float, str):
            return value
        frozen = dataclasses.is_dataclass(value) and not isinstance(value, type)
        if frozen or isinstance(value, np.ndarray | pd.DataFrame | pd.Series | pd.Index):
            if id(value) in self._seen:
                return {"same": self._seen[id(value)][0]}
            node = self._large(value)
            self._seen[id(value)] = len(self._seen), value
            return node
        if type(value) in (list, tuple, set, frozenset):
            return {type(value).__name__: [self._node(each) for each in value]}
        if type(value) is dict:
            return {"dict": [[self._node(key), self._node(each)] for key, each in value.items()]}
        if isinstance(value, Params):
            return {"params": name_of(type(value)), "values": value.model_dump(mode="json")}
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return {"named": name_of(type(value)), "items": [self._node(each) for each in value]}
        if isinstance(value, np.generic):
            return {"scalar": self._array(np.asarray(value))}
        if isinstance(value, pd.Timestamp | pd.Timedelta):
            return {"time": self._node(pd.Series([value]))}
        if value is pd.NA or value is pd.NaT:
            return {"missing": "NA" if value is pd.NA else "NaT"}
        if isinstance(value, bytes):
            return {"bytes": self._array(np.frombuffer(value, dtype=np.uint8))}
        if isinstance(value, Path):
            return {"path": str(value)}
        if isinstance(value, Note):
            return str(value)  # what is asked about it was asked where it was made
        raise TypeError(f"{type(value).__module__}.{type(value).__qualname__} cannot be stored in a file")

    def _large(self, value: Any) -> Node:
        if isinstance(value, np.ndarray):
            return {"array": self._array(value), "frozen": not value.flags.writeable}
        if isinstance(value, pd.DataFrame):
            return self._frame(value)
        if isinstance(value, pd.Series):
            return {"series": self._column(value), "index": self._node(value.index), "name": self._node(value.name)}
        if isinstance(value, pd.RangeIndex):
            return {"range": [value.start, value.stop, value.step], "name": self._node(value.name)}
        if isinstance(value, pd.MultiIndex):
            levels = [self._node(value.get_level_values(place)) for place in range(value.nlevels)]
            return {"levels": levels, "names": [self._node(name) for name in value.names]}
        if isinstance(value, pd.Index):
            return {"labels": self._column(value.to_series(index=pd.RangeIndex(len(value)))), "name": self._node(value.name)}
        fields = dataclasses.fields(value)
        cached = {name for name in dir(type(value)) if isinstance(getattr(type(value), name), functools.cached_property)}
        beside = getattr(value, "__dict__", {}).keys() - {each.name for each in fields} - cached
        if beside:
            raise TypeError(f"{name_of(type(value))} with {', '.join(sorted(beside))} besides its fields cannot be stored in a file")
        known = {each.name: self._node(getattr(value, each.name)) for each in fields}
        return {"class": name_of(type(value)), "fields": known}

    def _frame(self, frame: pd.DataFrame) -> Node:
        groups: dict[object, list[int]] = {}
        for place, dtype in enumerate(frame.dtypes):
            groups.setdefault(dtype if is_plain(dtype) else place, []).append(place)
        columns = []
        for places in groups.values():
            # Numeric columns of one dtype form one array.
            plain = is_plain(frame.dtypes.iloc[places[0]])
            columns.append([places, self._array(frame.iloc[:, places].to_numpy()) if plain else self._column(frame.iloc[:, places[0]])])
        return {"frame": columns, "index": self._node(frame.index), "columns": self._node(frame.columns), "attrs": self._node(frame.attrs)}

    def _column(self, series: pd.Series) -> Node:
        if series.dtype == object or is_plain(series.dtype):
            return self._array(series.to_numpy())
        to = io.BytesIO()
        bare = series.set_axis(pd.RangeIndex(len(series)))
        pq.write_table(pa.Table.from_pandas(pd.DataFrame({"0": bare}), preserve_index=False), to)
        return {"parquet": self._array(np.frombuffer(to.getbuffer(), dtype=np.uint8))}

    def _array(self, array: np.ndarray) -> Node:
        if type(array) is not np.ndarray:
            raise TypeError(f"{type(array).__qualname__} cannot be stored in a file")
        if array.dtype == object:
            return {"objects": [self._node(each) for each in array.ravel()], "shape": array.shape}
        if array.dtype.kind not in PLAIN_KINDS:
            raise TypeError(f"an array of {array.dtype} cannot be stored in a file")
        if array.nbytes > _SMALL:
            return {"member": self._member(array)}
        dtype = array.dtype.str
        start = self._filled.get(dtype, 0)
        # A copy: pools are written last, and the array may be a view of a large one.
        self._pools.setdefault(dtype, []).append(array.ravel().copy())
        self._filled[dtype] = start + array.size
        return {"pool": dtype, "start": start, "shape": array.shape}

    def _member(self, array: np.ndarray) -> str:
        name = f"{self._members}.npy"
        self._members += 1
        with self._file.open(name, "w", force_zip64=True) as member:
            np.lib.format.write_array(member, array, allow_pickle=False)
        return name


class _Reader:
    def __init__(self, file: zipfile.ZipFile) -> None:
        self._file = file
        self._pools: dict[str, np.ndarray] = {}
        self._seen: list[object] = []

    def whole(self, tree: Node) -> Any:
        self._pools = {dtype: self._member(name) for dtype, name in tree["pools"].items()}
        return self._value(tree["value"])

    def _value(self, node: Any) -> Any:
        if not isinstance(node, dict):
            return node
        kind = next(iter(node))
        given = node[kind]
        match kind:
            case "same":
                return self._seen[given]
            case "list" | "tuple" | "set" | "frozenset":
                sequences = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}
                return sequences[kind](self._value(each) for each in given)
            case "dict":
                return {self._value(key): self._value(each) for key, each in given}
            case "params":
                return class_named(given, Params)(**node["values"])
            case "named":
                return class_named(given, tuple)(*[self._value(each) for each in node["items"]])
            case "scalar":
                return self._array(given)[()]
            case "time":
                return self._value(given).iloc[0]
            case "missing":
                return {"NA": pd.NA, "NaT": pd.NaT}[given]
            case "bytes":
                return self._array(given).tobytes()
            case "path":
                return Path(given)
        value = self._large(kind, node)
        self._seen.append(value)
        return value

    def _large(self, kind: str, node: Node) -> Any:
        given = node[kind]
        match kind:
            case "array":
                array = self._array(given)
                array.setflags(write=not node["frozen"])
                return array
            case "frame":
                return self._frame(node)
            case "series":
                column = self._column(given)
                index = self._value(node["index"])
                return pd.Series(column, index=index, name=self._value(node["name"]), dtype=column.dtype, copy=False)
            case "range":
                return pd.RangeIndex(given[0], given[1], given[2], name=self._value(node["name"]))
            case "levels":
                levels = [self._value(level) for level in given]
                return pd.MultiIndex.from_arrays(levels, names=[self._value(name) for name in node["names"]])
            case "labels":
                column = self._column(given)
                return pd.Index(column, dtype=column.dtype, name=self._value(node["name"]))
            case "class":
                return made_of(class_named(given), {name: self._value(each) for name, each in node["fields"].items()})
        raise ValueError(f"{kind!r} is not a kind of value")

    def _frame(self, node: Node) -> pd.DataFrame:
        columns: dict[int, Any] = {}
        if len(node["frame"]) == 1 and len(node["frame"][0][0]) > 1:
            block = self._array(node["frame"][0][1])
            index, labels, attrs = self._value(node["index"]), self._value(node["columns"]), self._value(node["attrs"])
            frame = pd.DataFrame(block, index=index, columns=labels, copy=False)
            frame.attrs = attrs
            return frame
        for places, stored in node["frame"]:
            if "parquet" in stored or len(places) == 1:
                column = self._column(stored)
                columns[places[0]] = column.reshape(-1) if isinstance(column, np.ndarray) else column
            else:
                block = self._array(stored)
                columns |= {place: block[:, number] for number, place in enumerate(places)}
        # In the order of writing, since later values may refer to earlier ones.
        index, labels, attrs = self._value(node["index"]), self._value(node["columns"]), self._value(node["attrs"])
        made = {place: pd.Series(columns[place], index=index, dtype=columns[place].dtype, copy=False) for place in sorted(columns)}
        frame = pd.DataFrame(made, index=index)
        frame.columns = labels
        frame.attrs = attrs
        return frame

    def _column(self, stored: Node) -> Any:
        if "parquet" not in stored:
            return self._array(stored)
        return pq.read_table(pa.BufferReader(self._array(stored["parquet"]).tobytes())).to_pandas()["0"].array

    def _array(self, stored: Node) -> np.ndarray:
        if "member" in stored:
            return self._member(stored["member"])
        shape = tuple(stored["shape"])
        if "objects" in stored:
            flat = np.empty(len(stored["objects"]), dtype=object)
            for place, each in enumerate(stored["objects"]):
                flat[place] = self._value(each)
            return flat.reshape(shape)
        start = stored["start"]
        return self._pools[stored["pool"]][start : start + int(np.prod(shape))].reshape(shape).copy()

    def _member(self, name: str) -> np.ndarray:
        with self._file.open(name) as member:
            return np.lib.format.read_array(member, allow_pickle=False)
