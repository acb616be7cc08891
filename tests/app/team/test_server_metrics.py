"""What Prometheus is answered: by hand of four reruns, and as it comes from the port."""

import math
import socket
import urllib.error
import urllib.request
from types import SimpleNamespace

import pytest

from hemcore.datasets.owners import people, whose
from hemcore.errors import ParameterError
from hemcore.web import navigation
from hemcore.web.team import server_metrics
from hemcore.web.team.server_metrics import Reruns


def values(lines: list[str]) -> dict[str, float]:
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


def test_reruns_by_hand() -> None:
    reruns = Reruns()
    assert math.isnan(values(list(reruns.lines()))["hem_rerun_seconds_p95"])
    for seconds in (0.05, 0.2, 0.3, 12.0):
        reruns.add(seconds)
    reruns.failed()
    found = values(list(reruns.lines()))
    assert [found[f'hem_rerun_seconds_bucket{{le="{bound}"}}'] for bound in ("0.05", "0.1", "0.25", "0.5", "10.0", "+Inf")] == [
        1,
        1,
        2,
        3,
        3,
        4,
    ]
    assert (found["hem_rerun_seconds_sum"], found["hem_rerun_seconds_count"]) == (12.55, 4)
    assert (found["hem_rerun_seconds_p95"], found["hem_page_failures_total"]) == (12.0, 1)


def test_the_p95_is_that_of_a_hundred() -> None:
    reruns = Reruns()
    for each in range(1, 101):
        reruns.add(each / 100)
    assert values(list(reruns.lines()))["hem_rerun_seconds_p95"] == 0.95


def test_a_run_of_a_page_is_added_with_its_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    reruns, clock = Reruns(), iter((100.0, 100.25))
    monkeypatch.setattr(server_metrics, "RERUNS", reruns)
    monkeypatch.setattr(navigation, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    monkeypatch.setattr(navigation, "st", SimpleNamespace(navigation=lambda pages, position: "page"))
    monkeypatch.setattr(navigation, "corner", SimpleNamespace(begin=lambda: None, end=lambda jobs: None))
    monkeypatch.setattr(navigation, "_visits", SimpleNamespace(count=lambda more: None))
    for name in ("_entries", "_warm_up"):
        monkeypatch.setattr(navigation, name, lambda: None)
    monkeypatch.setattr(navigation, "_run_to_its_end", lambda page: None)
    monkeypatch.setattr(navigation, "_is_team", lambda: True)
    navigation._show_page()
    assert values(list(reruns.lines()))["hem_rerun_seconds_sum"] == 0.25


def test_the_port_answers_and_names_no_one(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEM_DATA_DIR", str(tmp_path))
    people.signed_in(whose.key_of("i", "ada"), name="ada", email="", groups=(), base=tmp_path)
    (tmp_path / "owners" / whose.key_of("i", "ada") / "file").write_bytes(b"x" * 1000)
    monkeypatch.setattr(server_metrics, "_bytes", (-1e9, 0))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        with pytest.raises(ParameterError, match=f"HEM_METRICS_PORT: 127.0.0.1:{port} cannot be used"):
            server_metrics.serve(str(port), "127.0.0.1")
    server_metrics.serve(str(port), "127.0.0.1")
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text = answer.read().decode()
        assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    found = values(text.splitlines())
    assert found["hem_people"] == 1
    assert found["hem_store_bytes"] >= 1000
    assert {'hem_jobs{state="queued"}', 'hem_jobs_ended_total{state="failed"}', "hem_sessions"} <= set(found)
    assert "ada" not in text
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10)


@pytest.mark.parametrize("port", ["", "none", "70000"])
def test_what_is_no_port_is_a_sentence(port: str) -> None:
    with pytest.raises(ParameterError, match="HEM_METRICS_PORT: .* Choose a free port"):
        server_metrics.serve(port, "127.0.0.1")
