"""The Compare page: it opens on the best match, draws what changed, and says what cannot be compared."""

import runpy
from types import SimpleNamespace
from urllib.parse import parse_qs

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.shelf import samples
from hemcore.datasets.shelf.store import Lineage
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.web import shelf
from hemcore.web.compare.sets_before import answers, earlier_first, has_partner

pytestmark = pytest.mark.detail

ARRAYS, BEFORE = (f"{samples.title(name)} · sample" for name in ("pairs-arrays", "pairs-before"))
HRM = f"{samples.title('subexperiments-hrm')} · sample"
TABS = ["Changes", "Relations", "Runs in order", "Contradictions"]


def test_it_opens_on_the_set_before_and_shows_the_truth(workbench) -> None:
    at = workbench.open("compare", {"dataset": ARRAYS})
    assert not at.error
    assert workbench.tabs(at) == TABS
    assert at.selectbox(key="compare.before").value == "sample-pairs-before"
    assert workbench.metrics(at)["HEMs changed"] == "9 of 14"
    (picture,) = workbench.pictures(workbench.in_tab(at, "Changes"))
    traces = {each["name"]: each for each in workbench.spec(picture)["figure"]["data"]}
    assert set(traces) == {"more, surely", "less, surely", "may be noise", "truth"}
    assert any("D1mr" in text and "less, surely not noise" in text for text in traces["less, surely"]["customdata"])
    rows = workbench.in_tab(at, "Changes").dataframe[0].value
    assert rows.set_index("hem").loc["D1mr", ["change", "truth", "surely changed"]].tolist() == ["−83.2%", "−81.4%", "yes"]


def test_samples_of_pairs_are_listed_here_and_not_on_merge(workbench) -> None:
    label = samples.title("pairs-arrays")
    assert any(label in each for each in workbench.open("compare").selectbox(key="compare.dataset").options)
    assert not any(label in each for each in workbench.open("merge").selectbox(key="merge.dataset").options)


def test_the_level_moves_intervals_and_no_finding(workbench) -> None:
    widths = []
    for level in (0.5, 0.99):
        at = workbench.open("compare", {"dataset": ARRAYS, "level": level})
        rows = workbench.in_tab(at, "Changes").dataframe[0].value.set_index("hem")
        assert workbench.metrics(at)["HEMs changed"] == "9 of 14"
        low, high = (float(rows.loc["Dr", name].strip("+%")) for name in ("low", "high"))
        widths.append(high - low)
    assert widths[1] > 2 * widths[0]


def test_a_series_of_cores_is_compared_at_a_level_of_the_machine(workbench) -> None:
    """Its level and the level of confidence are two choices."""
    rows = [f"{0.1 * (at + 1):.9f},CPU{cpu},{1_000 * (cpu + 1) + at % 7},,cycles,100,100.00,,\n" for at in range(30) for cpu in (0, 1)]
    label = workbench.stored(("f.csv", "".join(rows).encode())).label
    at = workbench.open("compare", {"dataset": label})
    assert not at.exception
    assert at.selectbox(key="compare.machine_level").value == "machine"
    assert at.slider(key="compare.level").value == 0.9


def test_the_set_before_is_seen_at_the_same_level_and_shares_a_program(workbench) -> None:
    def cores(slow: int) -> str:
        """Eight runs of 20 intervals on two cores, in a table with a column of cores."""
        random = np.random.default_rng(slow)
        rows = [
            f"{run},{at / 10},{core},{slow * (core + 1) + random.integers(20)},{40 + core + random.integers(2)}\n"
            for run in range(1, 9)
            for at in range(1, 21)
            for core in (0, 1)
        ]
        return workbench.stored(("job.csv", f"run,time,core,cycles,temperature\n{''.join(rows)}".encode()), name=f"job {slow}").label

    other = "".join(f"{at / 10},{name},{900 + at * 5 % 7},50\n" for name in ("a", "b") for at in range(1, 21))
    workbench.stored(("other.csv", f"time,program,cycles,temperature\n{other}".encode()), name="job of others")
    cores(1_000)
    at = workbench.open("compare", {"dataset": cores(2_000)})
    assert not at.error
    assert at.selectbox(key="compare.machine_level").value == "machine"
    # Sums of both cores are twice as many; temperatures are averaged and stay.
    assert any("cycles: 99.3% to 99.5% more" in each.value.replace(chr(92), "") for each in at.markdown)
    # Alone with programs of other names, its halves are compared.
    assert at.selectbox(key="compare.before").value


def test_a_series_of_other_intervals_is_not_the_set_before(workbench) -> None:
    def series(name: str, step: float) -> str:
        random = np.random.default_rng(5)
        rows = [f"{run},{at * step:g},{random.integers(900, 1100)}\n" for run in range(1, 5) for at in range(1, 31)]
        return workbench.stored((f"{name}.csv", f"run,time,cycles\n{''.join(rows)}".encode()), name=name).label

    first = series("fine", 0.1)
    at = workbench.open("compare", {"dataset": series("coarse", 0.5)})
    assert not at.error
    assert at.selectbox(key="compare.before").value == ""  # its own first half
    assert first in at.selectbox(key="compare.before").options


def test_a_dataset_alone_is_halved(workbench, csv_of) -> None:
    random = np.random.default_rng(1)
    lone = workbench.stored(("lone.csv", csv_of([(name, random.integers(900, 1100, 40)) for name in ("ZETA", "OMEGA")])), name="lone")
    at = workbench.open("compare", {"dataset": lone.label})
    assert not at.error
    assert at.selectbox(key="compare.before").value == ""
    assert at.selectbox(key="compare.before").options == ["first half of these runs"]


@pytest.mark.parametrize("hem", ["Dr", "CYCLES"])
def test_the_runs_of_a_hem_are_drawn_in_order(workbench, hem: str) -> None:
    at = workbench.open("compare", {"dataset": ARRAYS, "view": "Runs in order", "hem": hem})
    assert not at.error
    (picture,) = workbench.pictures(workbench.in_tab(at, "Runs in order"))
    spec = workbench.spec(picture)["figure"]
    assert hem in spec["layout"]["title"]["text"]
    assert {each["name"] for each in spec["data"]} == {"before", "after", "mean before", "mean after"}


def test_before_is_chosen_by_a_link(workbench) -> None:
    at = workbench.open("compare", {"dataset": ARRAYS, "before": HRM})
    assert at.selectbox(key="compare.before").value == "sample-subexperiments-hrm"
    assert workbench.metrics(at)["HEMs changed"] == "13 of 14"


def _csv(csv_of, random: np.random.Generator, level: float = 1_000, runs: int = 40, names: tuple[str, ...] = ("ZETA", "OMEGA")) -> bytes:
    return csv_of([(name, random.normal(level, 10, runs).round()) for name in names])


def test_two_files_dropped_on_the_page_become_before_and_after(workbench, csv_of) -> None:
    random = np.random.default_rng(4)
    files = [(f"build {number}.csv", _csv(csv_of, random, level)) for number, level in ((10, 1_050), (9, 1_000))]
    at = workbench.open("compare")
    for name, content in files:
        at.file_uploader(key="compare.files-0").upload(name, content)
    workbench.run(at)
    assert not at.error
    assert at.selectbox(key="compare.dataset").value.startswith("build 10.csv")
    before = at.selectbox(key="compare.before")
    assert before.format_func(before.value).startswith("build 9.csv")
    assert workbench.metrics(at)["HEMs changed"] == "2 of 2"
    at.button(key="compare.swap").click().run()
    assert at.selectbox(key="compare.dataset").value.startswith("build 9.csv")
    # One more is compared with the dataset that is open.
    at.file_uploader(key="compare.files-1").upload("build 8.csv", _csv(csv_of, random, 900))
    workbench.run(at)
    assert not at.error
    before = at.selectbox(key="compare.before")
    assert (at.selectbox(key="compare.dataset").value[:11], before.format_func(before.value)[:11]) == ("build 9.csv", "build 8.csv")


@pytest.mark.parametrize(
    ("names", "ordered"),
    [
        (("after.csv", "before.csv"), ("before.csv", "after.csv")),
        (("lbm_new.csv", "lbm_old.csv"), ("lbm_old.csv", "lbm_new.csv")),
        (("Neu 2.csv", "Alt 10.csv"), ("Alt 10.csv", "Neu 2.csv")),
        (("aaa.csv", "zzz-baseline.csv"), ("zzz-baseline.csv", "aaa.csv")),
        (("aaa-patched.csv", "zzz.csv"), ("zzz.csv", "aaa-patched.csv")),
        (("old 10 new.csv", "old 9 new.csv"), ("old 9 new.csv", "old 10 new.csv")),  # words of both names tell nothing
        (("new after aaa.csv", "new zzz.csv"), ("new zzz.csv", "new after aaa.csv")),
        (("newton.csv", "older.csv"), ("older.csv", "newton.csv")),
    ],
)
def test_names_tell_which_file_is_before(names: tuple[str, ...], ordered: tuple[str, ...]) -> None:
    entries = [SimpleNamespace(name=name) for name in names]
    assert tuple(each.name for each in earlier_first(entries)) == ordered  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (("other.csv", ("ALPHA", "BETA"), 40), "no HEM is in both sets"),
        (("prose.txt", (), 0), "prose.txt"),
        (("same.csv", ("ZETA", "OMEGA"), 40), "hold the same readings"),
    ],
)
def test_files_that_cannot_be_compared_get_a_sentence(workbench, csv_of, other, told: str) -> None:
    name, hems, runs = other
    content = _csv(csv_of, np.random.default_rng(5), 1_000, runs, hems) if hems else b"Dear reader,\nthis, in short, is not a table.\n"
    at = workbench.open("compare")
    at.file_uploader(key="compare.files-0").upload("first.csv", _csv(csv_of, np.random.default_rng(5)))
    at.file_uploader(key="compare.files-0").upload(name, content)
    workbench.run(at)
    assert any(told in each for each in workbench.sentences(at))
    assert any(each.key == "compare.files-1" for each in at.file_uploader)


def test_releases_are_followed_over_all_datasets_of_a_name(workbench, csv_of) -> None:
    random = np.random.default_rng(2)
    kept = [
        workbench.stored((f"nightly {n}.csv", _csv(csv_of, random, 1_000 if n < 9 else 1_050)), name=f"nightly {n}") for n in range(5, 13)
    ]
    at = workbench.open("compare", {"dataset": kept[3].label})
    assert not at.error
    assert "Releases" not in workbench.tabs(at)
    at.button(key="compare.of-this-name").click().run()
    assert not at.error
    # In the order of numbers: 5 ... 12, not 10, 11, 12, 5 ...
    assert at.selectbox(key="compare.dataset").value == kept[-1].label
    assert at.selectbox(key="compare.before").value == kept[0].id
    assert at.multiselect(key="compare.between").value == [each.label for each in kept[1:-1]]
    assert "Releases" in workbench.tabs(at)
    at = workbench.open(
        "compare",
        {"dataset": kept[-1].label, "before": kept[0].label, "between": [each.label for each in kept[1:-1]], "view": "Releases"},
    )
    assert not at.error
    rows = workbench.in_tab(at, "Releases").dataframe[0].value
    assert set(rows["from"]) == {"nightly 9"}
    assert workbench.metrics(at)["Change points"] == "2"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        # A link can ask for what the list does not offer.
        (("ZETA", 40), ("OTHER", 40), "which is not available"),
        (("ZETA", 1), ("ZETA", 1), "Give at least two runs"),
    ],
)
def test_what_cannot_be_compared_is_a_sentence(workbench, csv_of, before, after, told: str) -> None:
    random = np.random.default_rng(3)
    first, second = (
        workbench.stored((f"{which}.csv", _csv(csv_of, random, 1_000, runs, (f"{name}A", f"{name}B"))), name=which)
        for which, (name, runs) in (("first", before), ("second", after))
    )
    at = workbench.open("compare", {"dataset": second.label, "before": first.label})
    assert any(told in each for each in [*workbench.sentences(at), *(each.value for each in at.warning)])


def _phases(unit: str, seed: int, programs: tuple[str, ...] = ("sort", "join")) -> PhaseTable:
    """Twenty runs of each program, one phase each, at this granularity."""
    random = np.random.default_rng(seed)
    rows = [
        {"program": name, "granularity": unit, "load": f"run {run}", "phase": 0, "ZETA": random.normal(1_000 + 50 * (seed > 1), 10)}
        for name in programs
        for run in range(20)
    ]
    return PhaseTable(frame=pd.DataFrame(rows), counters=("ZETA",))


def _kept(table: PhaseTable | SignatureTable, name: str) -> str:
    """The label of a table kept by its own."""
    origin = Lineage(parent="x", parent_name="x", analysis="segmentation.segmentation", params={}, version="0.1.0", gives="segments")
    record = shelf.store().keep(table, name=name, lineage=origin)
    return f"{name} · {record.id[:8]}"


def test_units_that_differ_are_a_sentence(workbench) -> None:
    _kept(_phases("segment", 1), "first")
    label = _kept(_phases("100 ms", 2), "second")
    at = workbench.open("compare", {"dataset": label})
    assert any("the units differ. Collect both with the same unit" in each for each in workbench.sentences(at))


def test_one_of_several_programs_is_chosen(workbench) -> None:
    _kept(_phases("segment", 1), "first")
    label = _kept(_phases("segment", 2), "second")
    at = workbench.open("compare", {"dataset": label})
    assert not at.error
    assert at.selectbox(key="compare.among").options == ["all programs", "sort", "join"]
    assert at.selectbox(key="compare.among").value == ""
    one = workbench.open("compare", {"dataset": label, "among": "join"})
    assert one.selectbox(key="compare.among").value == "join"
    found = [workbench.in_tab(each, "Changes").dataframe[0].value.iloc[0] for each in (at, one)]
    assert found[0]["change"] != found[1]["change"]
    assert "among='join'" in workbench.snippet(one)


def _two_builds(seed: int, more: float = 1.0) -> PhaseTable:
    """Eight runs of two programs in two phases: a cycle per instruction and 30 per L2 miss, of which the second phase has `more`."""
    random = np.random.default_rng(seed)
    rows = []
    for program, run, phase in ((program, run, phase) for program in ("sort", "join") for run in range(8) for phase in (0, 1)):
        instructions, misses = random.normal(1e6, 1e4), random.normal(2_000 * (more if phase else 1), 40)
        counts = {"CYCLES": instructions + 30 * misses, "INSTRUCTIONS": instructions, "L2_MISSES": misses}
        rows.append({"program": program, "granularity": "segment", "load": f"run {run}", "phase": phase} | counts)
    return PhaseTable(frame=pd.DataFrame(rows), counters=("CYCLES", "INSTRUCTIONS", "L2_MISSES"))


def _linked_made_and_reported(workbench, at, name: str, folder) -> pd.DataFrame:
    """What the Python of the tab `name` makes; its link leads to the tab, and it is added to the report."""
    workbench.in_tab(at, name)
    boxes = workbench.open_box(at, "Download").code
    programs = [each.value for each in boxes if each.language == "python"]
    link = next(each.value for each in boxes if each.value not in programs)
    assert parse_qs(link.partition("?")[2])["compare.view"] == [name]
    assert len(programs) == 2  # of the page, and of the tab
    script = folder / "snippet.py"
    script.write_text(programs[-1])
    made = runpy.run_path(str(script))[programs[-1].splitlines()[-1].partition(" = ")[0]]
    assert isinstance(made, pd.DataFrame)
    workbench.open_box(at, "Add to report")
    at.button(key="compare.report-add").click()
    workbench.run(at)
    return made


@pytest.mark.slow
def test_every_tab_with_an_answer_of_its_own_has_its_link_its_python_and_its_place_in_a_report(workbench, tmp_path) -> None:
    _kept(_two_builds(1), "first")
    label = _kept(_two_builds(2, 1.5), "second")
    at = workbench.open("compare", {"dataset": label})
    names = workbench.tabs(at)
    assert names == ["Changes", "Phases", "Waterfall", "Relations", "Runs in order", "Contradictions"]
    own = [name for name in names if name not in ("Changes", "Runs in order")]  # these two show the answer of the page
    for name in own:
        made = _linked_made_and_reported(workbench, at, name, tmp_path)
        assert len(made) or name == "Contradictions"  # of three HEMs none is found
    report = workbench.open("report")
    assert not report.error
    titles = " ".join(workbench.spec(each)["figure"]["layout"]["title"]["text"] for each in workbench.pictures(report))
    assert "Why do the cycles differ?" in titles
    assert len(workbench.pictures(report)) >= len(own)


@pytest.mark.long
@pytest.mark.slow
def test_jobs_and_releases_have_their_link_their_python_and_their_place_in_a_report(workbench, csv_of, tmp_path) -> None:
    jobs = samples.load("signatures").frame  # type: ignore[union-attr]
    _kept(SignatureTable(frame=jobs.iloc[:150]), "before")
    label = _kept(SignatureTable(frame=jobs.iloc[150:300]), "after")
    made = _linked_made_and_reported(workbench, workbench.open("compare", {"dataset": label}), "Jobs", tmp_path)
    assert len(made)
    random = np.random.default_rng(2)
    kept = [workbench.stored((f"night {n}.csv", _csv(csv_of, random, level)), name=f"night {n}") for n, level in enumerate((900, 900, 990))]
    choices = {"dataset": kept[2].label, "before": kept[0].label, "between": [kept[1].label]}
    made = _linked_made_and_reported(workbench, workbench.open("compare", choices), "Releases", tmp_path)
    assert "ZETA" in made.iloc[0].tolist()
    report = workbench.open("report")
    titles = " ".join(workbench.spec(each)["figure"]["layout"]["title"]["text"] for each in workbench.pictures(report))
    assert "Did jobs change their class?" in titles
    assert "From which set on did it change?" in titles


def test_the_processor_of_signatures_is_chosen(workbench) -> None:
    sample = f"{samples.title('signatures')} · sample"
    at = workbench.open("compare", {"dataset": sample})
    assert at.selectbox(key="compare.processor").options[0] == "Xeon Platinum 8480+ (assumed)"
    at.selectbox(key="compare.processor").set_value("EPYC 9654")
    at = workbench.run(at)
    assert not at.error
    assert at.selectbox(key="compare.processor").value == "EPYC 9654"
    assert "processor='EPYC 9654'" in workbench.snippet(at)


def test_the_hems_that_changed_are_kept_for_a_plan(workbench) -> None:
    at = workbench.open_box(workbench.open("compare", {"dataset": ARRAYS}), "Keep")
    next(each for each in at.button if each.label == "Save to your data").click()
    workbench.run(at)
    (record,) = workbench.records
    assert record.kind == "HemList"
    assert (record.lineage.parent, record.lineage.analysis) == ("sample-pairs-arrays", "compare.runs")
    assert record.lineage.params["before"] == "sample-pairs-before"
    hems = shelf.store().load(record.id).hems
    assert len(hems) == 9
    assert "D1mr" in hems


def test_another_kind_is_not_offered_and_a_link_to_it_is_told(workbench) -> None:
    series = f"{samples.title('series-ocoe')} · sample"
    at = workbench.open("compare", {"dataset": ARRAYS, "before": series})
    assert not at.error
    assert "sample-series-ocoe" not in at.selectbox(key="compare.before").options
    assert any("not available" in each.value for each in at.warning)
    assert at.selectbox(key="compare.before").value  # the one that is compared, not an empty box


def test_constant_counts_are_equal_and_nothing_changed(workbench, csv_of) -> None:
    fixed = csv_of([("ZETA", np.full(40, 1_000)), ("OMEGA", np.full(40, 2_000))])
    first, second = (workbench.stored((f"{name}.csv", fixed + b"\n" * blank), name=name) for blank, name in enumerate(("one", "two")))
    at = workbench.open("compare", {"dataset": second.label, "before": first.label})
    assert not at.error
    assert workbench.metrics(at)["HEMs changed"] == "0 of 2"


def test_one_run_without_earlier_ones_is_a_sentence_with_a_button(workbench) -> None:
    at = workbench.open("compare", {"dataset": f"{samples.title('phases-synthetic')} · sample"})
    assert ["one run of a program cannot be halved" in each.value for each in at.error] == [True]
    assert [each.proto.label for each in at.get("page_link")] == ["Upload the earlier runs"]


def test_what_another_dataset_has_hems_of_can_be_compared() -> None:
    assert has_partner(samples.load("pairs-o1"))
    assert not has_partner(samples.load("hems-t2080"))
    alone = Subexperiments(frames=(pd.DataFrame({"NO SUCH HEM": [1.0, 2.0]}),), n_pmcs=1)
    assert not has_partner(alone)
    assert not has_partner(samples.load("phases-synthetic"))  # one run of each program


def test_a_comparison_is_offered_where_runs_tell_noise(workbench) -> None:
    """The next page halves the runs, or takes another upload: two runs in each part, or five programs."""

    def offered(name: str, runs: int) -> bool:
        rows = "".join(f"{run},{step / 2},{step * 3 % 7 + run},{step % 3}\n" for run in range(1, runs + 1) for step in range(1, 9))
        at = workbench.upload((name, f"run,time,instructions,cycles\n{rows}".encode()))
        return any(each.label == "Compare with other runs" for each in at.page_link)

    assert not offered("one.csv", 1)  # the samples have these HEMs too, and the page opens on halves
    assert offered("four.csv", 4)
    assert offered("two.csv", 2)
    assert not offered("another.csv", 1)
    assert answers({"a": 2}, {"a": 3, "b": 1})
    assert not answers({"a": 2}, {"a": 1})
    assert not answers({"a": 2, "c": 2}, {"b": 2, "d": 2})
    assert answers({"a": 2}, {"b": 2})  # one program each is compared whatever it is called
    assert answers(dict.fromkeys("abcde", 1), dict.fromkeys("abcdef", 1))
    assert not answers(dict.fromkeys("abcd", 1))


def test_an_upload_is_compared_with_a_sample_only_where_that_is_chosen(workbench) -> None:
    table, sample = samples.load("signatures"), "sample-signatures"
    halves = [SignatureTable(frame=table.frame.iloc[number::2]) for number in (0, 1)]
    label = _kept(halves[0], "mine")
    at = workbench.open("compare", {"dataset": label})
    before = at.selectbox(key="compare.before")
    assert (before.value, before.options[0]) == ("", "first half of these runs")
    assert sample in before.options or any(samples.title("signatures") in each for each in before.options)
    assert not workbench.open("compare", {"dataset": f"{samples.title('signatures')} · sample"}).selectbox(key="compare.before").value
    # A set of one's own has all but one of the measures: it stands before the sample that has all of them.
    other = _kept(SignatureTable(frame=halves[1].frame.drop(columns="DC_NODE_POWER_W")), "other")
    before = workbench.open("compare", {"dataset": label}).selectbox(key="compare.before")
    assert before.options[0] == other
    chosen = workbench.open("compare", {"dataset": label, "before": f"{samples.title('signatures')} · sample"})
    assert chosen.selectbox(key="compare.before").value == sample
