"""Tables as tools and people of many places write them: addresses beside counts."""

import json

import pytest

from hemcore.datasets.importing.header_words import names_addresses
from hemcore.datasets.importing.inspection import Preview, inspect
from hemcore.datasets.importing.profiles import benchmark_prints, console_prints, written_values
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.phase_table import PhaseTable


def _seen(text: str, name: str = "a.csv") -> Preview:
    shown = inspect([UploadedFile(name, text.encode())])
    assert shown.result is not None, shown.fault
    return shown


def _counted(shown: Preview) -> list[str]:
    assert shown.recipe is not None
    return [column.name for column in shown.recipe.columns if column.role == "event"]


@pytest.mark.parametrize(
    ("name", "cells", "left_out"),
    [
        ("Start Address", "0x4011d8 0x4011a7 0x40119d", True),
        ("ip", "0x12 0x1f 0x1c", True),
        ("program counter", "ffff1012 00001034 ffff1211", True),
        ("phys_addr", "4198872 4198823 4198813", True),
        ("pc", "1200 1400 1100", False),
        ("mean addr", "0.5 1.5 2.5", False),
        ("raw", "0x12 0x1f 0x1c", False),
        ("address errors", "12 14 11", False),
    ],
)
def test_addresses_are_no_events(name: str, cells: str, left_out: bool) -> None:
    rows = "\n".join(f"f{number},{10 + number},{cell}" for number, cell in enumerate(cells.split()))
    shown = _seen(f"function,cycles,{name}\n{rows}\n")
    assert (f"a.csv: {name}: column left out: it holds addresses (3)" in shown.repairs) is left_out
    assert _counted(shown) == ["cycles"] + [name] * (not left_out)
    assert not left_out or not any("base 16" in repair for repair in shown.repairs)


def test_rows_named_by_addresses_are_programs() -> None:
    table = _seen("address,cycles,misses\n0x10,12,5\n0x20,20,6\n0x11,15,7\n").result
    assert table is not None
    assert isinstance(table.table, PhaseTable)
    assert table.table.frame["program"].tolist() == ["0x10", "0x20", "0x11"]
    assert table.table.frame["cycles"].tolist() == [12, 20, 15]


def test_the_last_word_of_a_name_says_addresses() -> None:
    named = ("Start Address", "codeAddr", "Adresse", "phys_addr (hex)", "Dirección", "address errors", "addressed", "IP")
    assert [names_addresses(name) for name in named] == [True, True, True, True, True, False, False, False]


def test_counters_are_no_names_where_a_column_names_what_they_counted() -> None:
    text = "counter name  event           value\nPMCCNTR       CPU_CYCLES      123456.\nPMXEVCNTR0    INST_RETIRED     98123.\n"
    result = _seen(text, "bmc.txt").result
    assert result is not None
    assert isinstance(result.table, CounterSeries)
    assert result.table.counts.to_dict("list") == {"CPU_CYCLES": [123_456], "INST_RETIRED": [98_123]}
    text = "event,counter,value\nsend,PAPI_TOT_CYC,12\nsend,PAPI_TOT_INS,15\nwait,PAPI_TOT_CYC,13\nwait,PAPI_TOT_INS,11\n"
    shown = _seen(text)
    assert shown.recipe is not None
    assert [column.role for column in shown.recipe.columns] == ["ignore", "event name", "value"]


def test_rows_of_a_dashboard_above_the_data_are_no_data() -> None:
    labels = '"Full label","CPUCycles","Misses"\n"Label","CPUCycles","Misses"\n"MetricNamespace","HPC","HPC"\n"Statistic","Sum","Sum"\n'
    rows = "".join(f'"2024/05/06 12:0{minute}:00","{100 + minute}.0","{7 * minute}.0"\n' for minute in range(4))
    shown = _seen(f'{labels}"Period","60","60"\n{rows}')
    assert shown.result is not None
    assert isinstance(shown.result.table, CounterSeries)
    assert shown.result.table.counts.to_dict("list") == {"CPUCycles": [100, 101, 102, 103], "Misses": [0, 7, 14, 21]}
    assert "a.csv, row 5: below the header, skipped: 'Period | 60 | 60' (1)" in shown.repairs
    named = _seen("name,cycles,misses\nperiod,55,61\nfft,71,84\nlu,63,92\n").result
    assert named is not None
    assert isinstance(named.table, PhaseTable)
    assert named.table.frame["program"].tolist() == ["period", "fft", "lu"], "it stands above no times"


@pytest.mark.parametrize("word", ["Subtotal", "Zwischensumme Block", "Soma", "Total parcial", "小計"])
def test_subtotals_between_times_are_left_out(word: str) -> None:
    rows = ["0,13,24", "10,11,21", f"{word} 1,24,45", "20,12,22", "30,13,23", f"{word} 2,25,45", "40,10,26", f"{word} 3,10,26"]
    rows.append("Total,59,116")
    shown = _seen("Interval (s),cycles,misses\n" + "\n".join(rows) + "\n")
    assert shown.result is not None
    assert isinstance(shown.result.table, CounterSeries)
    assert shown.result.table.counts.to_dict("list") == {"cycles": [13, 11, 12, 13, 10], "misses": [24, 21, 22, 23, 26]}
    assert shown.result.table.intervals["time"].diff().tolist()[1:] == [10, 10, 10, 10]
    assert f"a.csv, row 4, 7, 9: sums or means of the rows above them left out: '{word} 1' (3)" in shown.repairs
    assert not shown.doubts


def test_subtotals_between_names_are_sums_or_rows_of_their_own() -> None:
    rows = "fft,10,20\nsort,11,21\nSubtotal,21,41\nlu,12,22\ncg,13,23\n{}\n"
    shown = _seen(f"name,cycles,misses\n{rows.format('Subtotal,25,45')}Total,46,86\n")
    assert shown.result is not None
    assert isinstance(shown.result.table, PhaseTable)
    assert shown.result.table.frame["program"].tolist() == ["fft", "sort", "lu", "cg"]
    assert "a.csv, row 4, 7: sums or means of the rows above them left out: 'Subtotal' (2)" in shown.repairs
    shown = _seen("name,cycles,misses\nTotal,0,0\nfft,10,20\nSubtotal,10,20\nlu,12,22\ncg,13,23\nSubtotal,25,45\nep,3,9\n")
    assert shown.result is not None
    assert isinstance(shown.result.table, PhaseTable)
    assert shown.result.table.frame["program"].tolist() == ["Total", "fft", "lu", "cg", "ep"], "no rows are above the first"
    other = _seen(f"name,cycles,misses\n{rows.format('mean,99,45')}ep,14,25\n")
    assert other.result is not None
    assert isinstance(other.result.table, PhaseTable)
    assert "mean" in other.result.table.frame["program"].tolist(), "its values are no sums: it is asked about"
    assert [doubt.key for doubt in other.doubts] == ["summaries"]


def test_an_interval_with_a_unit_is_a_time_where_it_rises() -> None:
    rises = ("5 6 7 8 9 8", "event")
    for cells, role in (rises, ("0 10 20 30 40 50", "time"), ("10 10 10 10 10 10", "ignore"), ("9 11 10 9 11 10", "event")):
        rows = "\n".join(f"{cell},{number * 7 % 5 + 20},{number * 3 % 4 + 50}" for number, cell in enumerate(cells.split()))
        shown = _seen(f"Intervalo (s),cycles,misses\n{rows}\n")
        assert shown.recipe is not None
        assert shown.recipe.columns[0].role == role


def test_ipm_prints_totals_over_the_tasks() -> None:
    head = "##IPMv2.0.6####\n#\n# command   : ./nek pipe\n# mpi_tasks : 4 on 2 nodes   %comm : 18.22\n#\n"
    totals = (
        "#           :   [total]    <avg>      min      max\n# wallclock :     48.08    12.02    12.01    12.03\n"
        "# %comm     :              18.22    10.10    20.30\n# PAPI_TOT_INS:    8000     2000     1900     2100 \n"
        "# PAPI_L2_TCM :     712      178      170      190\n#\n"
    )
    calls = "#            [time]   [count]   <%wall>\n# MPI_Send   20.11   812000   8.63\n####\n"
    head += "# region  : * [ntasks] = 4\n"
    totals = totals.replace("# %comm", "# gflop/sec :      1.25     0.31     0.30     0.33\n# %comm")
    region = "# region  : solve [ntasks] = 4\n#\n" + totals.replace("8000", "4.0e+03").replace("48.08", "20.5")
    expected = {
        "program": ["./nek pipe"],
        "granularity": ["whole run"],
        "wallclock of all tasks [s]": [48.08],
        "PAPI_TOT_INS": [8_000],
        "PAPI_L2_TCM": [712],
    }
    for text, second in ((head + totals + calls, []), (head + totals + calls + region, ["./nek pipe (solve)", "region", 20.5, 4_000, 712])):
        result = _seen(text, "ipm.txt").result
        assert result is not None
        assert isinstance(result.table, PhaseTable)
        found = result.table.frame[list(expected)].to_dict("list")
        assert found == {name: [*values, *second[place : place + 1]] for place, (name, values) in enumerate(expected.items())}


def test_of_equal_numbers_the_one_by_itself_is_lost() -> None:
    rows = [{"t_ms": 500 * number, "cycles": 70 + 3 * number % 5, "misses": 9 - number} for number in range(4)]
    text = json.dumps({"meta": {"interval_ms": 500}, "hosts": {host: {"samples": rows} for host in ("n1", "n2")}})
    lost = [repair for repair in _seen(text, "lab.json").repairs if "stands in no row" in repair]
    assert lost == ["lab.json: 1 number of the file stands in no row of the table: 'meta.interval_ms'."]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("# cpustat -c pic0=Cycle_cnt,pic1=Instr_cnt 5 3", ["Cycle_cnt", "Instr_cnt"]),
        ("# cpustat -c pic0=Cycle_cnt,pic1=Instr_cnt -c pic0=EC_ref,pic1=EC_hit 5 3", ["pic0", "pic1"]),
        ("# cpustat -c pic0=Cycle_cnt,pic1=Cycle_cnt 5 3", ["pic0", "pic1"]),
        ("# cpustat -c pic0=Cycle_cnt,pic2=Instr_cnt 5 3", ["pic0", "pic1"]),
    ],
)
def test_a_line_above_says_what_the_counters_counted(line: str, names: list[str]) -> None:
    rows = "".join(
        f"  {5 * tick}.008   {cpu}  tick {700 + 31 * tick % 50 + cpu} {400 - 17 * tick % 40}\n" for tick in (1, 2, 3) for cpu in (0, 1)
    )
    assert _counted(_seen(f"{line}\n   time cpu event pic0 pic1\n{rows}", "cpustat.out")) == names


def _flat_sheet(*rows: str) -> str:
    return (
        '<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="t" xmlns:text="x"'
        ' office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet><table:table>'
        f"{''.join(rows)}</table:table></office:spreadsheet></office:body></office:document>"
    )


def test_cells_of_a_flat_sheet_that_come_again_are_read_up_to_a_bound() -> None:
    name = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    blanks = '<table:table-cell table:number-columns-repeated="16382"/>'
    head = f"<table:table-row>{name.format('time')}{name.format('cycles')}{blanks}</table:table-row>"
    row = '<table:table-row table:number-rows-repeated="{}">{}</table:table-row>'
    rows = "".join(
        row.format(1, f'<table:table-cell office:value="{at}"/><table:table-cell office:value="{7 + at % 3}"/>{blanks}') for at in range(9)
    )
    shown = _seen(_flat_sheet(head, rows, row.format("9" * 5_000, blanks)), "a.fods")
    assert shown.result is not None
    assert isinstance(shown.result.table, CounterSeries)
    assert shown.result.table.counts["cycles"].tolist() == [7, 8, 9] * 3
    # 20 rows of 1,000 times 1,000 cells in 3,000 letters.
    many = row.format(1_000, '<table:table-cell office:value="1" table:number-columns-repeated="1000"/>')
    fault = inspect([UploadedFile("many.fods", _flat_sheet(head, many * 20).encode())]).fault
    assert fault.startswith("many.fods: its cells that come again are more than 16,7")


def test_ranges_of_a_frame_are_numbers_up_to_a_bound() -> None:
    frame = 'structure(list(run = 1:3, cycles = c(12, 15, 11), misses = c(3, 4, 9)), class = "data.frame", row.names = c(NA, -3L))'
    assert written_values.as_table(frame) == "run,cycles,misses\n1,12,3\n2,15,4\n3,11,9\n"
    for last in ("16000000", "9" * 5_000):
        assert written_values.as_table(f"structure(list(a = 1:{last}, b = 1:{last}))") is None


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("group,function,value,sample_time_nanos,iteration_count\ng,f,,abc,10\ng,f,,12,0\ng,f,,12,4\n", ["1,", "2,", "3,3"]),
        ("Sample in Buffer,Sample in Window,TRIGGER,a\nRadix - UNSIGNED,UNSIGNED,UNSIGNED,HEX\n0\n1,1,0,1f\n", ["0,", "1,31"]),
    ],
)
def test_damaged_rows_of_exports_have_no_value(text: str, rows: list[str]) -> None:
    unread: list[str] = []
    table = console_prints.as_table(text, unread)
    assert table is not None
    assert table.splitlines()[1:] == rows
    assert len(unread) == sum(row.endswith(",") for row in rows)


def test_a_damaged_number_of_poop_is_left_out() -> None:
    text = "Benchmark 1 (12 runs): ./a\n  wall_time  1.2.3ms ± 1ms\n  cpu_cycles  12.5M ± 1M\n"
    unread: list[str] = []
    assert benchmark_prints.as_table(text, unread) == "cpu_cycles\n12500000\n"
    assert unread == ["  wall_time  1.2.3ms ± 1ms"]


@pytest.mark.parametrize(
    "text",
    [
        '\n{{"run", "cycles"},\n {1, 5.},\n {2, 1.3*^3},\n {3, 125\n',
        "NAME\ndb-0     1            2Ki\nweb-1    250m         \t\ndb-0     1            2Ki\ndb-0     1            2Ki\n",
        "x\n\ngroup,function,value,sample_time_nanos,iteration_count\ng,f,,12,4\ng,f,,16,4\ng\n",
        "Radix - UNSIGNED\nSample in Buffer,Sample in Window,TRIGGER,a\nRadix - UNSIGNED,UNSIGNED,UNSIGNED,)\n0,abc,0,0a\n",
    ],
)
def test_a_damaged_text_is_read_or_refused_with_a_sentence(text: str) -> None:
    shown = inspect([UploadedFile("a.txt", text.encode())])
    assert shown.result is not None or shown.fault.startswith("a.txt")
