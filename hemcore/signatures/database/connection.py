"""The way to EAR's database: its address from HEM_EAR_DATABASE_URL, read-only connections, and what goes wrong as sentences.

The address holds the password: no message and no log shows it.
"""

import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, quote_plus, unquote

import sqlalchemy as sa
from sqlalchemy.engine import URL, Engine, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from hemcore.errors import HemError
from hemcore.signatures.database.address_rules import (
    CA_VARIABLE,
    VARIABLE,
    EarDatabaseError,
    checked,
    mysql_arguments,
    postgresql_arguments,
)
from hemcore.signatures.database.bounded_mysql import bounded_connection

CONNECT_S = 10
ANSWER_S = 300  # until the first of an answer comes
_WITHOUT = "mariadb://USER@HOST/ear or postgresql://USER@HOST/ear"
_EXAMPLE = "mariadb://USER:PASSWORD@HOST/ear or postgresql://USER:PASSWORD@HOST/ear"


def engine_of(url: str | None = None) -> Engine:
    """A read-only engine for EAR's database; nothing is connected yet. Raises EarDatabaseError where the address cannot be understood."""
    text = os.environ.get(VARIABLE, "") if url is None else url
    if not text:
        raise EarDatabaseError(f"{VARIABLE}: it is not set. Set it to {_EXAMPLE}, or try `python -m hemcore.signatures.database.demo_db`.")
    try:
        parsed = checked(make_url(text))
        return _engine(parsed)
    except HemError:
        raise
    except (ArgumentError, ValueError):
        # The text may hold the password: it is not repeated.
        raise EarDatabaseError(f"{VARIABLE}: the address cannot be understood. Write it as {_EXAMPLE}.") from None
    except ImportError:
        raise EarDatabaseError(
            f"{VARIABLE}: the driver of {parsed.drivername} is not installed. pip install hem-workbench[database]"
        ) from None


def _engine(url: URL) -> Engine:
    arguments: dict[str, object]
    backend = url.get_backend_name()
    if backend in ("mysql", "mariadb"):
        read_only = "SET SESSION TRANSACTION READ ONLY"
        arguments = {"connect_timeout": CONNECT_S, "read_timeout": ANSWER_S, "init_command": read_only, **mysql_arguments(url)}
    elif backend == "postgresql":
        arguments = {"connect_timeout": CONNECT_S, "options": "-c default_transaction_read_only=on", **postgresql_arguments(url)}
    else:
        if not url.database or not Path(url.database).is_file():
            raise EarDatabaseError(
                f"{url.database or 'sqlite'}: there is no such file. `python -m hemcore.signatures.database.demo_db FILE` makes one."
            )
        url = url.set(database=f"file:{quote(url.database)}", query={"mode": "ro", "uri": "true"})
        arguments = {}
    engine = sa.create_engine(url, connect_args=arguments, hide_parameters=True, poolclass=sa.NullPool)
    if backend in ("mysql", "mariadb"):
        sa.event.listen(engine, "do_connect", lambda dialect, record, given, named: bounded_connection(*given, **named))
    return engine


@contextmanager
def opened(url: str | None) -> Iterator[sa.Connection]:
    """A connection; what goes wrong with it is a sentence, which names HEM_EAR_DATABASE_URL, or the argument `url` where that was given."""
    with _named(url):
        engine = engine_of(url)
        try:
            with engine.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise EarDatabaseError(_why(error, engine.url)) from None
        except RuntimeError as error:
            if "LOAD_LOCAL" not in str(error):  # PyMySQL's word for it
                raise
            raise EarDatabaseError(
                f"{VARIABLE}: the server at {_where(engine.url)} asked for a file of this machine, which no query of signatures needs. "
                "It got none. Do not trust this server; ask who runs it."
            ) from None
        except HemError:
            raise
        except (ValueError, LookupError, AssertionError, struct.error, MemoryError):  # what drivers make of nonsense
            raise EarDatabaseError(
                f"{VARIABLE}: the server at {_where(engine.url)} answers what no database of EAR does. Is the port right? Ask who runs it."
            ) from None
        finally:
            engine.dispose()


@contextmanager
def _named(url: str | None) -> Iterator[None]:
    try:
        yield
    except EarDatabaseError as error:
        message = str(error)
        raise EarDatabaseError(message if url is None else message.replace(f"{VARIABLE}: ", "url: ", 1)) from None


def with_password(address: str, password: str) -> str:
    """The address of a database server with its password, which stands in no other text. address: "mariadb://USER@HOST/ear".

    Raises EarDatabaseError where it cannot be understood, has a password already, or is of a file: those are read from
    HEM_EAR_DATABASE_URL alone, since a visitor shall not ask a server for its files.
    """
    try:
        parsed = make_url(address)
    except (ArgumentError, ValueError):
        raise EarDatabaseError(f"url: the address cannot be understood. Write it as {_WITHOUT}.") from None
    if parsed.password is not None:
        raise EarDatabaseError("url: it has a password in it. Leave it out there; it has a field of its own.")
    if parsed.get_backend_name() == "sqlite":
        raise EarDatabaseError(f"url: a file is read only where {VARIABLE} names it on the server. Write {_WITHOUT}.")
    return parsed.set(password=password or None).render_as_string(hide_password=False)


def place_of(url: str | None = None) -> str:
    """Where EAR's database is, in words that may be shown: "mariadb at HOST, database ear". Raises EarDatabaseError as `engine_of`."""
    with _named(url):
        engine = engine_of(url)
    given, kind = engine.url, engine.dialect.name
    engine.dispose()
    if kind == "sqlite":
        return f"SQLite, {Path(unquote(str(given.database).removeprefix('file:'))).name}"
    return f"{kind} at {given.host or 'this machine'}{f':{given.port}' if given.port else ''}, database {given.database or 'unnamed'}"


def _where(url: URL) -> str:
    return f"{url.host or 'this machine'}{f':{url.port}' if url.port else ''}"


def _why(error: SQLAlchemyError, url: URL) -> str:
    where = _where(url)
    reason = str(getattr(error, "orig", None) or error)
    first = next((line.strip() for line in reason.splitlines() if line.strip()), type(error).__name__)
    for secret in {url.password or "", quote(str(url.password or ""), safe=""), quote_plus(str(url.password or ""))} - {""}:
        first = first.replace(str(secret), "***")
        reason = reason.replace(str(secret), "***")
    if any(words in reason for words in ("SSL is required", "does not support SSL")):
        return f"{VARIABLE}: the server at {where} offers no encryption. Turn TLS on there, or reach it by a tunnel from localhost."
    if any(words in reason.lower() for words in ("certificate", "ssl error", "[ssl")):
        return (
            f"{VARIABLE}: the certificate of the server at {where} is not one that an authority known here signed for this name. "
            f"Name the file of your own authority in {CA_VARIABLE}, and the host as the certificate does."
        )
    if any(words in reason for words in ("1045", "password authentication failed", "no password supplied", "Access denied")):
        return f"{VARIABLE}: the database at {where} does not let the user {url.username!r} in. Correct the user or the password."
    if any(words in reason for words in ("1049", "Unknown database", "does not exist")) and "relation" not in reason:
        return f"{VARIABLE}: the server at {where} has no database {url.database!r}. Correct the name at the end of the address."
    if any(
        words in reason for words in ("2003", "2013", "Connection refused", "could not translate", "timeout", "failed to resolve", "2005")
    ):
        return f"{VARIABLE}: no database answers at {where}. Is it up, and may this machine reach it?"
    return f"{VARIABLE}: the database at {where} answered: {first[:200].rstrip('.')}. Ask who runs it."
