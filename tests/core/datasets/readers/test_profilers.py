"""What rocprof, Caliper, cube_dump, toplev and PerfSpect write, in the forms of their versions, becomes the table written by hand."""

import numpy as np
import pytest

from hemcore.datasets import CounterSeries, PhaseTable
from hemcore.datasets.readers.format import ReadResult
from hemcore.datasets.readers.recognition import read_upload, recognise
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables.hardware_levels import at_level
from hemcore.errors import ReadError


def read(key: str, **files: str) -> ReadResult:
    sent = [UploadedFile(f"{name}.csv", text.encode()) for name, text in files.items()]
    assert recognise(sent)[0].key == key
    return read_upload(sent)


def phases(result: ReadResult) -> PhaseTable:
    assert isinstance(result.table, PhaseTable)
    return result.table


def series(result: ReadResult) -> CounterSeries:
    assert isinstance(result.table, CounterSeries)
    return result.table


V3 = (
    '"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size",'
    '"LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp",'
    '"End_Timestamp"\n'
)
V3_ROWS = [
    '1,1,"Agent 4",1,9,9,1048576,10,"void add<float>(float*, int)",64,0,0,8,0,16,"{}",{},317095766765717,317095766775957\n',
    '2,2,"Agent 4",1,9,9,524288,13,"subtract(float*, int)",64,0,0,8,0,16,"{}",{},317095766785717,317095766786717\n',
]


def test_rocprofv3_gives_a_phase_per_dispatch() -> None:
    text = V3 + V3_ROWS[0].format("SQ_WAVES", "16384.000000") + V3_ROWS[0].format("SQ_INSTS_VALU", "1.5e6")
    table = phases(read("rocprof", run=text + V3_ROWS[1].format("SQ_WAVES", 8192)))
    assert table.frame["kernel"].tolist() == ["void add<float>(float*, int)", "subtract(float*, int)"]
    assert table.frame["grid"].tolist() == ["1048576", "524288"]
    assert table.frame["duration_ns"].tolist() == [10240, 1000]
    assert table.frame["SQ_WAVES"].tolist() == [16384, 8192]
    np.testing.assert_array_equal(table.frame["SQ_INSTS_VALU"], [1.5e6, np.nan])
    with pytest.raises(ReadError, match="line 3: 'SQ_WAVES' comes twice for dispatch 1"):
        read("rocprof", run=V3 + V3_ROWS[0].format("SQ_WAVES", 1) * 2)


def test_rocprofv2_has_one_column_per_counter() -> None:
    head = "Dispatch_ID,GPU_ID,Queue_ID,PID,TID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,"
    head += "Wave_Size,Kernel_Name,Start_Timestamp,End_Timestamp,Correlation_ID,GRBM_COUNT\n"
    table = phases(read("rocprof", run=f'{head}\n1,2,1,9,9,64,64,0,0,8,0,16,64,"k.kd",100,350,1,77\n'))
    assert table.counters == ("duration_ns", "GRBM_COUNT")
    assert table.frame[["kernel", "gpu", "duration_ns", "GRBM_COUNT"]].iloc[0].tolist() == ["k", "2", 250, 77]


def test_a_cube_dump_is_told_by_thread() -> None:
    table = phases(read("cube_dump", p="Cnode ID, Thread ID,visits,time\n0,0,1,0.5\n0,1,1,0.25\n"))
    assert table.frame[["program", "region", "visits", "time"]].to_numpy().tolist() == [
        ["p thread 0", "cnode 0", 1, 0.5],
        ["p thread 1", "cnode 0", 1, 0.25],
    ]
    assert phases(read("cube_dump", p="Cnode ID,visits\n0,1\n1,7\n")).frame["visits"].tolist() == [1, 7]


def test_caliper_in_both_forms() -> None:
    expanded = "function=main,count=1,sum#time.duration=0.5\nfunction=solve,count=12,sum#time.duration=0.25,note=x\n"
    table = phases(read("caliper", p=expanded))
    assert table.frame[["region", "count", "sum#time.duration"]].to_numpy().tolist() == [["main", 1, 0.5], ["solve", 12, 0.25]]
    ranks = "node,rank,time,time (inc),name,nid\n{'name': 'a'},0,1.5,2,main,0\n{'name': 'a'},1,1.25,2,main,0\n"
    table = phases(read("caliper", p=ranks))
    assert table.programs == ["p rank 0", "p rank 1"]
    assert table.frame["time"].tolist() == [1.5, 1.25]


def test_toplev_with_and_without_a_header() -> None:
    old = (
        "# 3.5-full on Intel(R) Xeon(R)\n0.5,S0-C0-T0,Frontend_Bound,21.4,% Slots,desc,,,\n0.5,S0-C0-T1,Frontend_Bound,3.5,% Slots <,,,,\n"
    )
    table = series(read("toplev", f=old))
    assert table.applications == ["f socket 0 core 0 T0", "f socket 0 core 0 T1"]
    assert table.counts["Frontend_Bound [% Slots]"].tolist() == [21.4, 3.5]
    assert at_level(table, "machine").counts["Frontend_Bound [% Slots]"].tolist() == [12.45]
    head = "Timestamp,Area,Value,Unit,Description,Sample,Stddev,Multiplex,Bottleneck\n"
    rows = "0.5,IPC,1.5,Metric,,,,,\n1.0,IPC,1.25,Metric,,,,,\nSUMMARY,IPC,1.4,Metric,,,,,\n"
    result = read("toplev", f=head + rows)
    assert series(result).counts["IPC [Metric]"].tolist() == [1.5, 1.25]
    assert series(result).intervals["time"].tolist() == [0.5, 1.0]
    assert result.notes == ("f.csv: rows of the summary left out, because they repeat the intervals: 1.",)
    totals = series(read("toplev", f="Area,Value,Unit,Description\nIPC,1.5,Metric,\nCLKS,12,Count,\n"))
    assert totals.interval_unit == "whole run"
    assert totals.counts.iloc[0].tolist() == [1.5, 12]


def test_perfspect_by_socket_and_as_a_summary() -> None:
    text = "TS,SKT,CPU,CID,CPI,energy (W)\n1763895600,0,,,0.5,100\n1763895600,1,,,1.5,\n1763895605,0,,,0.75,101\n1763895605,1,,,1.25,80\n"
    table = series(read("perfspect", host_metrics=text))
    assert table.intervals["time"].tolist() == [5, 10, 5, 10]
    whole = at_level(table, "machine")
    assert whole.counts["CPI"].tolist() == [1, 1]
    np.testing.assert_array_equal(whole.counts["energy (W)"], [np.nan, 181])
    assert table.applications == ["host_metrics socket 0", "host_metrics socket 1"]
    groups = "TS,SKT,CPU,CID,CPI\n1763895600,,,ab,0.5\n1763895600,,,cd,1.5\n"
    assert series(read("perfspect", host=groups)).applications == ["host ab", "host cd"]
    summary = phases(read("perfspect_summary", s="SKT,metric,mean,min,max,stddev\n0,CPI,0.5,0,1,0\n1,CPI,1.5,1,2,0\n"))
    assert summary.frame[["program", "CPI"]].to_numpy().tolist() == [["s SKT 0", 0.5], ["s SKT 1", 1.5]]


@pytest.mark.parametrize(
    ("key", "text", "said"),
    [
        ("perfspect", "TS,SKT,CPU,CID,CPI\n1763895600,,,,x\n", "line 2, column 'CPI': 'x' is not a number"),
        ("perfspect", "TS,SKT,CPU,CID,CPI\n1,2\n1763895600,,,,1\n", "line 2 has 2 cells, the header 5"),
        ("cube_dump", "Cnode ID,visits\n", "is a header, and no row follows it"),
        ("caliper", "path,sum#time.duration,sum#time.duration\na,1,1\n", "'sum#time.duration' appears more than once"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(key: str, text: str, said: str) -> None:
    with pytest.raises(ReadError) as error:
        read_upload([UploadedFile("f.csv", text.encode())], format_key=key)
    assert said in str(error.value)
    assert str(error.value).endswith(("wrote it.", "profile.cubex > FILE.csv`.", "Hatchet.", "empty it."))


def test_values_that_are_no_counts_are_listed() -> None:
    result = read("perfspect", f="TS,SKT,CPU,CID,CPI\n1763895600,,,,-1\n1763895605,,,,2\n1763895610,,,,inf\n")
    np.testing.assert_array_equal(series(result).counts["CPI"], [np.nan, 2, np.nan])
    assert result.repairs["what"].tolist() == ["infinite: no count, treated as missing", "below 0: no count, treated as missing"]
