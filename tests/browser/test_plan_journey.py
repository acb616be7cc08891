"""From a list of HEMs to a merge in a real browser: pasted, planned, measured by the plan's own script, uploaded, merged."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.conftest import expect, figure, figure_of, headline, keep, keyed, link, pick, settled, tab

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HEMS = ("cycles", "instructions", "branch-misses", "cache-misses", "page-faults", "L1-dcache-loads", "LLC-loads")
# In the place of perf, which counts few events in a virtual machine: takes its arguments, runs the program, writes what perf writes.
FAKE = """#!{python}
import random, subprocess, sys
stat, _, separator, _, file, _, events, _, *program = sys.argv[1:]
assert stat == "stat" and separator == ";"
load = random.gauss(5000, 500)
with open(file, "w") as out:
    print("# started on Mon Nov 16 09:12:01 2026\\n", file=out)
    for event in events.strip("{{}}").split(","):
        print(f"{{round(load + random.gauss(0, 400))}};;{{event}};500000;100.00;;", file=out)
sys.exit(subprocess.run(program).returncode)
"""
SIZES = [(1480, 900, "light"), (1100, 800, "dark"), (420, 800, "light")]


def fake_perf(folder: Path) -> Path:
    made = folder / "perf"
    made.write_text(FAKE.format(python=sys.executable))
    made.chmod(0o755)
    return made


def test_a_pasted_list_is_planned_measured_uploaded_and_merged(server, new_page, tmp_path):
    page = new_page()
    page.goto(f"{server.url}/plan?plan.n_pmcs=3&plan.runs=12")
    page.get_by_role("button", name="New list").click()
    page.get_by_role("textbox", name="HEMs").fill("\n".join(HEMS))
    page.get_by_role("textbox", name="HEMs").press("Control+Enter")
    page.get_by_role("button", name="Plan with these").click()
    expect(headline(page).first).to_be_visible()
    settled(page)
    # Seven HEMs, three at a time: the Fano plane.
    expect(page.get_by_text("7 subexperiments read every pair of 7 HEMs together with 3 PMCs.")).to_be_visible()
    assert figure_of(page, "Lower bound") == "7"
    expect(page).to_have_url(re.compile(r"plan\.dataset=HEMs"))
    tab(page, "Script")
    keyed(page, "plan.program").get_by_role("textbox").fill("true")
    keyed(page, "plan.program").get_by_role("textbox").press("Enter")
    expect(page.get_by_test_id("stCode").get_by_text("-- true >/dev/null")).to_be_visible()
    settled(page)
    with page.expect_download() as coming:
        page.get_by_role("button", name="plan.sh").click()
    script = tmp_path / coming.value.suggested_filename
    coming.value.save_as(script)
    environment = os.environ | {"PERF": str(fake_perf(tmp_path))}
    subprocess.run(["sh", script.name], cwd=tmp_path, env=environment, check=True, capture_output=True, timeout=240)
    page.goto(f"{server.url}/data")
    pick(page, [str(tmp_path / "plan_runs.zip")])
    expect(page.get_by_text("runs of a plan").first).to_be_visible()
    keep(page)
    page.get_by_role("link", name="Merge these subexperiments").click()
    expect(headline(page).first).to_be_visible()
    settled(page)
    expect(page.get_by_text(re.compile("of 7 HEMs merged into one table"))).to_be_visible()
    expect(figure(page, "merge.correlation-0")).to_be_visible()


def test_wanted_pairs_go_into_the_address_and_the_picture(shared, new_page):
    page = new_page()
    page.goto(link(shared, "plan", dataset="16 HEMs of an NXP T2080 · sample", goal="budget", groups="2"))
    expect(headline(page).first).to_be_visible()
    box = page.get_by_role("textbox", name="Wanted pairs")
    box.fill("PROCESSOR_CYCLES with *\nL2_MISSES with L2_ACCESSES")
    box.press("Control+Enter")
    expect(page.get_by_text("2 subexperiments read 11 of 16 wanted pairs of 16 HEMs together (69%).")).to_be_visible()
    expect(page).to_have_url(re.compile(r"plan\.wanted=PROCESSOR_CYCLES"))
    other = new_page()
    other.goto(page.url)
    expect(other.get_by_text("2 subexperiments read 11 of 16 wanted pairs of 16 HEMs together (69%).")).to_be_visible()
    tab(other, "Pairs together")
    expect(figure(other, "plan.coverage-0")).to_be_visible()


@pytest.mark.parametrize(("width", "height", "scheme"), SIZES)
def test_every_tab_stands_at_every_width(shared, new_page, width, height, scheme):
    page = new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    page.goto(link(shared, "plan", dataset="16 HEMs of an NXP T2080 · sample"))
    expect(headline(page).first).to_be_visible()
    settled(page)
    for name in ("Plan", "Pairs together", "Coverage", "Against the bound", "What cuts cost", "Table", "Script"):
        tab(page, name)
        settled(page)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), name
