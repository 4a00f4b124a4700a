"""Decide whether a profile that several sources describe may be trusted with its secrets.

Assets: the client secret, the authorization code, the tokens, a fake's password, and webhook URLs. Each was
given for one service and must not be sent to another.

Attacker: the author of a repository. Its ``svckit.toml`` takes effect as soon as somebody works in the folder, before
they read or run any of its code. The environment, the user's own file and arguments of `connect` are trusted.

Attacks by a project's file, and why they fail:

- It overrides one URL, such as ``auth_url``, and leaves the others: the four URLs of a profile come from one source.
- It overrides all four, under the name of a profile in the user's own file: this is rejected. So is a file that adds
  the missing URLs when the user's own sources set only some of the four.
- It describes a new profile and waits for secrets that were set for another. If only the file sets a profile's URLs,
  only secrets that the user has set *for that name* are sent there: ``SVCKIT_WORK_CLIENT_SECRET`` for ``[work]``,
  never ``SVCKIT_CLIENT_SECRET``. A variable without a profile's name is used only with the user's own URLs, from the
  environment or the user's file. A prompt says where the secret goes. Secrets in the keyring are bound to URLs: the
  client secret, the password and the bot secret to the authorization server, tokens to all the URLs they are sent to.
  A webhook URL is stored whole and must have the origin of ``webhook_url``.
- It uses a name whose variables are those of another profile, such as ``[a_b]`` beside ``[a-b]``, or ``[Work]`` beside
  ``[work]``: both are rejected until one is renamed.
- It calls its own service a fake, so that a program signs in to it, or that secrets are sent without TLS: for a
  service beyond this machine, only ``SVCKIT_<PROFILE>_FAKE`` or the user's own file can set ``fake``.
- It leaves the URLs, but has the code sent elsewhere (``redirect_uri``), chooses another single sign-on (``domain``),
  calls a real service a fake, whose login form a program fills in (``fake``), has the admin key of a fake sent
  elsewhere (``admin_url``; the key comes from ``SVCKIT_<PROFILE>_ADMIN_KEY`` only), or has tokens saved in a file
  rather than the keyring (``tokens``): if the URLs are the user's own, these keys must be too. A ``redirect_uri`` on
  this machine may come from anywhere, since the code stays here.

These keys are harmless from any source and can be overridden one by one: ``client_id`` (the secret does not fit another
application, and the code stays here), ``scopes`` (the token stays with the user), ``header_word`` (events are checked
with the bot's secret, whatever their headers are called), ``webhooks`` (names only), ``renew_on`` (the token goes to
the same URLs), ``time_zone`` (how times are shown) and ``login_id``. Certificates and proxies have no keys:
they come from ``trust=`` and from the variables that httpx reads.
"""

from collections.abc import Mapping, Sequence

from svckit.addresses import is_loopback, locate
from svckit.profiles.keys import URLS, Layer, Setting, variable_word

__all__ = ["find_mixtures", "is_fake", "is_projects"]

OWN: Mapping[str, str] = {
    "redirect_uri": "where codes are sent",
    "domain": "which domain signs in",
    "fake": "that the service is a fake, or is not",
    "tokens": "where tokens are saved",
    "admin_url": "where the admin key is sent",
}
"""The keys that must come from the source of the URLs or from the user's own, and their meaning."""


def find_mixtures(profile: str, layers: Sequence[Layer]) -> list[str]:
    """List settings that a profile's sources must not combine, with their source and a remedy.

    Args:
        profile: the name of the profile.
        layers: the keys in each source, the nearest first.
    """
    effective = _merge(layers)
    urls, complete = _find_urls(layers)
    if urls and not complete:
        return [_describe_scattered(urls)]
    own = next((layer for layer in complete if layer.kind != "project"), None)
    if own is None:
        problems = [problem for layer in layers if (problem := _describe_redefinition(profile, urls, layer))]
        if _is_doubtful_fake(effective, layers):
            problems.append(_describe_doubtful_fake(profile, effective["fake"][1].source))
        return problems
    return [
        _describe_addition(profile, key, entry, own)
        for key, (layer, entry) in effective.items()
        if key in OWN and layer.kind == "project" and not _is_harmless(key, entry, layers)
    ]


def is_projects(layers: Sequence[Layer]) -> bool:
    """Return whether only a project's file sets the URLs of a profile."""
    complete = _find_urls(layers)[1]
    return bool(complete) and all(layer.kind == "project" for layer in complete)


def is_fake(layers: Sequence[Layer]) -> bool:
    """Return whether a profile is a fake and its source may say so of these URLs."""
    effective = _merge(layers)
    return _is_called_fake(effective) and not _is_doubtful_fake(effective, layers)


def _merge(layers: Sequence[Layer]) -> dict[str, tuple[Layer, Setting]]:
    """Return for each key the effective value and the layer it comes from."""
    merged: dict[str, tuple[Layer, Setting]] = {}
    for layer in reversed(layers):
        merged |= {key: (layer, entry) for key, entry in layer.entries.items()}
    return merged


def _find_urls(layers: Sequence[Layer]) -> tuple[dict[str, Setting], list[Layer]]:
    """Return the effective URLs and the layers that set all of them."""
    urls = {key: entry for key, (_, entry) in _merge(layers).items() if key in URLS}
    return urls, [
        layer for layer in layers if urls and all(_says(layer, key, entry) for key, entry in urls.items())
    ]


def _says(layer: Layer, key: str, entry: Setting) -> bool:
    """Return whether a source has the same value for a key."""
    return key in layer.entries and _normalize(layer.entries[key]) == _normalize(entry)


def _is_called_fake(effective: Mapping[str, tuple[Layer, Setting]]) -> bool:
    return "fake" in effective and effective["fake"][1].value is True


def _is_doubtful_fake(effective: Mapping[str, tuple[Layer, Setting]], layers: Sequence[Layer]) -> bool:
    """Return whether only a project's file calls a service beyond this machine a fake."""
    if not _is_called_fake(effective) or not is_projects(layers):
        return False
    trusted = [
        layer.entries["fake"] for layer in layers if layer.kind != "project" and "fake" in layer.entries
    ]
    if any(entry.value is True and not entry.for_all for entry in trusted):
        return False
    return not all(_stays_here(str(effective[key][1].value)) for key in URLS if key in effective)


def _is_harmless(key: str, entry: Setting, layers: Sequence[Layer]) -> bool:
    """Return whether one of the user's own sources agrees, or the code stays on this machine."""
    if any(_says(layer, key, entry) for layer in layers if layer.kind != "project"):
        return True
    return key == "redirect_uri" and _stays_here(str(entry.value))


def _stays_here(url: str) -> bool:
    try:
        return is_loopback(locate(url)[0].host)
    except ValueError:
        return False


def _normalize(entry: Setting) -> object:
    """Return a value, or the normal form of a URL."""
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
        f"its URLs come from more than one source, so a secret given for one service could go to another: {listed}. "
        f"Set all four ({', '.join(URLS)}) in one place: one svckit.toml, or environment variables"
    )


def _describe_redefinition(profile: str, urls: Mapping[str, Setting], own: Layer) -> str:
    """Describe URLs of a project's file that differ from, or add to, the user's own; empty if none do."""
    own_keys = [key for key in URLS if key in own.entries]
    if own.kind == "project" or not own_keys:
        return ""
    keys = [key for key in own_keys if not _says(own, key, urls[key])]
    if not keys:
        added = [key for key in urls if key not in own.entries]
        source, own_source = urls[added[0]].source, own.entries[own_keys[0]].source
        return (
            f"{source} {', '.join(added)}: {own_source} sets only {', '.join(own_keys)}, and a project's file must "
            f"not set the other URLs of {profile!r}, to which its secrets would go. "
            f"Set all four ({', '.join(URLS)}) there, or none"
        )
    source, own_source = urls[keys[0]].source, own.entries[keys[0]].source
    return (
        f"{source} {', '.join(keys)}: not the same as in {own_source}, and secrets of {profile!r} are for one of them "
        f"only. If both are right, rename one, such as [{profile}-2]; else remove the wrong section"
    )


def _describe_doubtful_fake(profile: str, source: str) -> str:
    return (
        f"{source} fake: the URLs of {profile!r} come from a project's file and lead beyond this machine, so only you "
        f"can say that the service is a fake: set SVCKIT_{variable_word(profile)}_FAKE=true, or remove the line"
    )


def _describe_addition(profile: str, key: str, entry: Setting, own: Layer) -> str:
    url = next(entry.source for name, entry in own.entries.items() if name in URLS)
    return (
        f"{entry.source} {key}: the URLs of {profile!r} come from another source ({url}), so this file cannot say "
        f"{OWN[key]}. Remove it, or set SVCKIT_{variable_word(profile)}_{variable_word(key)}"
    )
