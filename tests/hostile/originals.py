"""The files that are mutated: every real one (where it is here), the samples, and what the tools write; each cut to its first lines."""

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hemcore.datasets.readers.formats import FORMATS
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import samples
from tests.core.datasets.corpus import other_tools, variants
from tests.hostile.written_forms import DERIVED, written_forms

REAL = Path(__file__).resolve().parents[3] / "shared" / "data"
_LINES = 80
_EACH = 12  # of the variants of a tool, evenly chosen


@dataclass(frozen=True)
class Original:
    """Files of one upload as they were written.

    derived: whether what is read is computed, so that it does not stand in them. previewed: whether they are read as the page shows them
    before anything is chosen.
    """

    name: str
    files: tuple[UploadedFile, ...]
    derived: bool = False
    previewed: bool = False


@cache
def originals() -> tuple[Original, ...]:
    """All of them, in a fixed order; without the real ones where those are not here."""
    return tuple(_all())


def _all() -> Iterator[Original]:
    for each in FORMATS:
        files = tuple(UploadedFile(file, text.encode()) for file, text in each.example.items())
        yield Original(f"example {each.key}", files, derived=each.key in ("series_cumulative", "rocprof"))
    for path in sorted((samples.FOLDER / "subexperiments").glob("*_stacked.csv.gz")):
        yield Original(f"sample {path.name}", (UploadedFile(path.stem, _head(gzip.decompress(path.read_bytes()))),))
    for folder in sorted((samples.FOLDER / "subexperiments").glob("*_separate")):
        files = tuple(UploadedFile(path.stem, _head(gzip.decompress(path.read_bytes()))) for path in sorted(folder.glob("*.csv.gz")))
        yield Original(f"sample {folder.name}", files)
    for path in sorted((samples.FOLDER / "signatures").glob("*synthetic.csv.gz")):
        yield Original(f"sample {path.name}", (UploadedFile(path.stem, _head(gzip.decompress(path.read_bytes()))),))
    for path in [
        *sorted((REAL / "ear").glob("*.csv")),
        *sorted((REAL / "t2080").glob("*_raw.csv")),
        *sorted((REAL / "cortex_a15_cbench").glob("xu3*")),
    ]:
        yield Original(f"real {path.name}", (UploadedFile(path.name, _head(path.read_bytes())),))
    for path in sorted((REAL / "cortex_a15_cbench" / "runs_1GHz").glob("*/Run_1")):
        files = tuple(
            UploadedFile(file.name, _head(file.read_bytes())) for file in sorted(path.glob("*s*.data")) if file.name != "results.data"
        )
        yield Original(f"real {path.parent.name}", files)
    tools = {"perf": variants.all_of_perf(), "likwid": [*other_tools.likwid_totals(), *other_tools.likwid_timeline()]}
    for tool, made in tools.items():
        for variant in made[:: max(1, len(made) // _EACH)]:
            yield Original(f"{tool} {variant.name}", tuple(UploadedFile(name, text.encode()) for name, text in variant.files.items()))
    for name, (files_of, _) in other_tools.papi().items():
        yield Original(f"papi {name}", tuple(UploadedFile(file, text.encode()) for file, text in files_of.items()))
    for name, texts in written_forms():
        files = tuple(UploadedFile(file, text.encode()) for file, text in texts.items())
        yield Original(f"form {name}", files, derived=name in DERIVED, previewed=True)


def _head(content: bytes) -> bytes:
    return b"".join(content.splitlines(keepends=True)[:_LINES])
