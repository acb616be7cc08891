"""How far a reading is, by hand; and that files of each way of being read move it."""

import io
import zipfile
from pathlib import Path

import pytest

from hemcore.datasets import reading_progress
from hemcore.datasets.readers import decoding
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.reading_progress import passed, reported, step
from hemcore.datasets.shelf import staged


class StopError(Exception):
    """The work is cancelled."""


def test_bytes_and_steps_move_it_by_hand() -> None:
    told: list[tuple[float, str]] = []
    passed(5)  # nobody waits
    with reported(lambda done, note: told.append((round(done, 4), note)), size=1_000, start=0.2, end=0.7, note="reads"):
        passed(500)  # half of .65 of the half between
        passed(1)  # too little to say
        passed(499)
        step("builds")  # half of what is left: .5 * (.65 + .35 / 2)
        passed(1_000)  # another quarter
        with reported(lambda done, note: None, size=1, start=0, end=1, note="another"):
            passed(1)
        step("writes")
    step("nobody waits")
    assert told == [(0.2, "reads"), (0.3625, "reads"), (0.525, "reads"), (0.6125, "builds"), (0.6562, "builds"), (0.6781, "writes")]


def test_a_step_counts_as_all_bytes_where_nobody_counted_them() -> None:
    told: list[float] = []
    with reported(lambda done, note: told.append(done), size=0, start=0, end=1, note=""):
        step("builds")
        step("writes")
    assert told == pytest.approx([0, 0.825, 0.9125])


def of_many_files() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for run in range(6):
            archive.writestr(f"run_{run}.csv", "time,a,b\n" + "".join(f"{row}.5,{row % 7},{row * run}\n" for row in range(4_000)))
    return made.getvalue()


LIKWID = "# HWThreads,0\n# GID,EventCount,CpuCount,Total runtime [s],INSTR\n" + "".join(f"1,1,1,{row}.5,{row}\n" for row in range(1, 9_000))
FILES = {
    "f.csv": "time,a,b\n" + "".join(f"{row}.5,{row % 7},{row}\n" for row in range(60_000)),
    "f.perf": "".join(f"{row}.100000000,{row},,e,100000000,100.00,,\n" for row in range(1, 30_000)),
    "likwid.csv": LIKWID,
    "texts.csv": "time,a,stage\n" + "".join(f"{row}.5,{row % 7},s{row // 4_000}\n" for row in range(20_000)),
    "runs.zip": of_many_files(),
}


@pytest.mark.parametrize("name", FILES)
def test_reading_a_file_moves_it_and_can_be_stopped(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "EVERY", 1 << 16)
    content = FILES[name] if isinstance(FILES[name], bytes) else FILES[name].encode()  # type: ignore[union-attr]
    looked: list[tuple[float, str]] = []
    told: list[tuple[float, str]] = []
    id = staged.stage([UploadedFile(name, content)], tmp_path)
    staged.look_into_staged(staged=id, progress=lambda done, note: looked.append((done, note)), root=tmp_path)
    recipe = staged.preview_staged(staged=id, progress=lambda done, note: None, root=tmp_path).recipe
    assert recipe is not None

    def read(progress: reading_progress.Progress) -> None:
        text = "" if recipe.format else recipe.to_json()
        staged.add_staged(staged=id, format_key=None, options={}, name="n", progress=progress, root=tmp_path, recipe=text)

    def stop(done: float, note: str) -> None:
        if done > 0.1:
            raise StopError

    with pytest.raises(StopError):
        read(stop)
    read(lambda done, note: told.append((done, note)))
    fractions = [done for done, _ in told]
    assert looked == sorted(looked)
    assert {note for _, note in looked} == {"looking into the files"}
    assert fractions == sorted(fractions)
    assert fractions[0] == 0.05
    assert 0.8 < fractions[-1] < 1
    assert told[-1][1] == "writing the dataset"
    assert sum(0.05 < done < 0.7 for done in fractions) >= {"texts.csv": 1, "likwid.csv": 2}.get(name, 3)
