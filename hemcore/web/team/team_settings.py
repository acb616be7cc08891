"""How a server is told who may use it: HEM_AUTH and what belongs to it, from the environment or files. No secret is in a message."""

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import urlparse

from hemcore.errors import ParameterError

OPEN = "HEM_EVERYONE_WHO_REACHES_THIS_PORT_MAY_READ_AND_DELETE_ALL_DATA"
LOCAL = ("localhost", "127.0.0.1", "::1")
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, kw_only=True)
class Settings:
    """auth: "" (one user), "oidc" or "proxy".

    groups_claim, admin_group: where the provider names groups, and the group of administrators ("" = none). admin_claim: where that group
    stands instead, or true without one. hours: a sign-in is good for.
    public_url: of the server, as people type it. proxy_header, groups_header: set by the proxy; networks: of its addresses; proxy_secret:
    sent by it as X-HEM-Proxy-Secret. client_secret, cookie_secret: of OpenID Connect. key: of one user's server that others can reach.
    """

    auth: str = ""
    groups_claim: str = "groups"
    admin_group: str = ""
    admin_claim: str = ""
    hours: float = 12.0
    public_url: str = ""
    metadata_url: str = ""
    client_id: str = ""
    client_secret: str = field(default="", repr=False)
    cookie_secret: str = field(default="", repr=False)
    proxy_header: str = "X-Forwarded-User"
    groups_header: str = "X-Forwarded-Groups"
    networks: tuple[Network, ...] = ()
    proxy_secret: str = field(default="", repr=False)
    key: str = field(default="", repr=False)

    def secrets(self) -> dict[str, dict[str, str]]:
        """What st.login reads as secrets; empty but for "oidc"."""
        if self.auth != "oidc":
            return {}
        return {
            "auth": {
                "redirect_uri": f"{self.public_url}/oauth2callback",
                "cookie_secret": self.cookie_secret,
                "client_id": self.client_id,
                "client_secret": self.client_secret,
                "server_metadata_url": self.metadata_url,
            }
        }


@cache
def settings() -> Settings:
    """Those of this process. Raises ParameterError as `read` does."""
    return read(os.environ)


def read(given: Mapping[str, str]) -> Settings:
    """The settings in `given`. Raises ParameterError for what is missing or not usable."""
    auth = given.get("HEM_AUTH", "").strip().lower()
    if auth not in ("", "oidc", "proxy"):
        raise ParameterError(
            f"HEM_AUTH: {auth!r} is not a way to sign in. Use oidc or proxy, or leave it out for one user on this machine."
        )
    found: dict[str, object] = {"auth": auth, "admin_group": given.get("HEM_ADMIN_GROUP", "").strip()}
    if not auth and (key := _secret("HEM_KEY", given, optional=True)):
        found["key"] = _long(key, "HEM_KEY")
    if auth:
        found["hours"] = _hours(given.get("HEM_SIGN_IN_HOURS", "12"))
    if auth == "oidc":
        found |= {
            "groups_claim": given.get("HEM_GROUPS_CLAIM", "groups").strip(),
            "admin_claim": given.get("HEM_ADMIN_CLAIM", "").strip(),
            "public_url": _url("HEM_PUBLIC_URL", given, "https://hem.example.org"),
            "metadata_url": _url("HEM_OIDC_METADATA_URL", given, "https://sso.example.org/.well-known/openid-configuration"),
            "client_id": _needed("HEM_OIDC_CLIENT_ID", given),
            "client_secret": _secret("HEM_OIDC_CLIENT_SECRET", given),
            "cookie_secret": _long(_secret("HEM_COOKIE_SECRET", given), "HEM_COOKIE_SECRET"),
        }
    if auth == "proxy":
        secret = _secret("HEM_PROXY_SECRET", given, optional=True)
        networks = tuple(map(_network, filter(None, map(str.strip, given.get("HEM_PROXY_ADDRESSES", "").split(",")))))
        if not secret and not networks:
            raise ParameterError(
                "HEM_AUTH=proxy: anyone could claim to be anyone. Name the proxy's addresses in HEM_PROXY_ADDRESSES (10.0.0.5,"
                " 10.1.0.0/16), or a secret that it sends as X-HEM-Proxy-Secret in HEM_PROXY_SECRET or HEM_PROXY_SECRET_FILE, or both."
            )
        found |= {
            "proxy_header": given.get("HEM_PROXY_HEADER", "X-Forwarded-User").strip(),
            "groups_header": given.get("HEM_PROXY_GROUPS_HEADER", "X-Forwarded-Groups").strip(),
            "networks": networks,
            "proxy_secret": _long(secret, "HEM_PROXY_SECRET") if secret else "",
        }
    return Settings(**found)  # type: ignore[arg-type]


def check_address(address: str | None, given: Mapping[str, str]) -> None:
    """Raise ParameterError if one user's server would be open to others by mistake. address: the one that it binds; None or "" = all."""
    known = any(given.get(name, "").strip() for name in ("HEM_AUTH", "HEM_KEY", "HEM_KEY_FILE"))
    if known or (address or "") in LOCAL or given.get(OPEN) == "yes":
        return
    where = address or "every address of this machine"
    raise ParameterError(
        f"server.address: others can reach {where}, and no one would have to sign in: everyone who reaches the port could read and delete"
        f" all data. Set HEM_AUTH=oidc, HEM_AUTH=proxy or HEM_KEY, or use localhost; if all of them may, set {OPEN}=yes."
    )


def _needed(name: str, given: Mapping[str, str]) -> str:
    value = given.get(name, "").strip()
    if not value:
        raise ParameterError(f"{name}: it is not set; HEM_AUTH={given.get('HEM_AUTH')} needs it. Set it and start again.")
    return value


def _secret(name: str, given: Mapping[str, str], *, optional: bool = False) -> str:
    path = given.get(f"{name}_FILE", "").strip()
    if path:
        try:
            return Path(path).read_text(encoding="utf-8").strip()
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or type(error).__name__
            raise ParameterError(f"{name}_FILE: {path} cannot be read ({why}). Name a file that this server may read.") from None
    value = given.get(name, "").strip()
    if not value and not optional:
        raise ParameterError(f"{name}: neither it nor {name}_FILE is set. Put the secret into a file and name it in {name}_FILE.")
    return value


def _long(secret: str, name: str) -> str:
    if len(secret) < 32:
        raise ParameterError(f"{name}: it has {len(secret)} characters; 32 are needed. Make one: openssl rand -hex 32")
    return secret


def _url(name: str, given: Mapping[str, str], example: str) -> str:
    value = _needed(name, given).rstrip("/")
    parts = urlparse(value)
    plain = parts.scheme == "http" and parts.hostname in LOCAL
    if not (parts.scheme == "https" or plain) or not parts.hostname:
        raise ParameterError(f"{name}: {value[:80]!r} is not an https address (http only on localhost). Give one such as {example}.")
    return value


def _network(text: str) -> Network:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise ParameterError(
            f"HEM_PROXY_ADDRESSES: {text[:60]!r} is no address. Give addresses or networks: 10.0.0.5, 10.1.0.0/16"
        ) from None


def _hours(text: str) -> float:
    try:
        hours = float(text)
    except ValueError:
        hours = 0.0
    if not 0 < hours <= 720:
        raise ParameterError(f"HEM_SIGN_IN_HOURS: {text[:40]!r} is not a number above 0 and at most 720. A working day is 12.")
    return hours
