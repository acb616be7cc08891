"""Who a session is: from the cookie of st.login, or from the headers of the trusted proxy, both checked before this."""

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass

from hemcore.datasets.owners import people, whose
from hemcore.errors import HemError
from hemcore.web.team.team_settings import Settings, settings

# Where the guard puts what the trusted proxy said, and the names under which a session has it.
HEADERS = {"x-hem-user": "hem_user", "x-hem-groups": "hem_groups", "x-hem-email": "hem_email"}
_SKEW_S = 300.0


class NotSignedIn(HemError):
    """No one is signed in, or no longer; the message is a sentence for the page."""


@dataclass(frozen=True, kw_only=True)
class Identity:
    """mark: names this one sign-in, for signing out of it everywhere."""

    key: str
    name: str
    email: str
    groups: tuple[str, ...]
    mark: str
    is_admin: bool


def identity_of(info: Mapping[str, object], given: Settings | None = None) -> Identity:
    """The identity in what Streamlit knows of a session's user. Raises NotSignedIn if there is none, or its time is up."""
    chosen = settings() if given is None else given
    return _of_proxy(info, chosen) if chosen.auth == "proxy" else _of_oidc(info, chosen)


def _of_proxy(info: Mapping[str, object], given: Settings) -> Identity:
    user = str(info.get("hem_user") or "").strip()
    if not user:
        raise NotSignedIn("No one is signed in: the proxy sent no name. Open this page by the address of your site, not by this server's.")
    groups = tuple(filter(None, (each.strip() for each in str(info.get("hem_groups") or "").replace(";", ",").split(","))))
    email = str(info.get("hem_email") or (user if "@" in user else ""))
    return Identity(
        key=whose.key_of("proxy", user),
        name=user[:120],
        email=email.lower()[:200],
        groups=groups,
        mark="",
        is_admin=bool(given.admin_group) and given.admin_group in groups,
    )


def _of_oidc(info: Mapping[str, object], given: Settings) -> Identity:
    subject = str(info.get("sub") or "")
    if not info.get("is_logged_in") or not subject:
        raise NotSignedIn("No one is signed in. Sign in to see your data.")
    issued = info.get("iat")
    age = time.time() - float(issued) if isinstance(issued, int | float) else float("inf")
    if not -_SKEW_S <= age <= given.hours * 3600:
        raise NotSignedIn(f"Your sign-in has expired: it is good for {given.hours:g} hours. Sign in again; your data is as you left it.")
    token = {name: info.get(name) for name in ("iss", "sub", "iat", "nonce", "jti", "sid", "at_hash")}
    mark = hashlib.sha256(json.dumps(token, sort_keys=True, default=str).encode()).hexdigest()[:32]
    key = whose.key_of(str(info.get("iss") or given.metadata_url), subject)
    known = people.person(key)
    if known is not None and mark in known.ended:
        raise NotSignedIn("You have signed out. Sign in again to see your data.")
    email = str(info.get("email") or "").lower() if info.get("email_verified") in (True, "true") else ""
    groups = _listed(info.get(given.groups_claim))
    name = str(info.get("name") or info.get("preferred_username") or email or subject)
    role = info.get(given.admin_claim) if given.admin_claim else list(groups)
    admin = given.admin_group in _listed(role) if given.admin_group else bool(given.admin_claim) and role in (True, "true")
    return Identity(key=key, name=name[:120], email=email[:200], groups=groups, mark=mark, is_admin=admin)


def _listed(claim: object) -> tuple[str, ...]:
    return tuple(map(str, claim)) if isinstance(claim, list | tuple) else (claim,) if isinstance(claim, str) else ()
