"""A few sets of files of one shape; `python -m tests.hostile.set_readings` reads thousands."""

from dataclasses import replace

import pytest

from hemcore.datasets.importing.one_pass import alike_parts
from tests.hostile.file_sets import CHANGES, file_set
from tests.hostile.set_readings import differing_parts, differing_upload


def test_files_of_a_set_read_as_each_does_by_itself() -> None:
    found = [differing_parts(file_set(7, number)) for number in range(6)]
    assert [each for each, _ in found if each] == []
    assert sum(in_one_pass for _, in_one_pass in found) > 3
    assert differing_upload(file_set(7, 0)) == []


def test_a_set_is_the_same_again_and_its_changes_are_many() -> None:
    sets = [file_set(3, number) for number in range(200)]
    assert sets[5] == file_set(3, 5)
    assert {change for each in sets for change in each.changes.values()} == set(CHANGES)
    assert {len(each.files) for each in sets} >= {3, 5, 12, 60}


def test_what_reads_otherwise_in_a_set_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    each = file_set(7, 0)
    right = alike_parts._in_one_pass

    def wrong(file, found, like, limit):  # type: ignore[no-untyped-def]
        part = right(file, found, like, limit)
        return part if part is None or file.name != each.files[-1][0] else replace(part, notes=[*part.notes, "another"])

    monkeypatch.setattr(alike_parts, "_in_one_pass", wrong)
    (said,) = differing_parts(each)[0]
    assert said.startswith(f"{each.files[-1][0]}: notes: ")
    assert "another" in said
