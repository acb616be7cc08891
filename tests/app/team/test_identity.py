"""Who a session is: by the provider's claims, by the proxy's headers; expired and ended sign-ins are no one."""

import time

import pytest

from hemcore.datasets.owners import people, whose
from hemcore.web.team.identity import NotSignedIn, identity_of
from hemcore.web.team.team_settings import Settings

OIDC = Settings(auth="oidc", admin_group="admins", hours=12, metadata_url="https://sso.example.org")
PROXY = Settings(auth="proxy", admin_group="admins")


def claims(**more: object) -> dict[str, object]:
    known = {"is_logged_in": True, "iss": "https://sso.example.org", "sub": "ada", "iat": time.time() - 60, "nonce": "n1"}
    return known | {"name": "Ada", "email": "Ada@example.org", "email_verified": True, "groups": ["hw", "admins"]} | more


def test_claims_name_an_owner() -> None:
    found = identity_of(claims(), OIDC)
    assert found.key == whose.key_of("https://sso.example.org", "ada")
    assert (found.name, found.email, found.groups, found.is_admin) == ("Ada", "ada@example.org", ("hw", "admins"), True)
    assert identity_of(claims(groups="hw"), OIDC).groups == ("hw",)
    assert not identity_of(claims(groups=["hw"]), OIDC).is_admin


def test_administrators_are_named_by_a_claim() -> None:
    by_role, by_truth = Settings(auth="oidc", admin_claim="roles", admin_group="hem"), Settings(auth="oidc", admin_claim="is_admin")
    assert identity_of(claims(roles=["hem", "x"]), by_role).is_admin
    assert not identity_of(claims(roles="x", groups=["hem"]), by_role).is_admin
    assert identity_of(claims(is_admin=True), by_truth).is_admin
    assert not identity_of(claims(is_admin=["true"]), by_truth).is_admin
    assert not identity_of(claims(groups=[""]), Settings(auth="oidc")).is_admin


def test_the_same_subject_of_another_provider_is_another_owner() -> None:
    assert identity_of(claims(), OIDC).key != identity_of(claims(iss="https://other.example.org"), OIDC).key


def test_an_address_counts_only_if_the_provider_vouches_for_it() -> None:
    assert identity_of(claims(email_verified=False), OIDC).email == ""


@pytest.mark.parametrize("info", [{}, {"is_logged_in": False, "sub": "ada"}, {"is_logged_in": True}, {"hem_user": "ada"}])
def test_without_sign_in_no_one_is_there(info: dict[str, object]) -> None:
    with pytest.raises(NotSignedIn, match="No one is signed in"):
        identity_of(info, OIDC)


@pytest.mark.parametrize("hours", [-13, 1, None, "now"])
def test_a_sign_in_expires(hours: float | str | None) -> None:
    issued = time.time() + hours * 3600 if isinstance(hours, int) else hours
    with pytest.raises(NotSignedIn, match="has expired: it is good for 12 hours"):
        identity_of(claims(iat=issued), OIDC)


def test_signing_out_ends_this_sign_in_everywhere_and_no_other() -> None:
    first, second = claims(), claims(nonce="n2")
    who = identity_of(first, OIDC)
    people.signed_in(who.key, name=who.name, email=who.email, groups=who.groups)
    people.end_sign_in(who.key, who.mark)
    with pytest.raises(NotSignedIn, match="You have signed out"):
        identity_of(first, OIDC)
    assert identity_of(second, OIDC).key == who.key


def test_the_proxy_names_an_owner_and_its_groups() -> None:
    found = identity_of({"hem_user": "ada", "hem_groups": "hw, admins"}, PROXY)
    assert (found.name, found.groups, found.is_admin) == ("ada", ("hw", "admins"), True)
    with pytest.raises(NotSignedIn):
        identity_of(claims(), PROXY)
