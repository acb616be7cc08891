"""Every reader takes UTF-16 and UTF-32 with their marks as it takes UTF-8."""

import bz2
import io
import lzma
import tarfile

import pandas as pd
import pytest

from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.decoding import first_lines, head_lines, head_of, text_of, utf8
from hemcore.datasets.readers.recognition import read_upload, recognise
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.kinds import frames
from hemcore.errors import ReadError

CONTENTS = {
    "subexperiments_stacked": "X1,X24,X1.1,X110\n2000,300,2100,400\n2001,301,2101,401\n",
    "eacct": "JOBID;CPI;TPI;MEM_GBS;GFLOPS\n1;0.5;0.1;30;100\n2;0.4;0.1;20;90\n",
    "perf_stat_csv": "     0.500000000,100,,cycles,500,100.00,,\n     1.000000000,110,,cycles,500,100.00,,\n",
    "perf_stat_json": '{"interval" : 0.5, "counter-value" : "100.0", "event" : "cycles", "pcnt-running" : 100.00}\n' * 2,
    "perf_stat_text": " Performance counter stats for './qsort':\n\n             1\u202f000      cycles\n\n   0.5 seconds time elapsed\n",
    "cortex_a15_log": "Start:\t1000\nEvent 1 Label:\tCYCLES\t\tRAW Identifier:\tcycles\n     0.5\t100\tcycles\n     1.0\t110\tcycles\n",
    "series_wide": "time,phase,cycles\n0.5,é 𝄞,100\n1.0,b,110\n1.5,b,90\n",
    "series_cumulative": "time,cycles\n" + "".join(f"{time},{100 * time}\n" for time in range(12)),
}
ENCODINGS = {
    "UTF-8 with a mark": lambda text: text.encode("utf-8-sig"),
    "UTF-16, little": lambda text: b"\xff\xfe" + text.encode("utf-16-le"),
    "UTF-16, big": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "UTF-16, ends of line of Windows": lambda text: text.replace("\n", "\r\n").encode("utf-16"),
    "UTF-32, little": lambda text: b"\xff\xfe\x00\x00" + text.encode("utf-32-le"),
    "UTF-32, big": lambda text: b"\x00\x00\xfe\xff" + text.encode("utf-32-be"),
}


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("key", CONTENTS)
@pytest.mark.sweep
def test_every_format_in_every_encoding(key: str, encoding: str) -> None:
    plain = [UploadedFile("f.csv", CONTENTS[key].encode())]
    encoded = [UploadedFile("f.csv", ENCODINGS[encoding](CONTENTS[key]))]
    assert recognise(plain)[0].key == key
    assert recognise(encoded) == recognise(plain)
    one, two = frames(read_upload(plain).table), frames(read_upload(encoded).table)
    assert list(one) == list(two)
    for name in one:
        pd.testing.assert_frame_equal(one[name], two[name])


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfea",
        b"\xff\xfe\x00\xd8",
        b"\xfe\xff\xdc\x00\x00a",
        b"\xff\xfe\x00\x00\x00",
        b"a\x00",
        b"\x00\x00\xfe\xff1234",
        "a\n1\n".encode("utf-16-le").replace(b"\n", b"\r\n").join([b"\xff\xfe", b""]),
    ],
)
def test_damaged_text_is_told(content: bytes) -> None:
    with pytest.raises(ReadError, match="^f: not a text file. Send another.$"):
        text_of("f", content, remedy="Send another.")
    head_of(content, 3)
    assert utf8(content) == content


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"\xfe\xff\x00 ", b"\xef\xbb\xbf\n", b"\xff\xfe\x00\x00"])
def test_nothing_is_told(content: bytes) -> None:
    with pytest.raises(ReadError, match="^f: the file is empty"):
        text_of("f", content, remedy="")


def test_a_head_is_counted_in_characters_where_they_are_wide() -> None:
    assert head_of(b"abc", 2) == b"ab"
    assert head_of("abcé".encode("utf-16"), 2) == b"ab"
    assert head_of("éab".encode("utf-32"), 2) == "éa".encode()
    assert head_of("abc".encode("utf-16"), 9) == b"abc"


def test_latin_1_is_what_remains() -> None:
    assert text_of("f", b"\xe9t\xe9", remedy="") == "été"


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_the_beginning_is_whole_lines_whatever_ends_them(end: bytes) -> None:
    content = end.join([b"a,b", b"1,2", b"3,4", b"5,6"])
    assert head_lines(content) == content
    assert head_lines(content, 9 + len(end)) == content[: 6 + 2 * len(end)]
    assert head_lines(content, 2) == b"a,"
    assert first_lines(content, 2) == b"a,b\n1,2"
    assert first_lines(content, 9) == content.replace(end, b"\n")
    assert first_lines(b"", 3) == b""


@pytest.mark.slow
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_large_file_is_recognised_by_its_first_lines(monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    """What is split into lines to recognise it stays small; a million rows of CR were once split whole by format after format."""
    content = end.join(["time,cycles,misses", *(f"{row},{row % 7},{row % 5}" for row in range(200_000))]).encode()
    longest = 0
    plain = decoding.plain_lines

    def seen(words: str) -> str:
        nonlocal longest
        longest = max(longest, len(words))
        return plain(words)

    monkeypatch.setattr(decoding, "plain_lines", seen)
    assert recognise([UploadedFile("f.csv", content)])[0].key == "series_wide"
    assert 0 < longest <= 1_000_000 < len(content)


def test_packed_files_that_are_not_opened_are_called_by_their_name() -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.csv"))
    for content, what in (
        (buffer.getvalue(), "a tar archive"),
        (bz2.compress(b"a,b\n1,2\n"), "a bzip2 file"),
        (lzma.compress(b"a"), "an xz file"),
    ):
        with pytest.raises(ReadError, match=f"f: it is {what}, which is not opened here. Unpack it, or send its files in a .zip or .gz."):
            text_of("f", content, remedy="")


def test_output_of_tasks_comes_task_by_task_without_marks() -> None:
    perf = "{0}: Performance counter stats for 'a':\n{1}: Performance counter stats for 'a':\n{1}:  7  cycles\n{0}:  5  cycles\n"
    expected = b"Performance counter stats for 'a':\n 5  cycles\n\nPerformance counter stats for 'a':\n 7  cycles\n"
    assert decoding.tidied(perf.format(" 2", "10").encode()) == expected
    tagged = perf.replace("{0}:", "[1,0]<stdout>:").replace("{1}:", "[1,1]<stderr>:").encode()
    assert decoding.tidied(tagged) == expected
    assert decoding.tidied(perf.format("1", "1").encode()).decode() == perf.replace("{0}: ", "").replace("{1}: ", "")
    assert decoding.tidied(b"0: a\n1: b\n") == b"0: a\n1: b\n"


def test_exponents_of_fortran() -> None:
    assert decoding.tidied(b"n c\n1 2.5D+09\n2 -.5d-10\n3 4.D+100\n") == b"n c\n1 2.5E+09\n2 -.5E-10\n3 4.E+100\n"
    for same in (b"a\n2D+09\n0x1.5D+09\n1.5D+9\nv1.5D+09\n1.5D+09.1\n", b'{"a": "1.5D+09"}'):
        assert decoding.tidied(same) == same


def test_powers_of_ten_as_papers_write_them() -> None:
    for written in ("3.5 \\times 10^{6}", "3.5×10⁶", "3.5 · 10^6", "3.5 x 10^6"):
        assert decoding.tidied(f"a,b\n{written},2\n".encode()) == b"a,b\n3.5e6,2\n"
    assert decoding.tidied("a\n1×10⁻³\n".encode()) == b"a\n1e-3\n"
    for same in ("a\n4 x 10\n", "a\n2x10Gb\n", "a\n3×1000\n"):
        assert decoding.tidied(same.encode()) == same.encode()


def test_lines_in_one_cell_each_and_behind_their_numbers() -> None:
    assert decoding.tidied(b'My log\n"t,c"\n"1,""a, b"""\n"2,5"\n') == b'My log\nt,c\n1,"a, b"\n2,5\n'
    assert decoding.tidied(b"$ cat -n f\n     1\tt,c\n     2\t0.5,7\n") == b"$ cat -n f\nt,c\n0.5,7\n"
    for same in (b'n,note\n1,"a,b"\n"2,3"\n', b'"a, b"\n', b"     1\tt,c\n     3\t0.5,7\n", b"1\t5\n2\t7\n"):
        assert decoding.tidied(same) == same
