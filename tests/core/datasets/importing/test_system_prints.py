"""What tools of the system print, each with the table that must come out; the texts are as the tools' documentation shows them."""

import pytest

from hemcore.datasets.importing.inspection import Preview, inspect
from hemcore.datasets.importing.profiles import system_prints
from hemcore.datasets.readers.uploaded_files import UploadedFile

PMREP = """\
          k.a.load  k.a.load  k.a.load  m.u.free  d.a.read
          1 minute  5 minute  15 minut
                                           Mbyte   count/s
10:14:01     0.150     0.110     0.070  7423.012       N/A
10:14:02     0.150     0.110     0.070  7421.879    12.003
10:14:03     0.140     0.110     0.070  7422.355     3.998
10:14:04     0.140     0.110     0.070  7419.702    27.011
10:14:05     0.140     0.110     0.070  7418.113    18.002
10:14:06     0.130     0.100     0.070  7420.551     0.000
"""
PMREP_ONE = """\
          k.a.pswitch  k.a.intr
              count/s   count/s
10:14:01          N/A       N/A
10:14:02     1523.120   812.440
10:14:03     1611.870   840.910
10:14:04     1588.020   799.130
10:14:05     1702.660   866.010
"""
IGT = """\
 Freq MHz      IRQ RC6     Power W             RCS             BCS             VCS
 req  act       /s   %   gpu   pkg       %  se  wa       %  se  wa       %  se  wa
   0    0        0 100  0.00  7.32    0.00   0   0    0.00   0   0    0.00   0   0
 350  349      120  62  0.81  9.77   23.11   0   0    0.42   0   0    0.00   0   0
1150 1148      611   3  6.12 18.40   91.72   4   1    3.18   0   0   12.09   0   0
1150 1150      598   1  6.31 18.93   95.10   5   0    2.97   0   0   11.42   0   0
 700  694      233  38  2.40 12.65   48.33   1   0    1.02   0   0    4.10   0   0
"""
DCMI = """
    Instantaneous power reading:                   220 Watts
    Minimum during sampling period:                 18 Watts
    Maximum during sampling period:                400 Watts
    Average power reading over sample period:      212 Watts
    IPMI timestamp:                           Thu Mar 12 10:14:01 2026
    Sampling period:                          00000010 Seconds.
    Power reading state is:                   activated

"""

STRACE = """\
% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 47.43    0.033697         145       232           getdents
 46.00    0.032676         141       232           newfstatat
  6.08    0.004320           9       474           close
  0.49    0.000349           0      1045           fcntl
  0.00    0.000000           0        15         4 open
------ ----------- ----------- --------- --------- ----------------
100.00    0.071042          35      1998         4 total
"""
NSYS = """\
Processing [report.sqlite] with [/opt/nvidia/nsight-systems/2024.2.1/host-linux-x64/reports/cuda_gpu_kern_sum.py]...

 ** CUDA GPU Kernel Summary (cuda_gpu_kern_sum):

 Time (%)  Total Time (ns)  Instances  Avg (ns)   Med (ns)   Min (ns)  Max (ns)  StdDev (ns)             Name
 --------  ---------------  ---------  ---------  ---------  --------  --------  -----------  -----------------------------
     61.5       12,345,678        100  123,456.8  123,392.0   120,512   131,200      1,902.4  gemm(float const *, float *)
     30.1        6,042,112        100   60,421.1   60,384.0    59,904    64,512        611.2  softmax(float *, int)
      8.4        1,686,240        200    8,431.2    8,416.0     8,224     9,312        102.7  reduce(float *, float *)

"""
FREERTOS = """\
Task            Abs Time      % Time
****************************************
IDLE            4213341         84%
uart_rx         310022          6%
control         401120          8%
logger          51201           1%
Tmr Svc         420             <1%
"""
FREERTOS_ESP = """\
| Task | Run Time | Percentage
| stats | 1304 | 0%
| IDLE0 | 487069 | 24%
| IDLE1 | 1004113 | 50%
| spin1 | 90441 | 4%
| spin2 | 91022 | 4%
"""
CYCLICTEST = """\
# /dev/cpu_dma_latency set to 0us
policy: fifo: loadavg: 0.00 0.01 0.05 1/153 1127

T: 0 ( 1124) P:80 I:1000 C:  10000 Min:      2 Act:    3 Avg:    3 Max:      21
T: 1 ( 1125) P:80 I:1500 C:   6666 Min:      2 Act:    4 Avg:    3 Max:      17
T: 2 ( 1126) P:80 I:2000 C:   5000 Min:      3 Act:    3 Avg:    4 Max:      29
T: 3 ( 1127) P:80 I:2500 C:   4000 Min:      2 Act:    5 Avg:    4 Max:      25
"""
CYCLICTEST_V = """\
# /dev/cpu_dma_latency set to 0us
       0:       0:       3
       0:       1:       4
       0:       2:       2
       1:       0:       5
       1:       1:       3
       0:       3:       9
       1:       2:       4
       0:       4:       3
       1:       3:       6
       1:       4:       2
"""
NETPERF = """\
MIGRATED TCP STREAM TEST from 0.0.0.0 (0.0.0.0) port 0 AF_INET to 192.168.1.2 () port 0 AF_INET
Recv   Send    Send
Socket Socket  Message  Elapsed
Size   Size    Size     Time     Throughput
bytes  bytes   bytes    secs.    10^6bits/sec

131072  16384  16384    10.00     941.33
"""
NETPERF_RR = """\
MIGRATED TCP REQUEST/RESPONSE TEST from 0.0.0.0 (0.0.0.0) port 0 AF_INET to 192.168.1.2 () port 0 AF_INET : first burst 0
Local /Remote
Socket Size   Request  Resp.   Elapsed  Trans.
Send   Recv   Size     Size    Time     Rate
bytes  Bytes  bytes    bytes   secs.    per sec

16384  131072 1        1       10.00    14122.11
16384  131072
"""
READINGS = (("220", "14:01"), ("231", "14:11"), ("318", "14:21"))
HISTOGRAM = "# /dev/cpu_dma_latency set to 0us\n# Histogram\n000000 000000\n000001 000002\n000002 003921\n# Total: 000003923\n"
LOGIC = "Time [s],Channel 0,Channel 1\n0.0,0,1\n0.0001,1,1\n0.0002,0,1\n0.0004,1,0\n0.0005,0,0\n"


def seen(text: str) -> Preview:
    return inspect([UploadedFile("x.txt", text.encode())])


def rows(text: str) -> tuple[list[str], list[list[object]]]:
    """(columns, first two rows) of the table."""
    found = seen(text)
    assert found.result is not None, found.fault
    assert found.beginning is not None
    frame = found.beginning[1]
    values = frame.drop(columns=[name for name in ("application", "run", "granularity", "load", "phase", "date") if name in frame])
    return list(values.columns), values.astype(object).where(values.notna(), None).head(2).to_numpy().tolist()


@pytest.mark.parametrize(
    ("text", "columns", "first"),
    [
        (
            PMREP,
            ["interval", "time", "k.a.load 1 minute", "k.a.load 5 minute", "k.a.load 15 minut", "m.u.free [Mbyte]", "d.a.read [count/s]"],
            [[1, 1.0, 0.15, 0.11, 0.07, 7423.012, None], [2, 2.0, 0.15, 0.11, 0.07, 7421.879, 12.003]],
        ),
        (
            PMREP_ONE,
            ["interval", "time", "k.a.pswitch [count/s]", "k.a.intr [count/s]"],
            [[1, 1.0, 1523.12, 812.44], [2, 2.0, 1611.87, 840.91]],
        ),
        (
            IGT,
            ["interval", "Freq MHz req", "Freq MHz act", "IRQ /s", "RC6 %", "Power W gpu", "Power W pkg"]
            + [f"{engine} {name}" for engine in ("RCS", "BCS", "VCS") for name in ("%", "se", "wa")],
            [[1, 0, 0, 0, 100, 0, 7.32, 0, 0, 0, 0, 0, 0, 0, 0, 0], [2, 350, 349, 120, 62, 0.81, 9.77, 23.11, 0, 0, 0.42, 0, 0, 0, 0, 0]],
        ),
        (
            "".join(DCMI.replace("220", watts).replace("14:01", at) for watts, at in READINGS),
            ["interval", "time", "Instantaneous power reading [Watts]"],
            [[1, 10.0, 220], [2, 20.0, 231]],
        ),
        (
            STRACE,
            ["program", "% time", "seconds", "usecs/call", "calls", "errors"],
            [["getdents", 47.43, 0.033697, 145, 232, 0], ["newfstatat", 46, 0.032676, 141, 232, 0]],
        ),
        (
            NSYS,
            ["program", "Time (%)", "Total Time (ns)", "Instances", "Avg (ns)"],
            [["gemm(float const *, float *)", 61.5, 12345678, 100, 123456.8], ["softmax(float *, int)", 30.1, 6042112, 100, 60421.1]],
        ),
        (FREERTOS, ["program", "run time [ticks]"], [["IDLE", 4213341], ["uart_rx", 310022]]),
        (FREERTOS.partition("*\n")[2], ["program", "run time [ticks]"], [["IDLE", 4213341], ["uart_rx", 310022]]),
        (FREERTOS_ESP, ["program", "run time [ticks]"], [["stats", 1304], ["IDLE0", 487069]]),
        (
            CYCLICTEST,
            ["program", "loops", "interval [us]", "mean latency [us]", "last latency [us]"],
            [["thread 0", 10000, 1000, 3, 3], ["thread 1", 6666, 1500, 3, 4]],
        ),
        (CYCLICTEST_V, ["interval", "latency [us]"], [[0, 3], [1, 4]]),
        (
            NETPERF,
            ["interval", "receive socket [bytes]", "send socket [bytes]", "message [bytes]", "throughput [10^6bits/s]"],
            [[1, 131072, 16384, 16384, 941.33]],
        ),
        (
            NETPERF_RR,
            ["interval", "send socket [bytes]", "receive socket [bytes]", "request [bytes]", "response [bytes]", "transactions [1/s]"],
            [[1, 16384, 131072, 1, 1, 14122.11]],
        ),
    ],
)  # fmt: skip
def test_what_a_tool_prints_is_read_with_the_right_roles(text: str, columns: list[str], first: list[list[object]]) -> None:
    assert rows(text) == (columns, first)


def test_what_is_left_out_is_told() -> None:
    assert any("100.00    0.071042" in line for line in seen(STRACE).repairs)
    further = NSYS.replace("Kernel", "MemOps").replace("Instances", "    Count").replace("12,345,678", "99,345,678")
    assert any("lines with numbers that stand in no row of the table" in line for line in seen(NSYS + further).repairs)


def test_several_reports_of_one_test_are_runs_and_of_two_tests_programs() -> None:
    assert seen(NETPERF + NETPERF.replace("941.33", "940.02")).summary == "1 subexperiment, 4 HEMs, 2 runs each"
    assert "2 programs" in seen(NETPERF + NETPERF_RR).summary


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (DCMI, "is one reading of the power. Read it again and again: `while sleep 1; do ipmitool dcmi power reading; done > FILE`."),
        (HISTOGRAM, "is a histogram of cyclictest: how often each latency came."),
        (LOGIC, "is a capture of digital signals, with a row where one of them changed, no counts."),
    ],
)
def test_what_is_no_table_of_counts_is_refused_with_the_remedy(text: str, what: str) -> None:
    assert what in seen(text).fault


def test_what_only_looks_so_is_no_such_print() -> None:
    assert seen(LOGIC.replace("0.0004,1,0", "0.0004,17,0")).result is not None
    assert seen("a   b   c\n--- --- ---\n  1   2   3\n  4   9   5\n  7   8   9\n").beginning is not None
    odd = PMREP.replace("10:14:03     0.140     0.110", "10:14:03               0.110")
    assert "k.a.load 1 minute" not in str(seen(odd).beginning)


STRESS = """stress-ng: info:  [47] stressor       bogo ops real time  usr time  sys time   bogo ops/s   bogo ops/s
stress-ng: info:  [47]                           (secs)    (secs)    (secs)   (real time) (usr+sys time)
stress-ng: info:  [47] cpu                 900     10.01     39.50      0.10        89.91        22.73
stress-ng: metrc: [47] vm-rw               700     10.00     30.50      0.20        70.00        22.80        12.5         1024
"""
SYSBENCH = """sysbench 1.0.20
Threads started!

[ 1s ] thds: 4 tps: 120.50 qps: 2410.00 (r/w/o: 1/2/3) lat (ms,95%): 45.79 err/s: 0.00 reconn/s: 0.00
[ 2s ] thds: 4 tps: 110.00 qps: 2200.00 (r/w/o: 1/2/3) lat (ms,95%): 47.00 err/s: 0.00 reconn/s: 0.00
[ 3s ] thds: 4 tps: 130.00 qps: 2600.00 (r/w/o: 1/2/3) lat (ms,95%): 40.00 err/s: 0.00 reconn/s: 0.00
"""


def test_stressors_of_stress_ng_are_programs() -> None:
    assert (system_prints.as_table(STRESS) or "").splitlines() == [
        "program,granularity,bogo ops,real [s],usr [s],sys [s],bogo ops/s",
        "cpu,whole run,900,10.01,39.50,0.10,89.91",
        "vm-rw,whole run,700,10.00,30.50,0.20,70.00",
    ]


def test_reports_of_sysbench_are_intervals() -> None:
    assert (system_prints.as_table(SYSBENCH) or "").splitlines()[:2] == ["time [s],tps,qps,latency 95% [ms]", "1,120.50,2410.00,45.79"]
    cpu = system_prints.as_table("[ 1s ] thds: 1 eps: 1050.5 lat (ms,95%): 0.97\n")
    assert cpu == "time [s],eps,latency 95% [ms]\n1,1050.5,0.97\n"
