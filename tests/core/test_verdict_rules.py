"""docs/verdicts.md names every module that can take the green from an answer."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_module_with_a_doubt_has_a_row() -> None:
    rules = (ROOT / "docs" / "verdicts.md").read_text()
    named = set(re.findall(r"`([\w/]+\.py)`", rules))
    core = ROOT / "hemcore"
    with_doubts = {str(each.relative_to(core)) for each in core.rglob("*.py") if re.search(r"\bDoubt\(sentence=", each.read_text())}
    assert len(with_doubts) > 10
    assert sorted(with_doubts - named - {"headline.py"}) == []
    assert [name for name in sorted(named) if not any((folder / name).exists() for folder in (core, ROOT))] == []
