"""EAR's database on the Signatures page: read as a job to a dataset of the shelf; what goes wrong is a sentence without the password."""

import datetime
import logging
import socket
import sqlite3
import sys
import time
from pathlib import Path
from urllib.parse import quote

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError

from hemcore import jobs
from hemcore.datasets.shelf import samples
from hemcore.signatures.database import connection, demo_db
from hemcore.signatures.database.connection import VARIABLE, EarDatabaseError
from hemcore.web import shelf
from hemcore.web.signatures import database
from tests.core.jobs.patience import PATIENCE
from tests.core.signatures import servers
from tests.core.signatures.servers import DATABASE, PASSWORD, USER

pytestmark = [pytest.mark.usefixtures("no_jobs"), pytest.mark.detail]
SECRET = "t0p-s3cret"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ear") / "ear.sqlite"
    demo_db.make(path)
    return path


@pytest.fixture
def known(demo: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The server knows the demo database."""
    monkeypatch.setenv(VARIABLE, f"sqlite:///{demo}")
    return demo


@pytest.fixture
def not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


def asked(workbench, at=None, **fields):
    """The page when the form was filled in with `fields` and sent."""
    at = workbench.open_box(at or workbench.open("signatures"), "EAR database")
    for name, value in fields.items():
        element = "date_input" if name in ("start", "end") else "button_group" if name == "kind" else "text_input"
        getattr(at, element)(key=f"signatures.ear-{name}").set_value(value)
    workbench.run(at)
    at.button(key="signatures.ear-read").click()
    return workbench.run(at)


def done(workbench, at):
    """The page when what it began is read."""
    for job in jobs.jobs():
        assert job.wait(PATIENCE)
    return workbench.run(at)


def the_sentence(workbench, at) -> str:
    (said,) = workbench.sentences(at)
    assert said.endswith((".", "?"))
    assert "\n" not in said
    return said


def everything(at) -> str:
    """All that the page holds: what is drawn, the state of the session, the address."""
    return f"{at._tree} {at.session_state.to_dict()} {dict(at.query_params)}"


@pytest.mark.slow
def test_without_the_extra_the_box_says_what_to_install(workbench, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    at = workbench.open_box(workbench.open("signatures"), "EAR database")
    assert any("pip install 'hem-workbench[database]'" in each.value for each in at.caption)
    assert not any(each.label == "Address" for each in at.text_input)


def test_a_database_that_the_server_knows_is_read_to_the_shelf_and_opened(workbench, known) -> None:
    at = workbench.open_box(workbench.open("signatures"), "EAR database")
    assert any(f"SQLite, {known.name}" in workbench.read(each.value) for each in at.caption)
    at = done(workbench, asked(workbench, at))
    (record,) = workbench.records
    assert (record.name, record.kind, record.shape) == ("EAR applications", "SignatureTable", "5,000 signatures")
    assert record.source_names == (f"EAR's database: SQLite, {known.name}; applications",)
    assert at.session_state["signatures.dataset"].startswith("EAR applications")
    assert "signatures.reading" not in at.query_params
    assert workbench.metrics(at)["Counted"] == "4,858 of 5,000"
    assert not at.error


def test_filters(workbench, known) -> None:
    frame = samples.load("signatures").frame  # type: ignore[union-attr]
    user, name = frame["USERID"].iloc[0], frame["JOBNAME"].iloc[0]
    done(workbench, asked(workbench, user=user, application=name))
    (record,) = workbench.records
    own = frame[(frame["USERID"] == user) & (frame["JOBNAME"] == name)]
    assert shelf.table(record.id).frame["JOBID"].tolist() == own["JOBID"].tolist()
    assert record.name == f"EAR applications of user {user}, application {name}"


@pytest.mark.slow
def test_times_and_loops_of_a_job(workbench, known) -> None:
    frame = samples.load("signatures").frame  # type: ignore[union-attr]
    job = int(frame.loc[frame["CPI"] > 0, "JOBID"].iloc[0])
    at = done(workbench, asked(workbench, kind="loops", job=str(job)))
    assert shelf.table(workbench.records[0].id).frame["JOBID"].unique().tolist() == [job]
    assert "Job in time" in workbench.tabs(at)


def test_what_is_being_read_is_in_the_address_and_outlives_a_refresh(workbench, known, monkeypatch) -> None:
    def slow(query, *, url, progress):
        while True:
            progress(0.25, "1 of 4 signatures")
            time.sleep(0.02)

    monkeypatch.setattr("hemcore.signatures.database.ear_database.load", slow)
    at = asked(workbench)
    (job,) = jobs.jobs()
    assert at.query_params["signatures.reading"] == job.id
    refreshed = workbench.open("signatures", {"reading": job.id})
    assert any(each.label == "Cancel" for each in refreshed.button)
    job.cancel()
    assert job.wait(10)
    assert job.state == "cancelled"
    assert "cancelled" in the_sentence(workbench, workbench.run(refreshed))


@pytest.mark.parametrize("reading", ["0" * 64, "x" * 5_000, "<b>", ""])
def test_a_link_to_a_reading_that_there_is_not_is_passed_over(workbench, reading: str) -> None:
    at = workbench.open("signatures", {"reading": reading})
    assert not at.error
    assert "signatures.reading" not in at.query_params or not reading


# What goes wrong.


@pytest.mark.slow
@pytest.mark.parametrize("text", ["' OR '1'='1", "x'; DROP TABLE Jobs; --", "%", "é\U0001f600"])
@pytest.mark.parametrize("field", ["user", "application"])
def test_sql_in_a_field_is_a_text_that_nobody_has(workbench, known, field: str, text: str) -> None:
    at = done(workbench, asked(workbench, **{field: text}))
    assert "no signature fits" in the_sentence(workbench, at)
    assert workbench.records == []
    with sqlite3.connect(known) as direct:
        assert direct.execute("SELECT COUNT(*) FROM Jobs").fetchone() == (5_000,)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["1 OR 1=1", "-1", "1; DROP TABLE Jobs", "9" * 30, "1e3", "٣"])
def test_a_job_that_is_no_number(workbench, known, text: str) -> None:
    assert "must be a whole number" in the_sentence(workbench, asked(workbench, job=text))
    assert jobs.jobs() == []


def test_times_the_wrong_way_round(workbench, known) -> None:
    at = asked(workbench, start=datetime.date(2026, 2, 1), end=datetime.date(2026, 1, 1))
    assert "is after the end" in the_sentence(workbench, at)


def test_a_database_without_the_tables(workbench, tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE Jobs (job_id INTEGER)")
    monkeypatch.setenv(VARIABLE, f"sqlite:///{path}")
    at = done(workbench, asked(workbench))
    assert "the database has no table Applications, Signatures. Is it EAR's?" in the_sentence(workbench, at)


def test_no_address_at_all(workbench, not_known) -> None:
    assert f"{VARIABLE}: it is not set" in the_sentence(workbench, asked(workbench))


def test_an_address_of_the_server_that_is_none_keeps_its_password(workbench, monkeypatch, caplog) -> None:
    monkeypatch.setenv(VARIABLE, f"mariadb//ear:{SECRET}@host/ear")
    with caplog.at_level(logging.DEBUG):
        at = asked(workbench)
    assert "the address cannot be understood" in the_sentence(workbench, at)
    assert SECRET not in everything(at) + caplog.text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("host/ear", "Address: the address cannot be understood."),
        (f"mariadb://ear:{SECRET}@host/ear", "Address: it has a password in it. Leave it out there; it has a field of its own."),
        ("sqlite:////etc/passwd", "Address: a file is read only where HEM_EAR_DATABASE_URL names it on the server."),
        ("mssql://ear@host/ear", "Address: mssql is not a database that EAR uses."),
        ("mariadb://ear@host:port/ear", "Address: the address cannot be understood."),
        ("<b>x</b>", "Address: the address cannot be understood."),
    ],
)
def test_an_address_that_does_not_fit(workbench, not_known, caplog, address: str, said: str) -> None:
    with caplog.at_level(logging.DEBUG):
        at = asked(workbench, address=address, password=SECRET)
    assert said in the_sentence(workbench, at)
    assert SECRET not in everything(at) + caplog.text
    assert jobs.jobs() == []


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["mariadb", "postgresql"])
def test_a_database_that_is_down(workbench, not_known, caplog, kind: str) -> None:
    port = free_port()
    with caplog.at_level(logging.DEBUG):
        at = done(workbench, asked(workbench, address=f"{kind}://ear@127.0.0.1:{port}/ear", password=SECRET))
    assert the_sentence(workbench, at) == f"Address: no database answers at 127.0.0.1:{port}. Is it up, and may this machine reach it?"
    assert SECRET not in everything(at) + caplog.text
    assert workbench.records == []


def test_a_wrong_password_is_never_shown(workbench, not_known, monkeypatch, caplog) -> None:
    """As a driver refuses one, with the address in its message."""

    def refuse(query, *, url, progress):
        assert SECRET in url
        error = OperationalError(f"connect {url}", {}, Exception(f"(1045, \"Access denied for user 'ear' with {SECRET}\")"))
        raise EarDatabaseError(connection._why(error, make_url(url)))

    monkeypatch.setattr("hemcore.signatures.database.ear_database.load", refuse)
    with caplog.at_level(logging.DEBUG):
        at = done(workbench, asked(workbench, address="mariadb://ear@127.0.0.1/ear", password=SECRET))
    assert "does not let the user 'ear' in. Correct the user or the password." in the_sentence(workbench, at)
    assert SECRET not in everything(at) + caplog.text


def test_a_driver_that_breaks_tells_no_password(workbench, not_known, monkeypatch, caplog) -> None:
    def break_down(query, *, url, progress):
        raise RuntimeError(f"lost {url}")

    monkeypatch.setattr("hemcore.signatures.database.ear_database.load", break_down)
    with caplog.at_level(logging.DEBUG):
        at = done(workbench, asked(workbench, address="mariadb://ear@127.0.0.1/ear", password=SECRET))
    assert f"{database.TITLE} stopped with RuntimeError." in the_sentence(workbench, at)
    assert SECRET not in everything(at) + caplog.text


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["mariadb", "postgresql"])
def test_a_real_server_with_the_password_typed(workbench, not_known, caplog, kind: str) -> None:
    with getattr(servers, kind)() as port:
        driver = {"postgresql": "postgresql+psycopg", "mariadb": "mariadb+pymysql"}[kind]
        engine = sa.create_engine(f"{driver}://{USER}:{quote(PASSWORD, safe='')}@127.0.0.1:{port}/{DATABASE}")
        demo_db.fill(engine, samples.load("signatures").frame.head(200), lower_case=kind == "postgresql")  # type: ignore[union-attr]
        engine.dispose()
        address = f"{kind}://{USER}@127.0.0.1:{port}/{DATABASE}"
        with caplog.at_level(logging.DEBUG):
            at = done(workbench, asked(workbench, address=address, password="wr0ng"))
            assert "does not let the user 'ear' in" in the_sentence(workbench, at)
            at = done(workbench, asked(workbench, address=address, password=PASSWORD))
        assert not at.error
        (record,) = workbench.records
        assert record.shape == "200 signatures"
        for secret in (PASSWORD, quote(PASSWORD, safe=""), "wr0ng"):
            assert secret not in everything(at) + caplog.text + str(record)
