"""A report as one HTML file that opens in any browser, offline."""

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
    """The report as one offline HTML file (UTF-8): interactive pictures, light and dark, printable on A4.

    answer_of, table_of: existing answers and tables (default: computed and loaded here; root: the shelf's folder). address: the URL of the
    workbench ("http://localhost:8501") for links back to it; "" = items show only the path. An item that fails shows the reason.
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
    count = f"{len(found)} item{'' if len(found) == 1 else 's'}" + (f", {failed} without an answer" if failed else "")
    changed = datetime.fromisoformat(report.changed)
    return (
        f"{count}. Made on {now:%-d %B %Y} at {now:%H:%M} UTC from the report as of {changed:%-d %B %Y}, {changed:%H:%M}. "
        f"Computed with {', '.join(versions())}."
    )


def _asset(name: str) -> Markup:
    return Markup((_HERE / name).read_text(encoding="utf-8"))
