"""What is typed is what is kept: names and notes typed just before the click, and names of what is on the screen."""

from urllib.parse import parse_qs, urlsplit

from hemcore.report import ReportShelf
from hemcore.web import shelf

SAMPLE = "Request server, MUCH collection · sample"
OTHER = "Request server, HRM collection · sample"


def button(at, label: str):
    (found,) = [each for each in at.button if each.label == label]
    return found


def name_field(at):
    (field,) = [each for each in at.text_input if each.key.startswith("merge.keep-name")]
    return field


def test_a_kept_result_is_named_by_the_dataset_on_the_screen(workbench) -> None:
    at = workbench.open_box(workbench.merge(SAMPLE), "Keep")
    assert name_field(at).value == "Request server, MUCH collection: merged runs"
    at.selectbox(key="merge.dataset").set_value(OTHER)
    at = workbench.run(at)
    assert name_field(at).value == "Request server, HRM collection: merged runs"


def test_a_name_typed_just_before_the_click_is_the_one_kept(workbench) -> None:
    at = workbench.open_box(workbench.merge(SAMPLE), "Keep")
    name_field(at).set_value("my merge")
    button(at, "Save to your data").click()
    workbench.run(at)
    assert [record.name for record in workbench.records] == ["my merge"]


def test_a_note_typed_just_before_the_click_is_in_the_report(workbench, data_dir) -> None:
    at = workbench.open_box(workbench.merge(SAMPLE), "Add to report")
    at.text_area(key="merge.report-note").set_value("Look at Bcm.")
    at.text_input(key="merge.report-new").set_value("For the seminar")
    button(at, "Add Merged correlation").click()
    workbench.run(at)
    (entry,) = ReportShelf(data_dir).entries()
    (item,) = ReportShelf(data_dir).load(entry.id).items
    assert (entry.title, item.note) == ("For the seminar", "Look at Bcm.")


def test_a_dataset_renamed_elsewhere_stays_chosen(workbench, csv_of, readings) -> None:
    entry = workbench.stored(("a.csv", csv_of(readings(["A", "B"]))), name="before")
    at = workbench.merge(entry.label)
    renamed = shelf.store().rename(entry.id, "after")
    at = workbench.run(at)
    assert at.selectbox(key="merge.dataset").value == f"after · {renamed.id[:8]}"
    assert not at.error


def test_a_dataset_deleted_elsewhere_is_told(workbench, csv_of, readings) -> None:
    entry = workbench.stored(("a.csv", csv_of(readings(["A", "B"]))), name="mine")
    at = workbench.merge(entry.label)
    shelf.store().delete(entry.id)
    at = workbench.run(at)
    assert at.selectbox(key="merge.dataset").value is None
    assert "was removed" in workbench.sentences(at)[0]


def test_a_report_renamed_elsewhere_stays_open(workbench, data_dir) -> None:
    reports = ReportShelf(data_dir)
    mine = reports.create("mine")
    reports.create("another")
    at = workbench.open("report", {"open": f"mine · {mine.id[:8]}"})
    reports.rename(mine.id, "mine, corrected")
    reports.save(reports.create("a third"))
    at = workbench.run(at)
    assert at.selectbox(key="report.open").value == f"mine, corrected · {mine.id[:8]}"


def test_a_report_renamed_elsewhere_still_takes_the_next_item(workbench, data_dir) -> None:
    reports = ReportShelf(data_dir)
    reports.create("another")
    mine = reports.create("mine")
    at = workbench.open_box(workbench.merge(SAMPLE), "Add to report")
    at.selectbox(key="merge.report").set_value(f"mine · {mine.id[:8]}")
    at = workbench.run(at)
    reports.rename(mine.id, "mine, corrected")
    reports.create("a third")
    at = workbench.run(at)
    button(at, "Add Merged correlation").click()
    workbench.run(at)
    assert len(reports.load(mine.id).items) == 1


def test_a_note_is_there_again_when_its_box_is(workbench) -> None:
    at = workbench.open_box(workbench.merge(SAMPLE), "Add to report")
    at.text_area(key="merge.report-note").set_value("Look at Bcm.")
    at = workbench.run(at)
    at.session_state["merge.add-to-report-box"] = False
    at = workbench.run(at)
    assert not at.text_area
    at = workbench.open_box(at, "Add to report")
    assert at.text_area(key="merge.report-note").value == "Look at Bcm."


def test_the_link_carries_every_hem_of_a_choice_of_several(workbench) -> None:
    hems = [str(hem) for hem in shelf.table("sample-subexperiments-much").hems[:2]]
    at = workbench.open("merge", {"dataset": SAMPLE, "view": "Margins", "margin_hems": hems})
    at = workbench.open_box(at, "Download")
    link = next(each.value for each in at.code if each.language != "python")
    assert parse_qs(urlsplit(link).query)["merge.margin_hems"] == hems
