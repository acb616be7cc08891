"""Readings with tags, a line each: InfluxDB's line protocol, and samples of OpenMetrics with their times."""

import json

from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.importing.other_forms.line_protocol import as_table
from hemcore.datasets.readers.uploaded_files import UploadedFile


def test_the_same_tags_are_one_series() -> None:
    text = "".join(
        f"likwid,cluster=c,hostname={host},type-id={place} cpi={value} 171498960{second}000000000\n"
        for second in (0, 1)
        for host, place, value in (("n1", 0, 2.5), ("n1", 1, 1.5), ("n2", 0, 3.5))
    )
    rows = [line.split(",") for line in as_table(text).splitlines()]
    assert rows[0] == ["time", "cluster", "program", "cpi"]
    assert [row[2:] for row in rows[1:4]] == [
        ["hostname=n1 type-id=0", "2.5"],
        ["hostname=n1 type-id=1", "1.5"],
        ["hostname=n2 type-id=0", "3.5"],
    ]
    assert len(rows) == 7


def test_blanks_in_tags_are_escaped_and_a_number_alone_gets_its_tags_name() -> None:
    line = r"gpu,index={},name=A\ 100 load={}i 1714989600000000000" + "\n"
    assert as_table(line.format(0, 61) + line.format(1, 7)) == (
        "time,name,program,load\n1714989600000000000,A 100,index=0,61\n1714989600000000000,A 100,index=1,7\n"
    )


def test_measurements_of_one_time_stand_in_one_row_and_a_field_again_in_another() -> None:
    text = "cpu,host=a use=5i 1714989600000000000\nmem,host=a use=7i 1714989600000000000\ncpu,host=a use=6i 1714989600000000000\n"
    assert as_table(text) == "time,host,cpu use,mem use\n1714989600000000000,a,5,7\n1714989600000000000,a,6,\n"
    assert as_table(text + "other words\n") is None


def test_blocks_of_measurements_are_joined_by_time_in_the_order_of_the_first() -> None:
    stamp = "17149896{}000000000".format
    blocks = [("cpu", (5, 6, 8)), ("mem", (7, 9)), ("net", (1, 2, 3))]
    text = "".join(f"{name},host=a v={value}i {stamp(10 + at)}\n" for name, values in blocks for at, value in enumerate(values))
    assert as_table(text) == f"time,host,cpu v,mem v,net v\n{stamp(10)},a,5,7,1\n{stamp(11)},a,6,9,2\n{stamp(12)},a,8,,3\n"


def test_samples_of_openmetrics_with_times_are_a_series() -> None:
    head = "# TYPE x counter\n# HELP x Cycles.\n"
    text = head + "".join(f'x_total{{host="n1"}} {10 * step * step} {1714989600 + 15 * step}\n' for step in range(5)) + "# EOF\n"
    table = inspect([UploadedFile("om.txt", text.encode())]).result.table
    assert table.counts["x_total"].tolist() == [10, 30, 50, 70]
    assert table.intervals["time"].tolist() == [15, 30, 45, 60]
    assert "one scrape" in inspect([UploadedFile("om.txt", (head + 'x_total{host="n1"} 1763895600\n').encode())]).fault


def test_a_number_among_the_tags_of_json_is_a_name() -> None:
    def told(*packages: int) -> tuple[list[str], list[str]]:
        rows = [
            {
                "fields": {"watts": 100 + step + 7 * each},
                "tags": {"host": "n1", "package_id": str(each)},
                "timestamp": 1714989600 + 10 * step,
            }
            for step in range(6)
            for each in packages
        ]
        table = inspect([UploadedFile("m.json", "\n".join(map(json.dumps, rows)).encode())]).result.table
        return table.counts.columns.tolist(), table.intervals["application"].drop_duplicates().tolist()

    assert told(0) == (["watts"], ["m"])
    assert told(0, 1) == (["watts"], ["package_id 0", "package_id 1"])
