"""A report as one file that opens in any browser, with the network off."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from markupsafe import Markup
from plotly.offline import get_plotlyjs

from hemcore.analysis import Progress
from hemcore.report.answers import Answered, AnswerOf, TableOf, answered
from hemcore.report.render import TEMPLATES
from hemcore.report.report_model import Report
from hemcore.report.sections import item_view
from hemcore.report.sources import versions

_HERE = Path(__file__).parent


def render_html(
    report: Report,
    answer_of: AnswerOf | None = None,
    progress: Progress | None = None,
    *,
    table_of: TableOf | None = None,
    root: Path | None = None,
    address: str = "",
) -> bytes:
    """The report as one HTML file (UTF-8) that needs no network: pictures to zoom and hover, light and dark, for A4 too.

    answer_of, table_of: the answer of a question and the table of a dataset where they are at hand (default: computed and loaded here;
    root: the shelf's folder). address: where the workbench is ("http://localhost:8501"), so that items link back to it; "" = they say
    where in it they are. An item that fails says why; the rest stands.
    """
    found = answered(report, answer_of, progress, table_of=table_of, root=root)
    page = TEMPLATES.get_template("page.html").render(
        report=report,
        items=[item_view(each, root) for each in found],
        made=_made(report, found),
        address=address if address.startswith(("http://", "https://")) else "",
        css=_asset("page.css"),
        js=_asset("page.js"),
        plotly=Markup(get_plotlyjs()),
    )
    return page.encode("utf-8", "replace")


def _made(report: Report, found: Sequence[Answered]) -> str:
    now = datetime.now(UTC)
    failed = sum(bool(each.failed) for each in found)
    count = f"{len(found)} item{'' if len(found) == 1 else 's'}" + (f", {failed} of them without an answer" if failed else "")
    changed = datetime.fromisoformat(report.changed)
    return (
        f"{count}. Made on {now:%-d %B %Y} at {now:%H:%M} UTC of the report as it was on {changed:%-d %B %Y}, {changed:%H:%M}. "
        f"Computed with {', '.join(versions())}."
    )


def _asset(name: str) -> Markup:
    return Markup((_HERE / name).read_text(encoding="utf-8"))
