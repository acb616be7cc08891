"""Datasets and trained models as bytes, for workers that do not see the server's store: they put them into one of their own."""

import json
import re
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from hemcore.datasets.shelf.store import DatasetStore
from hemcore.jobs.tasks import Answer, Home, Task

# The content of each file, by its path in the store.
Carried: TypeAlias = Mapping[str, bytes]
_ID = re.compile(r"\b[0-9a-f]{64}\b")


def pack(task: Task, home: Home) -> dict[str, bytes]:
    """The files of every stored dataset and trained model that the question names; empty if workers see them."""
    if home.shared or not isinstance(task, Answer):
        return {}
    folder = DatasetStore(home.folder).root
    paths: list[Path] = []
    for id in sorted(set(_ID.findall(json.dumps(task.question)))):
        paths += [*(folder / "datasets" / id).glob("*"), *(folder / "models").glob(f"{id}.*")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths if path.is_file()}


def same(carried: Carried) -> Carried:
    """What is sent to a scheduler once, for all pieces of a job."""
    return carried


def unpack(carried: Carried, root: Path | None) -> None:
    """Put the files into the store `root`, unless they are there. Raises OSError if they cannot be written."""
    if not carried:
        return
    folder = DatasetStore(root).root
    with tempfile.TemporaryDirectory(dir=folder / "incoming") as aside:
        for name, content in carried.items():
            path = Path(aside, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        for path in [*Path(aside).glob("datasets/*"), *Path(aside).glob("models/*")]:
            place = folder / path.relative_to(aside)
            place.parent.mkdir(exist_ok=True)
            if not place.exists():
                with suppress(FileExistsError, shutil.Error):  # another worker of this machine was quicker
                    path.rename(place)
