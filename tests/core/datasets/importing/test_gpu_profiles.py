"""Metrics of kernels of nvprof and Nsight Compute, functions of a TAU thread's own file, and numbers that are said twice."""

import pandas as pd

from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.importing.units.united_numbers import from_hex
from hemcore.datasets.readers.uploaded_files import UploadedFile


def shown(text: str):
    return inspect([UploadedFile("out.txt", text.encode())])


NCU = """==PROF== Connected to process 4123
  gemm(float *) (64, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 8.0
    Section: GPU Speed Of Light Throughput
    ----------------------- ------------- ------------
    Metric Name               Metric Unit Metric Value
    ----------------------- ------------- ------------
    Elapsed Cycles                  cycle      123,456
    SM Active                                       10
    ----------------------- ------------- ------------

    Section: Command line profiler metrics
    Metric Name             Metric Unit Metric Value
    inst.sum                       inst    4,567,890

"""


def test_all_sections_of_a_kernel_of_ncu_are_one_row() -> None:
    text = NCU + "\n".join(NCU.splitlines()[1:]).replace("gemm", "axpy").replace("123,456", "7") + "\n"
    table = shown(text).result.table
    assert table.frame["program"].tolist() == ["gemm(float *)", "axpy(float *)"]
    assert table.frame[list(table.counters)].to_numpy().tolist() == [[123456, 10, 4567890], [7, 10, 4567890]]


def test_nvprofs_metrics_are_events_of_their_kernel() -> None:
    head = '==1== NVPROF is profiling process 1\n"Device","Kernel","Invocations","Metric Name","Metric Description","Min","Max","Avg"\n'
    rows = [
        f'"V100 (0)","{k}(int, float)",{n},"{m}","x",0,9,{v}\n' for k, n in (("a", 5), ("b", 6)) for m, v in (("ipc", n / 10), ("dram", n))
    ]
    table = shown(head + "".join(rows)).result.table
    assert table.frame[["program", "ipc", "dram"]].to_numpy().tolist() == [["a(int, float)", 0.5, 5], ["b(int, float)", 0.6, 6]]


def test_functions_of_a_taus_thread_have_what_it_counted() -> None:
    text = "2 templated_functions_MULTI_PAPI_TOT_CYC\n# Name Calls Subrs Excl Incl ProfileCalls # <metadata></metadata>\n" + "".join(
        f'"f{k} (int)" {k} 1 {90 - k} {99 - k} 0 GROUP="TAU_USER"\n' for k in (3, 7)
    )
    table = shown(text + "0 aggregates\n").result.table
    assert table.frame[["program", "PAPI_TOT_CYC", "PAPI_TOT_CYC inclusive", "calls"]].to_numpy().tolist() == [
        ["f3 (int)", 87, 96, 3],
        ["f7 (int)", 83, 92, 7],
    ]


def test_a_number_that_is_said_in_base_16_as_well_is_that_number() -> None:
    cells = pd.Series(["175 (0x000000af)", "-", "16 [0x10]"])
    none = pd.Series([False, True, False])
    assert from_hex(cells, none).texts.tolist() == ["175", "-", "16"]
    assert from_hex(cells.replace("16 [0x10]", "17 [0x10]"), none) is None


def test_totals_in_words_below_columns_are_no_row() -> None:
    rows = "".join(
        f"{4000 + k:<8} proc{k:<12} {k % 8:<4} {20_000 + k * k % 31:>12} {300 + k * k % 17:>12} {80 - k:>6.2f}%\n" for k in range(9)
    )
    text = "Running for 20 seconds.\nPID      NAME             CPU     REFERENCE         MISS    HIT%\n" + rows
    table = shown(text + "Total References: 612345 Total Misses: 12345 Hit Rate: 97.98%\n").result.table
    assert table.frame["MISS"].tolist() == [300 + k * k % 17 for k in range(9)]


def test_functions_of_craypat_have_their_counters() -> None:
    rule, line = "=" * 30, "-" * 30
    text = "CrayPat/X:  Version 23\n\nTable 2:  Profile by Function\n\n" + "".join(
        f"{rule}\n  {name}\n{line}\n  Time                    {t} secs\n  PAPI_TOT_INS    2.1G/sec      {n},000 instr\n"
        for name, t, n in (("Total", 9.5, 30), ("USER / solve_", 5.5, 20), ("USER / init_", 4, 10))
    )
    table = shown(text + rule + "\n").result.table
    assert table.frame[["program", "Time [s]", "PAPI_TOT_INS"]].to_numpy().tolist() == [
        ["USER / solve_", 5.5, 20000],
        ["USER / init_", 4, 10000],
    ]


def test_of_maps_with_other_keys_those_with_the_most_values_are_read() -> None:
    text = "".join(f"@cycles[{cpu}]: {50 + cpu}\n" for cpu in range(3)) + "@by_comm[nginx]: 4\n@by_comm[redis]: 3\n"
    told = shown(text + "".join(f"@misses[{cpu}]: {7 - cpu}\n" for cpu in range(3)))
    assert told.result.table.frame[["program", "cycles", "misses"]].to_numpy().tolist() == [
        ["key 0", 50, 7],
        ["key 1", 51, 6],
        ["key 2", 52, 5],
    ]
    assert any("by_comm" in line for line in told.repairs)


def test_metrics_of_ncus_raw_page_are_columns_without_what_was_launched() -> None:
    names = "ID,Process ID,Process Name,Host Name,Kernel Name,Context,Stream,CC,dram__bytes.sum,gpc__cycles.max"
    rows = "".join(f'{at},41,app,h,{"gemm" if at % 2 else "axpy"},1,7,9.0,{560 + at}.9,"167,78{at}"\n' for at in range(4))
    frame = shown(f"{names}\n,,,,,,,,Mbyte,cycle\n{rows}").result.table.frame
    assert frame["dram__bytes.sum [Mbyte]"].tolist() == [560.9, 561.9, 562.9, 563.9]
    assert frame["gpc__cycles.max [cycle]"].tolist() == [167780, 167781, 167782, 167783]
    assert "CC" not in frame
    assert frame["program"].tolist() == ["axpy", "gemm", "axpy", "gemm"]


def test_a_cell_that_is_too_long_gives_a_sentence() -> None:
    found = shown('"ID","Process ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n' + "a" * 140_000 + "\n")
    assert "a cell is not readable" in found.fault


def test_a_report_of_ncu_that_comes_again_is_other_launches() -> None:
    head = '"ID","Process ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n'
    again = "".join(
        f'"{at}","1","k{at}","a","cycle","{value}"\n"{at}","1","k{at}","b","cycle","{value + 5}"\n'
        for at, value in ((0, 71), (1, 72), (0, 81), (1, 82))
    )
    frame = shown(head + again).result.table.frame
    assert (frame["a [cycle]"].tolist(), frame["b [cycle]"].tolist()) == ([71, 72, 81, 82], [76, 77, 86, 87])
