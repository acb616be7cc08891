"""EAR's database: the same cases against SQLite, a real PostgreSQL and a real MariaDB."""

import logging
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pandas as pd
import pytest
import sqlalchemy as sa

from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.signature_table import METRICS
from hemcore.errors import HemError
from hemcore.signatures.database import demo_db
from hemcore.signatures.database.connection import VARIABLE, EarDatabaseError, engine_of
from hemcore.signatures.database.ear_database import EarQuery, fetch, load
from tests.core.signatures import servers
from tests.core.signatures.servers import DATABASE, PASSWORD, USER

pytestmark = pytest.mark.slow

JOBS = samples.load("signatures").frame.head(400)  # type: ignore[union-attr]
SECRET = quote(PASSWORD, safe="")


@dataclass(frozen=True)
class Server:
    """A database with the first 400 sample jobs. kind: "sqlite", "postgresql" or "mariadb"."""

    kind: str
    url: str
    port: int = 0

    def other(self, *, user: str = USER, password: str = SECRET, port: int | None = None, database: str = DATABASE) -> str:
        return f"{self.kind}://{user}:{password}@127.0.0.1:{port or self.port}/{database}"


@pytest.fixture(scope="module", params=["sqlite", "postgresql", "mariadb"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if request.param == "sqlite":
        path = tmp_path_factory.mktemp("ear") / "ear.sqlite"
        _fill(f"sqlite:///{path}")
        yield Server("sqlite", f"sqlite:///{path}")
        return
    with getattr(servers, request.param)() as port:
        found = Server(request.param, f"{request.param}://{USER}:{SECRET}@127.0.0.1:{port}/{DATABASE}", port)
        driver = {"postgresql": "postgresql+psycopg", "mariadb": "mariadb+pymysql"}[request.param]
        _fill(found.url.replace(request.param, driver, 1), lower_case=request.param == "postgresql")
        yield found


@pytest.fixture
def real(server: Server) -> Server:
    if server.kind == "sqlite":
        pytest.skip("SQLite has neither users nor a port")
    return server


def _fill(url: str, *, lower_case: bool = False) -> None:
    engine = sa.create_engine(url)
    demo_db.fill(engine, JOBS, lower_case=lower_case)
    engine.dispose()


@pytest.mark.slow
def test_every_job_comes_back(server: Server) -> None:
    found = load(EarQuery(), url=server.url).frame
    assert found["JOBID"].tolist() == JOBS["JOBID"].tolist()
    for name in (*METRICS, "TIME_SEC", "DC_NODE_POWER_W", "CYCLES", "INSTRUCTIONS", "DPOPS_512", "DEF_FREQ_KHZ", "JOB_START_TIME"):
        np.testing.assert_allclose(found[name].to_numpy(), JOBS[name].to_numpy(dtype=float), rtol=1e-12, err_msg=name)
    for name in ("NODENAME", "USERID", "JOBNAME", "POLICY", "ACCOUNTID"):
        assert found[name].tolist() == JOBS[name].tolist()
    # EAR writes 0 for what it did not measure.
    assert found["CPI"].isna().sum() == JOBS["CPI"].isna().sum() > 0
    assert found["GPU_UTIL_PERC"].fillna(0).tolist() == JOBS["GPU0_UTIL_PERC"].tolist()


def test_a_node_has_the_power_of_all_its_gpus_and_the_use_of_the_busiest(tmp_path: Path) -> None:
    path = tmp_path / "gpus.sqlite"
    engine = sa.create_engine(f"sqlite:///{path}")
    demo_db.fill(engine, JOBS[JOBS["GPU0_UTIL_PERC"] > 0].head(2))
    with engine.begin() as connection:
        # GPU 1: 100 W, used for 70%; GPU 2: 200 W, used for 50%. The first job has both, the second the second.
        connection.execute(sa.text("UPDATE GPU_signatures SET GPU_power = 100 * id, GPU_util = 90 - 20 * id"))
        connection.execute(sa.text("UPDATE Signatures SET max_GPU_sig_id = 2 WHERE id = 1"))
    engine.dispose()
    found = load(EarQuery(), url=f"sqlite:///{path}").frame
    assert found["GPU_POWER_W"].tolist() == [300, 200]
    assert found["GPU_UTIL_PERC"].tolist() == [70, 50]


def test_filters(server: Server) -> None:
    user, job = JOBS["USERID"].iloc[0], int(JOBS["JOBID"].iloc[7])
    assert len(load(EarQuery(user=user), url=server.url).frame) == (JOBS["USERID"] == user).sum()
    assert load(EarQuery(job=job), url=server.url).frame["JOBID"].tolist() == [job]
    name = JOBS["JOBNAME"].iloc[3]
    assert set(load(EarQuery(application=name), url=server.url).frame["JOBNAME"]) == {name}
    start, end = (int(JOBS["JOB_START_TIME"].iloc[place]) for place in (100, 200))
    between = (JOBS["JOB_END_TIME"] >= start) & (JOBS["JOB_START_TIME"] <= end)
    query = EarQuery(start=datetime.fromtimestamp(start, UTC), end=datetime.fromtimestamp(end, UTC))
    assert len(load(query, url=server.url).frame) == between.sum()


def test_loops(server: Server) -> None:
    loops = load(EarQuery(kind="loops"), url=server.url).frame
    assert len(loops) == demo_db.JOBS_WITH_LOOPS * demo_db.LOOPS_A_JOB
    one = loops[loops["JOBID"] == loops["JOBID"].iloc[0]]
    assert one["TIMESTAMP"].diff().dropna().unique().tolist() == [demo_db.LOOP_S]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["' OR '1'='1", "x'; DROP TABLE Jobs; --", '" OR 1=1 --', "%", "_ser18", "user18\\", "user18' --", "é\U0001f600"]
)
def test_sql_in_a_filter_is_a_text_that_nobody_has(server: Server, text: str) -> None:
    for query in (EarQuery(user=text), EarQuery(application=text)):
        with pytest.raises(EarDatabaseError, match="no signature fits"):
            load(query, url=server.url)
    assert len(load(EarQuery(), url=server.url).frame) == len(JOBS)


def test_it_is_read_only(server: Server) -> None:
    engine = engine_of(server.url)
    table = "jobs" if server.kind == "postgresql" else "Jobs"
    with engine.connect() as connection, pytest.raises(sa.exc.DBAPIError):
        connection.execute(sa.text(f"DELETE FROM {table}"))


def test_chunks_to_parquet(server: Server, tmp_path: Path) -> None:
    told: list[float] = []
    found = fetch(EarQuery(), tmp_path / "new" / "parts", url=server.url, chunk_rows=150, progress=lambda done, note: told.append(done))
    assert found.rows == 400
    assert [path.name for path in found.files] == ["part-00000.parquet", "part-00001.parquet", "part-00002.parquet"]
    assert [len(pd.read_parquet(path)) for path in found.files] == [150, 150, 100]
    assert told == [0.375, 0.75, 1.0]
    together = pd.concat([pd.read_parquet(path) for path in found.files], ignore_index=True)
    pd.testing.assert_frame_equal(together, load(EarQuery(), url=server.url).frame)


def test_without_an_address_the_environments_is_read(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, server.url)
    [path] = fetch(EarQuery(start=datetime(2026, 1, 1), end=datetime(2026, 1, 3, 12)), tmp_path).files
    assert 0 < len(pd.read_parquet(path)) < 400


def test_too_many_at_once(server: Server) -> None:
    with pytest.raises(EarDatabaseError, match="400 signatures fit, more than 399 at once"):
        load(EarQuery(), url=server.url, most_rows=399)


# What goes wrong is a sentence, without the password


def said(url: str | None, caplog: pytest.LogCaptureFixture) -> str:
    with caplog.at_level(logging.DEBUG), pytest.raises(EarDatabaseError) as refusal:
        load(EarQuery(), url=url)
    words = str(refusal.value)
    assert words.endswith((".", "?"))
    assert "\n" not in words
    assert refusal.value.__cause__ is None
    assert refusal.value.__context__ is None or refusal.value.__suppress_context__
    for secret in (PASSWORD, SECRET, "wr0ng"):
        assert secret not in words
        assert secret not in caplog.text
    return words


def test_a_wrong_password(real: Server, caplog: pytest.LogCaptureFixture) -> None:
    assert "does not let the user 'ear' in" in said(real.other(password="wr0ng"), caplog)


def test_an_unknown_user(real: Server, caplog: pytest.LogCaptureFixture) -> None:
    assert "does not let the user 'nobody' in" in said(real.other(user="nobody"), caplog)


def test_a_database_that_is_down(real: Server, caplog: pytest.LogCaptureFixture) -> None:
    port = servers._free_port()
    assert f"no database answers at 127.0.0.1:{port}." in said(real.other(port=port), caplog)


def test_a_database_that_there_is_not(real: Server, caplog: pytest.LogCaptureFixture) -> None:
    words = said(real.other(database="nothing"), caplog)
    assert "has no database 'nothing'" in words or "does not let the user" in words


def test_a_database_without_the_tables(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE Jobs (job_id INTEGER)")
    assert "the database has no table Applications, Signatures" in said(f"sqlite:///{path}", caplog)


def test_tables_without_the_columns(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as connection:
        for name, columns in (("Applications", "job_id, signature_id"), ("Jobs", "job_id"), ("Signatures", "id, CPI, GBS")):
            connection.execute(f"CREATE TABLE {name} ({columns})")
    assert "the table Signatures has no column for TPI, GFLOPS" in said(f"sqlite:///{path}", caplog)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", "it is not set"),
        ("mysql//ear:wr0ng@host/ear", "the address cannot be understood"),
        ("nosuch://ear:wr0ng@host/ear", "nosuch is not a database that EAR uses"),
        ("mariadb://ear:wr0ng@host:port/ear", "the address cannot be understood"),
        ("mssql://ear:wr0ng@host/ear", "mssql is not a database that EAR uses"),
        ("sqlite:////no/such/file", "/no/such/file: there is no such file"),
        ("sqlite://", "there is no such file"),
    ],
)
def test_an_address_that_does_not_fit(url: str, words: str, caplog: pytest.LogCaptureFixture) -> None:
    assert words in said(url, caplog)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"kind": "nodes"}, "kind: 'nodes' is not known"),
        ({"start": datetime(2026, 2, 1), "end": datetime(2026, 1, 1)}, "is after the end"),
        ({"user": "x" * 257}, "user: "),
        ({"application": "a\x00b"}, "application: "),
        ({"job": "1 OR 1=1"}, "job: '1 OR 1=1' must be a whole number"),
        ({"job": -1}, "job: '-1' must be a whole number"),
    ],
)
def test_a_query_that_does_not_fit(arguments: dict, words: str) -> None:
    with pytest.raises(HemError) as refusal:
        EarQuery(**arguments)
    assert words in str(refusal.value)


# The demo


@pytest.mark.slow
@pytest.mark.long
def test_the_demo_database_from_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "demo.sqlite"
    command = [sys.executable, "-m", "hemcore.signatures.database.demo_db", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert f"export {VARIABLE}=sqlite:///{path}" in done.stdout
    assert len(load(EarQuery(), url=f"sqlite:///{path}").frame) == 5_000
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert again.returncode == 1
    assert again.stderr.strip().endswith("Remove it, or name another file.")
