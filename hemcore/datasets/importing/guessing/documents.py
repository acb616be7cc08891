"""Which files beside data are documents, by their names."""

import re
from pathlib import PurePosixPath

_WORDS = re.compile(r"readme|licen[cs]e|plan|notes?|notizen|info|about|changelog|legende|legend|manifest|machine|metadata", re.IGNORECASE)
_NO_TABLES = {".md", ".txt", ".rst", ".pdf", ".png", ".jpg", ".svg", ".json", ".yml", ".yaml", ".toml", ".ini", ".cfg", ".xml", ".html"}
_NO_TABLES |= {".log", ".py", ".sh", ".c", ".h", ".cpp", ".r", ".ipynb", ".doc", ".docx", ".odt", ".ps1", ".bat"}


def is_document(name: str) -> bool:
    """Whether a file of this name is a README, a plan or another document beside data."""
    return PurePosixPath(name).suffix.lower() in _NO_TABLES or is_called_document(name)


def is_called_document(name: str) -> bool:
    """Whether a file is called a README, notes or such, whatever the end of its name."""
    return _WORDS.match(PurePosixPath(name).stem) is not None
