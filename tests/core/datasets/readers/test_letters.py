"""Encodings that a file does not say, and numbers and times of East Asia, Arabia and India."""

import pytest

from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.readers.letters.digits import plain
from hemcore.datasets.readers.letters.encodings import in_utf8, note_of_letters
from hemcore.datasets.readers.uploaded_files import UploadedFile, expand
from hemcore.datasets.tables.counter_series import CounterSeries

JAPANESE, SIMPLIFIED = "計測時刻,サイクル数,命令数,L2ミス数\n1,2,3,4\n", "时间(秒),周期数,指令数,缓存未命中\n1,2,3,4\n"
TRADITIONAL, KOREAN = "時間,週期數,指令數,快取失誤\n1,2,3,4\n", "시간,사이클,명령어 수,캐시 미스\n1,2,3,4\n"
RUSSIAN, GREEK = "Время,Такты,Команды,Промахи L2\n1,2,3,4\n", "Χρόνος,Κύκλοι,Εντολές,Αστοχίες\n1,2,3,4\n"


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        (JAPANESE, "cp932", "Shift-JIS"),
        (JAPANESE, "euc_jp", "EUC-JP"),
        (JAPANESE, "iso2022_jp", "ISO-2022-JP"),
        ("時間,ｻｲｸﾙ数\n1,2\n", "cp932", "Shift-JIS"),
        (SIMPLIFIED, "gb18030", "GB18030"),
        ("程序,主频,温度\n矩阵乘法,1,2\n快速傅里叶,1,2\n", "gb18030", "GB18030"),
        (TRADITIONAL, "cp950", "Big5"),
        (KOREAN, "cp949", "EUC-KR"),
        (RUSSIAN, "koi8_r", "KOI8-R"),
        (RUSSIAN, "cp1251", "Windows-1251"),
        (RUSSIAN, "cp866", "IBM866"),
        ("прогон;циклы;промахи кэша\n", "koi8_r", "KOI8-R"),
        ("ВРЕМЯ;КОМАНДЫ;ПРОМАХИ\n", "cp866", "IBM866"),
        ("время;x\n1;2\n", "cp1251", "Windows-1251"),
        ("Ядро;x\n1;2\n", "cp866", "IBM866"),
        (GREEK, "cp1253", "Windows-1253"),
        ("μνήμη;x\n1;2\n", "cp1253", "Windows-1253"),
    ],
)
def test_letters_say_their_encoding(text: str, codec: str, name: str) -> None:
    content, found = in_utf8(text.encode(codec))
    assert (content.decode(), found) == (text, name)


@pytest.mark.parametrize("codec", ["cp1252", "latin-1"])
@pytest.mark.parametrize(
    "text",
    [
        "Zeit (s);Zyklen;Größe;Länge;Überläufe;Füße\n1;2;3;4;5;6\n",
        "Zeit (µs);Temperatur °C;Fehlschläge\n1;2;3\n",
        "temps écoulé;défauts;mesuré à;écart-type\n1;2;3;4\n",
        "tiempo;ejecución;medición;año;señal\n1;2;3;4;5\n",
        "medições;execução;média;núcleo;instruções\n1;2;3;4;5\n",
        "kørsel;målinger;på\n1;2;3\n",
        "täällä;määrä;yöllä\n1;2;3\n",
        "a;b\n1\xa0234;2\xa0345\n",
        "µs;°C;m²\n1;2;3\n",
        "öß;x\n1;2\n",
        "«é»;x\n1;2\n",
        "cm²³;x\n1;2\n",
        "ÖÖ;x\n1;2\n",
    ],
)
def test_latin_stays_as_it_was(text: str, codec: str) -> None:
    content = text.encode(codec)
    assert in_utf8(content) == (content, "")


@pytest.mark.parametrize(
    ("codec", "name", "text"),
    [
        ("cp1250", "Windows-1250", "čas;měření;průměr;žádné"),
        ("cp1250", "Windows-1250", "Pomiary;Średnia\nŹródło: łącze\n"),
        ("cp1250", "Windows-1250", "Időpont;Órajelek;Utasítások\n"),
        ("cp1254", "Windows-1254", "süre;çalıştırma;ölçüm"),
        ("cp1254", "Windows-1254", "Zaman;Döngü sayısı\n"),
        ("cp1255", "Windows-1255", "זמן,מחזורים,הוראות\n"),
        ("cp874", "TIS-620", "เวลา,คำสั่ง\n"),
        ("cp1251", "Windows-1251", "Час;Такти;Інструкції\n"),
        ("koi8_r", "KOI8-R", "ЦИКЛЫ;ИНСТРУКЦИИ\n"),
        ("koi8_r", "KOI8-R", "Время,Такты\n1,2\n"),
        ("koi8_r", "KOI8-R", "дата;цикл\n"),
    ],
)
def test_few_words_of_other_alphabets_are_enough(codec: str, name: str, text: str) -> None:
    content, found = in_utf8(text.encode(codec))
    assert content.decode() == text
    assert found.partition(",")[0] == name


def test_other_latin_letters_are_no_foreign_ones() -> None:
    assert in_utf8("laiks;mērījums;kļūdas".encode("cp1257"))[1] == ""


def test_what_is_utf8_ascii_or_no_text_is_left_alone() -> None:
    for content in (
        JAPANESE.encode(),
        b"time,cycles\n1,2\n",
        b"\xfd7zXZ\x00\x00\x04" + bytes(range(256)) * 20,
        b"BZh9" + bytes(range(1, 256)),
    ):
        assert in_utf8(content) == (content, "")


def test_utf8_with_a_damaged_or_cut_letter_is_no_other_encoding() -> None:
    for content in (JAPANESE.encode() + "行".encode()[:-1], JAPANESE.encode().replace(b"1,2", b"\xe9,2"), SIMPLIFIED.encode() + b"\xff"):
        assert in_utf8(content) == (content, "")


def test_bytes_that_are_letters_of_no_language_stay() -> None:
    scattered = b";".join(bytes((each, 44, each ^ 0x55)) for each in range(0x80, 0xFF)) + b"\n"
    for content in (scattered, b"\x01\x02" + RUSSIAN.encode("koi8_r")):
        assert in_utf8(content) == (content, "")


def test_two_that_fit_alike_are_both_named() -> None:
    content, found = in_utf8("命令\n".encode("euc_jp"))
    assert content.decode() == "命令\n"
    assert found.startswith("EUC-JP")
    only = "矩\n".encode("gb18030")  # one letter, which says little
    assert ", or " in in_utf8(only)[1] or in_utf8(only)[1] == ""


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("a,１２３,4", "a,123,4"),
        ("１，２３４，５６７\t－５．５ ＋３", "1234567\t-5.5 3"),
        ("１，２", "１，２"),
        ("Ｌ２ミス,３回目", "Ｌ２ミス,３回目"),
        ("٣٤,٥٫٥|१२", "34,5.5|12"),
        ("2024年5月6日 14時03分07秒,5", "2024-05-06 14:03:07,5"),
        ("２０２４年５月６日　１４時３分７秒,１", "2024-05-06 14:03:07,1"),
        ("2024年12月6日（月） 9時5分", "2024-12-06 09:05:00"),
        ("2024년 5월 6일 오후 2시 3분 7초", "2024-05-06 14:03:07"),
        ("2024-05-06 오후 12:03:07,5", "2024-05-06 12:03:07,5"),
        ("2024/5/6 上午 12:03:07,5", "2024/5/6 00:03:07,5"),
        ("14時03分7.5秒,1", "14:03:07.5,1"),
        ("1時間5分,2", "1時間5分,2"),
    ],
)
def test_numbers_and_times_of_the_east(written: str, read: str) -> None:
    assert plain(written.encode()).decode() == read


def test_a_table_in_shift_jis_is_read_and_says_so() -> None:
    rows = "".join(f"2024年5月6日 14時03分{second:02d}秒,１２{second:02d}\n" for second in (4, 7, 10))
    for header, quick in (("計測日時,サイクル数", False), ("時間,サイクル数", True)):
        text = f"{header}\n{rows}" if not quick else f"{header}\n1,1204\n2,1207\n3,1210\n"
        shown = inspect([UploadedFile("f.csv", text.encode("cp932"))])
        assert shown.result is not None, shown.fault
        assert isinstance(shown.result.table, CounterSeries)
        assert shown.result.table.counts["サイクル数"].tolist() == [1204, 1207, 1210]
        assert note_of_letters("f.csv", "Shift-JIS")[0] in shown.repairs


def test_a_file_keeps_its_encoding_and_others_have_none() -> None:
    files = expand([UploadedFile("j.csv", JAPANESE.encode("euc_jp")), UploadedFile("a.csv", b"t,c\n1,2\n")])
    assert [file.encoding for file in files] == ["EUC-JP", ""]
    assert files[0].content.decode() == JAPANESE
