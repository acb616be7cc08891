"""The eacct reader goes by column names, whatever EAR's version, and says where a file is wrong."""

import io
from pathlib import Path

import numpy as np
import pytest

from hemcore.datasets.readers import eacct
from hemcore.datasets.readers.eacct import read_eacct
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.errors import HemError, ReadError

EAR = Path(__file__).parents[5] / "shared" / "data" / "ear"


def read(text: str) -> object:
    return read_eacct(io.BytesIO(text.encode()), name="jobs.csv")


@pytest.mark.skipif(not EAR.exists(), reason="real EAR files are not here (../shared/data/ear)")
@pytest.mark.parametrize(
    ("file", "rows", "measured"),
    [
        ("dgemm_1n_app_signature_j25335297_s1.csv", 3, 1),
        ("dgemm_1n_loop_signatures_j25335297_s1.csv", None, None),
        ("69478_apps.csv", None, None),
        ("69478_loops.csv", None, None),
    ],
)
def test_real_files_of_two_header_generations(file: str, rows: int | None, measured: int | None) -> None:
    table = read_eacct(EAR / file)
    lines = len((EAR / file).read_text().splitlines()) - 1
    assert len(table.frame) == (lines if rows is None else rows)
    present = table.frame[["CPI", "TPI", "MEM_GBS", "GFLOPS"]].notna().all(axis=1).sum()
    assert present == (lines if measured is None else measured)


@pytest.mark.skipif(not EAR.exists(), reason="real EAR files are not here (../shared/data/ear)")
def test_the_values_of_a_known_job() -> None:
    job = read_eacct(EAR / "dgemm_1n_app_signature_j25335297_s1.csv").frame.query("STEPID == 1").iloc[0]
    assert (job["CPI"], job["TPI"], job["MEM_GBS"], job["GFLOPS"]) == (0.330448, 0.189597, 29.200191, 639.588623)
    assert job["TIME_SEC"] == 322.834564


def test_older_names_are_understood() -> None:
    table = read("NODE_ID;JOB_ID;CPI;TPI;GBS;CPU-GFLOPS;TIME\nn1;7;0.5;0.1;30;100;60\n")
    assert table.frame[["NODENAME", "JOBID", "MEM_GBS", "GFLOPS", "TIME_SEC"]].iloc[0].tolist() == ["n1", 7, 30, 100, 60]  # type: ignore[attr-defined]


def test_all_zero_metrics_are_not_measured_but_one_zero_is_a_value() -> None:
    frame = read("JOBID;CPI;TPI;MEM_GBS;GFLOPS\n1;0;0;0;0\n2;0.4;0.1;30;0\n").frame  # type: ignore[attr-defined]
    assert np.isnan(frame["GFLOPS"].iloc[0])
    assert frame["GFLOPS"].iloc[1] == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "jobs.csv: not readable as an eacct file"),
        ("a,b\n1,2\n", "jobs.csv: no column 'CPI', 'TPI', 'MEM_GBS', 'GFLOPS'"),
        ("CPI;TPI;MEM_GBS;GFLOPS\n1;1;1;1\n1;1;lots;1\n", "jobs.csv: line 3, column 'MEM_GBS': 'lots' is not a number"),
        ("CPI;TPI;MEM_GBS;GFLOPS\n", "0 rows"),
        ("CPI;TPI;MEM_GBS;GFLOPS\n1;1;-1;1\n", "column 'MEM_GBS', row 1: -1 must be at least 0"),
        ("JOBID;CPI;TPI;MEM_GBS;GFLOPS\n1;1;1;1;1\n1;1;1;1;1\n", "repeats an earlier row"),
    ],
)
def test_a_wrong_file_is_told_where(text: str, said: str) -> None:
    with pytest.raises(HemError) as error:
        read(text)
    assert said in str(error.value)


def test_a_binary_file_is_told() -> None:
    with pytest.raises(ReadError, match="not readable as an eacct file"):
        read_eacct(io.BytesIO(bytes(range(256)) * 20), name="jobs.csv")


# The header of EAR's tables that compare policies: older names.
OLDER = (
    "JOB_ID;STEP_ID;USER_ID;GROUP_ID;APP_ID;POLICY;NODE_ID;AVG.CPUFREQ;AVG.IMCFREQ;DEF.FREQ;TIME;CPI;TPI;GBS;DC-NODE-POWER;DRAM-POWER;"
    "PCK-POWER;CPU-GFLOPS;SP_SINGLE;DP_512\n"
    "7;0;u;g;a;min_energy;n1;2400000;2000000;2600000;60;0.5;0.1;30;310;20;180;100;0;5\n"
    "7;1;u;g;a;min_energy;n1;2400000;2000000;2600000;61;0.5;0.1;31;311;20;181;101;0;6\n"
)


def test_steps_under_their_older_name_tell_rows_apart() -> None:
    table = read(OLDER)
    frame = table.frame  # type: ignore[attr-defined]
    assert table.identifiers == ["JOBID", "STEPID", "APPID", "NODENAME"]  # type: ignore[attr-defined]
    assert frame["STEPID"].tolist() == [0, 1]
    assert frame[["DRAM_POWER_W", "PCK_POWER_W", "DC_NODE_POWER_W"]].iloc[0].tolist() == [20, 180, 310]
    assert frame[["AVG_CPUFREQ_KHZ", "AVG_IMCFREQ_KHZ", "DEF_FREQ_KHZ", "SPOPS_SINGLE", "DPOPS_512"]].iloc[1].tolist() == [
        2_400_000, 2_000_000, 2_600_000, 0, 6,
    ]  # fmt: skip
    assert frame[["USERID", "GROUPID"]].iloc[0].tolist() == ["u", "g"]


def test_times_and_account_of_version_5_get_the_names_of_version_6() -> None:
    frame = read("JOBID;USER_ACC;START_TIME;END_TIME;CPI;TPI;MEM_GBS;GFLOPS\n1;acc;5;9;0.5;0.1;30;100\n").frame  # type: ignore[attr-defined]
    assert frame[["ACCOUNTID", "JOB_START_TIME", "JOB_END_TIME"]].iloc[0].tolist() == ["acc", 5, 9]


def test_reports_of_one_loop_are_told_apart_by_their_time() -> None:
    rows = "".join(f"7;0;n1;0.5;0.1;30;100;32;{1_763_625_600 + at};{at}\n" for at in (10, 20))
    table = read(f"JOBID;STEPID;NODENAME;CPI;TPI;MEM_GBS;GFLOPS;LOOPID;ITERATIONS;ELAPSED\n{rows}")
    assert table.frame["TIMESTAMP"].tolist() == [1_763_625_610, 1_763_625_620]  # type: ignore[attr-defined]
    few = read(f"JOBID;STEPID;NODENAME;CPI;TPI;MEM_GBS;GFLOPS;LOOPID;ITERATIONS;ELAPSED\n{rows.replace('17636256', '')}")
    assert few.frame[["ITERATIONS", "TIMESTAMP"]].to_numpy().tolist() == [[10, 10], [20, 20]]  # type: ignore[attr-defined]


def test_a_row_that_repeats_is_told_in_plain_numbers() -> None:
    with pytest.raises(HemError) as error:
        read("JOBID;STEPID;CPI;TPI;MEM_GBS;GFLOPS\n7;0;0.5;0.1;30;100\n7;0;0.6;0.1;30;100\n")
    assert "(JOBID 7, STEPID 0)" in str(error.value)
    assert "np." not in str(error.value)


def test_only_a_row_without_any_of_the_four_metrics_is_listed_as_not_measured() -> None:
    # Job 1 has all four, job 2 lacks its CPI alone, job 3 was not measured: one row is listed.
    rows = b"JOBID;CPI;TPI;MEM_GBS;GFLOPS\n1;0.5;0.1;30;100\n2;;0.1;20;90\n3;0;0;0;0\n"
    (found,) = eacct.read([UploadedFile("jobs.csv", rows)]).repairs.to_dict("records")
    assert (found["what"], found["rows"]) == ("all four 0 or empty: not measured", 1)


ROWS = [("7001", "wrf", "1.702", "9.8", "45.69", "617.06", "329.1"), ("7002", "hpl", "2.086", "5.142", "80.71", "361.93", "398.6")]
ROWS += [("7003", "wrf", "1.033", "6.91", "97.19", "520.57", "298.8"), ("7004", "hpl", "1.938", "8.275", "38.92", "309.83", "435.8")]
COLUMNS = ["JOBID", "JOBNAME", "CPI", "TPI", "MEM_GBS", "CPU-GFLOPS", "DC_NODE_POWER_W"]


def lines(rows: list[tuple[str, ...]], separator: str = ",") -> str:
    return "".join(separator.join(row) + "\n" for row in rows)


def dressed(columns: list[str], *, above: str = "", units: str = "", below: str = "", separator: str = ",") -> str:
    return above + separator.join(columns) + "\n" + units + lines(ROWS, separator) + below


@pytest.mark.parametrize(
    "text",
    [
        dressed(COLUMNS, above="Jobs of May,,,,,,\n\n"),
        dressed(COLUMNS, units=",,,,GB/s,,W\n"),
        dressed(COLUMNS, below="Average,,1.68975,7.53175,65.6275,452.3475,365.575\n"),
        dressed([name.lower() for name in COLUMNS], separator="\t"),
        dressed(["Job", "App", "CPI", "TPI", "MEM_GBS (GB/s)", "GFLOPS", "Power (W)"]),
        dressed(['""', *[f'"{name.replace("-", ".")}"' for name in COLUMNS[1:]]]).replace('""', '"JOBID"'),
        str([dict(zip(COLUMNS, row, strict=True)) for row in ROWS]).replace("'", '"'),
    ],
)
def test_signatures_in_other_dress(text: str) -> None:
    files = [UploadedFile("jobs", text.encode())]
    assert eacct.recognise(files)[0] == 1
    frame = eacct.read(files).table.frame
    assert frame[["JOBID", "CPI", "MEM_GBS", "GFLOPS", "DC_NODE_POWER_W"]].to_numpy().tolist() == [
        [float(row[place]) for place in (0, 2, 4, 5, 6)] for row in ROWS
    ]


def test_two_tables_are_read_one_below_the_other() -> None:
    files = [UploadedFile(name, f"{','.join(COLUMNS)}\n{lines([row])}".encode()) for name, row in zip("ab", ROWS[:2], strict=True)]
    result = eacct.read(files)
    assert result.table.frame["JOBID"].tolist() == [7001, 7002]
    assert any("one below the other" in note for note in result.notes)
    with pytest.raises(HemError, match="7001"):
        eacct.read([files[0], UploadedFile("c", files[0].content)])


def test_a_cell_that_is_no_number_is_told_with_its_row() -> None:
    text = dressed(COLUMNS, above="Jobs of May\n").replace("2.086", "fast")
    with pytest.raises(ReadError, match=r"row 4, column 'CPI': 'fast' is not a number"):
        eacct.read([UploadedFile("jobs.csv", text.encode())])


def test_counts_beside_one_name_of_ear_are_no_signatures() -> None:
    assert eacct.recognise([UploadedFile("a.csv", b"run,CPI,cycles,TPI,GFLOPS\n1,2,3,4,5\n2,3,4,5,6\n")]) == (0.0, "")
