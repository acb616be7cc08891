"""What sar, vmstat and InfluxDB print: one series over time, with what is no reading left out and listed."""

import numpy as np
import pytest

from hemcore.datasets.importing.inspection import Preview, inspect
from hemcore.datasets.importing.raw_grid import grid_of
from hemcore.datasets.readers.format import ReadResult
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.kinds import Table

STEPS = range(20)
LINUX = "Linux 6.1.0-18-amd64 (cn042) \t01/15/2026 \t_x86_64_\t(2 CPU)\n\n"
COLUMNS = "CPU     %user     %nice   %system   %iowait    %steal     %idle"


def seen(text: str, name: str = "f.txt") -> Preview:
    return inspect([UploadedFile(name, text.encode())])


def read(text: str, name: str = "f.txt") -> ReadResult[Table]:
    found = seen(text, name)
    assert found.result is not None, found.fault
    return found.result


def series(text: str, name: str = "f.txt") -> CounterSeries:
    table = read(text, name).table
    assert isinstance(table, CounterSeries)
    return table


def clock(second: int, half_days: bool = True) -> str:
    """Seconds since 11:59:50 before midnight, or in 24 hours."""
    minute, second = (59, 50 + second) if second < 10 else (0, second - 10)
    late = minute == 59
    return (
        f"{11 if late else 12}:{minute:02d}:{second:02d} {'PM' if late else 'AM'}"
        if half_days
        else f"{23 * late:02d}:{minute:02d}:{second:02d}"
    )


def sar(cpus: tuple[str, ...] = ("all",), *, half_days: bool = True, page: int = 7) -> str:
    """Of CPU number k in interval i: %user 10 * k + i % 4, %idle 90 - 10 * k - i % 4."""
    text = LINUX
    for step in STEPS:
        if step % page == 0:
            text += f"{chr(10) if step else ''}{clock(step, half_days)}     {COLUMNS}\n"
        for place, cpu in enumerate(cpus):
            user = 10 * place + step % 4
            text += f"{clock(step + 1, half_days)}  {cpu:>6} {user:9.2f}      0.00      0.00      0.00      0.00 {90 - user:9.2f}\n"
    text += f"\nAverage:     {COLUMNS}\n"
    return text + "".join(f"Average:     {cpu:>3}      1.50      0.00      0.00      0.00      0.00     88.50\n" for cpu in cpus)


@pytest.mark.parametrize("half_days", [True, False], ids=["am and pm", "24 hours"])
def test_sar_is_one_series_over_time(half_days: bool) -> None:
    result = read(sar(half_days=half_days))
    table = result.table
    assert isinstance(table, CounterSeries)
    assert table.intervals[["application", "run"]].drop_duplicates().to_numpy().tolist() == [["f", 1]]
    # Over midnight, too.
    np.testing.assert_array_equal(table.intervals["time"], np.arange(1, 21))
    assert table.counts.columns.tolist() == ["%user", "%nice", "%system", "%iowait", "%steal", "%idle"]
    assert table.counts["%user"].tolist() == [each % 4 for each in STEPS]
    assert table.counts["%idle"].tolist() == [90 - each % 4 for each in STEPS]
    repairs = result.repairs
    # 2 more pages; a header and a mean below.
    assert repairs.loc[repairs["what"] == "the header again, left out", "rows"].tolist() == [2]
    assert repairs.loc[repairs["what"].str.contains("Average:"), "rows"].tolist() == [2]


def test_each_cpu_of_sar_is_read_by_itself() -> None:
    cpus = ("all", *map(str, range(30)))
    table = series(sar(cpus, page=1))
    # The row of all is no processor; without it the others have numbers alone.
    assert table.intervals["application"].drop_duplicates().tolist() == [f"CPU {cpu}" for cpu in cpus[1:]]
    for place, cpu in enumerate(cpus[1:], start=1):
        rows = (table.intervals["application"] == f"CPU {cpu}").to_numpy()
        assert table.counts.loc[rows, "%user"].tolist() == [10 * place + each % 4 for each in STEPS]
        np.testing.assert_array_equal(table.intervals.loc[rows, "time"], np.arange(1, 21))


def test_a_short_first_page_of_sar_is_not_skipped() -> None:
    lines = sar(page=100).splitlines()
    lines[6:6] = ["", f"{clock(3)}     {COLUMNS}"]
    assert len(series("\n".join(lines) + "\n").counts) == 20


def test_names_that_differ_at_one_time_are_read_each_by_itself() -> None:
    rows = "".join(f"{clock(each)}      lo {each % 3}.00\n{clock(each)}    eth0 {50 + each % 5}.00\n" for each in STEPS)
    table = series(f"{LINUX}{clock(0)}   IFACE   rxpck/s\n{rows}")
    assert table.intervals["application"].drop_duplicates().tolist() == ["lo", "eth0"]
    assert table.counts.loc[(table.intervals["application"] == "eth0").to_numpy(), "rxpck/s"].tolist() == [50 + each % 5 for each in STEPS]


def test_sar_of_two_columns_has_a_header() -> None:
    pages = "".join(f"\n{clock(each)}    proc/s   cswch/s\n{clock(each + 1)}      {each % 3}.00    {300 + each % 7}.00\n" for each in STEPS)
    table = series(LINUX + pages + "\nAverage:      1.00    303.00\n")
    assert table.counts.columns.tolist() == ["proc/s", "cswch/s"]
    assert table.counts["cswch/s"].tolist() == [300 + each % 7 for each in STEPS]
    np.testing.assert_array_equal(table.intervals["time"], np.arange(1, 21))


def test_sadf_gives_each_cpu_and_no_column_of_lengths() -> None:
    rows = "".join(f"cn042;1;2026-01-15 00:00:{each:02d} UTC;{cpu};{each % 4 + cpu + 1}.5\n" for each in STEPS for cpu in (-1, 0, 1))
    table = series(f"# hostname;interval;timestamp;CPU;%user\n{rows}", "f.csv")
    assert table.counts.columns.tolist() == ["%user"]
    assert table.intervals["application"].drop_duplicates().tolist() == ["CPU 0", "CPU 1"]  # -1 is all of them together
    assert table.counts.loc[(table.intervals["application"] == "CPU 1").to_numpy(), "%user"].tolist() == [each % 4 + 2.5 for each in STEPS]


def vmstat(stamps: bool = False) -> str:
    above = "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----" + " -----timestamp-----" * stamps
    names = " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st" + "                 UTC" * stamps
    text = ""
    for step in STEPS:
        text += f"{above}\n{names}\n" * (step % 15 == 0)
        text += (
            f" {step % 3}  0      0 {810000 - 7 * step}  71712 310044    0    0     5    {step % 6}   66   94  0  0 {100 - step % 2}  0  0"
        )
        text += f" 2026-01-15 00:00:{step:02d}\n" if stamps else "\n"
    return text


@pytest.mark.parametrize("stamps", [False, True], ids=["plain", "with -t"])
def test_vmstat_is_one_series_of_all_its_columns(stamps: bool) -> None:
    result = read(vmstat(stamps))
    table = result.table
    assert isinstance(table, CounterSeries)
    assert table.counts.columns.tolist() == "r b swpd free buff cache si so bi bo in cs us sy id wa st".split()
    assert table.intervals["interval"].tolist() == list(range(1, 21))
    assert table.intervals["run"].unique().tolist() == [1]
    assert table.counts["free"].tolist() == [810000 - 7 * each for each in STEPS]
    assert table.counts["r"].tolist() == [each % 3 for each in STEPS]
    assert table.counts["id"].tolist() == [100 - each % 2 for each in STEPS]
    assert ("time" in table.intervals) is stamps
    if stamps:
        assert table.intervals["date"].astype(str).iloc[-1] == "2026-01-15 00:00:19"
    repairs = result.repairs
    assert repairs.loc[repairs["what"] == "the header again, left out", "rows"].tolist() == [2]
    assert "the first row of vmstat holds means since the machine started" in " ".join(result.notes)


def test_halves_of_a_time_with_a_name_each_stay_apart() -> None:
    rows = "".join(f"2026-01-15 00:00:{each:02d} {each % 3}\n" for each in STEPS)
    assert grid_of(UploadedFile("f.txt", f"date clock cycles\n{rows}".encode())).rows[1] == ("2026-01-15", "00:00:00", "0")
    rows = "".join(f"10:00:{each:02d} AM {each % 3}\n" for each in STEPS)
    assert grid_of(UploadedFile("f.txt", f"time half cycles\n{rows}".encode())).rows[1] == ("10:00:00", "AM", "0")
    assert grid_of(UploadedFile("f.txt", f"time cycles\n{rows}".encode())).rows[1] == ("10:00:00AM", "0")


ANNOTATIONS = "#group,false,false,true,true,false,false,true,true,true\n#datatype,string,long,dateTime:RFC3339,dateTime:RFC3339," \
    "dateTime:RFC3339,double,string,string,string\n#default,_result,,,,,,,,\n"  # fmt: skip
INFLUX = f"{ANNOTATIONS},result,table,_start,_stop,_time,_value,_field,_measurement,host\n"


def influx(table: int, field: str, first: int, host: str = "cn042", more: str = "") -> str:
    return "".join(
        f",,{table},2026-01-15T00:00:00Z,2026-01-15T01:00:00Z,2026-01-15T00:00:{each:02d}Z,{first + each % 4},{field},cpu,{host}{more}\n"
        for each in STEPS
    )


@pytest.mark.parametrize("between", ["", f"\n{INFLUX}"], ids=["one header", "a header for each table"])
def test_tables_of_influxdb_stand_side_by_side(between: str) -> None:
    table = series(INFLUX + influx(0, "usage_user", 10) + between + influx(1, "usage_system", 70), "f.csv")
    assert table.counts.columns.tolist() == ["usage_user", "usage_system"]
    assert table.counts["usage_user"].tolist() == [10 + each % 4 for each in STEPS]
    assert table.counts["usage_system"].tolist() == [70 + each % 4 for each in STEPS]
    assert table.intervals["run"].unique().tolist() == [1]
    # _time, not _start.
    np.testing.assert_array_equal(table.intervals["time"], np.arange(1, 21))
    assert table.intervals["date"].astype(str).iloc[-1] == "2026-01-15 00:00:19+00:00"


def test_one_table_of_influxdb_is_one_event() -> None:
    table = series(INFLUX + influx(0, "usage_user", 10), "f.csv")
    assert table.counts.columns.tolist() == ["usage_user"]
    assert len(table.counts) == 20


def test_hosts_of_influxdb_are_never_mixed() -> None:
    table = series(INFLUX + influx(0, "usage_user", 10) + influx(1, "usage_user", 30, "cn043"), "f.csv")
    assert table.counts.columns.tolist() == ["usage_user"]
    assert table.intervals["application"].drop_duplicates().tolist() == ["cn042", "cn043"]
    assert table.counts["usage_user"].tolist() == [first + each % 4 for first in (10, 30) for each in STEPS]
    tags = INFLUX.replace(",host\n", ",host,disk\n")
    rows = [influx(0, "free", 10, host, more) for host in ("cn042", "cn043") for more in (",sda", ",sdb")]
    found = seen(tags + "".join(rows), "f.csv")
    assert found.result is None
    assert found.fault == (
        "f.csv, row 5: 'free' comes several times at one time, with different 'host'. Give the column that tells the series apart the role"
        " 'program', or export one series at a time."
    )


def test_a_second_table_of_influxdb_with_other_columns_is_refused() -> None:
    other = INFLUX.replace(",true\n", ",true,true\n").replace("string\n", "string,string\n").replace(",host\n", ",host,disk\n")
    found = seen(INFLUX + influx(0, "usage_user", 10) + "\n" + other + influx(1, "free", 10, more=",sda"), "f.csv")
    assert [doubt.key for doubt in found.doubts][:1] == ["lines"]
    assert "a second table with other columns begins (#group). Export each measurement by itself" in found.why


def test_pivoted_tables_of_influxdb_have_no_event_for_the_number_of_the_table() -> None:
    rows = "".join(f",,0,2026-01-15T00:00:{each:02d}Z,cn042,{each % 4},{50 - each % 3}\n" for each in STEPS)
    table = series(f"#default,_result,,,,,\n,result,table,_time,host,usage_user,usage_idle\n{rows}", "f.csv")
    assert table.counts.columns.tolist() == ["usage_user", "usage_idle"]


def test_processes_are_told_apart_by_their_commands_and_never_by_the_cpu_they_ran_on() -> None:
    head = "# Time        UID       PID    %usr   CPU  Command\n"
    rows = "".join(
        f"\n{head}10:00:{at:02d} AM 1000 41{at_} {50 + at + 9 * at_}.35 {(at + at_) % 3} {name}\n"
        for at in STEPS
        for at_, name in enumerate(("hpl", "hpl2"))
    )
    table = series(LINUX + rows)
    assert table.intervals["application"].drop_duplicates().tolist() == ["hpl", "hpl2"]
    assert (table.counts.columns.tolist(), table.counts["%usr"].tolist()[:3]) == (["%usr"], [50.35, 59.35, 51.35])
    np.testing.assert_array_equal(table.intervals["time"].iloc[:4], [1, 1, 2, 2])
    same = series(LINUX + rows.replace("hpl2", "hpl"))  # two processes of one command
    assert same.intervals["application"].drop_duplicates().tolist() == ["410", "411"]


def test_reports_of_iostat_are_intervals_and_zeros_are_kept() -> None:
    head = "Device  r/s  rrqm/s  w/s  %util\n"
    table = series(LINUX + "\n".join(f"{head}sda {12 + at % 3}.00 0.00 7.5{at % 5} 1.20\n" for at in STEPS))
    assert (len(table.counts), table.counts["rrqm/s"].sum()) == (20, 0)


def test_a_boot_time_above_the_first_sample_is_not_its_time() -> None:
    samples = "".join(
        f"*** Sampled (Thu Mar 12 14:02:{10 + at} 2026 +0100) ***\nCPU Power: {800 + 7 * at} mW\nGPU Power: {30 + at} mW\n"
        for at in range(6)
    )
    table = series(f"Boot time: Mon Mar  2 08:00:11 2026\n{samples}")
    assert table.intervals["time"].tolist() == [1, 2, 3, 4, 5, 6]


def test_entities_of_dcgmi_are_told_apart_and_nothing_is_asked() -> None:
    head = "#Entity   POWER         SMACT       \nID        W                         \n"
    rows = "".join(f"GPU {gpu}     {60 + each + gpu}.297        0.10{each % 7}       \n" for each in STEPS for gpu in (0, 1))
    found = seen(head + rows)
    assert found.doubts == ()
    assert found.result.table.intervals["application"].drop_duplicates().tolist() == ["GPU-0", "GPU-1"]
    assert found.result.table.counts["POWER"].tolist()[:3] == [60.297, 61.297, 61.297]
