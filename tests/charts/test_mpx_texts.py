"""What stands under the pictures of multiplexing: figures in sentences and tables, by hand."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hemcore.charts.mpx import alignment, bars, fewer_counters


def scored(runs: int = 2, all_runs: int = 5, perfect: float = 0.8, left_out: int = 3) -> Any:
    by_method = pd.DataFrame(
        {"method": ["linear", "minimum"], "ra": [0.7, 0.9], "wa": [0.95, 0.6], "total": [0.01, -0.2], "off": [0.02, 0.2], "series": 40,
         "left_out": left_out}
    )  # fmt: skip
    found = SimpleNamespace(
        by_method=by_method, scores=by_method, perfect=(perfect, 0.99), runs=tuple(range(runs)), all_runs=all_runs, application="p",
        slots_per_count=4,
    )  # fmt: skip
    return SimpleNamespace(result=found, baseline=None)


def test_the_most_accurate_estimator_is_first_and_its_figures_stand_below() -> None:
    scene = scored()
    assert bars._ranked(scene.result)["method"].tolist() == ["minimum", "linear"]
    table = bars.table(scene)
    assert table[["RA", "WA", "total, signed", "total, absolute"]].to_numpy().tolist() == [[0.7, 0.95, 0.01, 0.02], [0.9, 0.6, -0.2, 0.2]]
    text = bars.caption(scene)
    assert text.startswith("Means over 40 series (one event in one run); 3 more have fewer than 20")
    assert "have RA 80% and WA 99%" in text
    alone = bars.caption(scored(left_out=0, perfect=np.nan))
    assert alone == "Means over 40 series (one event in one run)."


def test_how_many_runs_are_estimated() -> None:
    assert [bars._runs(scored(*each).result) for each in ((2, 5), (5, 5), (1, 1))] == ["2 of 5 runs", "5 runs", "1 run"]


def test_what_has_scores_and_what_can_be_tried() -> None:
    scene = scored()
    assert bars.has_scores(scene)
    scene.result.by_method = scene.result.by_method.assign(ra=np.nan)
    assert not bars.has_scores(scene)
    modes = [("OCOE", None), ("MPX", None), ("MPX", "truth")]
    tables: list[Any] = [SimpleNamespace(table=SimpleNamespace(mode=mode, truth=truth)) for mode, truth in modes]
    assert [fewer_counters.can_try(each) for each in tables] == [True, False, True]


@pytest.mark.parametrize(("ks", "half"), [((2, 4, 8), True), ((2, 3), False)])
def test_counters_that_k_stands_for(ks: tuple[int, ...], half: bool) -> None:
    rows = pd.DataFrame({"slots_per_count": ks, "method": "linear", "ra": 0.5, "wa": 0.6, "total": 0.1, "off": 0.2})
    scene: Any = SimpleNamespace(
        more=SimpleNamespace(rows=rows, application="p", runs=1), result=scored().result, table=SimpleNamespace(events=["A"] * 12)
    )
    text = fewer_counters.caption(scene)
    assert text.startswith("With k slots per count, 12 events need about 12/k counters.")
    assert ("doubles k, for example from 2 to 4" in text) is half
    assert "none trained on p is stored" in text
    assert "not better" not in text
    scene.more.rows = rows.assign(ra=np.linspace(0.5, 0.6, len(ks)))
    assert "Fewer counters are not better where a line rises: compare it with the band over rotations" in fewer_counters.caption(scene)
    table = fewer_counters.table(scene)
    assert table is not None
    assert table["k"].tolist() == list(ks)


def test_an_alignment_in_a_sentence() -> None:
    scene: Any = SimpleNamespace(more=SimpleNamespace(longest_wait=3, cost=1.26, apart=4.04))
    text = alignment.caption(scene)
    assert "At most 3 slots lie between matching slots. The curves differ by 1.3 where slots are matched and by 4.0 slot by slot" in text
    curve = alignment._curve(np.log10(np.array([1.0, 11, 101])), "truth", "#000", 1)
    assert curve["y"].tolist() == [0, 10, 100]  # type: ignore[attr-defined]
