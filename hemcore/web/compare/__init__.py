"""The Compare page."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hemcore.web.page import Page, Start

if TYPE_CHECKING:
    from hemcore.analysis import AnyAnalysis
    from hemcore.compare.run_sets import Compared

# In the address: the job that reads files dropped here, so that a refresh finds it again.
READING = "reading"
# What all three were changed from; the page finds it by itself, Home's picture is computed without the page.
_BEFORE = {"before": "sample-pairs-before"}


def _asks() -> Mapping[str, "AnyAnalysis"]:
    # Imported here: the server must not wait for analyses at start.
    from hemcore.compare.analysis import COMPARE_PHASES, COMPARE_RUNS, COMPARE_SERIES, COMPARE_SIGNATURES

    return {"Subexperiments": COMPARE_RUNS, "Series": COMPARE_SERIES, "Phases": COMPARE_PHASES, "Signatures": COMPARE_SIGNATURES}


def _has_a_partner(table: object) -> bool:
    """Whether another dataset at hand shares HEMs with it."""
    from hemcore.web.compare.sets_before import has_partner

    return has_partner(table)


PAGE: "Page[Compared]" = Page(
    name="compare",
    title="Compare",
    icon=":material/compare_arrows:",
    section="Analyse",
    heading="Compare",
    purpose="Compare two sets of runs: what changed between them, by how much, and is it more than noise?",
    answers="What did the new compiler, input or machine change? Every HEM with its interval, noise told apart.",
    kind="Subexperiments",
    also=("CounterSeries", "PhaseTable", "SignatureTable"),
    start=tuple(Start(sample=name, choices=_BEFORE) for name in ("pairs-arrays", "pairs-o1", "pairs-larger")),
    leads="Compare with other runs",
    takes=_has_a_partner,
    asks=_asks,
    picture="forest",
    in_address=(READING,),
)
