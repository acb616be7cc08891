"""What is sent is opened in memory within limits, and every way in which an archive can harm ends in a sentence."""

import gzip
import io
import random
import struct
import zipfile

import pytest

from hemcore.datasets.readers import archives, recognition, uploaded_files
from hemcore.datasets.readers.uploaded_files import LaterFile, UploadedFile, UploadLimits, dataset_id, expand, files_id
from hemcore.errors import HemError, ReadError

CSV = b"a,b\n200,300\n"


def zipped(entries: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, content in entries.items():
            # Set afterwards: ZipInfo would put / for what the platform uses.
            info = zipfile.ZipInfo("x")
            info.filename = name
            info.compress_type = method
            archive.writestr(info, content)
    return target.getvalue()


def opened(content: bytes, limits: UploadLimits | None = None, name: str = "sent.zip") -> list[tuple[str, bytes]]:
    return [(file.name, file.content) for file in expand([UploadedFile(name, content)], limits)]


def said_of(content: bytes, limits: UploadLimits | None = None, name: str = "sent.zip") -> str:
    with pytest.raises(ReadError) as error:
        opened(content, limits, name)
    return str(error.value)


def with_central_field(content: bytes, offset: int, value: bytes) -> bytes:
    """The zip with `value` at `offset` of its first directory entry, which is what the reader goes by."""
    start = content.index(b"PK\x01\x02") + offset
    return content[:start] + value + content[start + len(value) :]


def test_plain_files_come_back_as_they_were_in_order() -> None:
    files = [UploadedFile("b.csv", b"1"), UploadedFile("a.csv", b"2")]
    assert expand(files) == files


def test_the_files_of_a_zip_in_its_order() -> None:
    assert opened(zipped({"b.csv": b"1", "a.csv": b"2"})) == [("b.csv", b"1"), ("a.csv", b"2")]


def test_folders_hidden_files_and_macosx_are_left_out() -> None:
    content = zipped({"runs/": b"", "runs/deep/a.csv": CSV, "runs/.DS_Store": b"x", "__MACOSX/runs/a.csv": b"x", ".hidden": b"x"})
    assert opened(content) == [("a.csv", CSV)]


def test_what_lies_in_a_hidden_folder_is_left_out() -> None:
    assert opened(zipped({".git/config": b"x", "a.csv": CSV})) == [("a.csv", CSV)]


def test_gzip_alone_and_in_a_zip_loses_its_ending() -> None:
    assert opened(gzip.compress(CSV), name="a.csv.gz") == [("a.csv", CSV)]
    assert opened(zipped({"a.csv.gz": gzip.compress(CSV)})) == [("a.csv", CSV)]


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_both_usual_methods_are_read(method: int) -> None:
    assert opened(zipped({"a.csv": CSV}, method)) == [("a.csv", CSV)]


def test_folders_stay_in_the_names_where_two_files_have_the_same() -> None:
    names = ["all/Run_1/events.data", "all/Run_2/events.data", "all/Run_1/list.data"]
    assert opened(zipped({name: name.encode() for name in names})) == [(name, name.encode()) for name in names]
    packed = zipped({"Run_1/a.csv.gz": gzip.compress(b"1"), "Run_2/a.csv": b"2"})
    assert opened(packed) == [("Run_1/a.csv", b"1"), ("Run_2/a.csv", b"2")]


def test_what_is_left_out_is_no_file_of_the_same_name() -> None:
    assert opened(zipped({"runs/a.csv": CSV, "__MACOSX/runs/a.csv": b"x", ".hidden/a.csv": b"x"})) == [("a.csv", CSV)]


def test_each_archive_by_itself_says_whether_folders_are_needed() -> None:
    archives = [UploadedFile(f"{number}.zip", zipped({"runs/a.csv": CSV})) for number in (1, 2)]
    assert [file.name for file in expand(archives)] == ["a.csv", "a.csv"]


def test_ten_thousand_entries_are_refused() -> None:
    said = said_of(zipped({f"{number}.csv": b"" for number in range(10_000)}))
    assert "sent.zip: 10,000 entries; at most 1,000" in said


def test_folders_and_hidden_files_do_not_count_as_entries() -> None:
    """A folder of two files, as macOS zips it."""
    files = {"runs/": b"", "runs/.DS_Store": b"x", "__MACOSX/runs/._a.csv": b"x", "runs/a.csv": b"1", "runs/b.csv": b"2"}
    assert [file.name for file in expand([UploadedFile("runs.zip", zipped(files))], UploadLimits(max_files=2))] == ["a.csv", "b.csv"]
    assert "2 entries; at most 1" in said_of(zipped(files), UploadLimits(max_files=1))


def test_the_limit_on_entries_is_inclusive() -> None:
    three = zipped({f"{number}.csv": b"x" for number in range(3)})
    assert len(opened(three, UploadLimits(max_files=3))) == 3
    assert "3 entries; at most 2" in said_of(three, UploadLimits(max_files=2))


def test_a_bomb_is_stopped_at_the_limit() -> None:
    bomb = zipped({"zeros.csv": bytes(8 << 20)})
    assert len(bomb) < 1 << 14
    assert "sent.zip: zeros.csv: more than 1 MiB unpacked" in said_of(bomb, UploadLimits(max_bytes=1 << 20))
    assert "more than 1 MiB" in said_of(gzip.compress(bytes(8 << 20)), UploadLimits(max_bytes=1 << 20), "zeros.gz")


def test_a_bomb_in_a_gzip_in_a_zip_is_stopped_too() -> None:
    bomb = zipped({"zeros.csv.gz": gzip.compress(bytes(8 << 20))})
    assert "more than 1 MiB" in said_of(bomb, UploadLimits(max_bytes=1 << 20))


def test_many_files_share_one_limit() -> None:
    limits = UploadLimits(max_bytes=100)
    assert len(opened(zipped({"a": bytes(50), "b": bytes(50)}), limits)) == 2
    assert "more than" in said_of(zipped({"a": bytes(50), "b": bytes(51)}), limits)
    with pytest.raises(ReadError, match="more than"):
        expand([UploadedFile("a", bytes(60)), UploadedFile("b", bytes(60))], limits)


@pytest.mark.parametrize("claimed", [1, 1 << 10])
def test_a_size_that_lies_low_gives_no_more_than_it_says(claimed: int) -> None:
    """The header claims less than there is: what is read ends there, and its checksum gives it away."""
    lying = with_central_field(zipped({"zeros.csv": bytes(8 << 20)}), 24, struct.pack("<L", claimed))
    assert "zeros.csv' is damaged" in said_of(lying, UploadLimits(max_bytes=1 << 20))


def test_a_size_that_lies_high_takes_no_memory() -> None:
    lying = with_central_field(zipped({"a.csv": CSV}), 24, struct.pack("<L", 0xF0000000))
    try:
        assert opened(lying, UploadLimits(max_bytes=1 << 20)) == [("a.csv", CSV)]
    except ReadError as error:
        assert "damaged" in str(error)  # noqa: PT017 (either answer will do; memory or a traceback will not)


@pytest.mark.parametrize("name", ["../x.csv", "a/../../x.csv", "/x.csv", "C:\\x.csv", "C:x.csv", "a\\x.csv", "\\\\server\\x.csv"])
def test_a_name_that_leads_out_is_refused(name: str) -> None:
    assert f"the entry {name!r} points outside the archive" in said_of(zipped({"a.csv": CSV, name: CSV}))


def test_dots_in_a_name_are_no_path() -> None:
    assert opened(zipped({"a..b.csv": CSV})) == [("a..b.csv", CSV)]


def test_a_link_is_refused() -> None:
    linked = with_central_field(zipped({"link.csv": b"/etc/passwd"}), 38, struct.pack("<L", 0o120777 << 16))
    assert "'link.csv' is a link" in said_of(linked)


def test_a_locked_entry_is_refused() -> None:
    assert "'a.csv' is locked with a password" in said_of(with_central_field(zipped({"a.csv": CSV}), 8, b"\x01\x00"))


def test_a_zip_cut_short_is_told() -> None:
    content = zipped({"a.csv": bytes(range(256)) * 9})
    assert "sent.zip: not a readable .zip" in said_of(content[: len(content) // 2])


def test_a_changed_byte_of_the_content_is_told() -> None:
    content = zipped({"a.csv": CSV}, zipfile.ZIP_STORED)
    place = content.index(b"200")
    assert "'a.csv' is damaged" in said_of(content[:place] + b"9" + content[place + 1 :])


def test_a_gzip_cut_short_is_told() -> None:
    assert "a.gz: damaged gzip file" in said_of(gzip.compress(CSV * 99)[:-9], name="a.gz")


# The bytes of a zip changed at random; what zipfile and the decompressors raise for it goes beyond BadZipFile.
@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_random_damage_never_ends_in_a_traceback(method: int) -> None:
    whole = zipped({f"{number}.csv": CSV * 9 for number in range(3)}, method)
    chance = random.Random(1)
    escaped = set()
    for _ in range(1_500):
        damaged = bytearray(whole)
        damaged[chance.randrange(4, len(damaged))] = chance.randrange(256)
        try:
            opened(bytes(damaged), UploadLimits(max_bytes=1 << 20))
        except HemError:
            pass
        except Exception as error:  # every other kind is the defect that is looked for
            escaped.add(type(error).__name__)
    assert escaped == set()


def test_nothing_sent_is_told() -> None:
    with pytest.raises(ReadError, match="upload: it contains no file"):
        expand([])
    assert "sent.zip: it contains no file" in said_of(zipped({}))
    assert "sent.zip: it contains no file" in said_of(zipped({"folder/": b"", ".DS_Store": b"x"}))


def test_an_empty_file_is_a_file() -> None:
    assert opened(b"", name="a.csv") == [("a.csv", b"")]


def test_the_name_of_a_single_file_is_not_part_of_its_id() -> None:
    assert dataset_id([UploadedFile("a", b"1")], "o") == dataset_id([UploadedFile("b", b"1")], "o")


def test_the_id_goes_by_bytes_order_options_and_the_names_of_several_files() -> None:
    one, two = UploadedFile("a", b"1"), UploadedFile("b", b"2")
    same = dataset_id([one, two], "options")
    assert len(same) == 64
    assert dataset_id([UploadedFile("a", b"1"), two], "options") == same
    assert dataset_id([UploadedFile("other", b"1"), two], "options") != same
    assert len({same, dataset_id([two, one], "options"), dataset_id([one, two], "others"), dataset_id([one], "options")}) == 4
    # Not the concatenation: where one file ends matters.
    assert dataset_id([UploadedFile("a", b"12")], "o") != dataset_id([UploadedFile("a", b"1"), UploadedFile("a", b"2")], "o")


def test_the_id_of_files_is_of_their_names_their_bytes_and_their_order() -> None:
    one, two = UploadedFile("a.csv", b"1"), UploadedFile("b.csv", b"2")
    assert files_id([one, two]) == files_id([UploadedFile("a.csv", b"1"), two])
    assert len(files_id([one])) == 64
    others = [
        [one],
        [two, one],
        [one, UploadedFile("c.csv", b"2")],
        [one, UploadedFile("b.csv", b"3")],
        [UploadedFile("a.csv1", b""), two],
        [],
    ]
    assert len({files_id(each) for each in ([one, two], *others)}) == 1 + len(others)
    assert len(files_id([UploadedFile("\udcff.csv", b"")])) == 64


def test_a_name_that_no_file_system_has_is_cut() -> None:
    (found,) = expand([UploadedFile("run_" + "9" * 5_000 + ".csv", b"a,b\n1,2\n")])
    assert len(found.name) == 251
    assert found.name.startswith("run_999")
    assert found.name.endswith("9.csv")
    (usual,) = expand([UploadedFile("é" * 251 + ".csv", b"a,b\n1,2\n")])
    assert usual.name == "é" * 251 + ".csv"


def test_of_many_files_the_first_stay_in_memory_and_the_others_come_from_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploaded_files, "_AT_HAND", 30)
    made = {f"{number}.csv": b"a,b\n1,%d\n" % number for number in range(6)}  # 8 bytes each
    files = expand([UploadedFile("sent.zip", zipped(made | {"6.csv": gzip.compress(b"a,b\r\n1,6\r\n")}))])
    later = [file for file in files if isinstance(file, LaterFile)]
    assert [file.name for file in later] == ["3.csv", "4.csv", "5.csv", "6.csv"]
    assert [file.size for file in later] == [8, 8, 8, 10]
    assert [file._fetched for file in later] == [None, *(file.content for file in later[1:])]  # type: ignore[attr-defined]
    assert later[0].content == made["3.csv"]
    assert later[1]._fetched is None  # type: ignore[attr-defined]
    assert files == [UploadedFile(name, made.get(name, b"a,b\r\n1,6\r\n")) for name in [f"{number}.csv" for number in range(7)]]
    assert later[0] != UploadedFile("3.csv", b"a,b\n1,4\n")
    assert later[2].fetcher()() == made["5.csv"]
    assert files_id(files) == files_id([UploadedFile(file.name, file.content) for file in files])


def test_where_the_disk_is_full_the_files_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(uploaded_files, "_AT_HAND", 8)
    monkeypatch.setattr(uploaded_files.tempfile, "TemporaryFile", full)
    made = {"a.csv": CSV, "b.csv": CSV}
    assert expand([UploadedFile("sent.zip", zipped(made))]) == [UploadedFile(*each) for each in made.items()]


def test_of_many_files_with_one_header_eight_say_what_each_is(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    matches = recognition._matches
    monkeypatch.setattr(recognition, "_matches", lambda files: asked.append(files[0].name) or matches(files))
    files = [UploadedFile(f"{number}.csv", b"time,cycles\n0.5,%d\n1,7\n" % number) for number in range(10)]
    files.insert(9, UploadedFile("odd.csv", b"no table\n"))
    found = recognition.taken_for(files)
    assert found == [found[0]] * 9 + [None, found[0]]
    assert found[0] is not None
    assert asked == [*(f"{number}.csv" for number in range(8)), "odd.csv"]


def test_runs_of_a_plan_have_a_limit_of_their_own() -> None:
    runs = {f"subexperiment_0001/run_{number:05d}.perf": b"a\n" for number in (1, 2)}
    content = zipped({"a.csv": b"1", "b.csv": b"2", **runs})
    assert [name for name, _ in archives.entries_of("u.zip", content, 2, 2)] == ["subexperiment_0001.perf", "a.csv", "b.csv"]
    for most, what in (((1, 2), "2 entries; at most 1"), ((2, 1), "2 runs of a plan; at most 1")):
        with pytest.raises(ReadError, match=what):
            archives.entries_of("u.zip", content, *most)
