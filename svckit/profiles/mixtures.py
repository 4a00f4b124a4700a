"""Decide whether a profile that several sources describe may be trusted with its secrets.

What is guarded: the client secret, the authorization code, the tokens, a fake's password, and notification URLs. Each
was given for one service, and must go to no other.

Who attacks: whoever writes a repository. Its ``svckit.toml`` counts as soon as somebody works in the folder, before
any of its code is read or run. The environment and the user's own file are trusted, and so are arguments of `connect`.

What a file could try, and why it fails:

- It overrides one URL, such as ``auth_url``, and leaves the others: the four URLs of a profile come from one source.
- It overrides all four, under the name of a profile that the user's own file describes: that is refused too, as it is
  where the user's own sources say only some of the four and the file adds the others.
- It describes a profile of its own, and waits for secrets that were set for another one. Where nothing of the user's
  own says where a profile is, the file does, and then only secrets that the user has set *for that name* are sent
  there: ``SVCKIT_WORK_CLIENT_SECRET`` for ``[work]``, never ``SVCKIT_CLIENT_SECRET``. A variable without a profile's
  name is for URLs of the user's own, from the environment or the user's file. A prompt says where the secret goes.
  What a keyring holds is bound to URLs: the client secret, the password and the bot secret to the authorization
  server, tokens to all they are sent to; and a notification URL is whole, and must lie at ``webhook_url``.
- It takes a name whose variables are those of another profile, such as ``[a_b]`` beside ``[a-b]``, or ``[Work]`` beside
  ``[work]``: both are rejected until one has another name.
- It calls its own service a fake, so that a program signs in to it, or that secrets travel without TLS: beyond this
  machine, only ``SVCKIT_<PROFILE>_FAKE`` or the user's own file says so.
- It leaves the URLs, and has the code sent elsewhere (``redirect_uri``), chooses another single sign-on (``domain``),
  or calls a real service a fake, whose login form a program fills in (``fake``): beside URLs of the user's own, these
  keys are the user's own too. A ``redirect_uri`` on this machine may come from anywhere, since the code stays here.

These are harmless from anywhere, and are still overridden one by one: ``client_id`` (the secret does not fit another
application, and the code stays here), ``scopes`` (the token stays with the user), ``header_word`` (events are checked
with the bot's secret, whatever their headers are called), ``webhooks`` (names only) and ``login_id``. There are no
keys for certificates and proxies: they come from ``trust=`` and from the variables that httpx reads.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from svckit.addresses import is_loopback, locate
from svckit.profiles.keys import Setting, variable_word

__all__ = ["URLS", "Layer", "find_mixtures", "is_fake", "is_projects"]

URLS = ("base_url", "auth_url", "upload_url", "webhook_url")
OWN: Mapping[str, str] = {
    "redirect_uri": "where codes are sent",
    "domain": "which domain signs in",
    "fake": "that the service is a fake, or is not",
}
"""Keys that come from where the URLs do, or from the user's own sources, and what they say."""


class Layer(NamedTuple):
    """What one source says of a profile; the project's file is the one that somebody else may have written."""

    kind: Literal["environment", "project", "user"]
    entries: Mapping[str, Setting]

    def says(self, key: str, entry: Setting) -> bool:
        """Whether it has the same value of a key."""
        return key in self.entries and _is_same(self.entries[key], entry)


def find_mixtures(profile: str, layers: Sequence[Layer]) -> list[str]:
    """List what a profile's sources must not say together, each with where it comes from and what to do.

    Args:
        profile: its name.
        layers: what each source says, the nearest first.
    """
    effective = _merge(layers)
    urls, whole = _find_urls(layers)
    if urls and not whole:
        return [_describe_scattered(urls)]
    own = next((layer for layer in whole if layer.kind != "project"), None)
    if own is None:
        found = [problem for layer in layers if (problem := _describe_redefinition(profile, urls, layer))]
        return found + _check_fake(profile, effective, layers)
    return [
        _describe_addition(profile, key, entry, own)
        for key, (layer, entry) in effective.items()
        if key in OWN and layer.kind == "project" and not _is_harmless(key, entry, layers)
    ]


def is_projects(layers: Sequence[Layer]) -> bool:
    """Return whether a project's file alone says where a profile is."""
    whole = _find_urls(layers)[1]
    return bool(whole) and all(layer.kind == "project" for layer in whole)


def is_fake(layers: Sequence[Layer]) -> bool:
    """Return whether a profile is a fake, and whoever says so may say it of these URLs."""
    effective = _merge(layers)
    return (
        "fake" in effective
        and effective["fake"][1].value is True
        and not _is_doubtful_fake(effective, layers)
    )


def _merge(layers: Sequence[Layer]) -> dict[str, tuple[Layer, Setting]]:
    """Return by key the value that counts, and the layer it is from."""
    found: dict[str, tuple[Layer, Setting]] = {}
    for layer in reversed(layers):
        found |= {key: (layer, entry) for key, entry in layer.entries.items()}
    return found


def _find_urls(layers: Sequence[Layer]) -> tuple[dict[str, Setting], list[Layer]]:
    """Return the URLs that count, and the layers that say all of them."""
    urls = {key: entry for key, (_, entry) in _merge(layers).items() if key in URLS}
    return urls, [
        layer for layer in layers if urls and all(layer.says(key, entry) for key, entry in urls.items())
    ]


def _is_doubtful_fake(effective: Mapping[str, tuple[Layer, Setting]], layers: Sequence[Layer]) -> bool:
    """Return whether a project's service beyond this machine is called a fake, and not by the user."""
    if "fake" not in effective or effective["fake"][1].value is not True or not is_projects(layers):
        return False
    said = [layer.entries["fake"] for layer in layers if layer.kind != "project" and "fake" in layer.entries]
    if any(entry.value is True and not entry.for_all for entry in said):
        return False
    return not all(_stays_here(str(effective[key][1].value)) for key in URLS if key in effective)


def _check_fake(
    profile: str, effective: Mapping[str, tuple[Layer, Setting]], layers: Sequence[Layer]
) -> list[str]:
    if not _is_doubtful_fake(effective, layers):
        return []
    source, variable = effective["fake"][1].source, f"SVCKIT_{variable_word(profile)}_FAKE"
    problem = (
        f"{source} fake: the URLs of {profile!r} come from a project's file and lead beyond this machine, so only you "
        f"can say that a fake is there: set {variable}=true, or take the line out"
    )
    return [problem]


def _is_harmless(key: str, entry: Setting, layers: Sequence[Layer]) -> bool:
    """Whether one of the user's own sources says the same, or a code does not leave this machine."""
    if any(layer.says(key, entry) for layer in layers if layer.kind != "project"):
        return True
    return key == "redirect_uri" and _stays_here(str(entry.value))


def _stays_here(address: str) -> bool:
    try:
        return is_loopback(locate(address)[0].host)
    except ValueError:
        return False


def _is_same(one: Setting, other: Setting) -> bool:
    return _normalize(one) == _normalize(other)


def _normalize(entry: Setting) -> object:
    """A value in the one spelling that URLs have."""
    try:
        origin, path = locate(str(entry.value))
    except ValueError:
        return entry.value
    return f"{origin}{path.rstrip('/')}"


def _describe_scattered(urls: Mapping[str, Setting]) -> str:
    by_source: dict[str, list[str]] = {}
    for key in URLS:
        if key in urls:
            by_source.setdefault(urls[key].source, []).append(key)
    listed = "; ".join(f"{', '.join(keys)} from {source}" for source, keys in by_source.items())
    return (
        f"its URLs come from more than one place, so a secret given for one service could go to another: {listed}. "
        f"Say all four ({', '.join(URLS)}) in one place: one svckit.toml, or environment variables"
    )


def _describe_redefinition(profile: str, urls: Mapping[str, Setting], own: Layer) -> str:
    """Say what is wrong where a project's file says other or more URLs than a source of the user's own."""
    said = [key for key in URLS if key in own.entries]
    if own.kind == "project" or not said:
        return ""
    keys = [key for key in said if not own.says(key, urls[key])]
    if not keys:
        added = [key for key in urls if key not in own.entries]
        given, other = urls[added[0]].source, own.entries[said[0]].source
        return (
            f"{given} {', '.join(added)}: {other} says only {', '.join(said)}, and a project's file must "
            f"not say the other URLs of {profile!r}, to which its secrets would go. "
            f"Say all four ({', '.join(URLS)}) there, or none"
        )
    given, other = urls[keys[0]].source, own.entries[keys[0]].source
    return (
        f"{given} {', '.join(keys)}: not the same as in {other}, and secrets of {profile!r} are for one of them only. "
        f"If both are right, give one another name, such as [{profile}-2]; else take the wrong section out"
    )


def _describe_addition(profile: str, key: str, entry: Setting, own: Layer) -> str:
    url = next(each.source for name, each in own.entries.items() if name in URLS)
    return (
        f"{entry.source} {key}: the URLs of {profile!r} come from another place ({url}), so this file does not say "
        f"{OWN[key]}. Take it out, or set SVCKIT_{variable_word(profile)}_{variable_word(key)}"
    )
