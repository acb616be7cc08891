"""A team at two processes over one store: people over all pages, each signed in and with an own dataset, thinking between moves.

    python -m benchmarks.bench_team [--people 50] [--servers 2] [--minutes 15] [--think 3]

Each person opens a page on its sample, moves its sliders or opens another page, and thinks (0.5 to 1.5 times `think`). A move's time is
from the message to the server's word that the run is finished. Memory is the resident set of the servers' processes, without their
workers': before anyone came (all pages opened, and each of their sliders moved, once), every minute, and 200 s after all have left; its
slope is a straight line through the second half's minutes. Threads are counted at the same moments.
"""

import argparse
import asyncio
import os
import random
import statistics
import subprocess
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from hemcore.datasets.owners import people, whose
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import samples
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.web.pages import PAGES
from tests.deploy.team_visitors import TeamServer, Visitor, served

PATIENCE_S = 300
_SETTLE_S = 200  # Streamlit keeps a session for two minutes, in case its browser comes back
_QUIET_S = 30  # what the first visits have begun in the background is done
_ARRIVE_S = 60  # all come within a minute


class Person:
    """One of the team, with a window open."""

    def __init__(self, server: TeamServer, number: int) -> None:
        self._visitor = Visitor(server, f"person-{number}")
        self._server, self._chance = server, random.Random(number)
        self._sliders: dict[str, tuple[float, float, float]] = {}
        self._hash = self._query = ""
        self._socket: Any = None
        self.pages = [page for page in PAGES if page.name != "home"]
        self.failed = 0

    async def __aenter__(self) -> "Person":
        self._socket = await websockets.connect(
            f"ws://localhost:{self._server.port}/_stcore/stream",
            subprotocols=["streamlit", self._visitor.xsrf],  # type: ignore[list-item]
            additional_headers={"Cookie": self._visitor.headers["Cookie"]},
            origin=self._server.url,  # type: ignore[arg-type]
            max_size=None,
            open_timeout=PATIENCE_S,
            ping_interval=None,
        )
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._socket.close()

    async def open(self, page: Any) -> float:
        """Go to a page, on its first sample."""
        self._sliders.clear()
        start = page.start[0].sample if page.start else ""
        self._query = urlencode({f"{page.name}.dataset": f"{samples.title(start)} · sample"}) if start else ""
        return await self._run(page.name)

    async def act(self) -> float:
        """Mostly move a slider of the page, sometimes open another page."""
        if not self._sliders or self._chance.random() < 0.2:
            return await self.open(self._chance.choice(self.pages))
        return await self.move(self._chance.choice(sorted(self._sliders)))

    async def move(self, id: str) -> float:
        """Move a slider of the page somewhere."""
        least, most, step = self._sliders[id]
        return await self._run("", id, least + step * self._chance.randint(0, round((most - least) / step)))

    async def _run(self, page: str, slider: str = "", value: float = 0.0) -> float:
        message = BackMsg()
        message.rerun_script.query_string, message.rerun_script.page_name = self._query, page
        message.rerun_script.page_script_hash = "" if page else self._hash
        if slider:
            state = message.rerun_script.widget_states.widgets.add()
            state.id = slider
            state.double_array_value.data.append(value)
        start = time.perf_counter()
        await self._socket.send(message.SerializeToString())
        while True:
            found = ForwardMsg.FromString(await asyncio.wait_for(self._socket.recv(), PATIENCE_S))
            kind = found.WhichOneof("type")
            if kind == "navigation":
                self._hash = found.navigation.page_script_hash
            elif kind == "delta":
                element = found.delta.new_element
                which = element.WhichOneof("type")
                if which == "slider" and not element.slider.disabled and len(element.slider.default) == 1 and not element.slider.options:
                    self._sliders[element.slider.id] = (element.slider.min, element.slider.max, element.slider.step)
                self.failed += which == "exception"
            elif kind == "script_finished":
                return time.perf_counter() - start


def memory(pids: list[int]) -> list[float]:
    """MiB that each process holds (Linux)."""
    return [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20 for pid in pids]


def threads(pids: list[int]) -> str:
    """How many threads each process has (Linux)."""
    return " + ".join(str(len(list(Path(f"/proc/{pid}/task").iterdir()))) for pid in pids)


def slope(held: list[tuple[int, float]]) -> float:
    """MiB per thousand moves, by least squares over the second half of (moves so far, MiB)."""
    late = held[len(held) // 2 :]
    return 1000 * statistics.linear_regression(*zip(*late, strict=True)).slope if len(late) > 1 else float("nan")


def processor(pids: list[int]) -> float:
    """Processor seconds of the processes so far (Linux)."""
    fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum(int(each[11]) + int(each[12]) for each in fields) / os.sysconf("SC_CLK_TCK")


def pids_of(servers: list[TeamServer]) -> list[int]:
    """The processes that listen at the servers' ports."""
    command = ["pgrep", "-f"]
    return [int(subprocess.check_output([*command, f"server.port {each.port}$"], text=True).split()[0]) for each in servers]


async def _one(person: Person, until: float, think: float, moves: list[tuple[float, float]]) -> None:
    await asyncio.sleep(person._chance.uniform(0, _ARRIVE_S))
    async with person:
        await person.open(person._chance.choice(person.pages))
        while time.monotonic() < until:
            await asyncio.sleep(think * person._chance.uniform(0.5, 1.5))
            taken = await person.act()
            moves.append((time.monotonic(), taken))


async def _warm(servers: list[TeamServer]) -> None:
    for number, server in enumerate(servers):
        async with Person(server, number) as person:
            for page in person.pages:
                await person.open(page)
                for id in sorted(person._sliders):
                    await person.move(id)


async def load(servers: list[TeamServer], pids: list[int], number: int, minutes: float, think: float) -> None:
    """Print what they were served."""
    await _warm(servers)
    await asyncio.sleep(_QUIET_S)
    before = memory(pids)
    print(f"memory before: {' + '.join(f'{each:.0f}' for each in before)} MiB, {threads(pids)} threads", flush=True)
    team = [Person(servers[each % len(servers)], each) for each in range(number)]
    moves: list[tuple[float, float]] = []
    began, spent = time.monotonic(), processor(pids)
    work = asyncio.gather(*(_one(each, began + 60 * minutes, think, moves) for each in team))
    minute, course = 0, list[tuple[int, float]]()
    while not work.done():
        await asyncio.wait([work], timeout=60)
        minute += 1
        last = sorted(taken for at, taken in moves if at > time.monotonic() - 60)
        if last:
            now = memory(pids)
            course.append((len(moves), sum(now)))
            held = " + ".join(f"{each:.0f}" for each in now)
            print(
                f"minute {minute:2d}: {len(last):4d} moves, median {statistics.median(last):.2f} s,"
                f" p95 {last[int(0.95 * (len(last) - 1))]:.2f} s; {held} MiB, {threads(pids)} threads",
                flush=True,
            )
    await work
    spent = processor(pids) - spent
    taken = sorted(each for _, each in moves)
    print(f"all: {len(taken)} moves, median {statistics.median(taken):.2f} s, p95 {taken[int(0.95 * (len(taken) - 1))]:.2f} s")
    print(f"processor of the servers: {spent:.0f} s, {1000 * spent / len(taken):.0f} ms per move")
    print(f"slope of memory in the second half: {slope(course):.1f} MiB per 1,000 moves")
    print(f"exceptions shown: {sum(each.failed for each in team)}")
    await asyncio.sleep(_SETTLE_S)
    after = memory(pids)
    held = " + ".join(f"{each:.0f}" for each in after)
    print(f"memory after they left: {held} MiB, {sum(after) / sum(before):.2f} of before, {threads(pids)} threads")


def main() -> None:
    """Start the servers, fill the shelves, and let them come."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--people", type=int, default=50)
    asked.add_argument("--servers", type=int, default=2)
    asked.add_argument("--minutes", type=float, default=15)
    asked.add_argument("--think", type=float, default=3)
    given = asked.parse_args()
    print(f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        data = Path(folder) / "data"
        for number in range(given.people):
            visitor = Visitor(TeamServer(0, data), f"person-{number}")
            people.signed_in(visitor.key, name=visitor.name, email="", groups=(), base=data)
            content = f"A,B\n{100 + number},200\n300,400\n500,600\n".encode()
            DatasetStore(whose.folder_of(visitor.key, data)).add([UploadedFile("mine.csv", content)])
        servers = [stack.enter_context(served(data, Path(folder) / f"log-{each}")) for each in range(given.servers)]
        asyncio.run(load(servers, pids_of(servers), given.people, given.minutes, given.think))


if __name__ == "__main__":
    main()
