"""Two sets of runs compared, in a real browser: one click, a level, the runs in order, and the link that shows the same."""

import numpy as np
import pytest

from tests.browser.conftest import expect, figure, figure_of, headline, keep, keyed, link, open_actions, pick, settled, tab, take

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SEEN = """drawn => {
  const { top, bottom, height } = drawn.getBoundingClientRect();
  return (Math.min(innerHeight, bottom) - Math.max(0, top)) / height;
}"""

# Both files dragged onto the field at once.
DROP = """(field, files) => {
  const dataTransfer = new DataTransfer();
  for (const [name, text] of files) dataTransfer.items.add(new File([text], name, { type: "text/csv" }));
  for (const kind of ["dragenter", "dragover", "drop"])
    field.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
}"""


def test_one_click_shows_what_changed_and_a_link_shows_the_same(shared, new_page) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    page.goto(link(shared, "compare"))
    page.get_by_role("button", name="Particle box: arrays, not structs").click()
    expect(headline(page).first).to_be_visible()
    settled(page)
    expect(page.get_by_text("D1mr: 82.3% to 84.1% less")).to_be_visible()
    assert figure_of(page, "HEMs changed") == "9 of 14"
    assert figure(page, "compare.forest-0").evaluate(SEEN) > 0.9
    tab(page, "Runs in order")
    expect(figure(page, "compare.order-0")).to_be_visible()
    # The address has the set before, though it is the best match.
    assert "compare.before=" in page.url
    other = new_page()
    other.goto(page.url)
    expect(figure(other, "compare.order-0")).to_be_visible()
    expect(other.get_by_text("which is not")).to_have_count(0)


def _runs(level: float, seed: int) -> bytes:
    """40 runs of two HEMs, of which ZETA has this level."""
    random = np.random.default_rng(seed)
    rows = [f"{random.normal(level, 10):.0f},{random.normal(5_000, 50):.0f}" for _ in range(40)]
    return "\n".join(["ZETA,OMEGA", *rows]).encode()


def _file(name: str, level: float, seed: int) -> dict[str, object]:
    return {"name": name, "mimeType": "text/csv", "buffer": _runs(level, seed)}


def test_two_files_dropped_on_the_page_lead_to_a_verdict_every_tab_a_table_and_a_report(server, new_page) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    page.goto(f"{server.url}/compare")
    files = [[f"build {number}.csv", _runs(level, number).decode()] for number, level in ((1, 1_000), (2, 1_050))]
    page.get_by_test_id("stFileUploaderDropzone").evaluate(DROP, files)
    expect(headline(page).first).to_be_visible()
    settled(page)
    expect(page.get_by_text("ZETA: 4.").first).to_be_visible()
    other = new_page()
    other.goto(page.url)
    expect(other.get_by_text("ZETA: 4.").first).to_be_visible()
    assert figure_of(page, "HEMs changed") == "1 of 2"
    for name in ("Relations", "Runs in order", "Contradictions", "Changes"):
        tab(page, name)
        settled(page)
        expect(page.get_by_test_id("stException")).to_have_count(0)
    open_actions(page, "Download")
    name, content = take(page, "CSV")
    assert name.endswith(".csv")
    assert content.startswith(b"hem,") or b"ZETA" in content
    page.keyboard.press("Escape")
    open_actions(page, "Add to report")
    page.get_by_role("button", name="Add Changes", exact=True).click()
    expect(page.get_by_text("item 1.").first).to_be_visible()
    page.goto(f"{server.url}/report")
    expect(page.get_by_text("ZETA: ").first).to_be_visible()


def test_a_third_upload_of_the_name_gives_the_regression_its_date(server, new_page) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    for number, level in ((1, 1_000), (2, 1_000), (3, 1_050)):
        page.goto(f"{server.url}/data")
        pick(page, [_file(f"build {number}.csv", level, number)])
        keep(page)
        settled(page)
    page.get_by_role("link", name="Compare with other runs").first.click()
    settled(page)
    page.get_by_role("button", name="All 3 of this name").click()
    page.mouse.move(0, 0)  # its hint lies over the tabs
    settled(page)
    tab(page, "Releases")
    expect(figure(page, "compare.releases-0")).to_be_visible()
    expect(page.get_by_text("in the newest set").first).to_be_visible()
    expect(keyed(page, "compare.between").get_by_text("build 2")).to_be_visible()
    other = new_page()
    other.goto(page.url)
    expect(figure(other, "compare.releases-1")).to_be_visible()


def _phase_file(name: str, seed: int, more: float = 1.0) -> dict[str, object]:
    """Eight runs of two programs in two phases: a cycle per instruction and 30 per L2 miss, of which the second phase has `more`."""
    random = np.random.default_rng(seed)
    rows = ["program,granularity,load,phase,CYCLES,INSTRUCTIONS,L2_MISSES"]
    for number, program in enumerate(("sort", "join"), 1):
        for run in range(1, 9):
            for phase in (0, 1):
                instructions, misses = random.normal(1e6, 1e4), random.normal(2_000 * number * (more if phase else 1), 40)
                rows.append(f"{program},segment,run {run},{phase},{instructions + 30 * misses:.0f},{instructions:.0f},{misses:.0f}")
    return {"name": name, "mimeType": "text/csv", "buffer": "\n".join(rows).encode()}


def test_phases_and_a_waterfall_say_where_the_change_is(server, new_page) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    for number, more in ((1, 1.0), (2, 1.5)):
        page.goto(f"{server.url}/data")
        pick(page, [_phase_file(f"build {number}.csv", number, more)])
        keep(page)
        settled(page)
    page.get_by_role("link", name="Compare with other runs").first.click()
    expect(headline(page).first).to_be_visible()
    settled(page)
    tab(page, "Phases")
    expect(figure(page, "compare.phases-0")).to_be_visible()
    expect(figure(page, "compare.phases-1")).to_be_visible()
    expect(page.get_by_text("Most in phase 2 of join").first).to_be_visible()
    tab(page, "Waterfall")
    expect(figure(page, "compare.waterfall-0")).to_be_visible()
    expect(page.get_by_text("Most is explained by last level").first).to_be_visible()
    assert figure(page, "compare.waterfall-0").evaluate(SEEN) > 0.9
    other = new_page()
    other.goto(page.url)
    expect(figure(other, "compare.waterfall-0")).to_be_visible()
