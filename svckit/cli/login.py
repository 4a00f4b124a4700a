"""`svckit login` and `svckit logout`."""

from typing import Annotated

import typer

from svckit.cli.reporting import check_profile, complete_profile, report_errors, show
from svckit.profiles.keyring_store import KeyringStore
from svckit.profiles.profiles import Profile
from svckit.profiles.resolution import FAKE, Configuration
from svckit.sign_in import Way

__all__ = ["login", "logout"]

Name = Annotated[
    str | None,
    typer.Argument(
        metavar="PROFILE",
        help="Which profile.",
        show_default="that of SVCKIT_PROFILE",
        autocompletion=complete_profile,
    ),
]


def login(
    profile: Name = None,
    browser: Annotated[
        bool, typer.Option("--browser", help="Sign in with this machine's browser, whatever seems to work.")
    ] = False,
    paste: Annotated[
        bool, typer.Option("--paste", help="Sign in with any browser, and paste the address it ends at.")
    ] = False,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds to wait for the browser.")] = 300,
) -> None:
    """Sign in to a profile, and keep the tokens in the keyring for sessions to come."""
    from svckit.session.session import Session
    from svckit.sign_in.account import Account

    if browser and paste:
        raise typer.BadParameter("take one of them", param_hint="--browser / --paste")
    with report_errors():
        configuration = Configuration.load()
        name = _choose_profile(profile, configuration)
        found = configuration.profile(name)  # what is wrong with it comes first
        absence = KeyringStore().absence
        if absence:
            otherwise = _advise_without_keyring(found, configuration)
            raise ValueError(f"Not signed in: the tokens could not be kept, because {absence}. {otherwise}")
        way: Way | None = "paste" if paste else "browser" if browser else None
        account = Account.find(name, way=way, configuration=configuration, timeout=timeout)
        if account.visitor is None:
            show(f"Nothing to keep: sessions with {name!r} sign in by themselves, by the form of the fake.")
            return
        session = Session(
            account.profile, account.credentials, tokens=account.tokens(), visitor=account.visitor
        )
        with session as svc, account.explaining():
            svc.sign_in()
        show(
            f"Signed in to {name!r} ({'FAKE' if account.profile.is_fake else 'REAL'}, {account.profile.base_url})."
        )
        store = account.sources.store
        if store.absence:
            raise ValueError(f"The tokens could not be kept: {store.absence}")
        show(f"The tokens are kept in {store.title}.")
        if account.sources.save_typed_secret():
            show("So is the client secret that you typed.")


def logout(
    profile: Name = None,
    secrets: Annotated[
        bool,
        typer.Option(
            "--secrets", help="Forget the client secret, the bot secret and the notification URLs too."
        ),
    ] = False,
) -> None:
    """Forget the tokens of a profile. The service has no call to end them: they end by themselves."""
    from svckit.profiles.secret_sources import SecretSources
    from svckit.profiles.token_cache import KeyringTokenCache
    from svckit.sign_in import ask

    with report_errors():
        configuration = Configuration.load()
        name = _choose_profile(profile, configuration)
        found, store = configuration.profile(name), KeyringStore()
        if store.absence:
            raise ValueError(f"Nothing is kept, so there is nothing to forget: {store.absence}")
        kept, title = KeyringTokenCache(found, store), store.title
        show(_format_outcome("the tokens", name, kept.forget(), title))
        if secrets:
            sources = SecretSources(found, configuration.environment_of(name), store, ask)
            names = {
                "the client secret": sources.keyring_name("client_secret"),
                "the bot secret": sources.keyring_name("bot_secret"),
            }
            names |= {
                f"the notification URL {each!r}": sources.webhook_keyring_name(each)
                for each in found.webhooks
            }
            for what, keyring_name in names.items():
                show(_format_outcome(what, name, store.forget(keyring_name), title))
        if store.absence:
            raise ValueError(f"Nothing is kept, because {store.absence}")


def _format_outcome(what: str, name: str, done: bool, title: str) -> str:
    if done:
        return f"Forgot {what} of {name!r}; {title} had {'them' if what.endswith('s') else 'it'}."
    return f"There was nothing to forget: no {what.removeprefix('the ')} of {name!r} in {title}."


def _advise_without_keyring(profile: Profile, configuration: Configuration) -> str:
    """How sessions get tokens where none can be kept."""
    if profile.is_fake:
        names = [configuration.environment.variable(profile.name, each) for each in ("login_id", "password")]
        return f"Sessions with this fake sign in by themselves where {' and '.join(names)} are set."
    return "A session in a terminal or a notebook asks you when it needs to; one in pytest, with `pytest -s`."


def _choose_profile(profile: str | None, configuration: Configuration) -> str:
    name = profile or configuration.chosen
    if name == FAKE:
        raise ValueError(
            "The fake in process needs no sign-in. Name a profile, or set SVCKIT_PROFILE; `svckit profiles` lists them."
        )
    return check_profile(name, configuration)
