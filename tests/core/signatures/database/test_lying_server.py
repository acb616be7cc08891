"""A database server that lies: it gets no file of this machine, no password without a checked certificate, and its address no options."""

import datetime
import ipaddress
import socket
import ssl
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pymysql
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

from hemcore.signatures.database.address_rules import AUTH_VARIABLE, CA_VARIABLE, KEY_VARIABLE, EarDatabaseError, on_this_machine
from hemcore.signatures.database.connection import engine_of
from hemcore.signatures.database.ear_database import EarQuery, load

SECRET = "what stands in a file of this machine"
PASSWORD = "t0p-s3cret"
ELSEWHERE = "0.0.0.0"  # reaches this machine, but does not say that it is this machine
_SSL_BIT = 0x800


class MySqlServer:
    """Speaks MySQL's handshake, lets anyone in and answers each query by asking for `file`. heard: all that the client sent."""

    def __init__(self, file: Path, certificate: Path | None = None) -> None:
        self.file, self.heard = file, b""
        self._context = None
        if certificate is not None:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(certificate)

    def serve(self, connection: socket.socket) -> None:
        flags = 0x000FA68F | (_SSL_BIT if self._context else 0)  # 4.1, secure connection, auth plug-ins, LOAD DATA LOCAL
        greeting = b"\x0a8.0.0\0" + struct.pack("<I", 7) + b"12345678\0" + struct.pack("<H", flags & 0xFFFF) + b"\x21\x02\x00"
        greeting += struct.pack("<H", flags >> 16) + b"\x15" + bytes(10) + b"123456789012\0mysql_native_password\0"
        self._write(connection, 0, greeting)
        self._read(connection, 36 if self._context else 65_536)
        if self._context is not None:  # that was the request for TLS, which its first bytes may follow at once
            connection = self._context.wrap_socket(connection, server_side=True)
            self._read(connection)
        self._write(connection, 3 if self._context else 2, b"\x00\x00\x00\x02\x00\x00\x00")
        while query := self._read(connection):
            if query[4:5] == b"\x03":
                self._write(connection, 1, b"\xfb" + str(self.file).encode())

    def _read(self, connection: socket.socket, most: int = 65_536) -> bytes:
        data = connection.recv(most)
        self.heard += data
        return data

    def _write(self, connection: socket.socket, number: int, payload: bytes) -> None:
        connection.sendall(struct.pack("<I", len(payload))[:3] + bytes([number]) + payload)


class EndlessServer(MySqlServer):
    """Lets anyone in, and answers its first question with this packet again and again. sent: how many bytes of it."""

    def __init__(self, packet: bytes) -> None:
        super().__init__(Path("none"))
        self._packet, self.sent = packet, 0

    def _write(self, connection: socket.socket, number: int, payload: bytes) -> None:
        if payload[:1] != b"\xfb":
            super()._write(connection, number, payload)
            return
        if self.heard.rpartition(b"\x03")[2].startswith(b"SET "):
            super()._write(connection, 1, b"\x00\x00\x00\x02\x00\x00\x00")
            return
        column = b"\x03def\0\x01t\x01t\x01v\x01v\x0c" + struct.pack("<HIBHB", 33, 100, 253, 0, 0) + b"\0\0"
        for place, each in enumerate((b"\x01", column, b"\xfe\0\0\x02\0"), 1):
            super()._write(connection, place, each)
        for number in range(4, 5_000):
            super()._write(connection, number % 256, self._packet)
            self.sent += len(self._packet)


class PostgreSqlServer:
    """Answers libpq's request for TLS by `b"N"`, or by `b"S"` and a certificate. heard: all that the client sent."""

    def __init__(self, certificate: Path | None = None) -> None:
        self.heard, self._certificate = b"", certificate

    def serve(self, connection: socket.socket) -> None:
        self.heard += connection.recv(8)
        connection.sendall(b"S" if self._certificate else b"N")
        if self._certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self._certificate)
            connection = context.wrap_socket(connection, server_side=True)
        self.heard += connection.recv(65_536)


@contextmanager
def served(server: MySqlServer | PostgreSqlServer) -> Iterator[int]:
    """The port at which `server` answers one connection after the other."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def accept() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                with connection:
                    connection.settimeout(10)
                    try:
                        server.serve(connection)
                    except OSError:
                        continue

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        try:
            yield int(listening.getsockname()[1])
        finally:
            listening.shutdown(socket.SHUT_RDWR)
    thread.join(10)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "secret.txt"
    path.write_text(SECRET)
    return path


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A key and a certificate for ELSEWHERE that it signed itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a test")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(ELSEWHERE))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / "server.pem"
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


def refusal(url: str) -> str:
    with pytest.raises(EarDatabaseError) as refused:
        load(EarQuery(), url=url)
    assert PASSWORD not in str(refused.value)
    return str(refused.value)


def test_the_lying_server_works_on_a_client_that_lets_it(file: Path) -> None:
    with served(server := MySqlServer(file)) as port:
        connection = pymysql.connect(host="127.0.0.1", port=port, user="ear", local_infile=True, read_timeout=1, autocommit=None)
        with pytest.raises(pymysql.err.MySQLError):
            connection.query("SELECT 1")
        connection.close()
    assert SECRET.encode() in server.heard


@pytest.mark.parametrize("kind", ["mariadb", "mysql", "mysql+pymysql"])
def test_a_server_that_asks_for_a_file_gets_none(file: Path, kind: str) -> None:
    with served(server := MySqlServer(file)) as port:
        words = refusal(f"{kind}://ear:{PASSWORD}@127.0.0.1:{port}/ear")
    assert words.startswith(f"url: the server at 127.0.0.1:{port} asked for a file of this machine")
    assert b"SET SESSION TRANSACTION READ ONLY" in server.heard
    assert SECRET.encode() not in server.heard


@pytest.mark.parametrize(("packet", "least"), [(b"\xfc\x00\xfa" + bytes(64_000), 2**26), (bytes(2**24 - 1), 0)])
def test_an_answer_without_an_end_is_not_kept(packet: bytes, least: int) -> None:
    with served(server := EndlessServer(packet)) as port:
        words = refusal(f"mariadb://ear:{PASSWORD}@127.0.0.1:{port}/ear")
    assert "more bytes than any answer about signatures has" in words
    # What stands in the sockets' buffers comes to it.
    assert least <= server.sent < least + 2**24


def test_nonsense_and_silence_are_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    class Nonsense(MySqlServer):
        def serve(self, connection: socket.socket) -> None:
            self._write(connection, 0, b"\x0aeight\0")

    class Silence(MySqlServer):
        def serve(self, connection: socket.socket) -> None:
            while self._read(connection):
                pass

    monkeypatch.setattr("hemcore.signatures.database.connection.ANSWER_S", 1)
    monkeypatch.setattr("hemcore.signatures.database.connection.CONNECT_S", 1)
    for server, words in (
        (Nonsense(Path("none")), "answers what no database of EAR does"),
        (Silence(Path("none")), "no database answers"),
    ):
        with served(server) as port:
            assert words in refusal(f"mariadb://ear:{PASSWORD}@127.0.0.1:{port}/ear")


class ClearServer(MySqlServer):
    """Asks for the password itself: of MySQL's client in this way, of PostgreSQL's where that is "password"."""

    def __init__(self, way: str) -> None:
        super().__init__(Path("none"))
        self._way = way.encode()

    def serve(self, connection: socket.socket) -> None:
        if self._way == b"password":
            if self._read(connection)[4:8] == struct.pack(">I", 80_877_103):  # may it be encrypted?
                connection.sendall(b"N")
                self._read(connection)
            connection.sendall(b"R" + struct.pack(">II", 8, 3))
            self._read(connection)
        else:
            super().serve(connection)

    def _write(self, connection: socket.socket, number: int, payload: bytes) -> None:
        if number == 2:  # not yet
            payload = b"\xfe" + self._way + b"\0\x03Password: "
        super()._write(connection, number, payload)


@pytest.mark.parametrize(("kind", "way"), [("mariadb", "mysql_clear_password"), ("mysql", "dialog"), ("postgresql", "password")])
def test_the_password_goes_in_clear_only_where_the_site_names_the_way(kind: str, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hemcore.signatures.database.connection.ANSWER_S", 1)
    for named in ("", "other", f"other, {way}"):
        monkeypatch.setenv(AUTH_VARIABLE, named)
        with served(server := ClearServer(way)) as port:
            words = refusal(f"{kind}://ear:{PASSWORD}@127.0.0.1:{port}/ear")
        assert (PASSWORD.encode() in server.heard) == (way in named)
        assert way in named or "password" in words
    assert way not in words


def test_the_oldest_way_is_as_good_as_clear() -> None:
    with served(ClearServer("mysql_old_password")) as port:
        assert f"asks for the password in clear (mysql_old_password). Set {AUTH_VARIABLE}=" in refusal(
            f"mysql://ear:p@127.0.0.1:{port}/ear"
        )


class KeyServer(MySqlServer):
    """Asks for the password under a key of its own. got: the passwords that it could decrypt."""

    def __init__(self, way: str, at_once: bool = False) -> None:
        super().__init__(Path("none"))
        self._way, self._at_once, self.got = way.encode(), at_once, list[bytes]()
        self._private = rsa.generate_private_key(65_537, 2048)
        self.key = self._private.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)

    def serve(self, connection: socket.socket) -> None:
        salt = b"12345678123456789012"
        flags = 0x000FA68F
        greeting = b"\x0a8.0.0\0" + struct.pack("<I", 7) + salt[:8] + b"\0" + struct.pack("<H", flags & 0xFFFF) + b"\x21\x02\x00"
        greeting += struct.pack("<H", flags >> 16) + b"\x15" + bytes(10) + salt[8:] + b"\0"
        self._write(connection, 0, greeting + (self._way if self._at_once else b"mysql_native_password") + b"\0")
        self._read(connection)
        number = 2
        if not self._at_once:
            self._write(connection, number, b"\xfe" + self._way + b"\0" + salt + b"\0")
            self._read(connection)
            number += 2
        if self._way == b"caching_sha2_password":
            self._write(connection, number, b"\x01\x04")  # it must be the whole password
            if len(answer := self._read(connection)) < 256:  # it asks for the key
                self._write(connection, number + 2, b"\x01" + self.key)
                answer = self._read(connection)
        else:
            self._write(connection, number, b"\x01" + self.key)
            answer = self._read(connection)
        if len(answer) == 4 + 256:
            padded = padding.OAEP(padding.MGF1(hashes.SHA1()), hashes.SHA1(), None)
            with suppress(ValueError):  # under another key than its own
                mixed = self._private.decrypt(answer[4:], padded)
                self.got.append(bytes(each ^ salt[place % 20] for place, each in enumerate(mixed)).rstrip(b"\0"))


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("way", ["caching_sha2_password", "sha256_password"])
def test_the_password_goes_under_no_key_that_the_server_sends(
    way: str, at_once: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("hemcore.signatures.database.connection.ANSWER_S", 1)
    server, file = KeyServer(way, at_once), tmp_path / "public_key.pem"
    other = KeyServer(way).key
    for known, named, sent in (
        (None, "", False),
        (None, "dialog", False),
        (None, "caching_sha2_password", True),
        (server.key + b"\n", "", True),
        (other, "", False),
    ):
        monkeypatch.delenv(KEY_VARIABLE, raising=False)
        if known:
            file.write_bytes(known)
            monkeypatch.setenv(KEY_VARIABLE, str(file))
        monkeypatch.setenv(AUTH_VARIABLE, named)
        server.got.clear()
        with served(server) as port:
            words = refusal(f"mariadb://ear:{PASSWORD}@127.0.0.1:{port}/ear")
        assert (server.got == [PASSWORD.encode()]) is sent, (known, named)
        if not known and not sent:
            assert words.startswith(f"url: the server at 127.0.0.1:{port} asks for the password under a key that it sends itself")


@pytest.mark.parametrize(
    ("kind", "option"),
    [
        *(
            ("mariadb", option)
            for option in (
                "local_infile=1",
                "read_default_file=/etc/my.cnf",
                "init_command=DROP+TABLE+Jobs",
                "auth_plugin_map=x",
                "ssl_disabled=1",
                "ssl_verify_cert=false",
                "unix_socket=/tmp/x",
                "plugin=mine",
                "server_public_key=x",
            )
        ),
        *(
            ("postgresql", option)
            for option in ("sslmode=disable", "service=x", "passfile=/etc/passwd", "options=-c+x%3Dy", "host=other", "hostaddr=127.0.0.1")
        ),
        ("sqlite", "load_extension=x"),
    ],
)
def test_an_address_with_options_is_refused_before_anything_is_asked(file: Path, kind: str, option: str) -> None:
    with served(server := MySqlServer(file)) as port:
        words = refusal(f"{kind}://ear:{PASSWORD}@127.0.0.1:{port}/ear?{option}")
    assert f"the address has options ({option.partition('=')[0]})" in words
    assert server.heard == b""


@pytest.mark.parametrize(
    "driver", ["mysql+mysqldb", "mariadb+mariadbconnector", "mysql+aiomysql", "postgresql+psycopg2", "sqlite+aiosqlite"]
)
def test_another_driver_is_refused(driver: str) -> None:
    assert "alone, not with" in refusal(f"{driver}://ear:{PASSWORD}@127.0.0.1/ear")


@pytest.mark.parametrize(
    ("host", "own"),
    [
        (None, True),
        ("localhost", True),
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost.evil.example", False),
        ("localhost,evil.example", False),
        ("127.0.0.1.evil.example", False),
        (ELSEWHERE, False),
        ("10.0.0.1", False),
    ],
)
def test_this_machine_is_a_name_that_cannot_be_another(host: str | None, own: bool) -> None:
    assert on_this_machine(host) is own


def test_no_password_without_encryption(file: Path) -> None:
    for kind, server in (("mariadb", MySqlServer(file)), ("postgresql", PostgreSqlServer())):
        with served(server) as port:
            words = refusal(f"{kind}://ear:{PASSWORD}@{ELSEWHERE}:{port}/ear")
        assert words.startswith(f"url: the server at {ELSEWHERE}:{port} offers no encryption.")
        assert b"ear\0" not in server.heard


def test_no_password_where_nobody_known_signed_the_certificate(file: Path, certificate: Path) -> None:
    for kind, server in (("mariadb", MySqlServer(file, certificate)), ("postgresql", PostgreSqlServer(certificate))):
        with served(server) as port:
            words = refusal(f"{kind}://ear:{PASSWORD}@{ELSEWHERE}:{port}/ear")
        assert f"the certificate of the server at {ELSEWHERE}:{port} is not one that an authority known here signed" in words
        assert b"ear\0" not in server.heard


@pytest.mark.long
def test_an_authority_of_the_sites_own_is_believed(file: Path, certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CA_VARIABLE, str(certificate))
    with served(server := MySqlServer(file, certificate)) as port:
        assert "asked for a file of this machine" in refusal(f"mariadb://ear:{PASSWORD}@{ELSEWHERE}:{port}/ear")
    assert b"SET SESSION" in server.heard
    assert SECRET.encode() not in server.heard
    with served(server := PostgreSqlServer(certificate)) as port:
        refusal(f"postgresql://ear:{PASSWORD}@{ELSEWHERE}:{port}/ear")
    assert b"ear\0" in server.heard


@pytest.mark.parametrize("kind", ["mariadb", "postgresql"])
def test_a_file_of_authorities_that_is_none(file: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (file, file.parent / "nothing.pem"):
        monkeypatch.setenv(CA_VARIABLE, str(path))
        with pytest.raises(EarDatabaseError, match=f"{CA_VARIABLE}: {path} holds no certificate"):
            engine_of(f"{kind}://ear@ear.example/ear")
