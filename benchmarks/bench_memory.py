"""Peak memory of reading large uploads: each kind's peak over its bound, 4 times what is unpacked and 300 MB.

    python benchmarks/bench_memory.py [--only KIND ...] [--megabytes 40] [--small] [--folder FOLDER]

Each upload is made anew, of about that many MB unpacked (bombs: as their kind says), and goes the way of the Data page, in a process of its
own that is given to `bound_this_process` as a worker is, and has read a small upload before: put aside, looked into, previewed, read to a
dataset. A line per kind: MB sent and unpacked; the peak over what the process held before, with that of its children (MB); the ratio of the
peak to its bound; seconds of the processor, of these those of the preview, which the page makes itself; what came out, or the sentence of
the refusal. Nothing is asserted: tests hold the bounds on small files.
"""

import argparse
import gzip
import io
import itertools
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

MB = 2**20
# Writes about `size` bytes.
Make = Callable[[BinaryIO, int], None]
KINDS: dict[str, tuple[str, Make]] = {}


def kind(ending: str) -> Callable[[Make], Make]:
    """A kind of upload, named as its function, with the ending of its file."""

    def listed(make: Make) -> Make:
        KINDS[make.__name__.strip("_").replace("_", " ")] = (ending, make)
        return make

    return listed


def fill(file: BinaryIO, size: int, rows: Iterable[bytes], *, between: bytes = b"") -> int:
    """Write rows until there are `size` bytes; returns how many rows."""
    written = 0
    for number, row in enumerate(rows):
        if written >= size:
            return number
        written += file.write(between * (number > 0) + row)
    return number


def rows(row: Callable[[int], bytes]) -> Iterator[bytes]:
    """row(0), row(1), ..."""
    return map(row, itertools.count())


def hashed(number: int, below: int = 10**6) -> int:
    """A number that looks random."""
    return number * 7919 % below


def by_rows(name: str, ending: str, head: bytes, row: Callable[[int], bytes], tail: bytes = b"", between: bytes = b"") -> None:
    """A kind of upload that is a head, rows and a tail."""

    def make(file: BinaryIO, size: int) -> None:
        file.write(head)
        fill(file, size, rows(row), between=between)
        file.write(tail)

    KINDS[name] = (ending, make)


COUNTS = b",".join(b"e%d" % event for event in range(20))


def counts(number: int, *, gaps: bool = False) -> bytes:
    """20 counts."""
    return b",".join(b"" if gaps and (number + event) % 9 == 0 else b"%d" % (number * event % 10**6) for event in range(2, 22))


# Tables as people and programs write them.
by_rows("plain", "csv", b"time," + COUNTS + b"\n", lambda i: b"%.1f,%b\n" % (i / 10, counts(i)))
by_rows("gaps", "csv", b"time," + COUNTS + b"\n", lambda i: b"%.1f,%b\n" % (i / 10, counts(i, gaps=True)))
by_rows("short rows", "csv", b"t,a\n", lambda i: b"%d,%d\n" % (i % 10, i % 7))
by_rows("decimal commas", "csv", b"t;a;b\n", lambda i: b"%d,%d;%d,5;%d\n" % (i // 10, i % 10, i % 7, i % 1000))
by_rows("commas and texts", "csv", b"t;a;b;stage\n", lambda i: b"%d,%d;%d,5;%d;st%d\n" % (i // 10, i % 10, i % 7, i % 1000, i // 10**5))
by_rows("texts", "csv", b"time,stage,a,b\n", lambda i: b"%d,some stage of the program %d,%d,%d\n" % (i, i // 10**5, hashed(i), i % 7))
by_rows("notes", "csv", b"t,note,a\n", lambda i: b"%d,n%d,%d\n" % (i // 1000, i, i % 7))
by_rows("blanks", "txt", b"t a b c\n", lambda i: b"%d.5 %d %d %d\n" % (i, hashed(i), i % 777, i % 5))
by_rows("signs", "csv", b"time,cycles,misses\n", lambda i: b"%.1f,+%d,+%d\n" % (i / 10, hashed(i), i % 777))
by_rows("CR", "csv", b"time,cycles,misses\r", lambda i: b"%.1f,%d,%d\r" % (i / 10, hashed(i), i % 777))
by_rows("U+2028", "csv", b"time,cycles,misses", lambda i: b"\xe2\x80\xa8%.1f,%d,%d" % (i / 10, hashed(i), i % 1000))
by_rows("quotes", "csv", b'"time","cycles","misses"\n', lambda i: b'"%.1f","%d","%d"\n' % (i / 10, hashed(i), i % 1000))
by_rows("quotes in texts", "csv", b"time,cycles,stage\n", lambda i: b'%.1f,%d,"a ""b"" %d"\n' % (i / 10, hashed(i), i % 1000))
by_rows("long", "csv", b"time,event,value\n", lambda i: b"%d.25,some_long_event_name_%d,%d\n" % (i // 6, i % 6, hashed(i, 10**9)))
by_rows("long, many events", "csv", b"time,event,value\n", lambda i: b"%d.25,event_%d,%d\n" % (i // 3000, i % 3000, hashed(i, 10**9)))
by_rows(
    "programs",
    "csv",
    b"program,time,stage,cycles,misses,loads\n",
    lambda i: b"prog%d,%d,stage %d,%d,%d,%d\n" % (i // 45_000, i, i % 7, hashed(i), i % 1000, i % 777),
)
by_rows("markdown", "md", b"| time | cycles | misses |\n|---|---|---|\n", lambda i: b"| %d | %d | %d |\n" % (i, hashed(i), i % 977))
by_rows("pairs", "log", b"", lambda i: b"time=%d cycles=%d misses=%d\n" % (i, hashed(i), i % 977))
by_rows("records of lines", "txt", b"", lambda i: b"time: %d\ncycles: %d\nmisses: %d\n\n" % (i, hashed(i), i % 977))
by_rows(
    "InfluxDB",
    "txt",
    b"",
    lambda i: b"cpu,host=n1 cycles=%di,misses=%di %d\n" % (hashed(i), i % 977, 1_700_000_000_000_000_000 + i * 10**9),
)
by_rows(
    "HTML",
    "html",
    b"<table><tr><th>time</th><th>a</th><th>b</th></tr>",
    lambda i: b"<tr><td>%d</td><td>%d</td><td>%d</td></tr>" % (i, i % 7, i % 9),
    b"</table>",
)
by_rows(
    "XML",
    "xml",
    b"<?xml version='1.0'?><data>",
    lambda i: b'<sample time="%d"><cycles>%d</cycles><misses>%d</misses></sample>\n' % (i, hashed(i), i % 977),
    b"</data>",
)
by_rows("one line", "csv", b"", lambda i: b"%d," % i)
by_rows("one line of text", "txt", b"", lambda i: b"abcdefgh")
by_rows("columns", "csv", b"time", lambda i: b",e%d" % i, b"\n1\n")
by_rows(
    "wide",
    "csv",
    b"time," + b",".join(b"e%d" % e for e in range(3900)) + b"\n",
    lambda i: b"%d,%b\n" % (i, b",".join(b"%d" % ((i + e) % 10) for e in range(3900))),
)
by_rows("digits", "csv", b"time,a\n", lambda i: b"%d,%b\n" % (i, b"7" * 100_000))
by_rows("nothing but newlines", "csv", b"time,a\n1,2\n", lambda i: b"\n\n\n\n\n\n\n\n")
by_rows("quotation mark left open", "csv", b'time,a\n1,2\n3,"', lambda i: b"%d,%d\n" % (i, i))

# JSON.
by_rows("JSON records", "json", b"[", lambda i: b'{"time":%d,"a":%d,"b":%d}' % (i, i % 7, i % 5), b"]", between=b",")
by_rows("JSON lines", "json", b"", lambda i: b'{"time":%d,"a":%d,"b":%d}\n' % (i, i % 7, i % 5))
by_rows("HEMs", "json", b"[", lambda i: b'{"name": "EVENT_%d", "description": "%b"}' % (i, b"d" * 30), b"]", between=b", ")
by_rows("JSON rows", "json", b'{"columns":["time","a"],"data":[', lambda i: b"[%d,%d]" % (i, i % 7), b"]}", between=b",")
by_rows("JSON by names", "json", b"{", lambda i: b'"p%d":{"cycles":%d,"misses":%d}' % (i, hashed(i), i % 7), b"}", between=b",")
by_rows(
    "perf -j",
    "json",
    b"",
    lambda i: (
        b'{"interval" : %.9f, "counter-value" : "%d.000000", "unit" : "", "event" : "e%d", "event-runtime" : 100000,'
        b' "pcnt-running" : 100.00}\n' % ((i // 8 + 1) * 0.1, hashed(i, 10**8), i % 8)
    ),
)
by_rows(
    "Chrome",
    "json",
    b'{"traceEvents":[',
    lambda i: b'{"name":"c%d","ph":"C","ts":%d,"pid":1,"args":{"value":%d}}' % (i % 6, i // 6 * 100, i % 977),
    b"]}",
    between=b",",
)
by_rows("brackets", "json", b"", lambda i: b"[")


@kind("json")
def columns_of_JSON(file: BinaryIO, size: int) -> None:
    """{"time": [...], "a": [...]}, one line."""
    half = size // 14
    file.write(json.dumps({"time": list(range(half)), "a": [each % 1000 for each in range(half)]}).encode())


@kind("json")
def PAPI(file: BinaryIO, size: int) -> None:
    """Regions of threads."""
    region = {"region_count": "1", "cycles": "5", "PAPI_TOT_INS": "7", "PAPI_TOT_CYC": "9"}
    each = len(json.dumps({"r12345": region})) + 2
    threads = max(1, size // each // 20_000)
    regions = size // each // threads
    made = [{"id": str(thread), "regions": [{f"r{number}": region} for number in range(regions)]} for thread in range(threads)]
    file.write(json.dumps({"threads": made}).encode())


@kind("json")
def Prometheus(file: BinaryIO, size: int) -> None:
    """50 series of a range query."""
    dice, many = random.Random(1), size // 50 // 35
    series = [
        {
            "metric": {"__name__": f"metric{number % 10}", "instance": f"node{number // 10}"},
            "values": [[1_700_000_000 + 15 * i, f"{dice.randrange(10**12)}.123"] for i in range(many)],
        }
        for number in range(50)
    ]
    file.write(json.dumps({"status": "success", "data": {"resultType": "matrix", "result": series}}).encode())


@kind("json")
def ClusterCockpit(file: BinaryIO, size: int) -> None:
    """data.json of 6 metrics and 32 cores."""
    many = size // (6 * 32 * 3)
    series = [{"hostname": "n1", "id": str(core), "data": [i * core % 9 for i in range(many)]} for core in range(32)]
    file.write(json.dumps({f"m{m}": {"core": {"unit": {"base": "F"}, "timestep": 10, "series": series}} for m in range(6)}).encode())


@kind("json")
def OTLP(file: BinaryIO, size: int) -> None:
    """8 metrics."""
    many = size // 8 // 57
    points = [[{"timeUnixNano": str((1_700_000_000 + i) * 10**9), "asDouble": i % 7 + metric} for i in range(many)] for metric in range(8)]
    metrics = [{"name": f"m{number}", "gauge": {"dataPoints": each}} for number, each in enumerate(points)]
    about = {"attributes": [{"key": "service.name", "value": {"stringValue": "s"}}]}
    file.write(json.dumps({"resourceMetrics": [{"resource": about, "scopeMetrics": [{"metrics": metrics}]}]}).encode())


# What tools print.
by_rows("perf -I", "csv", b"", lambda i: b"%.9f,%d,,event%d,100000000,100.00,,\n" % ((i // 8 + 1) * 0.1, hashed(i, 10**8), i % 8))
by_rows(
    "perf script",
    "txt",
    b"",
    lambda i: b"           qsort  4711 [%03d] %d.%06d:     %d cycles:\n" % (i % 8, 12345 + i // 1000, i % 1000 * 1000, 400_000 + i % 977),
)
by_rows(
    "OpenMetrics",
    "txt",
    b"# HELP node_cpu seconds\n# TYPE node_cpu counter\n",
    lambda i: b'node_cpu_seconds_total{cpu="%d",mode="idle"} %d %d\n' % (i % 8, i, 1_763_895_600_000 + i // 8 * 1000),
    b"# EOF\n",
)
by_rows(
    "eacct",
    "csv",
    b"JOBID,STEPID,NODENAME,AVG_CPUFREQ,CPI,TPI,MEM_GBS,CPU-GFLOPS,TIME_SEC,DC_NODE_POWER_W\n",
    lambda i: b"%d,0,n%d,2000000,0.%d,1.%d,10.%d,3.%d,100.%d,300\n" % (i, i % 9, i % 9 + 1, i % 7 + 1, i % 5, i % 5, i % 3),
)
by_rows(
    "LIKWID",
    "csv",
    b"# HWThreads,0,1\n# GID,EventCount,CpuCount,Total runtime [s],INSTR,L2\n",
    lambda i: b"1,2,2,%.6f,%d,%d,%d,%d\n" % ((i + 1) * 0.1, i % 977, i % 991, i % 7, i % 9),
)
WIDE = b",".join(b"%d" % hashed(number) for number in range(60 * 128))
by_rows(
    "LIKWID, wide",
    "csv",
    b"# HWThreads,%b\n# GID,EventCount,CpuCount,Total runtime [s],%b\n"
    % (b",".join(b"%d" % core for core in range(128)), b",".join(b"EV_%d" % event for event in range(60))),
    lambda i: b"1,60,128,%.6f,%b\n" % ((i + 1) * 0.1, WIDE),
)


# Archives.
def compressed(name: str, ending: str, pack: Callable[[BinaryIO, str], BinaryIO], of: str = "plain") -> None:
    """Another kind, packed by pack(file, mode)."""

    def make(file: BinaryIO, size: int) -> None:
        with pack(file, "wb") as packed:
            KINDS[of][1](packed, size)

    KINDS[name] = (ending, make)


def _gzipped(file: BinaryIO, mode: str) -> BinaryIO:
    return gzip.open(file, mode, 1)  # type: ignore[return-value]


compressed("plain .gz", "csv.gz", _gzipped)
compressed("quotes .gz", "csv.gz", _gzipped, "quotes")
compressed("gz in gz", "csv.gz.gz", lambda file, mode: _gzipped(_gzipped(file, mode), mode))
by_rows("zeros", "csv", b"", lambda i: bytes(MB))
KINDS["zeros .gz, 4 GB"] = ("csv.gz", lambda file, size: _packed(file, 4096 * MB))
KINDS["zeros .gz, 500 MB"] = ("csv.gz", lambda file, size: _packed(file, 500 * MB))
for ending in ("xz", "bz2", "zst", "arrows"):
    KINDS[f".{ending}"] = (f"csv.{ending}", lambda file, size, ending=ending: _other(file, size, ending))  # type: ignore[misc]


def _packed(file: BinaryIO, size: int) -> None:
    with _gzipped(file, "wb") as packed:
        KINDS["zeros"][1](packed, size)


def _two_parts(file: BinaryIO, size: int) -> None:
    file.write(gzip.compress(b"time,a\n") + gzip.compress(bytes(400 * MB)))


def _of_a_workbook(file: BinaryIO, size: int) -> None:
    made = io.BytesIO()
    KINDS["xlsx, 7 million cells"][1](made, size)
    file.write(gzip.compress(made.getvalue()))


KINDS["gz of two parts"] = ("csv.gz", _two_parts)
KINDS["gz of a workbook"] = ("xlsx.gz", _of_a_workbook)


@kind("zip")
def _zip_of_a_gz_by_another_name(file: BinaryIO, size: int) -> None:
    with zipfile.ZipFile(file, "w") as archive, archive.open("run.csv", "w") as inside:
        inside.write(gzip.compress(bytes(400 * MB)))


def _other(file: BinaryIO, size: int, ending: str) -> None:
    import bz2
    import lzma

    packed = {
        "xz": lzma.compress(bytes(size), preset=0),
        "bz2": bz2.compress(bytes(size), 1),
        "zst": b"\x28\xb5\x2f\xfd" + bytes(size // 9),
        "arrows": b"\xff\xff\xff\xff" + bytes(size // 9),
    }
    file.write(packed[ending])


@kind("zip")
def _zip_of_tables(file: BinaryIO, size: int) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(500):
            with archive.open(f"run_{number}.csv", "w") as inside:
                KINDS["plain"][1](inside, size // 500)  # type: ignore[arg-type]


@kind("zip")
def _zip_of_a_gz(file: BinaryIO, size: int) -> None:
    with zipfile.ZipFile(file, "w") as archive, archive.open("run.csv.gz", "w") as inside:
        _packed(inside, 4096 * MB)  # type: ignore[arg-type]


@kind("zip")
def _zip_of_entries(file: BinaryIO, size: int) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(size // 110):
            archive.writestr(f"{number}.csv", b"")


@kind("zip")
def _zip_of_runs(file: BinaryIO, size: int) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for run in range(min(100_000, size // 400)):
            lines = b"".join(b"%d,,event%d,100000000,100.00,,\n" % (hashed(run * 8 + event), event) for event in range(8))
            archive.writestr(f"subexperiment_{run // 5000:04d}/run_{run % 5000:05d}.perf", lines)


@kind("zip")
def _zip_of_folders(file: BinaryIO, size: int) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(100_500):
            archive.writestr(f"subexperiment_{number:06d}/run_00001.perf", b"")


# Workbooks, as XML of one's own: they say what they like of themselves.
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPES = (
    f'<?xml version="1.0"?><Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" ContentType='
    '"application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>'
)


def workbook(file: BinaryIO, sheets: int, body: bytes, shared: bytes = b"") -> None:
    """An .xlsx whose sheets have the rows `body`."""
    names = "".join(f'<sheet name="s{n}" sheetId="{n}" r:id="r{n}"/>' for n in range(1, sheets + 1))
    parts = "".join(f'<Relationship Id="r{n}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>' for n in range(1, sheets + 1))
    if shared:
        parts += f'<Relationship Id="texts" Type="{_OFFICE}/sharedStrings" Target="sharedStrings.xml"/>'
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        main = f'<Relationship Id="r1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
        archive.writestr("_rels/.rels", f'<?xml version="1.0"?><Relationships xmlns="{_PACKAGE}/relationships">{main}</Relationships>')
        book = f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{names}</sheets></workbook>'
        archive.writestr("xl/workbook.xml", f'<?xml version="1.0"?>{book}')
        named = f'<Relationships xmlns="{_PACKAGE}/relationships">{parts}</Relationships>'
        archive.writestr("xl/_rels/workbook.xml.rels", f'<?xml version="1.0"?>{named}')
        if shared:
            archive.writestr("xl/sharedStrings.xml", f'<?xml version="1.0"?><sst xmlns="{_MAIN}">'.encode() + shared + b"</sst>")
        sheet = f'<?xml version="1.0"?><worksheet xmlns="{_MAIN}"><sheetData>'.encode() + body + b"</sheetData></worksheet>"
        for number in range(1, sheets + 1):
            archive.writestr(f"xl/worksheets/sheet{number}.xml", sheet)


def sheet_rows(many: int, columns: int = 20) -> bytes:
    """A header of texts, then rows of numbers."""
    heads = b"".join(b'<c t="inlineStr"><is><t>e%d</t></is></c>' % column for column in range(columns))
    cells = [b"".join(b"<c><v>%d</v></c>" % (row * column % 10**6) for column in range(1, columns + 1)) for row in range(many)]
    return b"<row>" + heads + b"</row>" + b"".join(b"<row>%b</row>" % each for each in cells)


KINDS["xlsx"] = ("xlsx", lambda file, size: workbook(file, 1, sheet_rows(size // 400)))
KINDS["xlsx, 7 million cells"] = (
    "xlsx",
    lambda file, size: workbook(file, 1, b"".join(b"<row>%b</row>" % (b"<c><v>1</v></c>" * 100) for _ in range(70_000))),
)
KINDS["xlsx, 900 sheets"] = ("xlsx", lambda file, size: workbook(file, 900, sheet_rows(size // 900 // 400)))
KINDS["xlsx, 5,000 sheets"] = ("xlsx", lambda file, size: workbook(file, 5_000, sheet_rows(2)))
KINDS["xlsx, one long text"] = (
    "xlsx",
    lambda file, size: workbook(
        file,
        1,
        b"".join(b"<row>%b</row>" % (b'<c t="s"><v>0</v></c>' * 20) for _ in range(50_000)),
        b"<si><t>" + b"a" * 30_000 + b"</t></si>",
    ),
)
KINDS["xlsx, small, one long text"] = (
    "xlsx",
    lambda file, size: workbook(
        file, 1, b"".join(b"<row>%b</row>" % (b'<c t="s"><v>0</v></c>' * 20) for _ in range(200)), b"<si><t>" + b"a" * 30_000 + b"</t></si>"
    ),
)
KINDS["xlsx, last cell"] = (
    "xlsx",
    lambda file, size: workbook(file, 1, b'<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
)


# Columnar files.
@kind("parquet")
def Parquet(file: BinaryIO, size: int) -> None:
    """21 columns of numbers."""
    _columnar(file, size // 21 // 6, texts=False)


@kind("parquet")
def _Parquet_with_texts(file: BinaryIO, size: int) -> None:
    _columnar(file, size // 470, texts=True)


@kind("feather")
def Feather(file: BinaryIO, size: int) -> None:
    """As Parquet, with texts."""
    _columnar(file, size // 470, texts=True, feather=True)


@kind("parquet")
def _Parquet_bomb(file: BinaryIO, size: int) -> None:
    """40 columns of 100,000 times the same long text."""
    _repeated(file, "a" * 30_000, 100_000, columns=40)


@kind("parquet")
def _Parquet_of_bytes(file: BinaryIO, size: int) -> None:
    """Half the cells of which nothing is known, each a megabyte."""
    _repeated(file, b"a" * MB, 50_000)


@kind("parquet")
def _Parquet_of_bytes_of_one_length(file: BinaryIO, size: int) -> None:
    import pyarrow as pa

    _repeated(file, b"a" * MB, 5_000, kind=pa.binary(MB))


@kind("parquet")
def _Parquet_with_one_cell(file: BinaryIO, size: int) -> None:
    _repeated(file, "a" * 450 * MB, 1)


def _repeated(file: BinaryIO, value: object, rows: int, *, columns: int = 1, kind: object = None) -> None:
    """A Parquet file whose columns hold one value again and again, which is once in it."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    column = pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, np.int32)), pa.array([value], kind))
    pq.write_table(pa.table({f"c{number}": column for number in range(columns)}), file, compression="zstd", dictionary_pagesize_limit=2**30)


def _arrow(file: BinaryIO, table: object) -> None:
    import pyarrow as pa

    with pa.ipc.new_file(file, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as written:  # type: ignore[attr-defined]
        written.write_table(table)


@kind("feather")
def _Feather_bomb(file: BinaryIO, size: int) -> None:
    """4.9 million numbers a column that are one number, and more than one of them."""
    import numpy as np
    import pyarrow as pa

    zeros = pa.array(np.zeros(20_000_000, np.int64))
    _arrow(file, pa.table({f"c{number}": zeros for number in range(20)}))


@kind("feather")
def _Feather_with_one_cell(file: BinaryIO, size: int) -> None:
    import pyarrow as pa

    _arrow(file, pa.table({"a": ["a" * 1500 * MB]}))


def _columnar(file: BinaryIO, many: int, *, texts: bool, feather: bool = False) -> None:
    import numpy as np
    import pandas as pd

    place = np.arange(many)
    columns: dict[str, object] = {"time": place} | {f"e{event}": place * event % 10**6 for event in range(1, 21)}
    if texts:
        stages = np.array(["a" * 200, "b" * 200], dtype=object)[place // 5000 % 2]
        programs = np.array([f"program with a long name {number}" for number in range(33)], dtype=object)[place * 33 // max(many, 1)]
        columns = {"program": programs, "stage": stages, **columns}
    frame = pd.DataFrame(columns)
    if feather:
        frame.to_feather(file, compression="lz4")
    else:
        frame.to_parquet(file)


def read(path: Path, small: bool) -> None:
    """Read the upload as a worker does, or as the server does those that it takes for small; print its line."""
    import psutil

    from hemcore.datasets.readers.archives import Budget
    from hemcore.datasets.readers.uploaded_files import UploadedFile
    from hemcore.datasets.shelf import memory_bound, staged
    from hemcore.errors import HemError

    def upload(name: str, content: bytes, root: Path) -> tuple[list[float], str]:
        size, laps, before = 0, [], used()
        try:
            id = staged.stage([UploadedFile(name, content)], root)
            del content
            if small and staged.is_large(id, root):
                return [0, used() - before], "TO A WORKER"
            found = staged.look_into_staged(staged=id, progress=silent, root=root)
            size = sum(each.stat().st_size for each in (root / "incoming" / id / "unpacked").glob("*"))
            laps.append(used() - before)
            if not found.unpacked:
                return [size, *laps], found.fault
            seen = staged.preview_staged(staged=id, progress=silent, root=root)
            laps.append(used() - before)
            if found.fault and seen.recipe is None:
                return [size, *laps], found.fault
            plain = seen.recipe is not None and (not seen.recipe.format or not found.matches)
            recipe = seen.recipe.to_json() if plain and seen.recipe is not None else ""
            added = staged.add_staged(staged=id, format_key=None, options={}, name="n", progress=silent, root=root, recipe=recipe)
            laps.append(used() - before)
            from hemcore.datasets.shelf.store import DatasetStore

            record = DatasetStore(root).record(added["id"])
            return [size, *laps], f"READ {record.kind} {record.shape}"
        except HemError as error:
            laps.append(used() - before)
            return [size, *laps], str(error)

    def silent(done: float, note: str) -> None:
        pass

    with tempfile.TemporaryDirectory(prefix="hem-memory-", dir=path.parent) as folder:
        if not small:
            memory_bound.bound_this_process()
        upload("a.csv", b"time,b\n1,2\n3,4\n", Path(folder))
        import pyarrow.compute
        import pyarrow.csv  # noqa: F401

        own = psutil.Process()
        held, most, ended, unpacked = own.memory_info().rss, [0], threading.Event(), list[int]()

        def watch() -> None:
            while not ended.wait(0.01):
                with_children = own.memory_info().rss
                for child in own.children(recursive=True):
                    try:
                        with_children += child.memory_info().rss
                    except psutil.Error:
                        continue
                most[0] = max(most[0], with_children)

        threading.Thread(target=watch, daemon=True).start()
        Path("/proc/self/clear_refs").write_text("5")
        sent = path.stat().st_size
        take = Budget.take
        Budget.take = lambda self, name, size: (unpacked.append(size), take(self, name, size))[1]  # type: ignore[method-assign]
        laps, said = upload(path.name, path.read_bytes(), Path(folder))
        ended.set()
        high = next(int(line.split()[1]) for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")) << 10
        peak = max(high, most[0]) - held
        size = 0 if small else max(laps[0], sum(unpacked), sent)
        print(
            f"{path.name:26} {sent / MB:5.1f} {size / MB:5.0f} {peak / MB:6.0f} {peak / (4 * size + 300 * MB):5.2f}"
            f" {'OVER' if peak > 4 * size + 300 * MB else '    '} {' '.join(f'{lap:5.1f}' for lap in laps[1:]):17}  {said[:230]}",
            flush=True,
        )


def used() -> float:
    """Seconds of the processor until now, with those of children."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def main() -> None:
    """Make each upload and read it, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", help="kinds; default: all")
    parser.add_argument("--megabytes", type=float, default=40)
    parser.add_argument("--folder", type=Path, help="where files are made; default: a temporary one")
    parser.add_argument("--small", action="store_true", help="as the server reads those that it takes for small, against 300 MB alone")
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.read:
        read(given.read, given.small)
        return
    print("kind                        sent    MB   peak ratio      looked, previewed, read (s)")
    with tempfile.TemporaryDirectory(prefix="hem-memory-", dir=given.folder) as folder:
        for name in given.only or KINDS:
            ending, make = KINDS[name]
            path = Path(folder) / f"{name}.{ending}"
            with path.open("wb") as file:
                make(file, int(given.megabytes * MB))
            ended = subprocess.run([sys.executable, __file__, "--read", str(path), *(["--small"] * given.small)], check=False)
            if ended.returncode:
                print(f"{name}: the process ended with {ended.returncode}", flush=True)
            path.unlink()


if __name__ == "__main__":
    main()
