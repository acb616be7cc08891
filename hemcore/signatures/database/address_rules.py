"""What an address of EAR's database may ask of a driver: nothing that loads a file, runs a command or leaves encryption out.

A driver can be told by its address to read option files, load plug-ins, run SQL first or answer the server's question for a file of this
machine (LOAD DATA LOCAL). So an address has no options at all, and the driver is one whose defaults are known. A server on another
machine is talked to over TLS alone, with a certificate that a known authority signed for its name.
"""

import ipaddress
import os
import ssl
from pathlib import Path

from sqlalchemy.engine import URL

from hemcore.errors import HemError

VARIABLE = "HEM_EAR_DATABASE_URL"
CA_VARIABLE = "HEM_EAR_DATABASE_CA"
AUTH_VARIABLE = "HEM_EAR_DATABASE_AUTH"
KEY_VARIABLE = "HEM_EAR_DATABASE_KEY"
# libpq knows since 16 what a server may not ask for.
_KNOWS_AUTH = 160_000
_DRIVERS = {
    "mysql": "mysql+pymysql",
    "mariadb": "mariadb+pymysql",
    "postgresql": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
    "sqlite": "sqlite+pysqlite",
}


class EarDatabaseError(HemError):
    """EAR's database cannot be read; the message says why and what to do, and never the password."""


def checked(url: URL) -> URL:
    """The address with the driver that is used for it. Raises EarDatabaseError where it names another driver, or has options."""
    backend, _, driver = url.drivername.partition("+")
    if backend not in _DRIVERS:
        raise EarDatabaseError(f"{VARIABLE}: {backend} is not a database that EAR uses. It is one of mariadb, mysql, postgresql, sqlite.")
    own = _DRIVERS[backend].partition("+")[2]
    if driver not in ("", own):
        raise EarDatabaseError(
            f"{VARIABLE}: {backend} is read with {own} alone, not with {driver[:40]!r}. Write {backend}:// in the address."
        )
    if url.query:
        names = ", ".join(sorted(url.query))[:80]
        raise EarDatabaseError(
            f"{VARIABLE}: the address has options ({names}), and an option can load files, run commands or leave encryption out. "
            f"Leave out all from the ? on; a certificate authority of your own goes to {CA_VARIABLE}."
        )
    return url.set(drivername=_DRIVERS[backend])


def mysql_arguments(url: URL) -> dict[str, object]:
    """PyMySQL's arguments: no file for the server; TLS where it is not on this machine (a context makes it compulsory), else the key that
    the site has of it."""
    return {"local_infile": False} | ({"server_public_key": _public_key()} if on_this_machine(url.host) else {"ssl": _tls()})


def postgresql_arguments(url: URL) -> dict[str, object]:
    """libpq's arguments: the same of PostgreSQL, whose servers cannot ask for files. Raises ImportError without psycopg."""
    from psycopg import pq

    given: dict[str, object] = {}
    if not may_send_in_clear("password") and pq.version() >= _KNOWS_AUTH:
        given["require_auth"] = "!password"
    if on_this_machine(url.host):
        return given
    _tls()  # refuses a file that holds no certificate, in the same words
    return given | {"sslmode": "verify-full", "sslrootcert": str(_authorities() or "system"), "gssencmode": "disable"}


def may_send_in_clear(way: str) -> bool:
    """Whether the site names this way to log in, which sends the password itself: whoever answers on the server's port would have it."""
    return way in os.environ.get(AUTH_VARIABLE, "").replace(",", " ").split()


def on_this_machine(host: str | None) -> bool:
    """Whether a host is this machine by its very name: none, localhost, or an address of the loopback."""
    if host in (None, "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return False


def _tls() -> ssl.SSLContext:
    authorities = _authorities()
    try:
        return ssl.create_default_context(cafile=authorities)
    except OSError as error:  # ssl.SSLError is one
        reason = error.strerror or "it cannot be read"
        raise EarDatabaseError(f"{CA_VARIABLE}: {authorities} holds no certificate ({reason}). Name a PEM file.") from None


def _public_key() -> bytes | None:
    """The public key of the server on this machine, PEM; None where the site names no file."""
    if not (path := os.environ.get(KEY_VARIABLE)):
        return None
    try:
        key = Path(path).read_bytes()
    except OSError as error:
        raise EarDatabaseError(f"{KEY_VARIABLE}: {path} cannot be read ({error.strerror}). Name the server's public_key.pem.") from None
    if b"-----BEGIN PUBLIC KEY-----" not in key:
        raise EarDatabaseError(f"{KEY_VARIABLE}: {path} holds no public key. Name the server's public_key.pem.")
    return key


def _authorities() -> Path | None:
    """The file of the authorities that are believed: the site's own, else the system's; None where the system names none."""
    own = os.environ.get(CA_VARIABLE) or ssl.get_default_verify_paths().cafile
    return Path(own) if own else None
