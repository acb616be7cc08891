"""hem-workbench: tables out, exit codes 0, 1 and 2, one sentence on stderr, and where compiled code is kept."""

import io
import json
import os
import stat
from pathlib import Path

import pandas as pd
import pytest

from hemcore import compiled_cache, resources
from hemcore.command import app
from hemcore.command.cli import main
from hemcore.errors import HemError


def test_plan_writes_each_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hems = tmp_path / "hems.csv"
    hems.write_text("hem\nA\nB\nC\nD\n")
    for name in ("plan.csv", "plan.json", "plan.parquet"):
        assert main(["plan", str(hems), "--pmcs", "2", "-o", str(tmp_path / name)]) == 0
    table = pd.read_csv(tmp_path / "plan.csv")
    assert len(table) == 6  # every pair of four, two at a time
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "plan.parquet"), table, check_dtype=False)
    assert len(json.loads((tmp_path / "plan.json").read_text())) == 6
    assert "6 subexperiments" in capsys.readouterr().err


def test_a_table_goes_to_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["read", "hems-t2080"]) == 0
    out, err = capfdbinary.readouterr()
    assert out.startswith(b"hem,counters,limit\n")
    assert b"HemList: 16 HEMs" in err


def test_segments_of_a_series_and_its_parameters(tmp_path: Path) -> None:
    series = tmp_path / "series.csv"
    series.write_text(
        "interval,CYCLES\n" + "".join(f"{place},{value}\n" for place, value in enumerate([5, 5, 6, 5, 90, 92, 91, 5, 6, 5, 5]))
    )
    assert main(["segment", str(series), "-p", "threshold=3", "-p", "statistic=rms", "-o", str(tmp_path / "out.csv")]) == 0
    assert list(pd.read_csv(tmp_path / "out.csv")["start"]) == [0, 4, 7]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["merge", "nothing.csv"], "no such file"),
        (["merge", "subexperiments-much", "--method", "mvg"], "copula, much, hrm"),
        (["segment", "series-ocoe", "-p", "treshold=3"], "no such parameter"),
        (["read", "hems-t2080", "-o", "table.docx"], "does not end in .csv"),
        (["report", "nothing.json"], "cannot be read"),
    ],
)
def test_what_cannot_be_used_is_one_sentence_and_code_1(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert told in last


@pytest.mark.parametrize("words", [["frobnicate"], ["--port", "99999"], ["plan"], ["segment", "x", "-p", "oops"], ["--no-such"]])
def test_what_is_not_understood_is_code_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 2
    assert "usage: hem-workbench" in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    pytest.importorskip("streamlit")
    (tmp_path / "file").write_text("")
    with pytest.raises(HemError, match="--data"):
        app.start(port=8501, data=tmp_path / "file" / "inside", browse=False)


def test_the_demo_is_opened_when_the_server_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    opened: list[str] = []

    def answer(address: str, timeout: float) -> io.BytesIO:
        asked.append(address)
        if len(asked) < 3:
            raise OSError("not yet")
        return io.BytesIO()

    monkeypatch.setattr("urllib.request.urlopen", answer)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    monkeypatch.setattr("webbrowser.open", opened.append)
    app._open_demo("http://localhost:8501")
    assert asked == ["http://localhost:8501/_stcore/health"] * 3
    assert opened == ["http://localhost:8501/?demo=1"]


def test_the_command_can_open_the_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, object]] = []
    monkeypatch.setattr("hemcore.command.cli.start", lambda **how: asked.append(how) or 0)
    assert (main(["--demo"]), main([])) == (0, 0)
    assert [each["demo"] for each in asked] == [True, False]


def test_the_files_of_the_app_are_found() -> None:
    assert resources.SERVER.is_file()
    assert (resources.PAGES / "merge.py").is_file()
    assert (resources.ROOT / ".streamlit" / "config.toml").is_file()
    assert (resources.SAMPLES / "README.md").is_file()


# Where compiled code is kept


def test_beside_the_code_where_that_can_be_written(tmp_path: Path) -> None:
    environment: dict[str, str] = {}
    compiled_cache.choose(tmp_path, environment)
    assert environment == {}


def test_in_the_cache_folder_where_the_package_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "package"
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != package)
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    compiled_cache.choose(package, environment)
    folder = Path(environment["NUMBA_CACHE_DIR"])
    assert folder.parent == tmp_path / "cache"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    named = {"NUMBA_CACHE_DIR": "/somewhere"}
    compiled_cache.choose(package, named)
    assert named == {"NUMBA_CACHE_DIR": "/somewhere"}


def test_in_a_temporary_folder_that_is_nobody_elses_where_there_is_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package, temporary = tmp_path / "package", tmp_path / "temporary"
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != package)
    monkeypatch.setattr(compiled_cache.tempfile, "gettempdir", lambda: str(temporary))
    (tmp_path / "file").write_text("")
    environment = {"XDG_CACHE_HOME": str(tmp_path / "file")}
    compiled_cache.choose(package, environment)
    folder = Path(environment["NUMBA_CACHE_DIR"])
    assert folder.parent == temporary
    folder.chmod(0o777)  # anybody may put code there
    again = {"XDG_CACHE_HOME": str(tmp_path / "file")}
    compiled_cache.choose(package, again)
    assert "NUMBA_CACHE_DIR" not in again


def test_warm_compiles_every_room(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["warm"]) == 0
    assert capsys.readouterr() == ("", "")
