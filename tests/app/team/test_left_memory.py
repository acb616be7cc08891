"""What is dropped of who left, and that Streamlit works as this relies on."""

import asyncio
import sys

import pytest
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.runtime import Runtime
from streamlit.runtime.session_manager import SessionInfo

from hemcore.web.team import left_memory


class Session:
    def __init__(self, id: str) -> None:
        self.id = id


def _left(storage: MemorySessionStorage, *names: str) -> None:
    for name in names:
        storage.save(SessionInfo(client=None, session=Session(name), script_run_count=0))  # type: ignore[arg-type]


def test_who_left_is_kept_for_their_time_and_then_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    storage = MemorySessionStorage(ttl_seconds=120)
    now = [0.0]
    monkeypatch.setattr(storage._cache, "_timer", lambda: now[0])
    _left(storage, "a", "b")
    now[0] = 60.0
    _left(storage, "c")
    now[0] = 119.0
    assert left_memory.drop_expired(storage) == 0
    now[0] = 121.0
    # What this module is for: a look at the list alone drops nothing.
    assert [each.session.id for each in storage.list()] == ["c"]
    assert len(storage._cache._data) == 3  # type: ignore[attr-defined]
    assert left_memory.drop_expired(storage) == 2
    assert list(storage._cache._data) == ["c"]  # type: ignore[attr-defined]
    assert storage.get("c") is not None


def test_memory_is_given_back_only_after_someone_was_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    storage = MemorySessionStorage(ttl_seconds=0)
    manager = type("Manager", (), {"_session_storage": storage})()
    monkeypatch.setattr(Runtime, "instance", classmethod(lambda cls: type("R", (), {"_session_mgr": manager})()))
    monkeypatch.setattr(left_memory, "_EVERY_S", 0.01)
    given = []
    monkeypatch.setattr(left_memory, "give_back", lambda: given.append(len(storage._cache._data)))  # type: ignore[attr-defined]

    async def served() -> None:
        async with left_memory.looked_after(None):
            await asyncio.sleep(0.1)
            assert not given
            _left(storage, "a")
            while not given:
                await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(served(), 10))
    assert given == [0]


def test_free_memory_is_given_back_at_every_fourth_look_while_people_work(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, trimmed = [], []
    monkeypatch.setattr(
        Runtime, "instance", classmethod(lambda cls: type("R", (), {"_session_mgr": type("M", (), {"_session_storage": None})}))
    )
    monkeypatch.setattr(left_memory, "_EVERY_S", 0.001)
    monkeypatch.setattr(left_memory, "drop_expired", lambda storage: looks.append(storage) or 0)
    monkeypatch.setattr(left_memory, "trim", lambda: trimmed.append(len(looks)))

    async def served() -> None:
        async with left_memory.looked_after(None):
            while len(trimmed) < 3:
                await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(served(), 10))
    assert trimmed[:3] == [4, 8, 12]


@pytest.mark.skipif(sys.platform != "linux", reason="of glibc")
def test_this_machine_has_what_is_set() -> None:
    assert left_memory.few_heaps()
    left_memory.give_back()
