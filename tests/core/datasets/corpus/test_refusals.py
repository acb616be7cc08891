"""What cannot be read is refused in a sentence that names the line and says what to ask the tool for; nobody is told to edit a file."""

import re

import pytest

from hemcore.datasets.readers.recognition import read_upload
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import HemError
from tests.core.datasets.corpus.refusals import REFUSED


@pytest.mark.parametrize(("name", "content", "key", "said"), REFUSED.values(), ids=REFUSED)
def test_a_refusal_names_the_line_and_what_to_do(name: str, content: str | bytes, key: str | None, said: tuple[str, ...]) -> None:
    file = UploadedFile(name, content.encode() if isinstance(content, str) else content)
    with pytest.raises(HemError) as error:
        read_upload([file], format_key=key)
    sentence = str(error.value)
    for part in said:
        assert part in sentence
    assert sentence.startswith((f"{name}: ", "signatures"))
    assert re.search(r"\blines? \d+", sentence), sentence
    assert "emove" not in sentence
    assert sentence.endswith(".")
