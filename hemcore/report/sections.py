"""An item of the report for its template: the answer, pictures as JSON, table and source."""

import json
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from hemcore.report.answers import Answered, ParameterRow
from hemcore.report.figures import drawn, title_of
from hemcore.report.plain_text import in_script
from hemcore.report.report_table import TableRows, table_rows
from hemcore.report.sources import Source, source_of
from hemcore.report.verdict_summary import heading_of


@dataclass(frozen=True, kw_only=True)
class PictureView:
    """A figure of an item. title: "" where it is the item's heading; label: for screen readers; height: in pixels; json: the
    figure, safe inside a script element.
    """

    title: str
    subtitle: str
    label: str
    height: int
    json: Markup


@dataclass(frozen=True, kw_only=True, eq=False)
class ItemView:
    """The data of templates/item.html. changed: the parameters that differ from their defaults; table: None without one."""

    answered: Answered
    heading: str
    title: str
    source: Source
    pictures: tuple[PictureView, ...]
    caption: str
    table: TableRows | None
    changed: tuple[ParameterRow, ...]


def item_view(answered: Answered, root: Path | None = None) -> ItemView:
    """The view of one answered item. root: the shelf's folder."""
    item, frame = answered.item, answered.table
    title = item.question.analysis.title
    drawable = answered.picture is not None and bool(answered.figures or answered.caption)
    heading = heading_of(answered, [title_of(figure)[0] for figure in answered.figures])
    return ItemView(
        answered=answered,
        heading=heading,
        title=title[:1].upper() + title[1:],
        source=source_of(item.question.dataset, item.dataset_name, root),
        pictures=_pictures(answered, heading) if drawable else (),
        caption=answered.caption if drawable else "",
        table=table_rows(frame) if frame is not None and frame.shape[1] else None,
        changed=tuple(row for row in answered.parameters if row.default),
    )


def _pictures(answered: Answered, heading: str) -> tuple[PictureView, ...]:
    assert answered.picture is not None
    found = []
    for figure in answered.figures:
        (title, subtitle), values = title_of(figure), drawn(figure)
        title = title or answered.picture.tab
        found.append(
            PictureView(
                title="" if title == heading else title,
                subtitle=subtitle,
                label=" ".join(each for each in (title, subtitle, answered.caption) if each),
                height=int(values["layout"].get("height", 420)),
                json=Markup(in_script(json.dumps(values))),
            )
        )
    return tuple(found)
