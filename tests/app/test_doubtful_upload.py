"""Where a digit was lost in running totals, the page asks which format it is, and adds what was chosen."""

COUNTERS = [(1000 * row, 70 * row) for row in range(1, 30)]
ROWS = [[*map(str, each)] for each in COUNTERS]
ROWS[20][0] = ROWS[20][0][:-1]
DOUBTFUL = ("totals.csv", ("time,cycles,faults\n" + "".join(f"{row / 10},{','.join(each)}\n" for row, each in enumerate(ROWS))).encode())


def test_the_page_asks_and_adds_what_was_chosen(workbench) -> None:
    at = workbench.choose_files(DOUBTFUL)
    (sentence,) = workbench.sentences(at)
    assert sentence.startswith("totals.csv: column 'cycles' rises 27 times and falls 1 times")
    assert not [each for each in at.markdown if each.value.startswith("Recognised")]
    (button,) = [each for each in at.button if each.label == "Add to your data"]
    assert button.disabled
    (box,) = [each for each in at.selectbox if each.label == "Format"]
    assert box.value == "Choose the format"
    box.select("series in CSV, cumulative counters")
    at = workbench.put_on_shelf(workbench.run(at))
    assert not at.error
    assert [(record.name, record.kind) for record in workbench.records] == [("totals.csv", "CounterSeries")]
    assert workbench.records[0].shape.startswith("1 application, 1 run, 28 intervals")
