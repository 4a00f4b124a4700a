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
        help="Name of the profile.",
        show_default="that of SVCKIT_PROFILE",
        autocompletion=complete_profile,
    ),
]


def login(
    profile: Name = None,
    browser: Annotated[
        bool, typer.Option("--browser", help="Sign in with this machine's browser, even if it may not work.")
    ] = False,
    paste: Annotated[
        bool, typer.Option("--paste", help="Sign in with any browser, and paste the URL it ends at.")
    ] = False,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds to wait for the browser.")] = 300,
) -> None:
    """Sign in to a profile, and save the tokens in the keyring for later sessions."""
    from svckit.session.session import Session
    from svckit.sign_in.account import Account

    if browser and paste:
        raise typer.BadParameter("use only one of them", param_hint="--browser / --paste")
    with report_errors():
        configuration = Configuration.load()
        name = _choose_profile(profile, configuration)
        settings = configuration.profile(name)  # raises for a bad profile first
        absence = KeyringStore().absence
        if absence:
            otherwise = _advise_without_keyring(settings, configuration)
            raise ValueError(f"Not signed in: the tokens could not be saved, because {absence}. {otherwise}")
        way: Way | None = "paste" if paste else "browser" if browser else None
        account = Account.find(name, way=way, configuration=configuration, timeout=timeout)
        if account.visitor is None:
            show(
                f"Nothing to save: sessions with {name!r} sign in by themselves, with the login form of the fake."
            )
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
            raise ValueError(f"The tokens could not be saved: {store.absence}")
        show(f"The tokens are saved in {store.title}.")
        if account.sources.save_typed_secret():
            show("The client secret that you typed is saved too.")


def logout(
    profile: Name = None,
    secrets: Annotated[
        bool,
        typer.Option("--secrets", help="Also delete the client secret, the bot secret and the webhook URLs."),
    ] = False,
) -> None:
    """Delete the saved tokens of a profile. The description shows no call to revoke them; they expire by themselves."""
    from svckit.profiles.secret_sources import SecretSources
    from svckit.profiles.token_cache import KeyringTokenCache
    from svckit.sign_in import ask

    with report_errors():
        configuration = Configuration.load()
        name = _choose_profile(profile, configuration)
        settings, store = configuration.profile(name), KeyringStore()
        if store.absence:
            raise ValueError(f"Nothing is saved, so there is nothing to delete: {store.absence}")
        tokens, title = KeyringTokenCache(settings, store), store.title
        show(_format_outcome("the tokens", name, tokens.forget(), title))
        if secrets:
            sources = SecretSources(settings, configuration.environment_of(name), store, ask)
            names = {
                "the client secret": sources.keyring_name("client_secret"),
                "the bot secret": sources.keyring_name("bot_secret"),
            }
            names |= {
                f"the webhook URL {each!r}": sources.webhook_keyring_name(each) for each in settings.webhooks
            }
            for what, keyring_name in names.items():
                show(_format_outcome(what, name, store.forget(keyring_name), title))
        if store.absence:
            raise ValueError(f"Nothing is saved, because {store.absence}")


def _format_outcome(what: str, name: str, was_deleted: bool, title: str) -> str:
    if was_deleted:
        return f"Deleted {what} of {name!r} from {title}."
    return f"There was nothing to delete: no {what.removeprefix('the ')} of {name!r} in {title}."


def _advise_without_keyring(profile: Profile, configuration: Configuration) -> str:
    """Say how sessions get tokens when none can be saved."""
    if profile.is_fake:
        names = [configuration.environment.variable(profile.name, each) for each in ("login_id", "password")]
        return f"Sessions with this fake sign in by themselves if {' and '.join(names)} are set."
    return "A session in a terminal or a notebook asks you when it needs to; one in pytest, with `pytest -s`."


def _choose_profile(profile: str | None, configuration: Configuration) -> str:
    name = profile or configuration.chosen
    if name == FAKE:
        raise ValueError(
            "The in-process fake needs no sign-in. Name a profile, or set SVCKIT_PROFILE; `svckit profiles` lists them."
        )
    return check_profile(name, configuration)
