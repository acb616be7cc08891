"""PyMySQL that takes only so much from a server, since what it reads is kept in the memory of the process that serves pages, and that
gives no server the password as it is, or under a key that the server itself sends, unless the site allows it.
"""

from typing import TYPE_CHECKING, Any

from hemcore.signatures.database.address_rules import AUTH_VARIABLE, KEY_VARIABLE, VARIABLE, EarDatabaseError, may_send_in_clear

if TYPE_CHECKING:
    from pymysql.connections import Connection

# A signature has about 2 KB, and the names of all columns far less than MOST_ANSWER; rows in chunks are bounded each.
MOST_PACKET, MOST_ANSWER = 2**16, 2**26
# In the oldest way an answer is worth the password: two numbers of 30 bits are found from it.
_IN_CLEAR = ("mysql_clear_password", "dialog", "mysql_old_password")
_UNDER_A_KEY = ("caching_sha2_password", "sha256_password")


def bounded_connection(*arguments: Any, **named: Any) -> "Connection[Any]":
    """pymysql.connect(*arguments, **named), ended with an OperationalError by a packet of over MOST_PACKET bytes, by an answer of over
    MOST_ANSWER that is not read in chunks.

    Raises EarDatabaseError for a server that asks for the password in clear, or under a key of its own that is not in the site's file, in
    a way that AUTH_VARIABLE does not name.
    """
    from pymysql.connections import Connection
    from pymysql.err import OperationalError

    class Bounded(Connection):
        left = float(MOST_ANSWER)
        _keys: tuple[bytes, ...] = ()

        def query(self, sql: str | bytes, unbuffered: bool = False) -> int:
            self.left = float("inf") if unbuffered else MOST_ANSWER
            return super().query(sql, unbuffered)

        def _process_auth(self, plugin_name: bytes, *packet: Any) -> Any:
            name = plugin_name.decode(errors="replace")
            if name in _IN_CLEAR and not may_send_in_clear(name):
                raise self._refused(f"in clear ({name}). Set {AUTH_VARIABLE}={name} if you trust whoever answers there.")
            return super()._process_auth(plugin_name, *packet)

        @property
        def server_public_key(self) -> bytes:
            """What the password is encrypted with where the connection is not: the site's own key at first; b"" = none."""
            return self._keys[0]

        @server_public_key.setter
        def server_public_key(self, key: bytes | None) -> None:
            key = (key or b"").strip()
            if self._keys and key not in self._keys and not any(map(may_send_in_clear, _UNDER_A_KEY)):
                raise self._refused(
                    f"under a key that it sends itself, and any program may listen there. Save its public_key.pem and name the file in"
                    f" {KEY_VARIABLE}, or set {AUTH_VARIABLE}={_UNDER_A_KEY[0]} if you trust whoever answers there."
                )
            self._keys = (key,)

        def _refused(self, how: str) -> EarDatabaseError:
            self._force_close()
            return EarDatabaseError(f"{VARIABLE}: the server at {self.host}:{self.port} asks for the password {how}")

        def _read_bytes(self, num_bytes: int) -> bytes:
            self.left -= num_bytes
            if num_bytes > MOST_PACKET or self.left < 0:
                self._force_close()
                raise OperationalError(2020, "more bytes than any answer about signatures has")
            return super()._read_bytes(num_bytes)

    return Bounded(*arguments, **named)
