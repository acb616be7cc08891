"""The page: complete, offline, and nobody's words in it are markup."""

import json
import re
from datetime import UTC, datetime
from html.parser import HTMLParser

import pandas as pd
import pytest
from plotly.offline import get_plotlyjs

import hemcore
from hemcore.datasets import load as load_sample
from hemcore.errors import ReadError
from hemcore.report import Report, ReportItem, render_html
from hemcore.report.answers import answered, parameter_rows, value_text
from hemcore.report.page_font import font_css
from hemcore.report.report_table import table_html
from tests.core.report.conftest import HOSTILE, hrm, much, segmentation, table_of


class Elements(HTMLParser):
    """Every element with its attributes, and the words outside scripts and styles."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.all: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self._inside = ""
        self.feed(page.decode())

    def handle_starttag(self, tag, attrs):
        self.all.append((tag, dict(attrs)))
        self._inside = tag

    def handle_endtag(self, tag):
        self._inside = ""

    def handle_data(self, data):
        if self._inside not in ("script", "style"):
            self.words += data

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.all if name == tag]


def made(report: Report, **given) -> Elements:
    return Elements(render_html(report, table_of=table_of(), **given))


def test_everything_an_item_has(report):
    page = made(report)
    for words in (
        *(
            "The merge",
            "What we saw.",
            "A pair",
            "Look.",
            "Made up",
            "How are the merged HEMs correlated?",
            "3 of 3 HEMs",
            "Trust: limited",
        ),
        *("HEMs merged", "Anchor HEM", "anchor (chosen automatically)", "table = load('made-up')", "/merge?a=b", "numpy"),
    ):
        assert words in page.words, words
    ids = [attributes["id"] for _, attributes in page.all if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {"item-1", "item-2", "contents"} <= set(ids)
    assert [tag for tag, _ in page.all if tag in ("h1", "h2", "h3")][:4] == ["h1", "h2", "h2", "h2"]
    pictures = [attributes for attributes in page.of("div") if attributes.get("class") == "picture"]
    assert len(pictures) == 3
    assert all(each["role"] == "img" and each["aria-label"] for each in pictures)


NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


def front(page: Elements) -> str:
    return " ".join(page.words.partition("HEM Workbench · report")[2].partition("1 · ")[0].split())


def test_it_opens_with_title_author_date_summary_and_contents(item):
    report = Report(
        title="The merge", author="A. <b>Uthor</b>", intro="What we saw.", items=(item, ReportItem(question=hrm(), picture="correlation"))
    )
    page = made(report, made=NOON)
    verdict = answered(report, table_of=table_of())[0].verdict
    shown = front(page)
    places = [
        shown.index(words)
        for words in (
            "The merge",
            "A. <b>Uthor</b> · 31 January 2026",
            "Summary",
            "What we saw.",
            "Contents",
            "How are the merged HEMs correlated?",
        )
    ]
    assert places == sorted(places)
    # In the summary, and no verdict in the contents.
    assert shown.count(verdict.answer) == 1
    # Once in each of the two sections.
    assert page.words.count(verdict.answer) == 3
    assert "31 January 2026" in made(Report(items=(item,)), made=NOON).words
    assert '<span class="author">' not in render_html(Report(items=(item,)), table_of=table_of()).decode()


def test_a_section_is_titled_by_its_picture_and_not_by_its_verdict(item):
    verdict = answered(Report(items=(item,)), table_of=table_of())[0].verdict
    titled = ReportItem(question=hrm(), picture="pairs", title=verdict.answer)
    page = made(Report(items=(titled,)))
    figure = answered(Report(items=(titled,)), table_of=table_of())[0].figures[0].layout.title.text.partition("<br>")[0]
    assert page.words.count(figure) == 2  # contents and heading
    assert page.words.count(verdict.answer) == 2  # summary and section


def test_the_appendix_has_each_dataset_and_each_question_once(item):
    other = ReportItem(question=segmentation(threshold=2.0), picture="segments")
    again = ReportItem(question=hrm(), picture="correlation", dataset_name="Made up")

    def load(dataset: str):
        return table_of()(dataset) if dataset == "made-up" else load_sample(dataset)

    page = Elements(render_html(Report(items=(item, other, again)), table_of=load, made=NOON))
    end = " ".join(page.words.partition("Appendix: what was done")[2].partition("Appendix: what was done")[2].split())
    assert end.startswith("3 items. Made on 31 January 2026 at 12:00 UTC")
    assert "Made up (items 1, 3)" in end
    assert len(re.findall(r"SHA-256[0-9a-f]{64}", end)) == 1  # the sample's; nothing is known of the other
    assert end.count("HRM merge of Made up") == 1
    assert "Threshold2default:10" in end.replace(" ", "")
    assert f"HEM Workbench {hemcore.__version__}" in end
    pinned = made(Report(items=(ReportItem(question=hrm(), baseline=hrm("pinned")),)))
    assert "pinned (item 1)" in pinned.words
    for number in (1, 2, 3):
        assert [each.get("id") for _, each in page.all].count(f"made-{number}") == 1


def test_no_raw_identifier_is_a_heading():
    frame = pd.DataFrame({"model": ["a"], "mape_mean": [0.125], "n_change_points": [3], "my_event": [1]})
    html = table_html(frame, "t")
    assert re.findall(r"<th [^>]*>(.*?)</th>", html) == ["model", "per phase, mean program", "change points", "my_<wbr>event"]
    assert "12.5%" in html


def test_plotly_is_there_once_and_nothing_is_fetched(report):
    page = made(report)
    source = render_html(report, table_of=table_of()).decode()
    assert source.count(get_plotlyjs()) == 1
    policy = next(each["content"] for each in page.of("meta") if each.get("http-equiv") == "Content-Security-Policy")
    assert "default-src 'none'" in policy
    assert source.index("Content-Security-Policy") < source.index("<style>") < source.index("<script")
    for _, attributes in page.all:
        for name in ("src", "href", "action", "data", "srcset"):
            assert not (attributes.get(name) or "#").startswith(("http", "//"))


def test_the_font_comes_with_the_page_or_the_systems_serves(report, monkeypatch):
    font_css.cache_clear()
    assert font_css().startswith('@font-face { font-family: "Source Sans";')
    policy = next(each["content"] for each in made(report).of("meta") if each.get("http-equiv") == "Content-Security-Policy")
    assert "font-src data:" in policy
    font_css.cache_clear()
    monkeypatch.setattr("hemcore.report.page_font.is_installed", lambda package: False)
    assert font_css() == ""
    assert b"@font-face" not in render_html(report, table_of=table_of())
    font_css.cache_clear()


def test_links_lead_back_only_where_the_workbench_is_known(report):
    assert "/merge?a=b" not in [each.get("href") for each in made(report).of("a")]
    linked = made(report, address="http://localhost:8501/")
    assert "http://localhost:8501/merge?a=b" in [each.get("href") for each in linked.of("a")]
    assert made(report, address="javascript:alert(1)//").words.count("/merge?a=b") == 1


def hostile_report() -> Report:
    items = tuple(
        ReportItem(question=hrm(words[:200]), picture=picture, title=words, note=words, dataset_name=words, baseline=hrm(words[:200] + "2"))
        for words in HOSTILE
        for picture in ("correlation", "pairs")
    )
    return Report(title=HOSTILE[1], intro="\n".join(HOSTILE), items=items)


# A name of a HEM is a header of a CSV file; readers refuse some of these, a table that was made by hand does not.
NAMES = ("<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", "W" * 200)


@pytest.mark.slow
def test_hostile_words_are_text_everywhere():
    benign = Report(title="x", intro="x", items=tuple(ReportItem(question=hrm(), picture=each) for each in ("correlation", "pairs") * 8))
    tags = {tag for tag, _ in made(benign).all}
    page = Elements(render_html(hostile_report(), table_of=table_of(NAMES)))
    assert {tag for tag, _ in page.all} <= tags | {"b"}
    assert not [name for _, attributes in page.all for name in attributes if name.startswith("on")]
    assert len(page.of("script")) == 2 + 8 * 4
    assert "<script>alert(1)</script>" in page.words
    assert "\x00" not in page.words


@pytest.mark.slow
def test_event_names_inside_figures_are_text_and_whole():
    source = render_html(hostile_report(), table_of=table_of(NAMES)).decode()
    drawn = re.findall(r'<script type="application/json" id="picture[^"]*">(.*?)</script>', source)
    assert len(drawn) == 32
    figures = [json.loads(each) for each in drawn]
    for figure in figures:
        for name in ("uirevision", "meta"):
            figure["layout"].pop(name, None)  # plotly shows it to nobody
    texts = json.dumps(figures)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in texts
    assert "<script>alert(1)" not in json.dumps([figure["layout"] for figure in figures])


def test_one_item_that_fails_says_why_and_the_rest_stands(item):
    def load(dataset: str):
        if dataset == "gone":
            raise ReadError("dataset gone: its <file> is missing. Upload it again.")
        return table_of()(dataset)

    gone = ReportItem(question=hrm("gone"), title="Gone", picture="pairs")
    unlike = ReportItem(question=hrm(), title="No such HEM", picture="pairs", view={"first_hem": "nobody"})
    pinned = ReportItem(question=hrm(), title="No such baseline", baseline=hrm("gone"), picture="pairs")
    page = Elements(render_html(Report(items=(gone, unlike, pinned, item)), table_of=load))
    assert page.words.count("its <file> is missing") == 2  # item, baseline
    assert "'nobody' is not in the merged table" in page.words
    assert "4 items, 1 without an answer" in page.words
    assert len([each for each in page.of("div") if each.get("class") == "picture"]) == 2
    assert page.words.count("Trust: ") == 6


def test_a_missing_dataset_of_the_real_shelf_is_a_sentence(tmp_path):
    page = Elements(render_html(Report(items=(ReportItem(question=much("f" * 64), picture="pairs"),)), root=tmp_path))
    assert "is not on this shelf" in page.words


def test_an_empty_report_says_so():
    assert "Nothing has been added" in made(Report(title="Empty")).words


def test_answers_at_hand_are_taken(item):
    asked = []

    def answer(question):
        asked.append(question)
        return question.answer(table_of()(question.dataset))

    told = []
    made(Report(items=(item,)), answer_of=answer, progress=lambda share, note: told.append((share, note)))
    assert asked == [item.question]
    assert told == [(0.0, "1 of 1: A pair"), (1.0, "writing the file")]


def test_a_question_of_two_items_is_answered_once(item):
    loaded = []
    report = Report(items=(item, item, ReportItem(question=hrm(), picture="margins")))
    found = answered(report, table_of=lambda dataset: loaded.append(dataset) or table_of()(dataset))
    assert loaded == ["made-up"]
    assert len({id(each.cards[0]) for each in found}) == 3


def test_changes_from_the_baseline_have_their_sign(item):
    def load(dataset: str):
        return table_of(("anchor", "first") if dataset == "smaller" else ("anchor", "first", "second"))(dataset)

    found = answered(Report(items=(ReportItem(question=hrm(), baseline=hrm("smaller")),)), table_of=load)[0]
    assert found.changes[1].text == "+1"
    assert found.differences == ("dataset smaller → made-up",)
    page = Elements(render_html(Report(items=(ReportItem(question=hrm(), baseline=hrm("smaller")),)), table_of=load))
    assert "Compared with the baseline: dataset smaller → made-up" in page.words
    assert "3 of 3 +1" in page.words


def test_parameters_at_and_off_their_defaults():
    rows = {row.title: row for row in parameter_rows(segmentation(threshold=2.0, event=""))}
    assert len(rows) == 14
    assert (rows["Threshold"].given, rows["Threshold"].default) == ("2", "10")
    assert (rows["Tolerance"].given, rows["Tolerance"].default) == ("2 intervals", "")
    assert (rows["Event"].given, rows["Event"].default) == ("automatic", "")
    assert (rows["Early exit (findchangepts)"].given, rows["Application"].default) == ("no", "automatic")
    assert value_text(("a", "b")) == "a, b"
    assert value_text(1_000_000.0, "runs") == "1,000,000 runs"


@pytest.mark.long
@pytest.mark.slow
def test_ten_items_of_both_analyses_fit_in_eight_megabytes():
    pictures = ("segments", "path", "all_runs", "profile", "peers")
    items = [ReportItem(question=segmentation(), baseline=segmentation(threshold=24.0), picture=each) for each in pictures]
    pictures = ("correlation", "pairs", "ranking", "margins", "truth")
    items += [ReportItem(question=much(dep_lvl=0.95), baseline=much(), picture=each) for each in pictures]
    source = render_html(Report(items=tuple(items)))
    page = Elements(source)
    print(f"{len(source):,} bytes")
    assert len(source) < 8_000_000
    assert source.decode().count('class="failed"') == 1  # what a browser without JavaScript shows
    assert len([each for each in page.of("div") if each.get("class") == "picture"]) == 12
    # Samples have a SHA-256 too.
    assert len(set(re.findall(r"[0-9a-f]{64}", page.words))) == 2
