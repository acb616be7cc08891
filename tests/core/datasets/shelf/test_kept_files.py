"""Files under their own sum: kept once, damage found, another suffix not theirs."""

import os
from pathlib import Path

import pytest

from hemcore.datasets.shelf import kept_files
from hemcore.datasets.shelf.kept_files import KeptFiles
from hemcore.errors import StoreError, UnknownNameError


def test_two_suffixes_share_a_folder_and_see_only_their_own(tmp_path: Path) -> None:
    plain, longer = KeptFiles(tmp_path / "m", ".npz", "model"), KeptFiles(tmp_path / "m", ".model.npz", "model")
    assert plain.ids() == longer.ids() == []
    first, second = plain.keep(b"one"), longer.keep(b"two")
    assert (plain.ids(), longer.ids()) == ([first], [second])
    assert (plain.load(first), longer.load(second)) == (b"one", b"two")
    with pytest.raises(UnknownNameError, match="not stored here"):
        plain.load(second)


def test_the_newest_file_comes_first(tmp_path: Path) -> None:
    files = KeptFiles(tmp_path, ".npz", "model")
    ids = [files.keep(content) for content in (b"one", b"two", b"three")]
    for id, second in zip(ids, (200, 100, 300), strict=True):
        os.utime(tmp_path / f"{id}.npz", (second, second))
    # Kept at 200, 100 and 300 s: the newest is the third, then the first, then the second.
    assert files.ids() == [ids[2], ids[0], ids[1]]


def test_what_is_damaged_is_told_and_kept_anew(tmp_path: Path) -> None:
    files = KeptFiles(tmp_path, ".npz", "model")
    id = files.keep(b"content")
    (tmp_path / f"{id}.npz").write_bytes(b"contens")
    with pytest.raises(StoreError, match=f"model {id[:8]}: its file is damaged"):
        files.load(id)
    assert files.keep(b"content") == id
    assert files.load(id) == b"content"
    files.delete(id)
    assert files.ids() == []
    for unknown in (id, "../../etc/passwd", ""):
        with pytest.raises(UnknownNameError):
            files.delete(unknown)


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kept_files, "put_in_place", full)
    with pytest.raises(StoreError, match="the disk is full"):
        KeptFiles(tmp_path, ".npz", "model").keep(b"content")
    assert list(tmp_path.iterdir()) == []
