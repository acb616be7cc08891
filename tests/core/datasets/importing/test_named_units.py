"""Units that a file gives in cells, rows and columns of units stay in the names of events."""

import json

import pytest

from tests.core.datasets.importing.test_further_tools import series

TIMES = range(1, 7)


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("time,rail,cycles\n" + "".join(f"{t},{40 + t % 3} W,{90 + t % 5}\n" for t in TIMES), ["rail [W]", "cycles"]),
        ("time,rail,cycles\ns,mV,-\n" + "".join(f"{t},{40 + t % 3},{90 + t % 5}\n" for t in TIMES), ["rail [mV]", "cycles"]),
        (
            "time,event,value,unit\n" + "".join(f"{t},rail,{40 + t % 3},W\n{t},cycles,{90 + t % 5},\n" for t in TIMES),
            ["rail [W]", "cycles"],
        ),
        ("time,rail(W),cycles\n" + "".join(f"{t},{40 + t % 3} W,{90 + t % 5}\n" for t in TIMES), ["rail(W)", "cycles"]),
    ],
)
def test_the_unit_of_cells_rows_and_columns_is_in_the_name(text: str, events: list[str]) -> None:
    table = series(text)
    assert table.events == events
    assert table.counts[events[0]].tolist() == [41, 42, 40, 41, 42, 40]


def test_the_unit_of_a_field_of_grafana_is_in_the_name() -> None:
    fields = [
        {"name": "Time", "type": "time"},
        {"name": "Value", "type": "number", "labels": {"__name__": "node_power"}, "config": {"unit": "watt"}},
        {"name": "misses", "type": "number", "config": {"unit": "short"}},
    ]
    values = [[1_795_161_600_000 + 1_000 * t for t in TIMES], [40 + t % 3 for t in TIMES], [7 + t % 2 for t in TIMES]]
    table = series(json.dumps([{"schema": {"fields": fields}, "data": {"values": values}}]), "panel.json")
    assert table.events == ["node_power [W]", "misses"]
