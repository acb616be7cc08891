"""XML, sensors in a loop, statistics beside means and states that no counter adds up: what people have besides tables of counts."""

import json

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets import CounterSeries, PhaseTable, Subexperiments
from hemcore.datasets.importing.date_times import with_numbers
from hemcore.datasets.importing.inspection import Preview, inspect
from hemcore.datasets.importing.other_forms import json_shapes, xml_records
from hemcore.datasets.readers.recognition import read_upload, unpack
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.kinds import Table
from hemcore.errors import HemError, ReadError

VALUES = [(812_000 + 977 * (i * 3 % 7), 2140 + 17 * (i * i % 9)) for i in range(12)]


def shown(name: str, text: str) -> Preview:
    return inspect([UploadedFile(name, text.encode())])


def both(name: str, text: str) -> Table:
    """The table of a file, read as the page and as hem.read does."""
    preview = shown(name, text)
    assert preview.result is not None, preview.fault
    other = unpack([UploadedFile(name, text.encode())]).read().table
    assert type(other) is type(preview.result.table)
    assert str(other) == str(preview.result.table)
    return preview.result.table


def frame_of(table: Table) -> pd.DataFrame:
    if isinstance(table, Subexperiments):
        return table.frames[0]
    return table.counts if isinstance(table, CounterSeries) else table.frame[list(table.counters)]  # type: ignore[union-attr]


XML = {
    "counters with names": "".join(
        f'<run id="{i}"><counter name="cycles">{a}</counter><counter name="misses">{b}</counter></run>' for i, (a, b) in enumerate(VALUES)
    ),
    "elements": "".join(
        f"<row><run>{i}</run><perf><cycles>{a}</cycles></perf><misses>{b}</misses></row>" for i, (a, b) in enumerate(VALUES)
    ),
    "attributes": "".join(f'<r run="{i}" cycles="{a}" misses="{b}"/>\n' for i, (a, b) in enumerate(VALUES)),
    "properties": "".join(
        f'<case run="{i}"><properties><property name="cycles" value="{a}"/><property name="misses" value="{b}"/></properties></case>'
        for i, (a, b) in enumerate(VALUES)
    ),
}


@pytest.mark.parametrize("body", XML.values(), ids=XML)
def test_records_of_xml_are_runs(body: str) -> None:
    table = both("runs.xml", f"<?xml version='1.0'?>\n<all>{body}</all>\n")
    assert isinstance(table, Subexperiments)
    assert list(table.frames[0]) == ["cycles", "misses"]
    np.testing.assert_array_equal(table.frames[0], VALUES)


def test_elements_around_several_records_name_them() -> None:
    body = "".join(
        f'<program name="{name}">' + "".join(f'<run no="{i}" cycles="{a}"/>' for i, (a, _) in enumerate(VALUES[:4])) + "</program>"
        for name in ("fft", "sha")
    )
    text = xml_records.as_table("f.xml", f"<all host='n7'>{body}</all>", whole=True)
    assert text is not None
    assert text.splitlines()[0] == "program,no,cycles"
    assert text.splitlines()[5] == "sha,0,812000"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('<?xml version="1.0"?>\n<!DOCTYPE l [<!ENTITY a "aa">]>\n<l><r x="&a;" y="1"/></l>', r"line 2: a document type \(<!DOCTYPE"),
        ('<!DOCTYPE l SYSTEM "file:///etc/passwd"><l/>', "line 1: a document type"),
        ("<l><r x='1' y='2'/><r x='1' y='2'>", "line 1: XML that is damaged or cut off"),
        ("<l>&b;</l>", "line 1: XML that is damaged"),
        ("<l>" * 40, "elements within elements more than 32 deep"),
    ],
)
def test_entities_and_damage_are_refused_and_nothing_is_fetched(text: str, said: str) -> None:
    with pytest.raises(ReadError, match=said):
        xml_records.as_table("f.xml", text, whole=True)
    assert shown("f.xml", text).result is None


def test_one_element_within_each_record_is_a_part_of_it() -> None:
    text = "<l>" + "".join(f'<r id="{i}"><p cpu="{i + 4}"><c>{i}</c><d>7</d></p><e>5</e></r>' for i in range(2)) + "</l>"
    assert xml_records.as_table("f.xml", text, whole=True) == "r,p cpu,c,d,e\n0,4,0,7,5\n1,5,1,7,5\n"


def test_a_field_that_comes_twice_is_kept_and_one_that_is_missing_is_blank() -> None:
    text = "<l>" + "".join(f"<r><a>{i}</a><a>{i + 1}</a>{'<b>7</b>' * (i != 1)}</r>" for i in range(3)) + "</l>"
    assert xml_records.as_table("f.xml", text, whole=True) == "a,a (2),b\n0,1,7\n1,2,\n2,3,7\n"


@pytest.mark.parametrize(
    ("loop", "column"),
    [
        ("2026-03-12T14:30:{at:02d} Inlet:                   {value} Watts\n", "Inlet [Watts]"),
        (" Inlet:  {value} Watts\n IPMI timestamp:   Thu Mar 12 14:30:{at:02d} 2026\n Sampling period: 1 Seconds.\n", "Inlet [Watts]"),
        ("Thu Mar 12 02:30:{at:02d} PM UTC 2026\nInlet | {value} Watts | ok\nFAN2 | no reading | ns\n", "Inlet [Watts]"),
        ("12.03.2026 14:30:{at:02d}\nInlet | {value}.0 | RPM | ok | 0.0 | 1.0 | na | na | 9.0 | 9.0\n", "Inlet [RPM]"),
        ("2026-03-12 14:30:{at:02d}\ncoretemp-isa-0000\nAdapter: ISA adapter\nInlet:  +{value}.0°C  (high = +80.0°C)\n\n", "Inlet [°C]"),
    ],
    ids=["dated", "dcmi", "sdr", "sensor", "lm-sensors"],
)
def test_sensors_in_a_loop_are_a_series(loop: str, column: str) -> None:
    values = [50 + 7 * at % 11 for at in range(15)]
    table = both("log.txt", "".join(loop.format(at=at, value=value) for at, value in enumerate(values)))
    assert isinstance(table, CounterSeries)
    assert table.counts[column].tolist() == values
    assert table.events == [column]
    assert table.intervals["time"].tolist() == [at + 1.0 for at in range(15)]
    assert str(table.intervals["date"][3]).startswith("2026-03-12 14:30:03")


def test_sensors_of_one_name_have_their_chip_and_samples_without_a_time_are_numbered() -> None:
    text = "".join(f"a-isa-0\ntemp1: +{40 + at % 3}.0°C\nb-pci-1\ntemp1: +{50 + at % 2}.5°C\n" for at in range(6))
    table = both("log.txt", text)
    assert table.events == ["a-isa-0 temp1 [°C]", "b-pci-1 temp1 [°C]"]  # type: ignore[union-attr]
    assert table.counts.iloc[1].tolist() == [41, 51.5]  # type: ignore[union-attr]


def test_spreads_and_numbers_beside_means_are_no_counts() -> None:
    head = "program,cycles_mean,cycles_std,cycles_min,misses mean,stderr(misses),n,std-loads\n"
    rows = "".join(f"p{chr(97 + i)},{a},{i}.5,{a - 9},{b},{i}.25,30,{b + 1}\n" for i, (a, b) in enumerate(VALUES))
    table = both("f.csv", head + rows)
    assert isinstance(table, PhaseTable)
    assert table.counters == ("cycles_mean", "misses mean", "std-loads")
    assert "column left out: it says how the values behind a mean vary" in " ".join(shown("f.csv", head + rows).repairs)
    two = ",cycles,cycles,misses,misses\n,mean,std,mean,std\nprogram,,,,\n"
    body = "".join(f"p{chr(97 + i)},{a},{i},{b},{i}\n" for i, (a, b) in enumerate(VALUES))
    assert list(frame_of(both("g.csv", two + body))) == ["cycles mean", "misses mean"]
    # As pandas writes the same with the levels in one.
    tuples = "program,\"('cycles', 'mean')\",\"('cycles', 'std')\",\"('misses', 'mean')\",\"('misses', 'std')\"\n"
    assert list(frame_of(both("h.csv", tuples + body))) == ["('cycles', 'mean')", "('misses', 'mean')"]


def test_a_minimum_without_a_mean_is_kept() -> None:
    table = both("f.csv", "run,cycles min,cycles max\n" + "".join(f"{i},{a},{a + 9}\n" for i, (a, _) in enumerate(VALUES)))
    assert list(frame_of(table)) == ["cycles min", "cycles max"]


def test_a_table_of_statistics_is_refused_with_what_to_send() -> None:
    text = pd.DataFrame(VALUES, columns=["cycles", "misses"]).describe().to_csv()
    assert "its rows are statistics (count, mean, std, min ...)" in shown("f.csv", text).fault
    with pytest.raises(HemError, match="Send the table that they were made of"):
        read_upload([UploadedFile("f.csv", text.encode())])


def test_a_word_under_the_header_is_told() -> None:
    preview = shown("f.csv", ",cycles,misses\nwarmup\n" + "".join(f"{i},{a},{b}\n" for i, (a, b) in enumerate(VALUES)))
    assert any("the word under the header read as the name of the first column" in repair for repair in preview.repairs)


@pytest.mark.parametrize("order", ["by time", "by event"])
def test_instants_that_come_again_for_each_event_are_the_time(order: str) -> None:
    rows = [(at, name, value) for at, pair in enumerate(VALUES) for name, value in zip(("cycles", "misses"), pair, strict=True)]
    rows = rows if order == "by time" else sorted(rows, key=lambda row: row[1])
    text = "timeUnixNano,name,value\n" + "".join(f"{1_764_000_000 + at}000000000,{name},{value}\n" for at, name, value in rows)
    table = both("f.csv", text)
    assert isinstance(table, CounterSeries)
    np.testing.assert_array_equal(table.counts, VALUES)
    assert table.intervals["time"].tolist() == [at + 1.0 for at in range(12)]


def test_a_power_that_rises_is_not_cumulative_and_beside_a_counter_it_keeps_its_values() -> None:
    alone = both("f.csv", "time,board\n" + "".join(f"{i + 1},{200 + i} W\n" for i in range(12)))
    assert frame_of(alone)["board [W]"].tolist() == [200 + i for i in range(12)]
    text = "time,cycles,temp [°C]\n" + "".join(f"{i + 1},{1000 * i + 5},{40 + i % 3}\n" for i in range(12))
    mixed = both("f.csv", text)
    assert frame_of(mixed)["cycles"].tolist() == [1000] * 11
    assert frame_of(mixed)["temp [°C]"].tolist() == [40 + i % 3 for i in range(1, 12)]
    assert any("temp [°C]" in repair and "not cumulative" in repair for repair in shown("f.csv", text).repairs)


@pytest.mark.parametrize(
    ("name", "form"),
    [("{}.csv", "cycles,misses\n{},{}\n"), ("{}.txt", "cycles: {}\nmisses: {}\n"), ("{}.json", '{{"cycles": {}, "misses": {}}}\n')],
)
def test_files_of_one_run_each_are_runs_of_one_subexperiment(name: str, form: str) -> None:
    files = [UploadedFile(name.format(f"run{i}"), form.format(*pair).encode()) for i, pair in enumerate(VALUES)]
    preview = inspect(files)
    assert preview.result is not None, preview.fault
    for table in (preview.result.table, unpack(files).read().table):
        assert isinstance(table, Subexperiments)
        assert len(table.frames) == 1
        np.testing.assert_array_equal(table.frames[0], VALUES)


JSON = {
    "one list": ('{{"host": "n7", "samples": [{}]}}', '{{"time": {at}, "cycles": {a}, "misses": {b}}}'),
    "names": ("{{{}}}", '"{at}s": {{"time": {at}, "cycles": {a}, "misses": {b}}}'),
    "a trace": ('{{"traceEvents": [{}]}}', '{{"ph": "C", "name": "all", "ts": {at}000000, "args": {{"cycles": {a}, "misses": {b}}}}}'),
}


@pytest.mark.parametrize(("around", "row"), JSON.values(), ids=JSON)
def test_samples_in_an_object_of_json_are_a_series(around: str, row: str) -> None:
    body = ", ".join(row.format(at=at, a=a, b=b) for at, (a, b) in enumerate(VALUES, start=1))
    table = both("f.json", around.format(body) + "\n")
    assert isinstance(table, CounterSeries)
    np.testing.assert_array_equal(table.counts, VALUES)
    assert table.intervals["time"].tolist() == list(range(1, 13))


def test_settings_in_json_are_no_readings() -> None:
    for text in ('{"build": {"jobs": 4, "level": 2}, "run": {"threads": 8, "size": 9}}\n', '{"threads": 4, "out": "x.csv"}\n'):
        assert shown("f.json", text).result is None


@pytest.mark.parametrize(
    ("form", "zone"),
    [
        ("20260312T1430{:02d}Z", "UTC"), ("Thu, 12 Mar 2026 14:30:{:02d} GMT", "UTC"), ("12-Mar-2026 14:30:{:02d}", ""),
        ("Mar 12, 2026 2:30:{:02d} PM", ""), ("12. März 2026 14:30:{:02d}", ""), ("Thu Mar 12 14:30:{:02d} CET 2026", ""),
    ],
)  # fmt: skip
def test_dates_with_the_name_of_the_month_and_without_signs(form: str, zone: str) -> None:
    text = "time;cycles;misses\n" + "".join(f"{form.format(2 * at)};{a};{b}\n" for at, (a, b) in enumerate(VALUES))
    table = both("f.csv", text)
    assert isinstance(table, CounterSeries)
    assert table.intervals["time"].tolist() == [2.0 * at for at in range(1, 13)]
    assert table.intervals["date"][11] == pd.Timestamp("2026-03-12 14:30:22", tz=zone or None)


@pytest.mark.parametrize(
    ("form", "step"), [("0 days 00:00:{:02d}.5", 1), ("{:02d}:00.5", 60), ("1 days 00:{:02d}:00", 60), ("14:30:{:02d}:250", 1)]
)
def test_minutes_days_and_thousandths(form: str, step: int) -> None:
    text = "time,cycles,misses\n" + "".join(f"{form.format(at)},{a},{b}\n" for at, (a, b) in enumerate(VALUES))
    table = both("f.csv", text)
    assert isinstance(table, CounterSeries)
    np.testing.assert_allclose(np.diff(table.intervals["time"]), step)


def test_noon_and_midnight_of_half_days() -> None:
    assert with_numbers("Mar 12, 2026 12:30:00 PM") == "2026-03-12 12:30:00"
    assert with_numbers("Mar 12, 2026 12:30:00 am") == "2026-03-12 00:30:00"


def test_times_in_a_form_that_is_not_known_are_no_runs() -> None:
    text = "time,cycles,misses\n" + "".join(f"tick-{at}/7,{a},{b}\n" for at, (a, b) in enumerate(VALUES))
    assert "column 'time', row 2: 'tick-0/7' is no time in a form that is known" in shown("f.csv", text).fault


def test_correlations_are_no_readings() -> None:
    text = pd.DataFrame(VALUES, columns=["cycles", "misses"]).corr().to_csv()
    assert "so these are correlations, not readings" in shown("f.csv", text).fault


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("time,cycles,misses\nms,1,1\n{}", ""),
        ("Time,A,,B,\n,Cycles,Misses,Cycles,Misses\n[ms],,,,\n{}", "A "),
    ],
)
def test_units_that_are_numbers_and_units_under_two_rows(text: str, said: str) -> None:
    again = 2 if said else 1
    rows = "".join(",".join(map(str, [500 * at, *pair * again])) + "\n" for at, pair in enumerate(VALUES, start=1))
    table = both("f.csv", text.format(rows))
    assert isinstance(table, CounterSeries)
    assert [event.lower() for event in table.events][:2] == [f"{said}cycles".lower(), f"{said}misses".lower()]
    assert table.intervals["time"][3] == 2.0
    np.testing.assert_array_equal(table.counts.iloc[:, :2], VALUES)


@pytest.mark.parametrize("text", ["time,cycles,misses\n{at} s,{a},{b}\n", "time,cycles,misses\n{at},{a},{b}\n"])
def test_what_the_page_reads_is_read_by_hem_read(text: str) -> None:
    head, row = text.split("\n", 1)
    rows = [row.format(at=at, a=a, b="-" if at == 3 else b) for at, (a, b) in enumerate(VALUES, start=1)]
    table = both("f.csv", f"{head}\n{''.join(rows)}")
    assert np.isnan(table.counts["misses"][2])  # type: ignore[union-attr]


ROWS = list(enumerate(VALUES, start=1))


@pytest.mark.parametrize(
    ("head", "rows"),
    [
        ("when,cycles,misses", [f'"Mar 12, 2026 @ 14:30:{at - 1:02d}.000",{a},{b}' for at, (a, b) in ROWS]),
        ("Date,Time,cycles,misses", [f"20260312,14:30:{at - 1:02d},{a},{b}" for at, (a, b) in ROWS]),
        ("start,end,seconds,cycles,misses", [f"{at - 1},{at},1.0,{a},{b}" for at, (a, b) in ROWS]),
    ],
    ids=["Kibana", "days without signs", "start and end"],
)
def test_columns_of_times_are_no_events(head: str, rows: list[str]) -> None:
    table = both("f.csv", "\n".join([head.replace("when", "@timestamp per second"), *rows, ""]))
    assert isinstance(table, CounterSeries)
    assert table.events == ["cycles", "misses"]
    assert table.intervals["time"].tolist() == [float(at) for at, _ in ROWS]


def test_two_columns_that_number_the_runs_together_are_no_events() -> None:
    table = both("f.csv", "run,rep,cycles,misses\n" + "".join(f"{at // 4},{at % 4},{a},{b}\n" for at, (a, b) in enumerate(VALUES)))
    assert isinstance(table, Subexperiments)
    np.testing.assert_array_equal(table.frames[0], VALUES)


def test_percentages_beside_counts_are_not_cumulative() -> None:
    table = both("f.csv", "time,cycles,busy\n" + "".join(f"{at},{a},{50 + at}%\n" for at, (a, _) in ROWS))
    assert frame_of(table)["busy [%]"].tolist() == [50 + at for at, _ in ROWS]


def test_one_run_of_names_and_numbers_below_a_title() -> None:
    table = both("f.txt", "NIC statistics:\n     rx_packets: 123\n     tx_packets: 45\n     rx_bytes: 9988\n")
    assert frame_of(table).iloc[0].to_dict() == {"rx_packets": 123, "tx_packets": 45, "rx_bytes": 9988}


@pytest.mark.parametrize("orient", ["split", "index"])
def test_the_index_of_pandas_in_json_is_the_first_column(orient: str) -> None:
    def written(index: list[object]) -> str:
        rows = [dict(zip(("cycles", "misses"), row, strict=True)) for row in VALUES]
        split = {"columns": ["cycles", "misses"], "index": index, "data": VALUES}
        return json.dumps(split if orient == "split" else dict(zip(map(str, index), rows, strict=True)))

    seconds = shown("idx.json", written([(place + 1) / 10 for place in range(12)]))
    asked = next(each for each in seconds.doubts if "'index' rises evenly" in each.question)
    series = inspect([UploadedFile("idx.json", written([(place + 1) / 10 for place in range(12)]).encode())], asked.answers[0][1]).result
    assert series is not None
    assert isinstance(series.table, CounterSeries)
    assert series.table.intervals["time"].tolist() == pytest.approx([(place + 1) / 10 for place in range(12)])
    programs = both("idx.json", written([f"p{chr(97 + place)}" for place in range(12)]))
    assert isinstance(programs, PhaseTable)
    assert programs.frame["program"].tolist()[:2] == ["pa", "pb"]
    assert isinstance(both("idx.json", written(list(range(12)))), Subexperiments)


@pytest.mark.parametrize("names", ["Startzeit (s),Endzeit (s)", "Début,Fin", "t_start,t_end"])
def test_the_end_beside_the_start_is_no_event(names: str) -> None:
    rows = "".join(f"{place / 10},{(place + 1) / 10},{a},{b}\n" for place, (a, b) in enumerate(VALUES))
    table = both("a.csv", f"{names},cycles,misses\n{rows}")
    assert isinstance(table, CounterSeries)
    assert table.events == ["cycles", "misses"]
    assert table.intervals["time"].tolist() == pytest.approx([(place + 1) / 10 for place in range(12)])


@pytest.mark.parametrize("name", ["region", "Abschnitt", "Étape", "stage"])
def test_stages_of_programs_without_a_time_are_phases_and_with_one_a_series(name: str) -> None:
    rows = [f"{program},{stage},{place},{place * place % 7 + 300}" for program in "ab" for place, stage in enumerate("xyz", 5)]
    assert isinstance(both("a.csv", "\n".join([f"program,{name},cycles,misses", *rows])), PhaseTable)
    timed = [f"{place / 10},{row}" for place, row in enumerate(rows, 1)]
    assert isinstance(both("a.csv", "\n".join([f"time,program,{name},cycles,misses", *timed])), CounterSeries)


def test_spans_of_a_trace_are_no_counters() -> None:
    counter, span = {"ph": "C", "name": "all", "ts": 1, "args": {"cycles": 5}}, {"ph": "X", "name": "f", "ts": 1, "args": {"line": 7}}
    assert [each["value"] for each in json_shapes.trace([counter, span, "x", {"ph": "C", "args": None}])] == [5]


def test_numbers_of_events_in_cells_are_no_codes_of_a_processor() -> None:
    text = "run,event_id,value\n" + "".join(f"{run},{event},{100 * event + 7 * run % 5}\n" for run in range(1, 9) for event in (1, 2, 3))
    alone = both("readings.csv", text)
    assert isinstance(alone, Subexperiments)
    assert list(alone.frames[0].columns) == ["1", "2", "3"]
    events = UploadedFile("events.csv", b"id,name\n1,cycles\n2,loads\n3,L2 misses\n")
    named = inspect([UploadedFile("readings.csv", text.encode()), events])
    assert named.result is not None
    assert list(named.result.table.frames[0].columns) == ["cycles", "loads", "L2 misses"]  # type: ignore[union-attr]
    assert named.result.table.frames[0]["loads"].tolist() == alone.frames[0]["2"].tolist()  # type: ignore[union-attr]
    assert "'event_id', have their names from events.csv" in " ".join(named.repairs)


@pytest.mark.parametrize(
    ("head", "before"), [("t,cycles,loads\n", "> "), ("% t, cycles, loads\n", ""), ("% server\n% t [s], cycles, loads\n", "")]
)
def test_quoted_mail_and_remarks_of_matlab(head: str, before: str) -> None:
    lines = (head + "".join(f"{i / 10},{100 + 7 * i % 5},{60 + 3 * i % 4}\n" for i in range(1, 13))).splitlines()
    table = both("a.dat", "".join(f"{before}{line}\n" for line in lines))
    assert isinstance(table, CounterSeries)
    assert table.counts.iloc[:, 0].tolist() == [100 + 7 * i % 5 for i in range(1, 13)]
    assert [str(name) for name in table.counts] == ["cycles", "loads"]


def test_exit_codes_that_are_all_alike_are_no_counters() -> None:
    text = "program,run,exit code,cycles,loads\n" + "".join(f"fft,{i},0,{100 + 7 * i % 5},{60 + 3 * i % 4}\n" for i in range(1, 9))
    assert list(frame_of(both("a.csv", text))) == ["cycles", "loads"]


def test_an_index_of_two_levels_beside_a_name_of_two_words() -> None:
    text = (
        "             cycles  L2 misses\nprogram run                   \nfft     0       105         53\n        1       107         51\n"
    )
    text += "sha     0       205         63\n        1       207         61\n"
    table = both("a.txt", text)
    assert isinstance(table, PhaseTable | CounterSeries)
    assert frame_of(table)["L2 misses"].tolist() == [53, 51, 63, 61]
