"""An item of the page: verdict, figures, pictures, table, and how it was made."""

import json
from pathlib import Path

from hemcore.headline import Card, Change, Verdict
from hemcore.report.answers import Answered, ParameterRow
from hemcore.report.figures import drawn, title_of
from hemcore.report.plain_text import escaped, in_script
from hemcore.report.sources import Source, source_of
from hemcore.report.table_rows import how_many, table_html

_MARKS = {"good": "✓", "limited": "!", "poor": "✕"}


def trust(verdict: Verdict) -> str:
    """How far to trust a verdict, by word, mark and colour."""
    return f'<span class="chip {verdict.level}"><b aria-hidden="true">{_MARKS[verdict.level]}</b> Trust: {verdict.level}</span>'


def article(number: int, answered: Answered, *, root: Path | None = None, address: str = "") -> str:
    """Item `number` (from 1) of the page."""
    item = answered.item
    source = source_of(item.question.dataset, item.dataset_name, root)
    parts = [
        f'<p class="asked">{number} · {escaped(_capital(item.question.analysis.title))} · {escaped(source.name)}</p>',
        f'<h2 id="title-{number}">{escaped(item.heading)}</h2>',
        f'<p class="words">{escaped(item.note)}</p>' if item.note.strip() else "",
        _failed(answered.failed),
        _verdict(answered.verdict),
        _against(answered),
        _cards(answered),
        _pictures(number, answered),
        _table(answered),
        _made(answered, source, address),
    ]
    return f'<article class="item" id="item-{number}" aria-labelledby="title-{number}">{"".join(parts)}</article>'


def _failed(sentence: str) -> str:
    return f'<p class="failed">{escaped(sentence)}</p>' if sentence else ""


def _verdict(verdict: Verdict | None) -> str:
    if verdict is None:
        return ""
    text = f"<p><strong>{escaped(verdict.answer)}</strong> {escaped(verdict.trust)}</p>"
    why = f'<p class="small">Why: {escaped(" ".join(verdict.why))}</p>' if verdict.why else ""
    return f'<div class="verdict {verdict.level}"><div>{text}{why}</div>{trust(verdict)}</div>'


def _against(answered: Answered) -> str:
    if answered.item.baseline is None:
        return ""
    said = ", ".join(f"<b>{escaped(each)}</b>" for each in answered.differences) or "it is the same question"
    return f'<p class="against">Compared with the baseline: {said}</p>{_failed(answered.baseline_failed)}'


def _cards(answered: Answered) -> str:
    if not answered.cards:
        return ""
    each = "".join(_card(card, change) for card, change in zip(answered.cards, answered.changes, strict=True))
    return f'<dl class="cards">{each}</dl>'


def _card(card: Card, change: Change | None) -> str:
    help = f' title="{escaped(card.help)}"' if card.help else ""
    moved = ""
    if change is not None:
        word = {True: "better", False: "worse", None: ""}[change.better]
        moved = f'<span class="change {word}">{escaped(change.text)}{f" {word}" if word else ""}</span>'
    note = f'<dd class="small">{escaped(card.note)}</dd>' if card.note else ""
    return f'<div{help}><dt>{escaped(card.label)}</dt><dd><span class="value">{escaped(card.shown)}</span> {moved}</dd>{note}</div>'


def _pictures(number: int, answered: Answered) -> str:
    caption = f"<figcaption>{escaped(answered.caption)}</figcaption>" if answered.caption else ""
    if answered.picture is None or not (answered.figures or caption):
        return _failed(answered.picture_failed)
    places = []
    for place, figure in enumerate(answered.figures, 1):
        (title, subtitle), values, id = title_of(figure), drawn(figure), f"picture-{number}-{place}"
        height = int(values["layout"].get("height", 420))
        title = title or answered.picture.tab
        label = escaped(" ".join(each for each in (title, subtitle, answered.caption) if each))
        below = f'<p class="small">{escaped(subtitle)}</p>' if subtitle else ""
        places.append(
            f"<div><h3>{escaped(title)}</h3>{below}"
            f'<div class="picture" id="{id}" role="img" aria-label="{label}" style="height:{height}px"></div>'
            f'<script type="application/json" id="{id}-drawn">{in_script(json.dumps(values))}</script></div>'
        )
    return f'<figure><div class="pictures">{"".join(places)}</div>{caption}</figure>{_failed(answered.picture_failed)}'


def _table(answered: Answered) -> str:
    frame = answered.table
    if frame is None or not frame.shape[1]:
        return ""
    # Where there is no picture, the table is what the item shows.
    open = "" if answered.figures else " open"
    words = f"Table: {how_many(frame)}"
    return f"<details{open}><summary>{escaped(words)}</summary>{table_html(frame, answered.item.heading)}</details>"


def _made(answered: Answered, source: Source, address: str) -> str:
    item, rows = answered.item, answered.parameters
    moved = [row for row in rows if row.default]
    chosen = ", ".join(f"<b>{escaped(row.title)}</b> {escaped(row.given)}" for row in moved) or "all at their defaults"
    python = item.question.python(comment=item.heading)
    where = [
        f"<dt>Dataset</dt><dd>{escaped(source.name)}</dd>",
        f"<dt>Id</dt><dd><code>{escaped(source.id)}</code></dd>" if source.id != source.sha256 else "",
        f"<dt>SHA-256</dt><dd><code>{escaped(source.sha256)}</code></dd>" if source.sha256 else "",
        f"<dt>Read from</dt><dd>{escaped(', '.join(source.files))}</dd>" if source.files else "",
        f"<dt>Made from</dt><dd>{escaped(source.made_from)}</dd>" if source.made_from else "",
        _link(item.link, address),
        f"<dt>Added</dt><dd>{escaped(item.added[:16].replace('T', ' '))}</dd>",
    ]
    return (
        f'<p class="against chosen">Parameters: {chosen}</p>'
        f'<details class="made"><summary>How it was made: all {len(rows)} parameters, dataset, Python</summary>'
        f'<div class="halves"><div><h3>Parameters</h3>{_parameters(rows)}</div>'
        f'<div><h3>Dataset</h3><dl class="where">{"".join(where)}</dl>'
        f'<div class="python"><h3>Python</h3><pre tabindex="0"><code>{escaped(python)}</code></pre></div></div>'
        "</div></details>"
    )


def _parameters(rows: tuple[ParameterRow, ...]) -> str:
    lines = "".join(
        f'<div{" class=moved" if row.default else ""}><dt title="{escaped(row.description)}">{escaped(row.title)}</dt>'
        f"<dd>{escaped(row.given)}</dd>{f'<dd>default: {escaped(row.default)}</dd>' if row.default else ''}</div>"
        for row in rows
    )
    return f'<dl class="parameters">{lines}</dl>'


def _link(link: str, address: str) -> str:
    if not link:
        return ""
    if address.startswith(("http://", "https://")):
        return f'<dt>Open it</dt><dd><a href="{escaped(address.rstrip("/") + link)}">in HEM Workbench</a></dd>'
    return f"<dt>In HEM Workbench</dt><dd><code>{escaped(link)}</code></dd>"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
