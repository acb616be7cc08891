"""Anybody's words cannot become markup."""

import json
import re

import pytest

from hemcore.report.plain_text import escaped, in_script, markdown, plain
from tests.core.report.conftest import HOSTILE


@pytest.mark.parametrize("words", HOSTILE)
def test_nothing_of_it_is_markup(words):
    assert not set(escaped(words)) & set("<>\"'\x00\x07\x1b\u2028\u2029\u202e")
    # A backslash precedes whatever could be markup, and there are no entities.
    assert not re.search(r"(?<!\\)(?:\\\\)*[*<$`\[\]~|{}]", markdown(words))
    assert "&#" not in markdown(words)


@pytest.mark.parametrize(
    ("typed", "cell"),
    [
        ("Copula merge: r > 0.5 (a, b)! 90%", "Copula merge: r > 0.5 (a, b)! 90%"),
        ("BR_MIS_PRED and dep_lvl", "BR_MIS_PRED and dep_lvl"),
        ("_a_ __x__ a_", "\\_a\\_ \\_\\_x\\_\\_ a\\_"),
        ("*a* **b**", "\\*a\\* \\*\\*b\\*\\*"),
        ("# a, C#, b #", "\\# a, C#, b \\#"),
        ("- a", "\\- a"),
        ("> a", "\\> a"),
        ("a\n===", "a  \n\\==="),
        ("1. a, 2) b", "1\\. a, 2) b"),
        ("2) a", "2\\) a"),
        ("1.5 GHz", "1\\.5 GHz"),
        ("a & b &lt; &#60;", "a & b \\&lt; \\&#60;"),
        ("$x$ \\(y\\)", "\\$x\\$ \\\\\u2060(y\\\\\u2060)"),
        ("https://a.b www.c.d", "https\\://a.b www\\.c.d"),
        ("@@1@@", "\\@@1\\@@"),
        ("a|b", "a\\|b"),
    ],
)
def test_words_in_a_notebook_are_read_as_they_were_typed(typed, cell):
    assert markdown(typed) == cell


def test_words_of_everyday_stay_as_they_are():
    assert plain("Größe 3 µs → 5\n\tü") == "Größe 3 µs → 5\n\tü"
    assert escaped("a < b & c") == "a &lt; b &amp; c"
    assert markdown("one\n\ntwo") == "one  \n  \ntwo"


def test_a_control_character_leaves_a_mark():
    assert plain("a\x00b\x85c") == "a\ufffdb\ufffdc"
    assert plain("a\u2028b") == "a\nb"
    assert plain("a\u202eb") == "ab"


def test_json_for_a_script_reads_the_same():
    values = {"name": "</script><!-- & \u2028"}
    text = in_script(json.dumps(values))
    assert not set(text) & set("<>&\u2028")
    assert json.loads(text) == values
