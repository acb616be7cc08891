"""`hem-workbench push`: files from a job script to a server, by its HTTP API. `hem-workbench token`: a token of this machine's store."""

import http.client
import json
import os
import ssl
import stat
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias
from urllib.parse import urlencode, urlsplit

from hemcore.errors import HemError, ParameterError, ReadError

SERVER, TOKEN_FILE = "HEM_SERVER", "HEM_TOKEN_FILE"
REFUSED, NO_ANSWER, NO_TOKEN, NO_ROOM = 1, 3, 4, 5
CODES = (
    "Exit codes: 0 success, 1 files or parameters that cannot be used, 2 invalid command line, 3 no answer from the server (try again),"
    " 4 the token is not taken, 5 no room, or too many jobs (try again later, or ask). One sentence on stderr for each."
)
_LOCAL = ("localhost", "127.0.0.1", "::1")
_EACH_WAIT_S, _PATIENCE_S = 30.0, 120.0


class PushError(HemError):
    """What the server, or the way to it, did not do. code: the exit code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


# What the server answers: an object of JSON.
Told: TypeAlias = Mapping[str, Any]


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would take the token to another address."""

    def redirect_request(self, *given: object, **named: object) -> None:
        return None


class Server:
    """The API of the server at `url`, asked with `token`. Keeps the cookie by which a proxy finds the same process again."""

    def __init__(self, url: str, token: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
            raise ParameterError(f"--server: {url[:80]!r} is no address of a server. Give one such as https://hem.example.org.")
        if parts.scheme == "http" and parts.hostname not in _LOCAL:
            raise ParameterError(f"--server: {url[:80]!r} would send the token for all to read. Use https (http only for localhost).")
        self._url, self._token = f"{url.rstrip('/')}/api/v1/", token
        self._opener = urllib.request.build_opener(_NoRedirects, urllib.request.HTTPCookieProcessor(CookieJar()))

    def get(self, path: str) -> Told:
        """What GET answers."""
        return self._asked("GET", path)

    def ask(self, question: Mapping[str, object], wait: float) -> Told:
        """The job of a question."""
        body = json.dumps(question).encode()
        return self._asked("POST", f"questions?wait={wait:g}", body, {"Content-Type": "application/json"})

    def send(self, file: BinaryIO, size: int, query: Mapping[str, str]) -> Told:
        """The dataset of a file, or the job that reads it."""
        headers = {"Content-Type": "application/octet-stream", "Content-Length": str(size)}
        return self._asked("POST", f"datasets?{urlencode(query)}", file, headers)

    def finished(self, job: Told, seconds: float) -> Told:
        """The job when it is done. Raises PushError if it has no result, or not in time."""
        end, pause = time.monotonic() + seconds, 0.2
        while job["state"] in ("queued", "running"):
            if time.monotonic() > end:
                raise PushError(
                    NO_ANSWER, f"{job['title']}: not done after {seconds:g} s; it goes on. Ask for job {job['id']}, or wait longer."
                )
            time.sleep(pause)
            pause = min(2 * pause, 5.0)
            job = self.get(f"jobs/{job['id']}")
        if job["state"] != "done":
            raise PushError(REFUSED, str(job["error"] or f"{job['title']}: no result."))
        return job

    def _asked(self, method: str, path: str, body: bytes | BinaryIO | None = None, headers: Mapping[str, str] | None = None) -> Told:
        request = urllib.request.Request(self._url + path, data=body, method=method, headers={**(headers or {})})
        request.add_unredirected_header("Authorization", f"Bearer {self._token}")
        try:
            with self._opener.open(request, timeout=_PATIENCE_S) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise _refusal(error, self._url) from None
        except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
            why = getattr(error, "reason", error)
            if isinstance(why, ssl.SSLCertVerificationError):
                remedy = "If your site signs for itself, name its authority's certificate in SSL_CERT_FILE."
                raise PushError(NO_ANSWER, f"{self._url}: its certificate is not trusted here ({why.verify_message}). {remedy}") from None
            raise PushError(
                NO_ANSWER, f"{self._url}: no answer ({why}). Is the server running, and reached from here? Try again."
            ) from None
        except ValueError:
            raise PushError(NO_ANSWER, f"{self._url}: no HEM Workbench answers there. Give the address of its pages.") from None


def send_files(
    files: Sequence[Path],
    *,
    server: str,
    token: str,
    name: str = "",
    format: str = "",
    asks: Sequence[str] = (),
    params: Mapping[str, object] | None = None,
    seconds: float = 600.0,
) -> tuple[str, list[Told]]:
    """Send the files as one dataset, and ask questions about it: its id, and each answer without its table.

    Raises ReadError for a file that cannot be read, ParameterError for an address that is none, PushError for what the server refuses.
    """
    at = Server(server, token)
    with _as_one(files) as (file, called):
        size = os.fstat(file.fileno()).st_size
        found = at.send(file, size, {"file": called, "name": name or files[0].name, "format": format, "wait": f"{_EACH_WAIT_S:g}"})
    id = str(found["id"] if "state" not in found else at.finished(found, seconds)["dataset"])
    answers = []
    for analysis in asks:
        job = at.finished(at.ask({"analysis": analysis, "dataset": id, "params": dict(params or {})}, _EACH_WAIT_S), seconds)
        answers.append(at.get(f"answers/{job['id']}"))
    return id, answers


def token_in(path: Path) -> str:
    """The token in a file that nobody else may read. Raises ParameterError for any other file."""
    try:
        if os.name != "nt" and stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise ParameterError(f"--token-file: others may read {path}. Close it: chmod 600 {path}")
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        raise ParameterError(f"--token-file: {path} cannot be read ({why}). Put a token into it; a page makes one.") from None


def made_token(name: str, days: int, data: Path | None) -> str:
    """A token of the store in the folder `data`, or of this user's. Raises HemError as access_tokens.make does."""
    from hemcore.datasets.owners import access_tokens, whose

    root = whose.base() if data is None else data
    if not whose.key_at(root) and (root / whose.OWNERS).is_dir():
        raise ParameterError(f"token: {root} is a team's store. Each owner makes tokens on a page, in the box with the name.")
    return access_tokens.make(root, name, days)


@contextmanager
def _as_one(files: Sequence[Path]) -> Iterator[tuple[BinaryIO, str]]:
    """The one file to be sent, and its name: several as one .zip."""
    try:
        if len(files) == 1:
            with files[0].open("rb") as file:
                yield file, files[0].name
            return
        with tempfile.TemporaryFile() as packed:
            with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
                for path in files:
                    archive.write(path, path.name)
            packed.seek(0)
            yield packed, "files.zip"
    except FileNotFoundError as error:
        raise ReadError(f"{error.filename}: there is no such file. Name the files to send.") from None
    except (IsADirectoryError, PermissionError) as error:
        raise ReadError(f"{error.filename}: it cannot be read ({error.strerror}). Name files that you may read.") from None


def _refusal(error: urllib.error.HTTPError, url: str) -> PushError:
    try:
        sentence = str(json.load(error)["error"])
    except (ValueError, KeyError, TypeError, OSError):
        sentence = f"{url}: the server answered {error.code}. Give the address of its pages, without a redirect."
    code = {401: NO_TOKEN, 403: NO_TOKEN, 429: NO_ROOM, 507: NO_ROOM}.get(error.code, REFUSED if error.code < 500 else NO_ANSWER)
    return PushError(code, sentence)
