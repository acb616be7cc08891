"""Who is next, by hand: a queue before made-up workers and a clock that the test moves."""

from collections.abc import Callable

import pytest

from hemcore.jobs.job import Job, Position
from hemcore.jobs.turns import Turn, Turns


class Queue:
    """`slots` workers; began: the names of jobs in the order in which their pieces began."""

    def __init__(self, slots: int) -> None:
        self.now, self.began = 0.0, []
        self.turns = Turns(lambda: slots, clock=lambda: self.now)
        self.of: dict[str, list[Turn]] = {}
        self.jobs: dict[str, Job] = {}

    def submit(self, owner: str, name: str, pieces: int = 1, *, short: bool = False, seconds: float | None = None) -> None:
        job = Job(name, name, expected=seconds)
        job.owner = owner
        self.jobs[name] = job
        self.of[name] = self.turns.ask(job, [lambda: self.began.append(name)] * pieces, short=short, seconds=seconds)

    def end(self, name: str, piece: int = 0) -> None:
        self.turns.give_back(self.of[name][piece])

    def position(self, name: str) -> Position | None:
        return self.turns.position(self.jobs[name])


@pytest.fixture
def two() -> Queue:
    return Queue(2)


def test_another_owners_is_next_although_ten_wait(two: Queue) -> None:
    for number in range(10):
        two.submit("ada", f"a{number}")
    two.submit("bob", "b")
    assert two.began == ["a0", "a1"]
    two.end("a0")
    assert two.began == ["a0", "a1", "b"]
    two.end("b")
    assert two.began[-1] == "a2"


def test_one_worker_serves_owners_in_turn() -> None:
    queue = Queue(1)
    for name in ("a0", "a1", "a2", "b0", "b1"):
        queue.submit(name[0], name)
    for name in ("a0", "b0", "a1", "b1"):
        queue.now += 1
        queue.end(name)
    assert queue.began == ["a0", "b0", "a1", "b1", "a2"]


def test_short_work_is_before_long_until_that_has_waited_a_minute(two: Queue) -> None:
    two.submit("ada", "long", 4)
    two.submit("ada", "s0", short=True)
    two.end("long", 0)
    assert two.began == ["long", "long", "s0"]
    two.now = 61.0
    two.submit("ada", "s1", short=True)
    two.end("s0")
    assert two.began[-1] == "long"
    two.end("long", 1)
    assert two.began[-1] == "s1"


def test_who_gives_up_gives_the_place_back(two: Queue) -> None:
    for name in ("a0", "a1", "a2", "a3"):
        two.submit("ada", name)
    two.end("a2")
    two.end("a2")
    assert two.position("a2") is None
    two.end("a0")
    assert two.began == ["a0", "a1", "a3"]


def test_the_place_and_the_start_are_those_that_come(two: Queue) -> None:
    """Both workers are busy for 30 s and 50 s; of ten seconds each wait a2, a3 of Ada and b of Bob, who is next, then a2, a3."""
    for name, seconds in (("a0", 30.0), ("a1", 50.0), ("a2", 10.0), ("a3", 10.0)):
        two.submit("ada", name, seconds=seconds)
    two.submit("bob", "b", seconds=10.0)
    assert [two.position(name) for name in ("b", "a2", "a3")] == [Position(1, 30.0), Position(2, 40.0), Position(3, 50.0)]
    two.now = 20.0
    assert two.position("b") == Position(1, 10.0)
    assert two.position("a0") is None


def test_without_a_known_duration_there_is_a_place_and_no_time(two: Queue) -> None:
    for name in ("a0", "a1", "a2"):
        two.submit("ada", name)
    assert two.position("a2") == Position(1, None)


def test_as_many_begin_as_there_are_workers_when_some_join() -> None:
    slots = [1]
    began: list[int] = []
    turns = Turns(lambda: slots[0])
    begins: list[Callable[[], None]] = [lambda: began.append(0)] * 5
    turns.ask(Job("a", "a"), begins, short=True)
    assert len(began) == 1
    slots[0] = 4
    turns.serve()
    assert len(began) == 4
