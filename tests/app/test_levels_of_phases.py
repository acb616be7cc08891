"""The level of the machine on Prediction: moving it gives the figures worked out here, by the link and by the Python taken away."""

import runpy
from urllib.parse import parse_qsl

import numpy as np
import pytest

from hemcore import __version__
from hemcore.analysis import Question
from hemcore.datasets.shelf import library
from hemcore.datasets.shelf.store import Lineage
from hemcore.segmentation import SegmentationParams
from hemcore.segmentation.analysis import SEGMENTATION
from hemcore.web import shelf

pytestmark = [pytest.mark.usefixtures("no_jobs", "workers")]

# Core p of two sockets of two counts (p + 1) times these cycles and (4 - p) times these instructions in three phases of ten intervals.
CYCLES, INSTRUCTIONS = np.array([1_000, 100, 1_000]), np.array([10, 20, 30])
OF = {
    "machine": [range(4)],
    "socket": [(0, 1), (2, 3)],
    "core": [(0,), (1,), (2,), (3,)],
}


def r_at(level: str) -> float:
    """r of the phases of every place of the level: of the machine 0, since 10,000, 1,000 and 10,000 cycles meet 100, 200 and 300."""
    cycles = [CYCLES * sum(p + 1 for p in cores) for cores in OF[level]]
    instructions = [INSTRUCTIONS * sum(4 - p for p in cores) for cores in OF[level]]
    return float(np.corrcoef(np.concatenate(cycles), np.concatenate(instructions))[0, 1])


def per_core() -> bytes:
    """perf stat --per-core -I 100."""
    return "".join(
        f"{0.1 * (at + 1):.9f};S{p // 2}-D0-C{p % 2};1;{int(count)};;{event};100000000;100.00;;\n"
        for at in range(30)
        for event, counts in (("cycles", CYCLES[at // 10] // 10), ("instructions", INSTRUCTIONS[at // 10] // 10))
        for p in range(4)
        for count in (counts * (p + 1 if event == "cycles" else 4 - p),)
    ).encode()


def kept(workbench, application: str = "cores", level: str = "machine") -> str:
    """The label of the segments of `application` at `level`, kept as phases."""
    entry = workbench.stored(("cores.csv", per_core()))
    id = library.id_at(entry.id, level)
    question = Question(analysis=SEGMENTATION, dataset=id, params=SegmentationParams(application=application, event="cycles", threshold=3))
    table, (segments, *_) = shelf.loaded_table(id), SEGMENTATION.keeps
    asked = question.to_dict()
    origin = Lineage(
        parent=id, parent_name=entry.name, analysis=asked["analysis"], params=asked["params"], version=__version__, gives=segments.name
    )
    record = shelf.store().keep(segments.make(question.answer(table), table), name="kept", lineage=origin)
    return next(each.label for each in library.entries(shelf.store()) if each.id == record.id)


def r_shown(at) -> float:
    (table,) = at.dataframe
    return float(table.value.set_index("counter")["r"]["instructions"])


def test_moving_the_level_changes_the_figures_to_those_of_its_places(workbench, tmp_path) -> None:
    label = kept(workbench)
    at = workbench.open("prediction", {"dataset": label})
    level = at.selectbox(key="prediction.machine_level")
    assert (level.value, list(level.options)) == ("machine", ["machine", "socket", "core"])
    assert any(each.value.startswith("The whole machine: counts of its cores are summed.") for each in at.caption)
    assert any(workbench.read(each.value) == "At every level, the phases are the segments of cores." for each in at.caption)
    for name, places in OF.items():
        at.selectbox(key="prediction.machine_level").set_value(name)
        workbench.run(at)
        assert workbench.metrics(at)["Phases"] == f"{3 * len(places)}"
        assert r_shown(at) == pytest.approx(r_at(name), abs=5e-4)
    # A link with the level opens it.
    again = workbench.open("prediction", {"dataset": label, "machine_level": "socket"})
    assert r_shown(again) == pytest.approx(r_at("socket"), abs=5e-4)
    # So does the Python.
    script = tmp_path / "snippet.py"
    script.write_text(workbench.snippet(again))
    made = runpy.run_path(str(script))["table"]
    assert made.programs == ["cores socket 0", "cores socket 1"]
    assert made.frame["cycles"].tolist() == [3_000, 300, 3_000, 7_000, 700, 7_000]


def test_phases_open_at_the_level_at_which_they_were_found(workbench) -> None:
    at = workbench.open("prediction", {"dataset": kept(workbench, "cores S1-D0-C1", "core")})
    assert at.selectbox(key="prediction.machine_level").value == "core"
    assert any(workbench.read(each.value) == "At every level, the phases are the segments of cores S1-D0-C1." for each in at.caption)
    assert at.selectbox(key="prediction.program").value == "cores S0-D0-C0"


def test_what_was_kept_of_one_level_says_so_and_where_to_choose_another(workbench) -> None:
    """The series with its segments as stages is of the level at which it was seen."""
    entry = workbench.stored(("cores.csv", per_core()))
    id = library.id_at(entry.id, "socket")
    table = shelf.loaded_table(id)
    params = SegmentationParams(application="cores socket 1", event="cycles", threshold=3)
    made = SEGMENTATION.keeps[1].make(SEGMENTATION.of(table, params), table)
    origin = Lineage(parent=id, parent_name="cores.csv", analysis=SEGMENTATION.name, params={}, version="1", gives="series in segments")
    record = shelf.store().keep(made, name="stages", lineage=origin)
    at = workbench.open("segmentation", {"dataset": f"stages · {record.id[:8]}"})
    assert not [each for each in at.selectbox if each.key == "segmentation.machine_level"]
    told = "Kept from cores.csv at the level socket. For another, choose it there and keep again."
    assert any(workbench.read(each.value) == told for each in at.caption)
    link = next(each for each in at.get("page_link") if each.proto.label == "Choose on Segmentation")
    assert dict(parse_qsl(link.proto.query_string)) == {"segmentation.dataset": entry.label}
