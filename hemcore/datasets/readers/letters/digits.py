"""Numbers and times with the digits and signs of East Asia, Arabia and India: "１，２３４", "2024年5月6日 14時03分07秒", "오후 2:03"."""

import re
import unicodedata

# What only such numbers, days and times have, which is found by far quicker: the first bytes of their digits; their signs.
_DIGITS, _DAYS, _MINUTES = (b"\xef\xbc", b"\xd9", b"\xdb", b"\xe0\xa5"), ("日", "일"), ("分", "분")
_HALVES = ("午前", "午後", "上午", "下午", "오전", "오후")
_NUMBER = re.compile(r"""(?<![^\s,;|"])(?=[^\s,;|"]*[^\x00-\x7f])[-+－＋]?[\d.．，٬٫：:／/％%]+(?![^\s,;|"])""")
_GROUPED = re.compile(r"[-+－＋]?\d{1,3}(?:[，٬]\d{3})+(?!\d)[^，٬]*")
_SIGNS = str.maketrans({"．": ".", "٫": ".", "，": "", "٬": "", "－": "-", "＋": "", "：": ":", "／": "/", "％": "%"})
_HALF = rf"(?:(?P<half>{'|'.join(_HALVES)})[ ]?)"
_IN_UNITS = r"(?P<hour>\d{1,2})[ ]?[時时시點点][ ]?(?P<minute>\d{1,2})[ ]?[分분](?:[ ]?(?P<second>\d{1,2}(?:\.\d{1,9})?)[ ]?[秒초])?"
_WITH_COLONS = r"(?P<hour>\d{1,2}):(?P<minute>\d{1,2})(?::(?P<second>\d{1,2}(?:\.\d{1,9})?))?"
_DAY = re.compile(
    r"(?<!\d)(\d{4})[ ]?[年년][ ]?(\d{1,2})[ ]?[月월][ ]?(\d{1,2})[ ]?[日일](?:[ ]?[(（]\w[)）])?([ \u3000]?(?=[\d午上下오]))?"
)
_UNITS, _COLONS = re.compile(rf"(?<!\d){_HALF}?{_IN_UNITS}"), re.compile(rf"{_HALF}{_WITH_COLONS}")
_SECOND_HALF = ("午後", "下午", "오후")


def are_in(content: bytes) -> bool:
    """Whether `content`, in UTF-8, may hold such numbers or times."""
    marks = (*_DIGITS, *map(str.encode, (*_DAYS, *_MINUTES, *_HALVES)))
    return not content.isascii() and any(each in content for each in marks)


def plain(content: bytes) -> bytes:
    """Whole lines, in UTF-8, with the digits 0 to 9 in cells that are numbers, without full-width commas between thousands, and with days
    and times of day as in "2024-05-06 14:03:07"; any other as they are."""
    if not are_in(content):
        return content
    try:
        text = made = content.decode()
    except UnicodeDecodeError:
        return content
    if any(each in content for each in _DIGITS):
        made = _NUMBER.sub(_number, made)
    if any(each in made for each in _DAYS):
        made = _DAY.sub(lambda day: f"{int(day[1])}-{int(day[2]):02d}-{int(day[3]):02d}{' ' * (day[4] is not None)}", made)
    if any(each in made for each in _MINUTES):
        made = _UNITS.sub(_time, made)
    if any(each in made for each in _HALVES):
        made = _COLONS.sub(_time, made)
    return content if made == text else made.encode()


def _number(cell: re.Match[str]) -> str:
    if ("，" in cell[0] or "٬" in cell[0]) and _GROUPED.fullmatch(cell[0]) is None:
        return cell[0]
    return _plain(cell[0].translate(_SIGNS))


def _plain(number: str) -> str:
    return "".join(str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in number)


def _time(found: re.Match[str]) -> str:
    hour = int(found["hour"])
    if found["half"]:
        hour = hour % 12 + 12 * (found["half"] in _SECOND_HALF)
    second = _plain(found["second"] or "0")
    return f"{hour:02d}:{int(found['minute']):02d}:{'0' * (second[1:2] in ('', '.'))}{second}"
