"""Opens the new page of test_new_page.py in the copy of the project in which it runs, and prints what it found as JSON."""

import json
import runpy
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.testing.v1 import AppTest

from hemcore import jobs
from hemcore.jobs import cluster
from hemcore.report import ReportShelf, render_html
from hemcore.web import pages, shelf
from hemcore.web.starts import previews

HERE = Path(__file__).resolve().parent
SAMPLE = "Request server and 8 others, every event counted"
PATIENCE_S = 300
found: dict[str, Any] = {}
navigation, begin = st.navigation, previews.begin
cluster.WORKERS = 1  # its few jobs are short


def noted(pages: list, **how: Any) -> Any:
    found["navigation"] = [page.title for page in pages]
    return navigation(pages, **how)


def opened(page: str, **query: str) -> AppTest:
    at = AppTest.from_file(str(HERE / "app.py"), default_timeout=PATIENCE_S)
    at.switch_page(f"pages/{page}.py")
    for name, value in query.items():
        at.query_params[f"{page}.{name}"] = value
    return ran(at)


def ran(at: AppTest) -> AppTest:
    """Run, and again when the jobs that it began are done: how long a new analysis takes is not known yet."""
    at.run()
    waiting = [job for job in jobs.jobs() if not job.finished]
    if waiting:
        assert all(job.wait(PATIENCE_S) for job in waiting)
        return ran(at)
    assert not at.exception, [f"{each.message}\n{each.stack_trace}" for each in at.exception]
    assert not at.error, [each.value for each in at.error]
    return at


def press(at: AppTest, label: str) -> AppTest:
    next(each for each in at.button if each.label == label).click()
    return ran(at)


def box(at: AppTest, name: str) -> AppTest:
    """With the box behind a button opened: its contents are drawn then alone."""
    at.session_state[f"trial.{name}-box"] = True
    return ran(at)


def words(at: AppTest) -> str:
    return "\n".join(each.value for kind in (at.markdown, at.caption) for each in kind).replace("\\", "")


def home(page: Any) -> dict[str, bool]:
    previews.begin = lambda pages: begin([each for each in pages if each.name == page.name])  # the others have their own tests
    until = time.monotonic() + PATIENCE_S
    at = opened("home")
    while previews.find(page) is None:
        assert time.monotonic() < until
        time.sleep(0.2)
    ran(at)
    links = [link for link in at.get("page_link") if link.proto.page == page.name]
    told = words(at)
    return {
        "card": page.answers in told,
        "link": any("Dw" in link.proto.query_string for link in links),
        # One for each page that has one, this page among them.
        "picture": sum(each.key not in ("home.moving", "frame-script") for each in at.get("bidi_component"))
        == len([each for each in pages.PAGES if each.picture]),
    }


def main() -> None:
    assert Path(pages.__file__).is_relative_to(HERE), pages.__file__
    st.navigation = noted
    page = pages.page_named("trial")
    found["home"] = home(page)
    links = opened("data", opened="sample-series-ocoe").get("page_link")
    found["data"] = next(link.proto.label for link in links if link.proto.page == "trial")

    at = opened("trial")
    found["empty"] = [each.label for each in at.button]
    at = press(at, SAMPLE)
    found["start"] = {
        "event": at.selectbox(key="trial.event").value,
        "window": at.number_input(key="trial.window").value,
        "metric": at.metric[0].label,
        "verdict": "The level goes up to" in words(at),
        "charts": sum(each.key != "frame-script" for each in at.get("bidi_component")),
    }
    found["how"] = page.how.strip() in words(at)
    at = press(at, "Pin as baseline")
    at.number_input(key="trial.window").set_value(9)
    at = ran(at)
    found["pinned"] = next(line for line in words(at).splitlines() if line.startswith("Compared"))
    at = press(box(at, "keep"), "Save to your data")
    found["kept"] = [record.kind for record in shelf.store().records()]
    at = press(box(at, "add-to-report"), "Add Levels")
    found["snippet"] = snippet(next(each.value for each in box(at, "download").code if "import" in each.value))
    found["report"] = reported()
    jobs.close()
    print(json.dumps(found))


def snippet(program: str) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "snippet.py"
        script.write_text(program)
        return [str(name) for name in runpy.run_path(str(script))["levels"].columns]


def reported() -> dict[str, Any]:
    """What the report has of it, on its page and as a file."""
    reports = ReportShelf(shelf.store().root)
    report = reports.load(reports.entries()[0].id)
    at = opened("report")
    html = render_html(report, root=shelf.store().root).decode()
    return {
        "items": len(report.items),
        "told": "The level goes up to" in html,
        "picture": "How high does it stand?" in html,
        "page": len([each for each in at.get("bidi_component") if each.key not in ("home.moving", "frame-script")]) == 1,
    }


if __name__ == "__main__":
    sys.exit(main())
