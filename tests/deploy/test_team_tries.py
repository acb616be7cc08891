"""What others try at an owner's data, at a real server: ids guessed, links edited, files of /media, downloads, uploads, jobs, cookies
swapped or edited, sessions taken over, messages sent again. None reads, none writes. Beside each kind stands the owner, who may.
"""

import hashlib
import json
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from hemcore.datasets.owners import access_tokens, people, shares, whose
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import library
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.report import ReportShelf
from tests.deploy.team_visitors import ISSUER, TeamServer, Visitor, served

# In Ada's data and in no link, so that a page that repeats a link does not count as a read.
MARK = "SECRETHEM7731"
FILES = [UploadedFile("ada.csv", f"{MARK},B\n100,200\n300,400\n500,600\n".encode())]
NAME = "Ada's readings"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TeamServer]:
    folder = tmp_path_factory.mktemp("team")
    data = folder / "data"
    people.signed_in(whose.key_of(ISSUER, "ada"), name="ada", email="", groups=(), base=data)
    root = whose.folder_of(whose.key_of(ISSUER, "ada"), data)
    store = DatasetStore(root)
    store.add(FILES, name=NAME)
    ReportShelf(root).create("Ada's report", intro=f"It is about {MARK}.")
    with served(data, folder / "log") as started:
        yield started


@pytest.fixture(scope="module")
def ada(server: TeamServer) -> Visitor:
    return Visitor(server, "ada")


def dataset(server: TeamServer) -> library.Entry:
    store = DatasetStore(whose.folder_of(whose.key_of(ISSUER, "ada"), server.data))
    return next(each for each in library.entries(store) if not each.bundled)


def files_of(root: Path) -> dict[str, str]:
    """The sums of an owner's files, without when they were last here."""
    found = [path for path in root.rglob("*") if path.is_file() and path.name != people.FILE and "incoming" not in path.parts]
    return {str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def media(heard: bytes) -> set[str]:
    return {each.decode() for each in re.findall(rb"/media/[0-9a-f]{32,64}\.[a-z0-9]+", heard)}


def deferred(heard: bytes) -> set[str]:
    return {each.decode() for each in re.findall(rb"[0-9a-f]{32}(?![0-9a-f])", heard)}


def download(id: str, session_id: str) -> BackMsg:
    """Asks for the file behind a download button."""
    message = BackMsg()
    message.backend_operation_request.request_id = "1"
    message.backend_operation_request.session_id = session_id
    message.backend_operation_request.deferred_file.file_id = id
    return message


def edited(text: str, chance: random.Random) -> str:
    """`text` with one letter another."""
    place = chance.randrange(len(text))
    return text[:place] + chance.choice([each for each in "0123456789abcdef" if each != text[place]]) + text[place + 1 :]


@pytest.mark.slow
def test_each_sees_their_own_data_and_who_is_not_signed_in_sees_none(server: TeamServer, ada: Visitor) -> None:
    query = f"data.opened={dataset(server).id[:16]}"
    for visitor, sees in ((ada, True), (Visitor(server, "eve"), False), (Visitor(server, ""), False)):
        with visitor.window() as window:
            heard = window.open("data", query)
            assert (MARK.encode() in heard) == sees, visitor.name
            assert (b"Sign in" in heard) == (visitor.name == "")


@pytest.mark.sweep(of=2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("claims", "sentence"),
    [({"iat": int(time.time()) - 13 * 3600}, b"has expired"), ({"origin": "https://other.example.org"}, b"No one is signed in")],
)
def test_an_old_or_a_strange_sign_in_is_a_sentence(server: TeamServer, claims: dict[str, object], sentence: bytes) -> None:
    with Visitor(server, "ada", claims=claims).window() as window:
        heard = window.open("data").replace(b"\\", b"")
        assert sentence in heard
        assert MARK.encode() not in heard


@pytest.mark.slow
@pytest.mark.parametrize("tries", [300, pytest.param(10_000, marks=pytest.mark.long)])
def test_no_try_reads_or_writes(server: TeamServer, ada: Visitor, tries: int) -> None:
    chance, mine = random.Random(tries), dataset(server)
    eve, stranger = Visitor(server, "eve"), Visitor(server, "")
    people.signed_in(eve.key, name="eve", email="", groups=(), base=server.data)
    tokens = {who.name: access_tokens.make(whose.folder_of(who.key, server.data), "tries") for who in (ada, eve)}
    assert server.get(f"/api/v1/datasets/{mine.id}", {"Authorization": f"Bearer {tokens['ada']}"})[0] == 200
    root = whose.folder_of(ada.key, server.data)
    (report,) = ReportShelf(root).entries()
    ids = [mine.id, report.id]
    if tries > 300:  # a question that a worker has answered: the id of its job is that of the answer
        asked = json.dumps({"analysis": "merge.hrm", "dataset": mine.id}).encode()
        named = {"Authorization": f"Bearer {tokens['ada']}", "Content-Type": "application/json"}
        ids.append(json.loads(server.get("/api/v1/questions", named, "POST", asked)[1])["id"])
        until = time.monotonic() + 120
        while server.get(f"/api/v1/answers/{ids[-1]}", named)[0] != 200:
            assert time.monotonic() < until
            time.sleep(0.2)
    share = shares.share(root, kind="dataset", which=mine.id, datasets=[mine.id], to=shares.LINK)
    shares.revoke(root, share.id)
    counted = dict.fromkeys(("media", "cookie", "upload", "session", "link", "download", "store", "api"), 0)
    with ada.window() as window:
        heard = window.open("data", f"data.opened={mine.id[:16]}") + window.open("report")
        assert MARK.encode() in heard
        # The downloads are those of the dataset, opened once more.
        heard = window.open("data", f"data.opened={mine.id[:16]}")
        made = {id: media(window.ask(download(id, window.session_id))) for id in deferred(heard)}
        pictures, downloads = set().union(*made.values()), {id for id, paths in made.items() if paths}
        assert pictures
        assert all(ada.get(path)[0] == 200 for path in pictures)
        before = files_of(root)
        quick = tries - tries // 50

        def read(status: int, body: bytes) -> bool:
            return status == 200 and b"<!doctype html" not in body[:200].lower()

        for number in range(quick):
            kind = ("media", "cookie", "upload", "store", "api")[number % 5]
            counted[kind] += 1
            if kind == "media":
                path = chance.choice(sorted(pictures))
                path = chance.choice([path, f"/media/{edited(path[7:39], chance)}{path[39:]}"])
                assert not read(*chance.choice([eve, stranger]).get(path)), path
            elif kind == "cookie":
                swapped = Visitor(server, "eve")
                swapped.cookie = edited(ada.cookie, chance) if number % 2 else eve.cookie + ada.cookie[-40:]
                path = chance.choice(sorted(pictures))
                assert not read(*swapped.get(path)), path
            elif kind == "upload":
                session = chance.choice([window.session_id, edited(window.session_id, chance)])
                path = f"/_stcore/upload_file/{session}/{chance.randbytes(16).hex()}"
                assert chance.choice([eve, stranger]).get(path, chance.choice(["PUT", "DELETE"]), b"x")[0] in (403, 404)
            elif kind == "api":
                token = chance.choice([tokens["eve"], edited(tokens["ada"], chance), ada.cookie])
                path = chance.choice(["datasets/{}", "datasets/{}/table", "jobs/{}", "answers/{}", "reports/{}"]).format(chance.choice(ids))
                headers = {"Authorization": f"Bearer {token}"} | chance.choice([{}, stranger.headers])
                assert server.get(f"/api/v1/{path}", headers, chance.choice(["GET", "DELETE"]))[0] in (401, 404, 405)
            else:
                own = DatasetStore(whose.folder_of(eve.key, server.data))
                id = chance.choice([mine.id, edited(mine.id, chance), f"../../{ada.key}/datasets/{mine.id}", f"{mine.id}@core"])
                for attempt in (lambda id=id, own=own: library.load(id, own.root), lambda id=id, own=own: own.delete(id)):
                    with pytest.raises(Exception, match=r"is not on this shelf|no dataset|not here"):
                        attempt()
        for number in range(tries - quick):
            kind = ("session", "link", "download")[number % 3]
            counted[kind] += 1
            visitor = chance.choice([eve, stranger])
            with visitor.window(window.session_id if kind == "session" else "") as other:
                if kind == "download":
                    other.open("data")
                    heard = other.ask(download(chance.choice(sorted(downloads)), chance.choice([other.session_id, window.session_id])))
                    assert b"/media/" not in heard
                else:
                    page = chance.choice(["data", "merge", "report", "plan", "home"])
                    links = (
                        f"data.opened={mine.id}",
                        f"{page}.dataset={mine.label}",
                        f"share={share.id}",
                        f"share={edited(share.id, chance)}",
                        "report.open=Ada's report",
                        f"data.reading={mine.id}",
                    )
                    heard = other.open(page, chance.choice(links))
                    assert other.session_id != window.session_id
                assert MARK.encode() not in heard
        # The owner's window is still hers, and nothing of hers has changed.
        assert MARK.encode() in window.open("data", f"data.opened={mine.id[:16]}")
    assert files_of(root) == before
    assert sum(counted.values()) == tries
    print(counted)
