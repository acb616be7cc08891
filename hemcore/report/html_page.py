"""A report as one file that opens in any browser, with the network off."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from plotly.offline import get_plotlyjs

from hemcore.analysis import Progress
from hemcore.report.answers import Answered, AnswerOf, TableOf, answered
from hemcore.report.plain_text import escaped
from hemcore.report.report_model import Report
from hemcore.report.sections import article, trust
from hemcore.report.sources import versions

_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'"
)
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
    articles = "".join(article(number, each, root=root, address=address) for number, each in enumerate(found, 1))
    title = escaped(report.title)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{_text("page.css")}</style>
</head>
<body>
<div class="bar"><a href="#contents">Contents</a><button type="button" id="ground" hidden>Dark</button></div>
<main>
<header class="front">
<p class="asked">HEM Workbench · report</p>
<h1>{title}</h1>
{f'<p class="words">{escaped(report.intro)}</p>' if report.intro.strip() else ""}
{_contents(found)}
<p class="small">{_made(report, found)}</p>
<noscript><p class="failed">The pictures need JavaScript, which is off in this browser. All else stands without.</p></noscript>
</header>
{articles}
</main>
<script>{get_plotlyjs()}</script>
<script>{_text("page.js")}</script>
</body>
</html>
""".encode("utf-8", "replace")


def _contents(found: Sequence[Answered]) -> str:
    if not found:
        return '<section id="contents"><h2>Contents</h2><p class="soft">Nothing was added to this report yet.</p></section>'
    rows = "".join(
        f'<li><a href="#item-{number}">{escaped(each.item.heading)}</a>{_in_short(each)}</li>' for number, each in enumerate(found, 1)
    )
    return f'<section id="contents" aria-labelledby="contents-title"><h2 id="contents-title">Contents</h2><ol>{rows}</ol></section>'


def _in_short(each: Answered) -> str:
    if each.failed:
        return '<span class="chip poor"><b aria-hidden="true">✕</b> No answer</span><p>' + escaped(each.failed) + "</p>"
    if each.verdict is None:
        return ""
    return f"{trust(each.verdict)}<p>{escaped(each.verdict.answer)}</p>"


def _made(report: Report, found: Sequence[Answered]) -> str:
    now = datetime.now(UTC)
    failed = sum(bool(each.failed) for each in found)
    count = f"{len(found)} item{'' if len(found) == 1 else 's'}" + (f", {failed} of them without an answer" if failed else "")
    changed = datetime.fromisoformat(report.changed)
    return (
        f"{count}. Made on {now:%-d %B %Y} at {now:%H:%M} UTC of the report as it was on {changed:%-d %B %Y}, {changed:%H:%M}. "
        f"Computed with {escaped(', '.join(versions()))}."
    )


def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
