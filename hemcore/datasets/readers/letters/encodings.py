"""Which encoding a text without a mark is in that is no UTF-8: Shift-JIS, EUC-JP, GB18030, Big5, EUC-KR, KOI8-R, Windows-1250 (Polish,
Czech, Hungarian), 1251, 1253 (Greek), 1254 (Turkish), 1255 (Hebrew), TIS-620 (Thai) or, as before all, Latin-1; and the text in UTF-8.

Each encoding in which the bytes are valid gets the bits that its letters cost in a language written in it: the usual ones few, rare ones
many. The cheapest is taken. Sources: JIS X 0208, GB 2312, Big5 and KS X 1001, whose first levels hold the usual characters in the order of
their sounds or strokes; the order of Russian letters by frequency is that of the Russian National Corpus.
"""

import codecs
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

_PIECE, _SAMPLE, _LOOKED_AT = 1 << 20, 16 << 10, 1 << 18
# Bits of a letter: of ASCII, usual ones, rare ones; of one beside a letter of ASCII, and of an accented letter beside another.
_ASCII, _USUAL, _KANA, _RARE = 5.0, 6.5, 6.0, 16.0
_CHANGE, _TOGETHER = 4.0, 6.0
_PRIOR, _DOUBT = 14.0, 8.0  # how much cheaper than Latin it must be; bits between the two best
_MOST, _MOST_OF_ALPHABETS = 12.0, 8.0  # per letter
_DAMAGED = 5  # letters for each that is no UTF-8
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x19\x1c-\x1f]")
# What tables of readings are headed with, and dates are written with.
_JAPANESE = frozenset("数時間刻命令回測定日年月分秒値計平均番号実行合名前備考周期参照分岐予")
_SIMPLIFIED = frozenset("时间数指令周期次缓存测量运行序号平均值年月日分秒失效命中核心备注程支总计点")
_TRADITIONAL = frozenset("時間數指令週期次快取測量執行編號平均值年月日分秒失誤命中核心備註程式總計點")
_KOREAN = frozenset("시간명령어사이클수캐미스분기실행횟측정년월일초번호평균비고합계프로그램")
_MARKS = frozenset("，．：；（）［］「」、。・ー％／＋－＝～　℃№«»—°±µ\xa0") | frozenset(map(chr, range(0xFF10, 0xFF1A)))
# In the order of how often they come.
_RUSSIAN, _GREEK = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєґ", "αοιετσνηυρπκμλςωδγχθφάόίέύήξβζψώϊϋΐΰ"
_HEBREW, _THAI = "יוהלאמרתבשנעםדקחפצזטגכןסךףץ", "านรอกัเ่งมยลวดท้สตะิปบคีหำุขจพแชใผไู์ึโธณซฉศถภืษ็ญฟๆฐๅฝฮฑฎฬฏฌ"
# Letters beside those of Latin-1, with capitals; signs of Latin-1 that stand in their places, seldom within words.
_CENTRAL = frozenset("ąćęłńóśźżáčďéěíňřšťúůýžőűöüđäĺľŕôâăîșțäüß" + "ąćęłńóśźżáčďéěíňřšťúůýžőűöüđäĺľŕô".upper())
_TURKISH = frozenset("çğıöşüâîûÇĞİÖŞÜ")
_SIGN_WITHIN = re.compile(r"(?<=[^\W\d_])[¹³¿¾¼£¥¦ª¯º](?=[^\W\d_])")
_SIGN = 8.0
# The beginnings of words that tables of readings are headed with: each tells as much as several letters.
_RUSSIAN_STEMS = tuple(
    "врем такт цикл команд инструкц промах кэш запуск номер средн итого дата частот мощност ядро ядра поток событ час".split()
)
_CENTRAL_STEMS = tuple(
    "średni źródł pamięci łączn częstotl czasów rozkazów čas průměr mezipam součet počet četnost pamäť idő órajel gyorsító összes"
    " átlag promašaj zgreš udarců měř".split()
)
_TURKISH_STEMS, _GREEK_STEMS = tuple("sayı ıska açıkla çalış işlem değer hız ısın kayıp toplamı".split()), ("ώρα", "χρόν", "κύκλ", "εντολ")
_HEBREW_STEMS, _THAI_STEMS = ("זמן", "מחזור", "הורא", "שעה", "תאריך", "הרצה"), ("เวลา", "คำสั่ง", "รอบ", "วันที่", "จำนวน")
_STEM = 16.0
_LATIN = frozenset("éèêàçôîûùïëöäüßáíóúñãõåøæ²³·±×ª«»’–“”„…€ÉÄÖÜÀÅØ")
_OFTEN = frozenset("°µ\xa0")


class Encoding(NamedTuple):
    """name: as people call it. codec: of Python. bits: what one of its letters costs, given the letter before it; most: on average."""

    name: str
    codec: str
    bits: Callable[[str, str], float]
    most: float = _MOST
    stems: tuple[str, ...] = ()
    mixes: bool = False  # whether its words have letters of ASCII, too


def _japanese(letter: str, before: str) -> float:
    if "\uff61" <= letter <= "\uff9f":  # half as wide, as old machines have them: seldom alone
        return 7.0 if "\uff61" <= before <= "\uff9f" else 9.0
    if letter in _MARKS or "\u3041" <= letter <= "\u30ff":
        return _KANA
    lead = _lead(letter, "euc_jp")
    return _USUAL if letter in _JAPANESE else 10.5 if 0xB0 <= lead <= 0xCF else 14.0 if lead >= 0xD0 else _RARE


def _simplified(letter: str) -> float:
    lead = _lead(letter, "gb2312")
    if letter in _MARKS or letter in _SIMPLIFIED:
        return _USUAL
    return 10.0 if 0xB0 <= lead <= 0xD7 else 14.0 if lead else _RARE


def _traditional(letter: str) -> float:
    lead = _lead(letter, "cp950")
    if letter in _MARKS or letter in _TRADITIONAL:
        return _USUAL
    return 10.5 if 0xA4 <= lead <= 0xC6 else 14.5 if lead >= 0xC9 else _RARE


def _korean(letter: str) -> float:
    lead = _lead(letter, "euc_kr")
    if letter in _MARKS or letter in _KOREAN:
        return _USUAL
    return 8.5 if 0xB0 <= lead <= 0xC8 else 15.0 if lead >= 0xC9 else _RARE - 2 * ("\uac00" <= letter <= "\ud7a3")


def _lead(letter: str, codec: str) -> int:
    """The first byte of a letter; 0 where the encoding has none."""
    try:
        return letter.encode(codec)[0]
    except UnicodeEncodeError:
        return 0


def _alphabet(letters: str) -> Callable[[str, str], float]:
    def bits(letter: str, before: str) -> float:
        """Rarer letters cost more; so do a capital behind a small letter, and a letter behind the sigma that ends words."""
        place = letters.find(letter.lower())
        if place < 0:
            return _KANA if letter in _MARKS else _RARE
        capital = 0.0 if letter.islower() else 8.0 if before.islower() else 0.5 if before.isupper() else 1.5
        return 3.0 + 7.0 * place / len(letters) + capital + 8.0 * (before == "ς")

    return bits


def _latin(letter: str, before: str) -> float:
    own = 3.0 if letter in _OFTEN else 5.0 if letter in _LATIN else 8.0 if letter.isalpha() else _RARE if letter == "\ufffd" else 10.0
    return own + _TOGETHER * (before >= "\x80" and letter not in _OFTEN)


def _accented(letters: frozenset[str]) -> Callable[[str, str], float]:
    """Of alphabets that are Latin but for a few letters."""

    def bits(letter: str, before: str) -> float:
        own = 3.0 if letter in _OFTEN else 5.0 if letter in letters else 12.0
        return own + _TOGETHER * ((before >= "\x80" and letter not in _OFTEN) or (letter.isupper() and before.islower()))

    return bits


def _of(bits: Callable[[str], float]) -> Callable[[str, str], float]:
    return lambda letter, _: bits(letter)


_ENCODINGS = (
    Encoding("Windows-1252", "cp1252", _latin),
    Encoding("Shift-JIS", "cp932", _japanese),
    Encoding("EUC-JP", "euc_jp", _japanese),
    Encoding("GB18030", "gb18030", _of(_simplified)),
    Encoding("Big5", "cp950", _of(_traditional)),
    Encoding("EUC-KR", "cp949", _of(_korean)),
    Encoding("KOI8-R", "koi8_r", _alphabet(_RUSSIAN), _MOST_OF_ALPHABETS, _RUSSIAN_STEMS),
    Encoding("Windows-1251", "cp1251", _alphabet(_RUSSIAN), _MOST_OF_ALPHABETS, _RUSSIAN_STEMS),
    Encoding("IBM866", "cp866", _alphabet(_RUSSIAN), _MOST_OF_ALPHABETS, _RUSSIAN_STEMS),
    Encoding("Windows-1253", "cp1253", _alphabet(_GREEK), _MOST_OF_ALPHABETS, _GREEK_STEMS),
    Encoding("Windows-1250", "cp1250", _accented(_CENTRAL), stems=_CENTRAL_STEMS, mixes=True),
    Encoding("Windows-1254", "cp1254", _accented(_TURKISH), stems=_TURKISH_STEMS, mixes=True),
    Encoding("Windows-1255", "cp1255", _alphabet(_HEBREW), _MOST_OF_ALPHABETS, _HEBREW_STEMS),
    Encoding("TIS-620", "cp874", _alphabet(_THAI), _MOST_OF_ALPHABETS, _THAI_STEMS),
)
_LATIN_1 = _ENCODINGS[0]


def in_utf8(content: bytes) -> tuple[bytes, str]:
    """(`content` in UTF-8, which encoding it was in); (`content`, "") where it is UTF-8, ASCII, Latin-1 or no text. A second one that fits
    about as well is named as well: "Shift-JIS, or GB18030"."""
    if b"\x1b$" in content[:_LOOKED_AT] and (text := _decoded(content, "iso2022_jp_ext")) is not None:
        return text.encode(), "ISO-2022-JP"
    if content.isascii() or _BINARY.search(content[:4096]) or _is_utf8(content):
        return content, ""
    sample = b"\n".join(_lines(content))
    if _is_damaged_utf8(sample):
        return content, ""
    costs = sorted((cost, place) for place, each in enumerate(_ENCODINGS) if (cost := _cost(sample, each)) is not None)
    for rank, (cost, place) in enumerate(costs):
        found = _ENCODINGS[place]
        if found is _LATIN_1:
            break
        if (text := _decoded(content, found.codec)) is not None:
            others = [_ENCODINGS[other].name for more, other in costs[rank + 1 :] if more - cost < _DOUBT]
            return text.encode(), ", or ".join([found.name, *others[:1]])
    return content, ""


def note_of_letters(name: str, encoding: str) -> list[str]:
    """What says in which encoding the letters of a file were read, as in_utf8 has it: [] where that is certain."""
    return [f"{name}: its letters are read as {encoding}, which fits them best."] * bool(encoding)


def _is_damaged_utf8(sample: bytes) -> bool:
    """Whether most letters are whole in UTF-8, which those of another encoding hardly ever are: a few bytes are damaged, or cut off."""
    text = sample.decode(errors="replace")
    wrong = text.count("\ufffd")
    return sum(letter >= "\x80" for letter in text) > _DAMAGED * wrong > 0


def _is_utf8(content: bytes) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(content), _PIECE):
            decoder.decode(content[start : start + _PIECE])
    except UnicodeDecodeError:
        return False
    return True


def _decoded(content: bytes, codec: str) -> str | None:
    try:
        return content.decode(codec)
    except UnicodeDecodeError:
        return None


def _lines(content: bytes) -> Iterator[bytes]:
    """Lines with letters that are not ASCII, no two alike but for their ASCII digits."""
    seen, size = set(), 0
    for line in content[:_LOOKED_AT].rpartition(b"\n")[0].split(b"\n") if len(content) > _LOOKED_AT else content.split(b"\n"):
        alike = re.sub(rb"\d+", b"0", line)
        if not line.isascii() and alike not in seen and size < _SAMPLE:
            seen.add(alike)
            size += len(line)
            yield line


def _cost(sample: bytes, encoding: Encoding) -> float | None:
    """The bits of `sample` in an encoding; None where it is not in it, or, Latin aside, hardly in a language that is written in it."""
    latin = encoding is _LATIN_1
    text = sample.decode("cp1252", errors="replace") if latin else _decoded(sample, encoding.codec)
    if text is None:
        return None
    own = [encoding.bits(letter, before) for before, letter in pairwise(f" {text}") if letter >= "\x80"]
    mixed = sum((one < "\x80") != (other < "\x80") and one.isalpha() and other.isalpha() for one, other in pairwise(text))
    if latin:
        return sum(own) + _ASCII * (len(text) - len(own)) + _SIGN * len(_SIGN_WITHIN.findall(text))
    small = text.lower()
    known = _STEM * sum(stem in small for stem in encoding.stems)
    mixed *= not encoding.mixes
    return _PRIOR - known + sum(own) + _CHANGE * mixed + _ASCII * (len(text) - len(own)) if sum(own) <= encoding.most * len(own) else None
