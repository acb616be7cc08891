"""PyMySQL that takes only so much from a server: what it reads is kept in the memory of the process that serves pages."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pymysql.connections import Connection

# A signature has about 2 KB, and the names of all columns far less than MOST_ANSWER; rows in chunks are bounded each.
MOST_PACKET, MOST_ANSWER = 2**16, 2**26


def bounded_connection(*arguments: Any, **named: Any) -> "Connection[Any]":
    """pymysql.connect(*arguments, **named), ended with an OperationalError by a packet of over MOST_PACKET bytes, or by an answer of over
    MOST_ANSWER that is not read in chunks."""
    from pymysql.connections import Connection
    from pymysql.err import OperationalError

    class Bounded(Connection):
        left = float(MOST_ANSWER)

        def query(self, sql: str | bytes, unbuffered: bool = False) -> int:
            self.left = float("inf") if unbuffered else MOST_ANSWER
            return super().query(sql, unbuffered)

        def _read_bytes(self, num_bytes: int) -> bytes:
            self.left -= num_bytes
            if num_bytes > MOST_PACKET or self.left < 0:
                self._force_close()
                raise OperationalError(2020, "more bytes than any answer about signatures has")
            return super()._read_bytes(num_bytes)

    return Bounded(*arguments, **named)
