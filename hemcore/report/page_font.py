"""The font inside the page: the app's own, so that a report looks alike everywhere, also offline and on paper."""

import base64
import importlib.util
from functools import cache
from pathlib import Path

from hemcore.resources import is_installed

# Of Streamlit's files; the rest of the name changes with its content. One file has every weight.
_FILES = "static/static/media/SourceSansVF-Upright*.woff2"


@cache
def font_css() -> str:
    """An @font-face rule with the whole font as data (Source Sans, SIL Open Font License 1.1); "" without Streamlit: the system's serve."""
    spec = importlib.util.find_spec("streamlit") if is_installed("streamlit") else None
    if spec is None or spec.origin is None:
        return ""
    found = sorted(Path(spec.origin).parent.glob(_FILES))
    if not found:
        return ""
    data = base64.b64encode(found[0].read_bytes()).decode()
    return (
        '@font-face { font-family: "Source Sans"; font-weight: 200 900; font-display: block; '
        f'src: url("data:font/woff2;base64,{data}") format("woff2"); }}'
    )
