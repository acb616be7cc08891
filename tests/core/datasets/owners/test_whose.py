"""Each owner has a folder, and whoever asks has one of them alone."""

from pathlib import Path

import pytest

from hemcore.datasets.owners import audit_log, people, whose
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.errors import HemError, UnknownNameError

ADA, BOB = whose.key_of("i", "ada"), whose.key_of("i", "bob")
FILES = [UploadedFile("a.csv", b"A,B\n100,200\n300,400\n500,600\n")]


@pytest.fixture
def asker(tmp_path, monkeypatch):
    """Sets who asks; "" is no one."""
    now = {"key": ""}

    def key() -> str:
        if not now["key"]:
            raise HemError("No one is signed in.")
        return now["key"]

    monkeypatch.setenv("HEM_DATA_DIR", str(tmp_path))
    whose.serve_owners(key)
    yield lambda key: now.update(key=key)
    whose.serve_owners(None)


def test_one_user_has_the_folder_as_before(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("HEM_DATA_DIR", str(tmp_path))
    assert whose.folder() == tmp_path
    assert whose.key_here() == ""
    assert DatasetStore().root == tmp_path


def test_an_owner_has_a_folder_that_others_cannot_enter(asker, tmp_path) -> None:
    asker(ADA)
    id = DatasetStore().add(FILES).id
    assert (tmp_path / "owners" / ADA / "datasets" / id).is_dir()
    assert (tmp_path / "owners" / ADA).stat().st_mode & 0o777 == 0o700
    asker(BOB)
    assert DatasetStore().records() == []
    with pytest.raises(UnknownNameError) as theirs:
        DatasetStore().load(id)
    with pytest.raises(UnknownNameError) as none:
        DatasetStore().load("0" * 64)
    assert str(theirs.value).replace(id, "") == str(none.value).replace("0" * 64, "")


def test_without_a_name_there_is_no_folder(asker) -> None:
    with pytest.raises(HemError, match="No one is signed in"):
        DatasetStore()


def test_inside_within_the_folder_is_that_one(asker, tmp_path) -> None:
    with whose.within(tmp_path / "owners" / BOB):
        assert whose.key_here() == BOB


@pytest.mark.parametrize("key", ["", "..", "../../etc", "a" * 31, "A" * 32, "a" * 32 + "\n"])
def test_only_a_key_names_a_folder(key: str, tmp_path) -> None:
    with pytest.raises(ValueError, match="is not the key of an owner"):
        whose.folder_of(key, tmp_path)


def test_people_are_known_from_their_sign_in(tmp_path: Path) -> None:
    people.signed_in(ADA, name="Ada", email="ada@example.org", groups=["hw"], base=tmp_path)
    people.signed_in(BOB, name="bob", email="", groups=[], base=tmp_path)
    people.signed_in(ADA, name="Ada L.", email="ada@example.org", groups=["hw", "sw"], base=tmp_path)
    assert [each.label for each in people.all_people(tmp_path)] == ["Ada L. (ada@example.org)", "bob"]
    found = people.person(ADA, tmp_path)
    assert found is not None
    assert found.groups == ("hw", "sw")
    assert found.first_seen


def test_the_log_has_who_what_which_when_and_where_from(asker, tmp_path) -> None:
    asker(ADA)
    audit_log.note("dataset.add", "f" * 64, source="192.0.2.7")
    [line] = audit_log.lines(tmp_path)
    assert line.pop("when").startswith("20")
    assert line == {"who": ADA, "what": "dataset.add", "which": "f" * 64, "source": "192.0.2.7"}
    assert (tmp_path / "audit" / "audit.jsonl").stat().st_mode & 0o777 == 0o600


def test_the_log_begins_anew_when_it_is_large(asker, tmp_path, monkeypatch) -> None:
    asker(ADA)
    monkeypatch.setattr(audit_log, "MOST_BYTES", 500)
    for number in range(20):
        audit_log.note("job.submit", str(number))
    assert [line["which"] for line in audit_log.lines(tmp_path)] == [str(number) for number in range(20)]
    assert len(list((tmp_path / "audit").glob("audit-*.jsonl"))) > 1
