"""The Signatures page's own room."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hemcore.web.page import Page, Start

if TYPE_CHECKING:
    from hemcore.analysis import AnalysisOf
    from hemcore.datasets.tables.signature_table import SignatureTable


def _asks() -> Mapping[str, "AnalysisOf[SignatureTable]"]:
    # Imported here: the start of the server waits for no analysis.
    from hemcore.signatures.analysis import CLASSIFY

    return {"Classify": CLASSIFY}


# In the address: the job that reads EAR's database.
READING = "reading"
PAGE: "Page[SignatureTable]" = Page(
    name="signatures",
    title="Signatures",
    icon=":material/fingerprint:",
    section="Analyse",
    heading="EAR signatures",
    purpose="What limits each job, arithmetic or memory: by default thresholds, by the roofline and by k-medoids, side by side.",
    answers="Which jobs are CPU-bound, which MEMORY-bound? EAR's three strategies side by side, and what its policies cost.",
    kind="SignatureTable",
    start=(Start(sample="signatures"),),
    leads="Classify these signatures",
    asks=_asks,
    picture="roofline",
    in_address=("selected", "cell", READING),
)
