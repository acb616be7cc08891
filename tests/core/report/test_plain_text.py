"""Anybody's words cannot become markup."""

import json
import re

import pytest

from hemcore.report.plain_text import escaped, in_script, markdown, plain
from tests.core.report.conftest import HOSTILE


@pytest.mark.parametrize("words", HOSTILE)
def test_nothing_of_it_is_markup(words):
    assert not set(escaped(words)) & set("<>\"'\x00\x07\x1b\u2028\u2029\u202e")
    # What stays are letters, digits, blanks, a few signs and entities.
    assert re.fullmatch(r"(?:[^\W_]|[\s,;%?]|&#\d+;)*", markdown(words))


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
