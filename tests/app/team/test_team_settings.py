"""What a team's server is told: sentences for what is missing, no secret in any of them."""

import pytest

from hemcore.errors import ParameterError
from hemcore.web.team.team_settings import OPEN, check_address, read

SECRET = "s3cr3t-" * 6
OIDC = {
    "HEM_AUTH": "oidc",
    "HEM_PUBLIC_URL": "https://hem.example.org/",
    "HEM_OIDC_METADATA_URL": "https://sso.example.org/.well-known/openid-configuration",
    "HEM_OIDC_CLIENT_ID": "hem",
    "HEM_OIDC_CLIENT_SECRET": SECRET,
    "HEM_COOKIE_SECRET": SECRET,
}


def test_nothing_is_one_user() -> None:
    found = read({})
    assert found.auth == ""
    assert found.secrets() == {}


def test_oidc_makes_the_secrets_of_st_login() -> None:
    section = read(OIDC).secrets()["auth"]
    assert section["redirect_uri"] == "https://hem.example.org/oauth2callback"
    assert section["client_secret"] == SECRET


@pytest.mark.parametrize("name", [name for name in OIDC if name != "HEM_AUTH"])
def test_what_is_missing_is_named(name: str) -> None:
    with pytest.raises(ParameterError, match=name):
        read({each: value for each, value in OIDC.items() if each != name})


def test_a_secret_comes_from_a_file_and_is_in_no_text(tmp_path) -> None:
    (tmp_path / "secret").write_text(f"{SECRET}\n")
    given = {name: value for name, value in OIDC.items() if "SECRET" not in name}
    files = {f"{name}_FILE": str(tmp_path / "secret") for name in ("HEM_OIDC_CLIENT_SECRET", "HEM_COOKIE_SECRET")}
    found = read(given | files)
    assert found.client_secret == found.cookie_secret == SECRET
    assert SECRET not in repr(found)
    with pytest.raises(ParameterError) as caught:
        read(given | files | {"HEM_COOKIE_SECRET_FILE": str(tmp_path / "none")})
    assert "HEM_COOKIE_SECRET_FILE" in str(caught.value)


def test_a_short_secret_is_refused_without_being_told() -> None:
    with pytest.raises(ParameterError, match="it has 5 characters; 32 are needed") as caught:
        read(OIDC | {"HEM_COOKIE_SECRET": "short"})
    assert "short" not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"HEM_AUTH": "ldap"}, "'ldap' is not a way to sign in"),
        ({"HEM_AUTH": "proxy"}, "anyone could claim to be anyone"),
        ({"HEM_AUTH": "proxy", "HEM_PROXY_ADDRESSES": "10.0.0.300"}, "'10.0.0.300' is no address"),
        (OIDC | {"HEM_PUBLIC_URL": "http://hem.example.org"}, "is not an https address"),
        (OIDC | {"HEM_SIGN_IN_HOURS": "0"}, "'0' is not a number above 0 and at most 720"),
    ],
)
def test_what_cannot_be_used_is_a_sentence(given: dict[str, str], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        read(given)


@pytest.mark.parametrize("address", ["localhost", "127.0.0.1", "::1"])
def test_one_user_is_served_on_this_machine(address: str) -> None:
    check_address(address, {})


@pytest.mark.parametrize("address", [None, "", "0.0.0.0", "::", "192.0.2.7"])
def test_another_address_needs_sign_in_or_the_flag_that_says_what_it_means(address: str | None) -> None:
    with pytest.raises(ParameterError, match="everyone who reaches the port could read and delete all data"):
        check_address(address, {})
    with pytest.raises(ParameterError):
        check_address(address, {OPEN: "1"})
    check_address(address, {OPEN: "yes"})
    check_address(address, {"HEM_AUTH": "oidc"})
