"""How many visitors one server, and two, bear: sessions over websockets that move the slider dep_lvl of Merge, each with its own thinking.

    python benchmarks/bench_load.py [--servers 1 2] [--sessions 1 8 30] [--moves 6] [--think 0 3]

Starts servers of its own on one empty data folder and spreads the sessions over them, each at one, as the proxy's cookie does. A move's
time is from the message that carries it to the server's word that the run is finished. think: seconds between an answer and the next move
(drawn evenly from 0.5 to 1.5 of it); with 0 the reruns a second are all that the servers can do. Memory is the servers' resident set.
"""

import argparse
import asyncio
import os
import random
import socket
import statistics
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import websockets
from bench_pages import server
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

LINK = {"merge.dataset": "Request server, MUCH collection · sample"}
PATIENCE_S = 300


class Session:
    """One visitor with the page open; figures: the headline as it stands there."""

    def __init__(self, port: int, number: int) -> None:
        self._port, self._chance, self._query = port, random.Random(number), urlencode(LINK)
        self._slider = ""
        self._page = ""
        self._socket: Any = None
        self.figures: dict[str, str] = {}

    async def open(self) -> float:
        """Connect and draw the page; the seconds that it took."""
        address = f"ws://localhost:{self._port}/_stcore/stream"
        self._socket = await websockets.connect(address, subprotocols=["streamlit"], max_size=None, open_timeout=PATIENCE_S)  # type: ignore[list-item]
        taken = await self._run([], "merge")
        if not self._slider:
            raise SystemExit("The page has no slider dep_lvl: the load is not what it should be.")
        return taken

    async def move(self) -> float:
        """Move the slider; the seconds until the run is finished."""
        stop = self._chance.randrange(50, 100) / 100
        return await self._run([WidgetState(id=self._slider, double_array_value={"data": [stop]})], "")

    async def close(self) -> None:
        """The visitor leaves."""
        await self._socket.close()

    async def _run(self, states: list[WidgetState], name: str) -> float:
        message = BackMsg()
        message.rerun_script.query_string = self._query
        message.rerun_script.page_name = name
        message.rerun_script.page_script_hash = self._page
        message.rerun_script.widget_states.widgets.extend(states)
        start = time.perf_counter()
        await self._socket.send(message.SerializeToString())
        while True:
            told = ForwardMsg.FromString(await asyncio.wait_for(self._socket.recv(), PATIENCE_S))
            kind = told.WhichOneof("type")
            if kind == "navigation":
                self._page = told.navigation.page_script_hash
            elif kind == "delta":
                element = told.delta.new_element
                if element.WhichOneof("type") == "slider" and "merge.dep_lvl" in element.slider.id:
                    self._slider = element.slider.id
                elif element.WhichOneof("type") == "metric":
                    self.figures[element.metric.label] = element.metric.body
            elif kind == "script_finished" and told.script_finished in (
                ForwardMsg.FINISHED_SUCCESSFULLY,
                ForwardMsg.FINISHED_EARLY_FOR_RERUN,
            ):
                return time.perf_counter() - start


async def _visit(session: Session, moves: int, think: float) -> list[float]:
    taken = []
    for _ in range(moves):
        if think:
            await asyncio.sleep(think * random.uniform(0.5, 1.5))
        taken.append(await session.move())
    return taken


async def load(ports: list[int], sessions: int, moves: int, think: float) -> tuple[list[float], list[float], float]:
    """(seconds of each opening, seconds of each move, reruns a second) of so many sessions at once."""
    visitors = [Session(ports[number % len(ports)], number) for number in range(sessions)]
    opened = await asyncio.gather(*(each.open() for each in visitors))
    before = [dict(each.figures) for each in visitors]
    start = time.perf_counter()
    moved = await asyncio.gather(*(_visit(each, moves, think) for each in visitors))
    rate = sessions * moves / (time.perf_counter() - start)
    if sessions * moves > 4 and all(each.figures == was for each, was in zip(visitors, before, strict=True)):
        raise SystemExit("No move changed a figure: the load is not what it should be.")
    for each in visitors:
        await each.close()
    return list(opened), [taken for each in moved for taken in each], rate


@contextmanager
def servers(count: int, folder: Path) -> Any:
    """So many fresh servers: their ports and process ids."""
    with ExitStack() as stack:
        found = []
        for _ in range(count):
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                port = probe.getsockname()[1]
            process = server(folder, port)
            stack.callback(process.wait)
            stack.callback(process.terminate)
            found.append((port, process.pid))
        yield found


def resident_mib(process: int) -> float:
    """Of one process (Linux)."""
    said = Path(f"/proc/{process}/statm").read_text().split()
    return int(said[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def main() -> None:
    """Each number of servers afresh; a line for each load."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--servers", type=int, nargs="+", default=[1, 2])
    asked.add_argument("--sessions", type=int, nargs="+", default=[1, 8, 30])
    asked.add_argument("--think", type=float, nargs="+", default=[0, 3])
    asked.add_argument("--moves", type=int, default=6)
    given = asked.parse_args()
    print(f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for count in given.servers:
        with tempfile.TemporaryDirectory() as folder, servers(count, Path(folder)) as running:
            ports = [port for port, _ in running]
            asyncio.run(load(ports, count, 1, 0))  # the first visit imports what the page needs
            for sessions in given.sessions:
                for think in given.think:
                    opened, moved, rate = asyncio.run(load(ports, sessions, given.moves, think))
                    p95 = sorted(moved)[int(0.95 * (len(moved) - 1))]
                    memory = "+".join(f"{resident_mib(process):.0f}" for _, process in running)
                    print(
                        f"{count} server(s), {sessions:2d} sessions, thinking {think:g} s:"
                        f" a move {1000 * statistics.median(moved):5.0f} ms, p95 {1000 * p95:5.0f} ms; {rate:5.1f} reruns a second;"
                        f" opening {statistics.median(opened):4.1f} s; {memory} MiB",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
