"""Prometheus with the recipe of deploy/grafana/ at a real server: each query of the dashboard, and each metric of the page, has series."""

import json
import re
import shutil
import subprocess
import time
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.deploy.team_visitors import ROOT, served
from tests.deploy.test_api_server import push, token_of
from tests.deploy.test_headers import free_port, running

GRAFANA = ROOT / "deploy" / "grafana"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.long,
    pytest.mark.skipif(not shutil.which("prometheus"), reason="Prometheus is not here (Debian: apt install prometheus)"),
]


def test_every_panel_has_series(tmp_path: Path) -> None:
    recipe = yaml.safe_load((GRAFANA / "prometheus.yml").read_text())
    asked, own = recipe["scrape_configs"]
    (name,) = asked["params"]["name"]
    data, token, readings = tmp_path / "data", tmp_path / "token", tmp_path / "perf.csv"
    data.mkdir()
    token_of(data, "ada", token)
    metrics = free_port()
    with served(data, tmp_path / "log", HEM_METRICS_PORT=str(metrics)) as server:
        for last in (6500, 6000):  # two nights
            readings.write_text(f"A,B\n1000,2000\n3000,4000\n5000,{last}\n")
            done = push(server.url, token, str(readings), "--name", name, "--ask", "merge.hrm")
            assert done.returncode == 0, done.stderr
        # What the reader puts in the place of the examples: the site, the token, the analysis; and seconds for minutes.
        asked |= {"scheme": "http", "scrape_interval": "1s", "authorization": {"credentials_file": str(token)}}
        asked["params"]["analysis"] = ["merge.hrm"]
        asked["static_configs"] = [{"targets": [f"localhost:{server.port}"]}]
        own |= {"scrape_interval": "1s", "static_configs": [{"targets": [f"127.0.0.1:{metrics}"]}]}
        config, port = tmp_path / "prometheus.yml", free_port()
        config.write_text(yaml.safe_dump(recipe))
        subprocess.run(["promtool", "check", "config", str(config)], check=True)
        url = f"http://127.0.0.1:{port}"
        command = [
            "prometheus",
            f"--config.file={config}",
            f"--storage.tsdb.path={tmp_path}/series",
            f"--web.listen-address=127.0.0.1:{port}",
        ]
        with running(command, tmp_path / "prometheus.log", f"{url}/-/ready"):
            until = time.monotonic() + 60
            while not all(found := [series(url, query) for query in queries()]) and time.monotonic() < until:
                time.sleep(0.5)
            assert all(found), dict(zip(queries(), found, strict=True))
            (verdict,) = series(url, "hem_verdict")
            assert (verdict["metric"]["dataset"], verdict["metric"]["analysis"], verdict["value"][1]) == (name, "merge.hrm", "1")
            for label, values in (("dataset", [name]), ("analysis", ["merge.hrm"])):  # the dashboard's choices
                assert answer(url, f"label/{label}/values", {"match[]": "hem_verdict"}) == values
            page = (ROOT / "docs" / "deploy.md").read_text()
            named = re.findall(r"`(hem_\w+)`", page.split("`/metrics` on")[1].split("\n\n")[0])
            assert len(named) == 8
            there = answer(url, "label/__name__/values", {})
            assert {each.removesuffix("_bucket") for each in there} >= set(named)


def queries() -> list[str]:
    """Of the dashboard's panels, with every dataset and analysis chosen."""
    panels = json.loads((GRAFANA / "dashboard.json").read_text())["panels"]
    return [re.sub(r"\$\w+", ".*", target["expr"]) for panel in panels for target in panel["targets"]]


def series(url: str, query: str) -> list[dict[str, Any]]:
    return list(answer(url, "query", {"query": query})["result"])


def answer(url: str, path: str, asked: dict[str, str]) -> Any:
    with urllib.request.urlopen(f"{url}/api/v1/{path}?{urllib.parse.urlencode(asked)}", timeout=30) as found:
        return json.loads(found.read())["data"]
