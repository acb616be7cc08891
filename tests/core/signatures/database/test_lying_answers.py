"""More lies of a database server, and of an address: a question for a file where none expects it, and options by other spellings."""

import socket
from pathlib import Path

import pytest

from tests.core.signatures.database.test_lying_server import PASSWORD, SECRET, MySqlServer, PostgreSqlServer, refusal, served

# What PyMySQL waits for after each of these is another answer to the same question.
MORE_RESULTS = b"\x00\x00\x00\x0a\x00\x00\x00"
COLUMN = b"\x03def\0\x01t\x01t\x01v\x01v\x0c\x21\x00\x64\x00\x00\x00\xfd\x00\x00\x00\0\0"
END, END_WITH_MORE = b"\xfe\0\0\x02\0", b"\xfe\0\0\x0a\0"
ROW = b"\x02ab"


class LaterServer(MySqlServer):
    """Answers the first question whose answers are all read by `packets`, of which one asks for `file`; in pieces of `piece` bytes."""

    def __init__(self, file: Path, packets: tuple[bytes, ...], piece: int = 65_536) -> None:
        super().__init__(file)
        self._packets, self._piece = packets, piece

    def _write(self, connection: socket.socket, number: int, payload: bytes) -> None:
        if payload[:1] != b"\xfb":
            super()._write(connection, number, payload)
            return
        if self.heard.endswith(b"SET NAMES utf8mb4"):
            super()._write(connection, number, b"\x00\x00\x00\x02\x00\x00\x00")
            return
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for place, packet in enumerate(self._packets, number):
            sent = packet.replace(b"FILE", str(self.file).encode())
            sent = len(sent).to_bytes(3, "little") + bytes([place]) + sent
            for start in range(0, len(sent), self._piece):
                connection.sendall(sent[start : start + self._piece])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "secret.txt"
    path.write_text(SECRET)
    return path


@pytest.mark.parametrize(
    ("packets", "piece"),
    [
        ((b"\xfbFILE",), 1),
        ((MORE_RESULTS, b"\xfbFILE"), 65_536),
        ((MORE_RESULTS, MORE_RESULTS, b"\xfbFILE"), 3),
        ((b"\x01", COLUMN, END, ROW, END_WITH_MORE, b"\xfbFILE"), 65_536),
    ],
    ids=["in single bytes", "after an answer", "after two answers", "after a table"],
)
def test_a_question_for_a_file_that_comes_later_gets_none(file: Path, packets: tuple[bytes, ...], piece: int) -> None:
    with served(server := LaterServer(file, packets, piece)) as port:
        words = refusal(f"mariadb://ear:{PASSWORD}@127.0.0.1:{port}/ear")
    assert words.startswith(f"url: the server at 127.0.0.1:{port} asked for a file of this machine")
    assert SECRET.encode() not in server.heard


@pytest.mark.parametrize("name", ["/etc/passwd", "file:///etc/passwd", "../" * 20 + "etc/passwd", "~/.ssh/id_rsa", "/dev/null", ""])
def test_no_name_of_a_file_is_one_that_a_server_gets(name: str) -> None:
    with served(server := MySqlServer(Path(name))) as port:
        server.file = name  # type: ignore[assignment]  # as it is, since a path tidies it
        assert "asked for a file of this machine" in refusal(f"mariadb://ear:{PASSWORD}@127.0.0.1:{port}/ear")
    assert b"root:" not in server.heard


def test_a_name_without_an_end_is_not_kept(file: Path) -> None:
    class LongName(MySqlServer):
        """Asks for a file whose name goes on in packet after packet, as the protocol has it for 16 MB and more."""

        def _write(self, connection: socket.socket, number: int, payload: bytes) -> None:
            if payload[:1] != b"\xfb":
                super()._write(connection, number, payload)
                return
            for place in range(number, 8):
                super()._write(connection, place, b"\xfb" + str(self.file).encode() + b"/" * (2**24 - 2 - len(str(self.file))))

    with served(server := LongName(file)) as port:
        assert "more bytes than any answer about signatures has" in refusal(f"mariadb://ear:{PASSWORD}@127.0.0.1:{port}/ear")
    assert SECRET.encode() not in server.heard


def test_a_question_for_a_file_in_place_of_a_welcome_gets_none(file: Path) -> None:
    class Unwelcome(MySqlServer):
        def _write(self, connection: socket.socket, number: int, payload: bytes) -> None:
            super()._write(connection, number, b"\xfb" + str(self.file).encode() if number == 2 else payload)

    with served(server := Unwelcome(file)) as port:
        refusal(f"mariadb://ear:{PASSWORD}@127.0.0.1:{port}/ear")
    assert SECRET.encode() not in server.heard


@pytest.mark.parametrize(
    "option",
    [
        *("ssl_ca=/etc/passwd", "ssl_key=/etc/passwd", "ssl=true", "read_default_group=client", "allow_local_infile=1", "client_flag=128"),
        *("LOCAL_INFILE=1", "local%5Finfile=1", "a=1&local_infile=1", "?local_infile=1", "#local_infile=1", "charset=x"),
        *("init_command=SELECT+LOAD_FILE('/etc/passwd')", "conv=x", "cursorclass=x", "defer_connect=1", "auth_plugin_map=dialog"),
    ],
)
def test_no_spelling_of_an_option_is_asked_with(file: Path, option: str) -> None:
    for kind, server in (("mariadb", MySqlServer(file)), ("postgresql", PostgreSqlServer())):
        with served(server) as port:
            words = refusal(f"{kind}://ear:{PASSWORD}@127.0.0.1:{port}/ear?{option}")
        assert "the address has options" in words
        assert server.heard == b"", kind


@pytest.mark.parametrize("option", ["local_infile", "local_infile="])
def test_an_option_without_a_value_is_none(file: Path, option: str) -> None:
    with served(server := MySqlServer(file)) as port:
        assert "asked for a file of this machine" in refusal(f"mariadb://ear:{PASSWORD}@127.0.0.1:{port}/ear?{option}")
    assert SECRET.encode() not in server.heard


def test_options_in_the_name_of_the_database_are_its_name(file: Path) -> None:
    for name in ("ear%3Flocal_infile=1", "ear%26local_infile=1", "ear;local_infile=1"):
        with served(server := MySqlServer(file)) as port:
            assert "asked for a file of this machine" in refusal(f"mariadb://ear:{PASSWORD}@127.0.0.1:{port}/{name}")
        assert b"local_infile=1\0" in server.heard
        assert SECRET.encode() not in server.heard
    with served(PostgreSqlServer()) as other, served(server := PostgreSqlServer()) as port:
        refusal(f"postgresql://ear:{PASSWORD}@127.0.0.1:{port}/host%3D127.0.0.1%20port%3D{other}")
    assert f"port={other}".encode() in server.heard
