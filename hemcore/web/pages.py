"""The pages of the app."""

from hemcore.plugins import offered
from hemcore.web.compare import PAGE as COMPARE
from hemcore.web.data import PAGE as DATA
from hemcore.web.home import PAGE as HOME
from hemcore.web.merge import PAGE as MERGE
from hemcore.web.metrics import PAGE as METRICS
from hemcore.web.multiplexing import PAGE as MULTIPLEXING
from hemcore.web.page import Page
from hemcore.web.plan import PAGE as PLAN
from hemcore.web.prediction import PAGE as PREDICTION
from hemcore.web.report import PAGE as REPORT
from hemcore.web.segmentation import PAGE as SEGMENTATION
from hemcore.web.signatures import PAGE as SIGNATURES

PAGES: tuple[Page, ...] = (HOME, DATA, PLAN, MERGE, METRICS, MULTIPLEXING, SEGMENTATION, PREDICTION, SIGNATURES, COMPARE, REPORT)
_TAKEN = {page.name for page in PAGES}
PAGES = (*PAGES, *(page for page in offered("hemcore.pages", Page) if page.name not in _TAKEN))


def page_named(name: str) -> Page:
    """The page of this name. Raises KeyError if there is none."""
    return {page.name: page for page in PAGES}[name]


def pages_for(kind: str) -> list[Page]:
    """The pages that work on tables of `kind`, in the order of the navigation."""
    return [page for page in PAGES if kind in page.kinds]
