"""Archives that the tests of uploads make."""

import io
import zipfile
from collections.abc import Mapping


def zipped(files: Mapping[str, bytes] | Mapping[str, str]) -> bytes:
    """A .zip of these contents by their names, in this order."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()
