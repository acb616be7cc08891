"""The log of who did what, against a record of what was done here: every action has its line, in order, and there is no other line."""

import re
from pathlib import Path

import pytest
from hemcore.trial import calls

from hemcore import jobs
from hemcore.datasets.owners import access_tokens, audit_log, people, shares, whose
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf import retention
from hemcore.datasets.shelf.kept_files import KeptFiles
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.report import ReportShelf
from tests.core.jobs.patience import PATIENCE

ADA, BOB = whose.key_of("i", "ada"), whose.key_of("i", "bob")


@pytest.mark.slow
def test_the_log_is_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEM_DATA_DIR", str(tmp_path))
    for key, name in ((ADA, "ada"), (BOB, "bob")):
        people.signed_in(key, name=name, email="", groups=(), base=tmp_path)
    who = {"key": ADA}
    record: list[tuple[str, str, str]] = []

    def done(what: str, which: str) -> None:
        record.append((who["key"], what, which))

    whose.serve_owners(lambda: who["key"])
    try:
        store = DatasetStore()
        id = store.add([UploadedFile("SECRETNAME.csv", b"SECRETHEM,B\n100,200\n300,400\n500,600\n")], name="SECRETNAME").id
        done("dataset.add", id)
        store.rename(id, "SECRET")
        done("dataset.rename", id)
        retention.pin(store.root, id, True)
        done("dataset.pin", id)
        reports = ReportShelf(store.root)
        report = reports.create("SECRET")
        done("report.write", report.id)
        models = KeptFiles(store.root / "models", ".npz", "model")
        model = models.keep(b"SECRET")
        done("model.keep", model)
        job = jobs.submit_call(calls.noted, {"path": str(tmp_path / "began"), "name": "SECRET", "seconds": 0.0}, title="SECRET")
        job.result(PATIENCE)
        done("job.submit", job.id)
        done("job.done", job.id)
        share = shares.share(store.root, kind="dataset", which=id, datasets=[id], to=shares.LINK)
        done("share.link", id)
        access_tokens.make(store.root, "SECRET", 7)
        token = access_tokens.owned(store.root)[0].id
        done("token.make", token)

        who["key"] = BOB
        bobs = DatasetStore()
        shares.claim(bobs.root, share.id)
        done("share.claim", share.id)
        bobs.copy(id)
        done("dataset.add", id)

        who["key"] = ADA
        shares.revoke(store.root, share.id)
        done("share.revoke", share.id)
        access_tokens.end(store.root, token)
        done("token.end", token)
        models.delete(model)
        done("model.delete", model)
        reports.delete(report.id)
        done("report.delete", report.id)
        store.delete(id)
        done("dataset.delete", id)
        store.restore(id)
        done("dataset.restore", id)
    finally:
        whose.serve_owners(None)
    assert [(line["who"], line["what"], line["which"]) for line in audit_log.lines(tmp_path)] == record
    text = (tmp_path / "audit" / "audit.jsonl").read_text()
    assert "SECRET" not in text
    assert all(re.fullmatch(r"20\d\d-\d\d-\d\dT[\d:.]+\+00:00", line["when"]) for line in audit_log.lines(tmp_path))
