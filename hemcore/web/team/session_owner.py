"""Who this session is, and the page for who is no one yet."""

import json
import logging
import urllib.error
import urllib.request
from collections.abc import Callable
from functools import partial

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from hemcore.datasets.owners import adoption, audit_log, people, shares, whose
from hemcore.errors import HemError
from hemcore.web import sentences
from hemcore.web.team.identity import Identity, NotSignedIn, identity_of
from hemcore.web.team.team_settings import settings

_KNOWN, _SHARE = "team:known", "share"
_WAIT_S = 5.0
logger = logging.getLogger(__name__)


def identity() -> Identity:
    """Of this session. Raises NotSignedIn if no one is signed in, and outside a session."""
    if get_script_run_ctx(suppress_warning=True) is None:
        raise NotSignedIn("This work belongs to no session, so it has no shelf.")
    return identity_of(st.user.to_dict())


def is_team() -> bool:
    """Whether this server has owners."""
    return bool(settings().auth)


def is_admin() -> bool:
    """Whether who is signed in may see the page of administrators; False if no one is."""
    try:
        return is_team() and identity().is_admin
    except HemError:
        return False


def serve() -> None:
    """From now on this process serves owners, if it is told to."""
    whose.serve_owners((lambda: identity().key) if is_team() else None)


def refusal() -> Callable[[], None] | None:
    """None if the page may be drawn, which it always may for one user; else draws what stands in its place."""
    if not is_team():
        return None
    if not whose.has_owners():
        serve()
    try:
        who = identity()
        if st.session_state.get(_KNOWN) != who.key:
            people.signed_in(who.key, name=who.name, email=who.email, groups=who.groups)
            adoption.adopt(who.key)
            audit_log.note("sign-in", who.key, at=whose.base(), who=who.key, source=source())
            st.session_state[_KNOWN] = who.key
        _follow_share()
    except NotSignedIn as reason:
        return partial(_sign_in_page, str(reason))
    except HemError as error:
        return partial(sentences.show, str(error))
    return None


def _follow_share() -> None:
    """Open what a link shares, once: it is on the visitor's shelf from then on."""
    token = st.query_params.get(_SHARE)
    if token is None:
        return
    del st.query_params[_SHARE]
    try:
        found = shares.claim(whose.folder(), token)
    except HemError as error:
        sentences.warn(str(error))
        return
    st.toast(f"{sentences.as_text(found.name)} shares a {found.kind} with you: it is on your shelf, to be read.", icon=":material/share:")
    if found.kind == "dataset":
        st.session_state["data:opened"] = found.which


def source() -> str:
    """Where this session comes from: its address, as far as the server knows."""
    return str(st.context.ip_address or "this machine")


def source_or_none() -> str:
    """`source`; "" outside a session."""
    return source() if get_script_run_ctx(suppress_warning=True) is not None else ""


def sign_out() -> None:
    """End this sign-in, in every window and at every server."""
    who = identity()
    audit_log.note("sign-out", who.key, source=source())
    if settings().auth == "oidc":
        people.end_sign_in(who.key, who.mark)
        st.logout()


def _sign_in_page(reason: str) -> None:
    st.title("HEM Workbench")
    st.info(sentences.as_text(reason), icon=":material/login:")
    if settings().auth == "oidc" and st.button("Sign in", type="primary", key="team.sign-in"):
        lost = provider_lost(settings().metadata_url)
        if lost:
            sentences.show(lost)
        else:
            st.login()


def provider_lost(url: str) -> str:
    """Why nobody can sign in now, a sentence; "" if the provider answers."""
    remedy = "Those who are signed in can go on working. Try again in a few minutes, or tell your administrator."
    try:
        with urllib.request.urlopen(url, timeout=_WAIT_S) as answer:
            if "authorization_endpoint" in json.load(answer):
                return ""
        why = "its description names no place to sign in"
    except (OSError, ValueError) as error:
        why = f"HTTP {error.code}" if isinstance(error, urllib.error.HTTPError) else "no answer"
        logger.warning("the sign-in service did not answer: %s", type(error).__name__)
    return f"The sign-in service cannot be used now ({why}). {remedy}"
