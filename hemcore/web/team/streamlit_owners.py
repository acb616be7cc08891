"""What Streamlit leaves open between people on one server: files under /media, and downloads that are made on request, by their owner.

Streamlit serves a file of any session to whoever knows its address, and lets any session ask for another's download. Here each is known
with the owners whose sessions made it. Holds for the version in requirements.txt; a test fails if another one works in another way.
"""

from collections import defaultdict
from typing import Any

from streamlit.runtime.backend_operation_handler import DeferredFileHandler
from streamlit.runtime.media_file_storage import MediaFileKind
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.runtime import Runtime

from hemcore.datasets.owners import whose
from hemcore.errors import HemError
from hemcore.web.team.identity import identity_of

_ANYONE = "anyone"
_owners: defaultdict[str, set[str]] = defaultdict(set)  # of each file, by its id without the ending
_downloads: set[str] = set()
_installed = False


def install() -> None:
    """Have every file and download of this process known by its owner; once."""
    global _installed
    if _installed:
        return
    _installed = True
    load, delete, handle = MemoryMediaFileStorage.load_and_get_id, MemoryMediaFileStorage.delete_file, DeferredFileHandler.handle

    def loaded(self: Any, path_or_data: Any, mimetype: str, kind: MediaFileKind, filename: str | None = None) -> str:
        id = load(self, path_or_data, mimetype, kind, filename)
        if kind is MediaFileKind.DOWNLOADABLE:
            _downloads.add(id)
        try:
            _owners[id].add(whose.key_here())
        except HemError:  # of the page for who is not signed in yet, such as its icon
            _owners[id].add(_ANYONE)
        return id

    def deleted(self: Any, file_id: str) -> None:
        _owners.pop(file_id, None)
        _downloads.discard(file_id)
        delete(self, file_id)

    async def handled(self: Any, request: Any, session_id: str) -> Any:
        files = self._get_media_file_mgr()
        entry = files._deferred_callables.get(request.deferred_file.file_id)
        owner = owner_of_session(session_id)
        if not owner or entry is None or owner_of_session(entry["session_id"]) != owner:
            from streamlit.runtime.backend_operation_handler import BackendOperationResponse

            return BackendOperationResponse(request_id=request.request_id, error_msg="This download is not there.")
        # The thread that makes the file belongs to no session: it gets the folder of this one.
        with whose.within(whose.folder_of(owner)):
            return await handle(self, request, session_id)

    MemoryMediaFileStorage.load_and_get_id = loaded  # type: ignore[method-assign]
    MemoryMediaFileStorage.delete_file = deleted  # type: ignore[method-assign]
    DeferredFileHandler.handle = handled  # type: ignore[method-assign]


def owner_of_session(session_id: str) -> str:
    """The key of who is signed in there; "" if no one is, or there is no such session."""
    manager = getattr(Runtime.instance(), "_session_mgr", None)
    info = None if manager is None else manager.get_session_info(session_id)
    try:
        return "" if info is None else identity_of(info.session._user_info).key
    except HemError:
        return ""


def download_of(file_name: str) -> str:
    """The checksum of the file /media/<file_name> if it is a download, not a picture of a page; else ""."""
    id = file_name.partition(".")[0]
    return id if id in _downloads else ""


def may_have(key: str, file_name: str) -> bool:
    """Whether a session of the owner `key` ("" = no one) made the file /media/<file_name>, or one of no one in particular."""
    return not {key or _ANYONE, _ANYONE}.isdisjoint(_owners.get(file_name.partition(".")[0], ()))
