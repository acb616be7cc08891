"""What is found of a file is kept while the file is there: many formats ask the same of it."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TypeAlias, TypeVar
from weakref import WeakKeyDictionary

from hemcore.datasets.readers.uploaded_files import UploadedFile

_Found = TypeVar("_Found")


def remembered(most: int) -> Callable[[Callable[[UploadedFile], _Found]], Callable[[UploadedFile], _Found]]:
    """A decorator: what is found of a file is kept while the file is there, of at most so many; each of several formats asks for it."""

    def of(find: Callable[[UploadedFile], _Found]) -> Callable[[UploadedFile], _Found]:
        known: WeakKeyDictionary[UploadedFile, tuple[_Found]] = WeakKeyDictionary()

        @wraps(find)
        def found(file: UploadedFile) -> _Found:
            kept = known.get(file)
            if kept is None:
                kept = (find(file),)
                if len(known) >= most:
                    known.clear()
                known[file] = kept
            return kept[0]

        return found

    return of


_Recognise: TypeAlias = Callable[[Sequence[UploadedFile]], tuple[float, str]]


def remembered_alone(recognise: _Recognise) -> _Recognise:
    """A decorator: what a format says of a file by itself is kept, since formats of plain tables ask it too."""
    of_one = remembered(most=64)(lambda file: recognise([file]))

    @wraps(recognise)
    def found(files: Sequence[UploadedFile]) -> tuple[float, str]:
        return of_one(files[0]) if len(files) == 1 else recognise(files)

    return found
