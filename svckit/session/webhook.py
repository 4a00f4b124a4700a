"""A webhook to post notifications to, without a profile, a client secret or a sign-in."""

from typing import Any, Self

from svckit.addresses import is_loopback, locate
from svckit.errors import InvalidInput, UnusableProfile
from svckit.http.transport import Trust
from svckit.models.notification import Button
from svckit.models.secret import Secret
from svckit.operations.notifications import Notified, check_webhook
from svckit.profiles.credentials import Credentials
from svckit.profiles.environment import Environment
from svckit.profiles.keyring_store import KeyringStore
from svckit.profiles.keys import URLS
from svckit.profiles.profiles import Profile
from svckit.profiles.resolution import FAKE, Configuration
from svckit.profiles.secret_sources import SecretSources
from svckit.session.session import Session
from svckit.sign_in.prompt import ask
from svckit.tracebacks import hiding_inner_frames

__all__ = ["Webhook"]

SECRET_PART = "/message/"  # noqa: S105 - what comes before the secret


class Webhook:
    """A webhook URL to post notifications to; it needs neither a profile nor a sign-in.

    The last part of the URL is a secret, so neither the repr nor an error shows it. Threads and forked
    processes may share a webhook.

    Args:
        url: the webhook URL, as text or a secret, as the service issued it (section "Incoming notification endpoint").
        fake: the ``FakeService`` in this process that it belongs to; if omitted, the URL is called over the network.
        trust: an ``ssl.SSLContext``, for certificates not signed by one of the usual authorities.

    Raises:
        InvalidInput: it is not a webhook URL, or the secret in it would be sent unencrypted.

    Examples:
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> webhook = Webhook(fake.facts["webhooks"][0], fake=fake)
        >>> webhook
        Webhook at https://hooks.fake.test
        >>> webhook.post("Build is green", title="CI").rate_limit.remaining
        119
        >>> webhook.close()
    """

    def __init__(self, url: str | Secret, *, fake: Any = None, trust: Trust = None) -> None:
        with hiding_inner_frames:
            self._url = check_webhook(url)
            self._origin, base = _split(self._url)
        urls: dict[str, Any] = dict.fromkeys(URLS, base)  # a profile has four; one is used
        profile = Profile(
            name="webhook",
            client_id="",
            redirect_uri="",
            scopes=(),
            is_fake=fake is not None,
            **urls,
        )
        inside = {} if fake is None else {"transport": fake.transport(), "fake": fake, "clock": fake.clock}
        self._session = Session(profile, Credentials(), trust=trust, **inside)

    @classmethod
    def named(cls, name: str | None = None, *, profile: str | None = None, trust: Trust = None) -> Self:
        """Return the webhook of a name, from the environment or a profile.

        Args:
            name: the name, such as ``alerts`` for the environment variable ``SVCKIT_WEBHOOK_ALERTS``, or one that the
                profile lists; by default the profile's first, or the only one in the environment.
            profile: the name of the profile; by default that of ``SVCKIT_PROFILE``, if it is set.
            trust: as for the class.

        Raises:
            UnusableProfile: no such webhook, or its URL was not found.
            InvalidInput: what was found is not a webhook URL.

        Examples:
            >>> import os
            >>> os.environ["SVCKIT_WEBHOOK_ALERTS"] = "https://hooks.example.com/message/s3cr3t"
            >>> Webhook.named("alerts")
            Webhook at https://hooks.example.com
            >>> del os.environ["SVCKIT_WEBHOOK_ALERTS"]
        """
        with hiding_inner_frames:
            return cls(_find_url(name, profile), trust=trust)

    def post(
        self,
        text: str,
        *,
        title: str | None = None,
        button: tuple[str, str] | Button | None = None,
        wait: bool = False,
    ) -> Notified:
        """Post a message to the chat room of this webhook, as ``svc.notify`` does.

        Args:
            text: the text of the message; `svckit.models.mention` writes the markup that mentions a user.
            title: its title; by default the one in the webhook list.
            button: label and URL of a link below the text.
            wait: whether to wait up to two minutes for the reset if the rate limit is reached.

        Returns:
            The response, with the rate limit as it is then.

        Raises:
            InvalidInput: a text breaks a limit. Nothing was sent.
            RateLimited: the limit is reached, and `wait` is not set or was not enough.
            ServiceError: the service refused it, or could not be reached.

        Examples:
            >>> from fakes import FakeService
            >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
            >>> with Webhook(fake.facts["webhooks"][0], fake=fake) as webhook:
            ...     webhook.post("Build is green").description
            'success'
        """
        return self._session.notify(text, title=title, button=button, webhook=self._url, wait=wait)

    def close(self) -> None:
        """Close the connections."""
        self._session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__} at {self._origin}"


def _split(url: Secret) -> tuple[str, str]:
    """Return the origin of a webhook URL, and the URL of the notification endpoint.

    Raises:
        InvalidInput: it is not a webhook URL, or would be sent unencrypted.
    """
    problem, origin, path = "", None, ""
    try:
        origin, path = locate(url.reveal())
    except ValueError as wrong:
        problem = str(wrong)
    before, _, secret = path.partition(SECRET_PART)
    if origin is None or not secret:
        raise InvalidInput(
            "nothing was sent: a webhook URL ends with /message/ and its secret part; "
            f"{problem or 'this URL does not'}. Copy it from the webhook list of the service"
        )
    if origin.scheme == "http" and not is_loopback(origin.host):
        raise InvalidInput(
            f"nothing was sent: the secret part of the webhook URL would be sent unencrypted to {origin}; use https"
        )
    return str(origin), f"{origin}{before}"


def _find_url(name: str | None, profile: str | None) -> Secret:
    """Return the URL of a webhook by name, from the environment alone or by way of a profile.

    Raises:
        UnusableProfile: no such webhook, or its URL was not found.
    """
    environment = Environment()
    chosen = profile or environment.chosen or FAKE
    if chosen != FAKE:
        return _find_in_profile(name, chosen)
    known = environment.webhooks
    if name is None and len(known) == 1:
        name = next(iter(known))
    found = None if name is None else environment.secret(chosen, f"webhook_{name}")
    if found is None:
        raise UnusableProfile(_explain_absence(name, list(known)))
    return found[0]


def _find_in_profile(name: str | None, profile: str) -> Secret:
    configuration = Configuration.load()
    settings = configuration.profile(profile)
    if not settings.webhooks or name not in (None, *settings.webhooks):
        which = "no webhooks" if name is None else f"no webhook {name!r}"
        listed = ", ".join(settings.webhooks) or "none"
        raise UnusableProfile(
            f"the profile {profile!r} has {which}; its key webhooks lists {listed}. List the names there, and set "
            f"each URL as {configuration.environment.variable(profile, 'webhook_NAME')} or in the keyring"
        )
    sources = SecretSources(settings, configuration.environment_of(profile), KeyringStore(), ask)
    return sources.webhook(name or settings.webhooks[0])


def _explain_absence(name: str | None, known: list[str]) -> str:
    example = f"SVCKIT_WEBHOOK_{(name or 'alerts').upper().replace('-', '_')}"
    if name is not None:
        listed = f"; the environment has {', '.join(known)}" if known else ""
        return f"no webhook {name!r}{listed}: set {example} to its URL, or SVCKIT_PROFILE to a profile that lists it"
    if known:
        return f"the environment has {len(known)} webhooks, so name one of them: {', '.join(known)}"
    return f"no webhook: set {example} to its URL, or SVCKIT_PROFILE to a profile that lists its webhooks"
