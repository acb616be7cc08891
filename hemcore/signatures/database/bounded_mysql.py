"""PyMySQL that takes only so much from a server, since what it reads is kept in the memory of the process that serves pages, and that
gives no server the password as it is, unless the site says so.
"""

from typing import TYPE_CHECKING, Any

from hemcore.signatures.database.address_rules import AUTH_VARIABLE, may_send_in_clear

if TYPE_CHECKING:
    from pymysql.connections import Connection

# A signature has about 2 KB, and the names of all columns far less than MOST_ANSWER; rows in chunks are bounded each.
MOST_PACKET, MOST_ANSWER = 2**16, 2**26
_IN_CLEAR = ("mysql_clear_password", "dialog")


def bounded_connection(*arguments: Any, **named: Any) -> "Connection[Any]":
    """pymysql.connect(*arguments, **named), ended with an OperationalError by a packet of over MOST_PACKET bytes, by an answer of over
    MOST_ANSWER that is not read in chunks, and by a server that asks for the password in clear, in a way that AUTH_VARIABLE does not name.
    """
    from pymysql.connections import Connection
    from pymysql.err import OperationalError

    class Bounded(Connection):
        left = float(MOST_ANSWER)

        def query(self, sql: str | bytes, unbuffered: bool = False) -> int:
            self.left = float("inf") if unbuffered else MOST_ANSWER
            return super().query(sql, unbuffered)

        def _process_auth(self, plugin_name: bytes, *packet: Any) -> Any:
            name = plugin_name.decode(errors="replace")
            if name in _IN_CLEAR and not may_send_in_clear(name):
                self._force_close()
                raise OperationalError(2059, f"it asks for the password in clear ({name}), which {AUTH_VARIABLE}={name} would allow")
            return super()._process_auth(plugin_name, *packet)

        def _read_bytes(self, num_bytes: int) -> bytes:
            self.left -= num_bytes
            if num_bytes > MOST_PACKET or self.left < 0:
                self._force_close()
                raise OperationalError(2020, "more bytes than any answer about signatures has")
            return super()._read_bytes(num_bytes)

    return Bounded(*arguments, **named)
