"""README's Python: each piece stands alone."""

import re
from pathlib import Path
from typing import Any

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text()
SNIPPETS = re.findall(r"^```python\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)


def test_there_are_pieces() -> None:
    assert len(SNIPPETS) == 5


@pytest.mark.slow
# What takes half a minute runs with the wheel (test_packaging), as these do too.
@pytest.mark.parametrize("snippet", [each for each in SNIPPETS if "merge_quality" not in each])
def test_a_piece_stands_alone(snippet: str) -> None:
    names: dict[str, Any] = {}
    exec(snippet, names)  # noqa: S102
    assert {"table", "plan", "found", "metrics"} & set(names)
