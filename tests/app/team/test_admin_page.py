"""The page of administrators: there for them alone; its figures are those of the store, and it names no data."""

import time
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from hemcore.datasets.owners import audit_log, job_limits, people, whose
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.shelf.store import DatasetStore
from hemcore.web.team import session_owner
from hemcore.web.team.identity import identity_of
from hemcore.web.team.team_settings import Settings
from tests.app.conftest import TIMEOUT_S

ADA = {"is_logged_in": True, "iss": "i", "sub": "ada", "name": "Ada", "groups": ["admins"]}
GIVEN = Settings(auth="oidc", admin_group="admins")


@pytest.fixture
def opened(tmp_path, monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, object]], AppTest]:
    """Opens the page as a person with these claims."""
    monkeypatch.setenv("HEM_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("HEM_AUTH", "oidc")
    monkeypatch.setattr(session_owner, "settings", lambda: GIVEN)
    key = whose.key_of("i", "ada")
    people.signed_in(key, name="Ada", email="", groups=(), base=tmp_path)
    root = whose.folder_of(key, tmp_path)
    DatasetStore(root).add([UploadedFile("SECRET.csv", b"SECRET,B\n100,200\n300,400\n500,600\n")])
    job_limits.spend(root, 12.0)
    audit_log.note("job.failed", "f" * 64, at=root, source="192.0.2.7")

    def open_page(claims: dict[str, object]) -> AppTest:
        monkeypatch.setattr(session_owner, "identity", lambda: identity_of(claims | {"iat": time.time()}, GIVEN))

        def script() -> None:
            from hemcore.web.team import admin_page

            admin_page.show()

        return AppTest.from_function(script, default_timeout=TIMEOUT_S).run()

    return open_page


@pytest.mark.slow
def test_its_figures_are_those_of_the_store(opened) -> None:
    page = opened(ADA)
    assert not page.exception
    found = {each.label: each.value for each in page.metric}
    assert found | {"On the disk": ""} == {
        "People": "1", "On the disk": "", "Jobs here, not done": "0", "Processor today": "12 s", "Failed jobs": "1",
    }  # fmt: skip
    [row] = page.dataframe[0].value.to_dict("records")
    assert (row["Person"], row["Datasets"], row["Processor today (s)"], row["Pinned"]) == ("Ada", 1, 12.0, 0)
    assert "SECRET" not in str(page.dataframe[0].value)


@pytest.mark.slow
def test_others_are_told_to_ask(opened) -> None:
    page = opened(ADA | {"groups": ["hw"]})
    assert "This page is for administrators" in page.error[0].value
    assert not page.metric
