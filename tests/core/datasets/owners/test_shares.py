"""What an owner shares can be read by whom it is shared with, changed by none of them, and not any more once it has ended."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hemcore.datasets.owners import contents, limits, people, shares, whose
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.errors import HemError, ParameterError, StoreError, UnknownNameError
from hemcore.report import ReportShelf

NAMES = ("ada", "bob", "eve")
FILES = [UploadedFile("a.csv", b"A,B\n100,200\n300,400\n500,600\n")]
OTHER = [UploadedFile("b.csv", b"A,B\n100,200\n300,400\n500,700\n")]


@pytest.fixture
def stores(tmp_path) -> dict[str, DatasetStore]:
    """Ada and Bob are in the group hw, Eve is in none."""
    for name in NAMES:
        groups = () if name == "eve" else ("hw",)
        people.signed_in(whose.key_of("i", name), name=name, email="", groups=groups, base=tmp_path)
    return {name: DatasetStore(whose.folder_of(whose.key_of("i", name), tmp_path)) for name in NAMES}


def give(stores, to: str, receiver: str = "") -> tuple[str, shares.Share]:
    id = stores["ada"].add(FILES).id
    return id, shares.share(stores["ada"].root, kind="dataset", which=id, datasets=[id], to=to, receiver=receiver)


def test_a_person_reads_what_is_shared_and_nothing_else(stores) -> None:
    other = stores["ada"].add(OTHER).id
    id, share = give(stores, shares.PERSON, whose.key_of("i", "bob"))
    assert stores["bob"].load(id).frames[0].equals(stores["ada"].load(id).frames[0])
    assert [record.id for record in stores["bob"].records()] == [id]
    found = stores["bob"].shared(id)
    assert found is not None
    assert (found.name, found.since) == ("ada", share.since)
    assert stores["ada"].shared(id) is None
    for store, wanted in (("bob", other), ("eve", id), ("eve", other)):
        with pytest.raises(UnknownNameError, match="is not on this shelf"):
            stores[store].load(wanted)


def test_a_group_reads_as_long_as_one_is_in_it(stores, tmp_path) -> None:
    id, _ = give(stores, shares.GROUP, "hw")
    assert stores["bob"].record(id).name == "a.csv"
    with pytest.raises(UnknownNameError):
        stores["eve"].record(id)
    people.signed_in(whose.key_of("i", "bob"), name="bob", email="", groups=(), base=tmp_path)
    with pytest.raises(UnknownNameError):
        stores["bob"].record(id)


def test_a_link_opens_it_for_who_has_opened_it(stores) -> None:
    id, share = give(stores, shares.LINK)
    with pytest.raises(UnknownNameError):
        stores["eve"].load(id)
    assert shares.claim(stores["eve"].root, share.id) == share
    assert stores["eve"].record(id).id == id
    with pytest.raises(UnknownNameError):
        stores["bob"].load(id)


def test_it_ends_at_once(stores) -> None:
    id, share = give(stores, shares.LINK)
    shares.claim(stores["eve"].root, share.id)
    stores["eve"].load(id)
    shares.revoke(stores["ada"].root, share.id)
    with pytest.raises(UnknownNameError):
        stores["eve"].load(id)
    with pytest.raises(UnknownNameError):
        shares.claim(stores["eve"].root, share.id)


def test_a_link_does_not_tell_whether_there_is_something(stores) -> None:
    """Of another person's share, an ended one, one that never was, and no id at all: one sentence."""
    _, theirs = give(stores, shares.PERSON, whose.key_of("i", "bob"))
    _, ended = give(stores, shares.LINK)
    shares.revoke(stores["ada"].root, ended.id)
    for id in (theirs.id, ended.id, "0" * 32, "../../owners", ""):
        with pytest.raises(UnknownNameError) as caught:
            shares.claim(stores["eve"].root, id)
        assert str(caught.value) == shares.NOTHING


def test_a_receiver_changes_nothing(stores) -> None:
    id, share = give(stores, shares.PERSON, whose.key_of("i", "bob"))
    for change in (lambda: stores["bob"].rename(id, "mine"), lambda: stores["bob"].delete(id)):
        with pytest.raises(ParameterError, match="ada shares it with you, to be read"):
            change()
    with pytest.raises(UnknownNameError):
        shares.revoke(stores["bob"].root, share.id)
    passed_on = shares.share(stores["bob"].root, kind="dataset", which=id, datasets=[id], to=shares.LINK)
    shares.claim(stores["eve"].root, passed_on.id)
    with pytest.raises(UnknownNameError):
        stores["eve"].load(id)
    assert stores["ada"].record(id).name == "a.csv"


def test_a_copy_is_ones_own_and_stays(stores) -> None:
    id, share = give(stores, shares.PERSON, whose.key_of("i", "bob"))
    stores["bob"].copy(id)
    shares.revoke(stores["ada"].root, share.id)
    assert stores["bob"].rename(id, "mine").name == "mine"
    assert stores["ada"].record(id).name == "a.csv"
    assert len(stores["bob"].load(id).frames[0]) == 3


@pytest.mark.parametrize(("to", "receiver"), [(shares.PERSON, "0" * 32), (shares.GROUP, "admins"), ("everyone", "")])
def test_what_cannot_be_shared_is_a_sentence(stores, to: str, receiver: str) -> None:
    with pytest.raises(ParameterError):
        give(stores, to, receiver)


def test_a_report_is_shared_with_its_datasets(stores) -> None:
    id, other = stores["ada"].add(FILES).id, stores["ada"].add(OTHER).id
    theirs, mine = ReportShelf(stores["ada"].root), ReportShelf(stores["bob"].root)
    report = theirs.create("Findings")
    share = shares.share(
        stores["ada"].root, kind="report", which=report.id, datasets=[id], to=shares.PERSON, receiver=whose.key_of("i", "bob")
    )
    assert [each.title for each in mine.entries()] == ["Findings"]
    assert mine.load(report.id).title == "Findings"
    stores["bob"].load(id)
    with pytest.raises(UnknownNameError):
        stores["bob"].load(other)
    for change in (lambda: mine.rename(report.id, "Mine"), lambda: mine.delete(report.id)):
        with pytest.raises(HemError):
            change()
    copied = mine.copy(report.id)
    shares.revoke(stores["ada"].root, share.id)
    assert [each.id for each in mine.entries()] == [copied.id]
    with pytest.raises(UnknownNameError):
        mine.load(report.id)


def test_the_same_upload_of_two_is_stored_once_and_known_to_each_alone(stores, tmp_path) -> None:
    ids = {name: stores[name].add([UploadedFile(f"{name}.csv", FILES[0].content)]).id for name in ("ada", "bob")}
    assert ids["ada"] == ids["bob"]
    files = {name: sorted((stores[name].root / "datasets" / ids[name]).glob("*.parquet")) for name in ids}
    assert [os.path.samefile(mine, theirs) for mine, theirs in zip(files["ada"], files["bob"], strict=True)] == [True, True]
    assert {name: stores[name].record(id).name for name, id in ids.items()} == {"ada": "ada.csv", "bob": "bob.csv"}
    before = limits.held(tmp_path)
    assert before < limits.used(stores["ada"].root) + limits.used(stores["bob"].root)
    stores["ada"].delete(ids["ada"])
    assert len(stores["bob"].load(ids["bob"]).frames[0]) == 3


def test_what_no_owner_has_any_more_goes(stores, tmp_path) -> None:
    id = stores["ada"].add(FILES).id
    assert contents.sweep(tmp_path) == 0
    for path in (stores["ada"].root / "datasets" / id).iterdir():
        path.unlink()
    assert contents.sweep(tmp_path) == 2
    assert list((tmp_path / "contents").iterdir()) == []


def test_a_damaged_file_is_not_given_to_the_next(stores, tmp_path) -> None:
    stores["ada"].add(FILES)
    for path in (tmp_path / "contents").iterdir():
        path.write_bytes(b"damaged")
    id = stores["bob"].add(FILES).id
    assert len(stores["bob"].load(id).frames[0]) == 3


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("HEM_MAX_GB_PER_OWNER", "0.000001", "GB of 1e-06 GB, and this would add 0.00 GB. Delete datasets on the Data page"),
        ("HEM_MAX_GB", "0.000001", "This server holds"),
        ("HEM_MAX_DATASETS_PER_OWNER", "1", "You have 1 datasets; 1 are allowed. Delete some"),
    ],
)
def test_a_limit_refuses_before_work_begins(stores, monkeypatch, name: str, value: str, sentence: str) -> None:
    stores["ada"].add(FILES)
    monkeypatch.setenv(name, value)
    with pytest.raises(StoreError, match=sentence):
        stores["ada"].add([UploadedFile("no table", b"not even a table")])


def test_answers_give_way_to_data(stores, monkeypatch) -> None:
    """30 kB are allowed, three answers take 27 kB: the one used longest ago goes, and as many as the dataset needs."""
    root = stores["ada"].root
    (root / "answers").mkdir()
    for number in range(3):
        (root / "answers" / str(number)).write_bytes(b"x" * 9_000)
        os.utime(root / "answers" / str(number), (number, number))
    monkeypatch.setenv("HEM_MAX_GB_PER_OWNER", "0.00003")
    id = stores["ada"].add(FILES).id
    assert "0" not in {path.name for path in (root / "answers").iterdir()}
    assert limits.used(root) <= 30_000
    stores["ada"].load(id)


@pytest.mark.long
@pytest.mark.slow
def test_two_servers_hold_a_limit_together(stores, monkeypatch) -> None:
    """Twelve uploads, read at the same time in four processes; five are allowed."""
    root = stores["ada"].root
    program = (
        "import sys; from pathlib import Path; from hemcore.datasets.readers.uploaded_files import UploadedFile\n"
        "from hemcore.datasets.shelf.store import DatasetStore; from hemcore.errors import HemError\n"
        f"store, refused = DatasetStore(Path({str(root)!r})), 0\n"
        "input()\n"
        "for each in range(3):\n"
        "    try: store.add([UploadedFile('a', f'A,B\\n{sys.argv[1]},{each}\\n300,400\\n500,600\\n'.encode())])\n"
        "    except HemError as error: refused += '5 are allowed' in str(error)\n"
        "print(refused)"
    )
    monkeypatch.setenv("HEM_MAX_DATASETS_PER_OWNER", "5")
    others = [subprocess.Popen([sys.executable, "-c", program, str(each)], stdin=-1, stdout=-1, text=True) for each in range(4)]
    refused = [int(other.communicate("\n")[0]) for other in others]
    assert (len(stores["ada"].records()), sum(refused)) == (5, 7)


def test_one_user_has_no_limits_and_no_shares(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("HEM_MAX_DATASETS_PER_OWNER", "1")
    store = DatasetStore(tmp_path / "one")
    store.add(FILES)
    store.add(OTHER)
    assert len(store.records()) == 2
    assert {path.name for path in store.root.iterdir()} == {"datasets", "deleted", "incoming"}
    assert shares.received(store.root) == []


def test_a_limit_that_is_no_number_is_a_sentence(stores, monkeypatch) -> None:
    monkeypatch.setenv("HEM_MAX_GB", "much")
    with pytest.raises(ParameterError, match="HEM_MAX_GB: 'much' is not a number above 0"):
        stores["ada"].add(FILES)


def test_what_was_given_to_everyone_is_read_by_everyone(stores, tmp_path) -> None:
    people.signed_in(people.EVERYONE, name="Everyone", email="", groups=(), base=tmp_path)
    id = DatasetStore(whose.folder_of(people.EVERYONE, tmp_path)).add(FILES).id
    for name in NAMES:
        assert stores[name].record(id).name == "a.csv"
        with pytest.raises(ParameterError):
            stores[name].delete(id)
    assert [each.name for each in people.all_people(tmp_path)] == list(NAMES)


def test_nothing_of_an_owner_is_open_to_the_machine(stores, tmp_path: Path) -> None:
    give(stores, shares.LINK)
    for folder in (tmp_path / "owners", tmp_path / "shares", tmp_path / "contents", *(store.root for store in stores.values())):
        assert folder.stat().st_mode & 0o777 == 0o700, folder
