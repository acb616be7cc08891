"""A report as one HTML file that opens in any browser, offline."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from markupsafe import Markup
from plotly.offline import get_plotlyjs

from hemcore.analysis import Progress
from hemcore.report.answers import Answered, AnswerOf, TableOf, answered
from hemcore.report.appendix import asked_once, used_datasets
from hemcore.report.page_font import font_css
from hemcore.report.render import TEMPLATES
from hemcore.report.report_model import Report
from hemcore.report.sections import item_view
from hemcore.report.sources import versions
from hemcore.report.verdict_summary import summary

_HERE = Path(__file__).parent


def render_html(
    report: Report,
    answer_of: AnswerOf | None = None,
    progress: Progress | None = None,
    *,
    table_of: TableOf | None = None,
    root: Path | None = None,
    address: str = "",
    made: datetime | None = None,
) -> bytes:
    """The report as one offline HTML file (UTF-8): interactive pictures, light and dark; on paper (A4 or Letter) one page per item.

    answer_of, table_of: existing answers and tables (default: computed and loaded here; root: the shelf's folder). address: the URL of the
    workbench ("http://localhost:8501") for links back to it; "" = the appendix shows only the paths.
    made: the date of the report (default: now). An item that fails shows the reason.
    """
    made = made or datetime.now(UTC)
    found = answered(report, answer_of, progress, table_of=table_of, root=root)
    page = TEMPLATES.get_template("page.html").render(
        report=report,
        items=[item_view(each, root) for each in found],
        summary=summary(found),
        date=f"{made:%-d %B %Y}",
        made=_made(report, found, made),
        datasets=used_datasets(found, root),
        questions=asked_once(found, root),
        versions=versions(),
        address=address if address.startswith(("http://", "https://")) else "",
        font=Markup(font_css()),
        css=_asset("page.css"),
        paper=_asset("paper.css"),
        js=_asset("page.js"),
        plotly=Markup(get_plotlyjs()),
    )
    return page.encode("utf-8", "replace")


def _made(report: Report, found: Sequence[Answered], made: datetime) -> str:
    failed = sum(bool(each.failed) for each in found)
    count = f"{len(found)} item{'' if len(found) == 1 else 's'}" + (f", {failed} without an answer" if failed else "")
    changed = datetime.fromisoformat(report.changed)
    return f"{count}. Made on {made:%-d %B %Y} at {made:%H:%M %Z} from the report as of {changed:%-d %B %Y}, {changed:%H:%M}."


def _asset(name: str) -> Markup:
    return Markup((_HERE / name).read_text(encoding="utf-8"))
