"""The HTTP API: who gets in, what comes back, and that it is what its description says."""

import io
import json
import os
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pandas as pd
import pytest

from hemcore.datasets.owners import access_tokens, audit_log, whose
from hemcore.report import ReportShelf
from hemcore.web.api import api_server
from hemcore.web.api.endpoints import ENDPOINTS
from tests.app.api.conftest import FILE, Api

NEVER = "0" * 64
GRAFANA = Path(__file__).resolve().parents[3] / "deploy" / "grafana"


def error_of(answer) -> str:
    """The sentence of a refusal, which holds nothing else."""
    assert answer.headers["content-type"] == "application/json"
    assert list(answer.json()) == ["error"]
    return answer.json()["error"]


def test_the_description_is_openapi_and_has_every_endpoint(api: Api) -> None:
    from openapi_spec_validator import validate

    description = api.get("/openapi.json").json()
    validate(description)
    described = {(method.upper(), path) for path, methods in description["paths"].items() for method in methods}
    assert described == {(each.method, each.path) for each in ENDPOINTS}
    names = [method["operationId"] for methods in description["paths"].values() for method in methods.values()]
    assert len(set(names)) == len(ENDPOINTS)


@pytest.mark.whole
@pytest.mark.parametrize("each", ENDPOINTS, ids=lambda each: each.name)
def test_no_endpoint_answers_without_a_token(each, store: Path) -> None:
    path = each.path.replace("{id}", NEVER)
    for token in ("", "hem_" + "x" * 43, "hem_../../x"):
        answer = Api(token).ask(each.method, path)
        assert answer.status_code == 401
        assert "token" in error_of(answer)
        assert answer.headers["www-authenticate"].startswith("Bearer")


def test_a_token_is_good_until_it_has_ended_or_its_time_is_up(store: Path) -> None:
    text = access_tokens.make(store, "job  script")
    (made,) = access_tokens.owned(store)
    path = store / "tokens" / f"{made.id}.json"
    assert (made.name, path.parent.stat().st_mode & 0o777) == ("job script", 0o700)
    assert text not in path.read_text()
    assert Api(text).get("/datasets").status_code == 200
    kept = json.loads(path.read_text())
    path.write_text(json.dumps(kept | {"expires": (datetime.now(UTC) - timedelta(seconds=1)).isoformat()}))
    assert Api(text).get("/datasets").status_code == 401
    path.write_text(json.dumps(kept))
    access_tokens.end(store, made.id)
    assert Api(text).get("/datasets").status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://localhost:9999"},
        {"sec-fetch-site": "cross-site"},
    ],
)
def test_a_page_of_another_site_gets_nothing(api: Api, headers: dict[str, str]) -> None:
    for method, path in (("GET", "/datasets"), ("POST", "/datasets"), ("GET", "/openapi.json")):
        answer = api.ask(method, path, headers=headers)
        assert answer.status_code == 403
        assert "access-control-allow-origin" not in answer.headers
        error_of(answer)
    # Before it sends what it may not send unasked, a browser asks.
    assert api.ask("OPTIONS", "/datasets", headers={"access-control-request-method": "POST"}).status_code == 405


def test_a_file_becomes_a_dataset_and_goes(api: Api) -> None:
    added = api.add(query="file=a.csv&name=nightly")
    assert added.status_code == 201
    info = added.json()
    assert (info["name"], info["kind"], info["sample"]) == ("nightly", "Subexperiments", False)
    assert api.add().status_code == 200  # the same bytes
    listed = api.get("/datasets?samples=false").json()
    assert [each["id"] for each in listed] == [info["id"]]
    assert api.get("/datasets?name=other").json() == []
    assert api.get(f"/datasets/{info['id']}").json() == info
    wanted = pd.read_csv(io.BytesIO(FILE))
    table = f"/datasets/{info['id']}/table?format="
    csv, parquet, rows = (api.get(table + form).content for form in ("csv", "parquet", "json"))
    for found in (pd.read_csv(io.BytesIO(csv)), pd.read_parquet(io.BytesIO(parquet)), pd.DataFrame(json.loads(rows))):
        pd.testing.assert_frame_equal(found, wanted, check_dtype=False)
    assert api.ask("DELETE", f"/datasets/{info['id']}").status_code == 204
    assert "is not on this shelf" in error_of(api.get(f"/datasets/{info['id']}"))


def test_a_question_has_a_job_an_answer_and_a_table(api: Api) -> None:
    id = api.add(query="file=a.csv&name=nightly").json()["id"]
    asked = api.put_question(analysis="merge.hrm", dataset=id)
    assert asked.status_code == 200
    job = asked.json()
    assert (job["state"], job["answer"]) == ("done", f"answers/{job['id']}")
    assert [each["id"] for each in api.get("/jobs").json()] == [job["id"]]
    answer = api.get(f"/{job['answer']}").json()
    assert answer["question"]["dataset"] == id
    assert answer["verdict"]["level"] == "limited"  # three runs
    assert answer["figures"]
    merged = pd.read_csv(io.BytesIO(api.get(f"/{answer['table']}").content))
    assert list(merged.columns) == ["A", "B"]
    dated = api.get("/verdicts?name=nightly&analysis=merge.hrm").json()
    assert [(each["dataset"], each["value"]) for each in dated] == [(id, 1)]
    text = api.get("/verdicts?name=nightly&analysis=merge.hrm&format=prometheus")
    assert text.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'hem_verdict{dataset="nightly",analysis="merge.hrm"} 1\n' in text.text


@pytest.mark.parametrize(
    ("status", "sentence", "method", "path", "body"),
    [
        (404, "not one of the API", "GET", "/nothing", b""),
        (405, "it has GET, POST", "PUT", "/datasets", b""),
        (400, "body is empty", "POST", "/datasets?file=a.csv", b""),
        (422, "a.csv", "POST", "/datasets?file=a.csv", b"\x00\x01\x02"),
        (422, "no such parameter", "POST", "/datasets?fill=a.csv", FILE),
        (422, "twice", "POST", "/datasets?file=a&file=b", FILE),
        (422, "is not known; the formats are", "POST", "/datasets?format=xls", FILE),
        (422, "no JSON object", "POST", "/datasets?options=[]", FILE),
        (422, "'csv', 'parquet' or 'json'", "GET", "/datasets/sample-hems-t2080/table?format=pickle", b""),
        (422, "it is a sample", "DELETE", "/datasets/sample-hems-t2080", b""),
        (400, "no JSON object", "POST", "/questions", b"[" * 100_000),
        (400, "no JSON object", "POST", "/questions", b"\xff"),
        (422, "no such parameter", "POST", "/questions", b'{"code": "1"}'),
        (404, "analysis: 'os.system' is not known", "POST", "/questions", b'{"analysis": "os.system", "dataset": "x"}'),
        (404, "is not a sample dataset", "POST", "/questions", b'{"analysis": "merge.hrm", "dataset": "sample-x"}'),
        (422, "has no parameter 'seed2'", "POST", "/questions", b'{"analysis": "merge.hrm", "dataset": "x", "params": {"seed2": 1}}'),
        (404, "is not known here", "GET", "/answers/x", b""),
        (404, "is not known here", "DELETE", f"/jobs/{NEVER}", b""),
        (404, "does not exist here", "GET", "/reports/..%5cx", b""),
        (422, "has no verdict", "GET", "/verdicts?analysis=merge.dep_lvl", b""),
    ],
)  # fmt: skip
@pytest.mark.whole
def test_what_cannot_be_done_is_a_sentence(api: Api, status: int, sentence: str, method: str, path: str, body: bytes) -> None:
    answer = api.ask(method, path, content=body)
    assert sentence in error_of(answer)
    assert answer.status_code == status


def test_a_body_has_bounds_and_leaves_nothing(api: Api, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert api.ask("POST", "/datasets", headers={"content-length": str(api_server.MOST_FILE + 1)}).status_code == 413
    monkeypatch.setattr(api_server, "MOST_FILE", 1000)

    async def parts():
        for _ in range(11):
            yield b"x" * 100

    assert "too large" in error_of(api.ask("POST", "/datasets", content=parts()))
    assert api.add(b"\x00" * 900).status_code == 422
    assert list((store / "incoming").iterdir()) == []


def test_of_anothers_there_is_nothing(team: dict[str, Api], store: Path) -> None:
    ada, eve = team["ada"], team["eve"]
    id = ada.add().json()["id"]
    job = ada.put_question(analysis="merge.hrm", dataset=id).json()["id"]
    report = ReportShelf(whose.folder_of(whose.key_of("i", "ada"))).create("Ada's").id
    tries = [
        (method, path.format(id=which), missing)
        for which, missing, paths in (
            (id, NEVER, ("/datasets/{id}", "/datasets/{id}/table")),
            (job, NEVER, ("/jobs/{id}", "/answers/{id}", "/answers/{id}/table")),
            (report, NEVER[:32], ("/reports/{id}",)),
        )
        for path in paths
        for method in ("GET", "DELETE")
        if (method, path) in {(each.method, each.path) for each in ENDPOINTS}
    ]
    assert len(tries) == 9
    for method, path, missing in tries:
        which = next(part for part in path.split("/") if len(part) in (32, 64))
        there, not_there = (eve.ask(method, path.replace(which, each)) for each in (which, missing))
        assert there.status_code == not_there.status_code == 404, path
        assert error_of(there).replace(which, "") == error_of(not_there).replace(missing, "")
    assert eve.put_question(analysis="merge.hrm", dataset=id).status_code == 404
    for path in ("/datasets?samples=false", "/jobs", "/reports"):
        assert (len(ada.get(path).json()), len(eve.get(path).json())) == (1, 0)
    assert ada.get(f"/datasets/{id}").status_code == 200


def test_limits_hold_and_the_audit_log_says_who_from_where(team: dict[str, Api], store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = team["ada"]
    id = ada.add().json()["id"]
    monkeypatch.setenv("HEM_MAX_DATASETS_PER_OWNER", "1")
    refused = ada.add(FILE.replace(b"1000", b"1001"))
    assert (refused.status_code, "1 are allowed" in error_of(refused)) == (507, True)
    monkeypatch.setenv("HEM_MAX_ROWS_PER_JOB", "2")
    refused = ada.put_question(analysis="merge.hrm", dataset=id)
    assert (refused.status_code, "3 rows" in error_of(refused)) == (429, True)
    assert ada.ask("DELETE", f"/datasets/{id}").status_code == 204
    key = whose.key_of("i", "ada")
    noted = [(each["what"], each["source"]) for each in audit_log.lines(store) if each["who"] == key and "dataset" in each["what"]]
    assert noted == [("dataset.add", "192.0.2.7"), ("dataset.delete", "192.0.2.7")]


def test_a_dataset_that_a_program_reads_is_in_use(team: dict[str, Api]) -> None:
    id = team["ada"].add().json()["id"]
    folder = whose.folder_of(whose.key_of("i", "ada")) / "datasets" / id
    os.utime(folder, (0, 0))
    assert team["ada"].get(f"/datasets/{id}/table").status_code == 200
    assert folder.stat().st_mtime > 0  # when it was last opened, by which it is kept


def test_one_users_token_opens_nothing_once_there_are_owners(team: dict[str, Api], store: Path) -> None:
    before = access_tokens.make(store, "of one user")
    assert Api(before).get("/datasets").status_code == 401


def test_the_recipe_for_grafana_asks_what_the_api_answers(api: Api) -> None:
    import yaml

    api.put_question(analysis="merge.hrm", dataset=api.add(query="file=a.csv&name=nightly").json()["id"])
    job, _ = yaml.safe_load((GRAFANA / "prometheus.yml").read_text())["scrape_configs"]
    asked = {name: values[0] for name, values in job["params"].items()}
    assert job["metrics_path"] == "/api/v1/verdicts"
    assert api.get("/verdicts", params=asked).status_code == 200
    names = set(re.findall(r"^(hem_\w+)\{", api.get("/verdicts", params=asked | {"analysis": "merge.hrm"}).text, flags=re.MULTILINE))
    dashboard = json.loads((GRAFANA / "dashboard.json").read_text())
    drawn = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    assert {name for each in drawn for name in re.findall(r"hem_\w+", each)} == names == {"hem_verdict", "hem_figure"}
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])
