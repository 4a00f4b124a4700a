"""`svckit login` and `svckit logout`."""

import os
import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from svckit.cli.reporting import check_profile, complete_profile, show

if TYPE_CHECKING:
    from svckit.profiles.credentials import SessionTokens
    from svckit.profiles.profiles import Profile
    from svckit.profiles.resolution import Configuration
    from svckit.sign_in.account import Account, Way

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
    store: Annotated[
        Literal["keyring", "file", "print"] | None,
        typer.Option(
            help="Where the tokens go; print writes the refresh token to standard output, as a variable.",
            show_default="as the profile says",
        ),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Print the refresh token even if this is not a terminal.")
    ] = False,
) -> None:
    """Sign in to a profile, and save the tokens for later sessions."""
    if browser and paste:
        raise typer.BadParameter("use only one of them", param_hint="--browser / --paste")
    if store == "print" and not yes and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise typer.BadParameter(
            "print shows the refresh token, and this is not a terminal; add --yes if a program is to read it",
            param_hint="--store",
        )
    from svckit.profiles.credentials import SessionTokens
    from svckit.profiles.keyring_store import KeyringStore
    from svckit.profiles.resolution import Configuration
    from svckit.profiles.token_cache import StoredTokens, choose_store
    from svckit.sign_in.account import Account
    from svckit.sign_in.prompt import is_somebody_there

    configuration = Configuration.load()
    name = _choose_profile(profile, configuration)
    settings = configuration.profile(name)  # raises for a bad profile first
    settings.check_complete()
    printed = store == "print"
    keeper = choose_store(store or settings.tokens, KeyringStore())
    if not printed and keeper.absence:
        otherwise = _advise_without_store(settings, configuration)
        raise ValueError(
            f"Not signed in: the tokens could not be saved, because {keeper.absence}. {otherwise}"
        )
    asked = bool(os.environ.get("BROWSER")) and not is_somebody_there()  # a program may play the browser
    way: Way | None = "paste" if paste else "browser" if browser or asked else None
    account = Account.find(name, way=way, configuration=configuration, timeout=timeout)
    if account.visitor is None:
        show(
            f"Nothing to save: sessions with {name!r} sign in by themselves, with the login form of the fake."
        )
        return
    tokens = SessionTokens(None if printed else StoredTokens(settings, keeper))
    _sign_in(account, tokens, to_stderr=printed)
    if printed:
        _print_token(name, tokens, configuration)
        return
    if keeper.absence:
        raise ValueError(f"The tokens could not be saved: {keeper.absence}")
    show(f"The tokens are saved in {keeper.title}.")
    if store and store != settings.tokens:
        variable = configuration.environment.variable(name, "tokens")
        show(f'Sessions look there if the profile has tokens = "{store}", or with {variable}={store}.')


def _sign_in(account: "Account", tokens: "SessionTokens", *, to_stderr: bool) -> None:
    from svckit.session.session import Session

    profile, typed = account.profile, account.credentials.client_secret is None
    session = Session(
        profile, account.credentials, tokens=tokens, visitor=account.visitor, signing_in=account.signing_in
    )
    with session as svc:
        svc.sign_in()
    kind = "FAKE" if profile.is_fake else "REAL"
    show(f"Signed in to {profile.name!r} ({kind}, {profile.base_url}).", err=to_stderr)
    if typed and not account.sources.store.absence:
        show("The client secret that you typed is saved in the keyring.", err=to_stderr)


def _print_token(name: str, tokens: "SessionTokens", configuration: "Configuration") -> None:
    refresh = tokens.current.refresh if tokens.current else None
    if refresh is None:
        raise ValueError("The service issued no refresh token, so there is nothing to print.")
    typer.echo(f"{configuration.environment.variable(name, 'refresh_token')}={refresh.reveal()}")


def logout(
    profile: Name = None,
    secrets: Annotated[
        bool,
        typer.Option("--secrets", help="Also delete the client secret, the bot secret and the webhook URLs."),
    ] = False,
) -> None:
    """Delete the saved tokens of a profile. The description shows no call to revoke them; they expire by themselves."""
    from svckit.profiles.keyring_store import KeyringStore
    from svckit.profiles.resolution import Configuration
    from svckit.profiles.secret_sources import SecretSources
    from svckit.profiles.token_cache import StoredTokens, choose_store
    from svckit.sign_in.prompt import ask

    configuration = Configuration.load()
    name = _choose_profile(profile, configuration)
    settings, keyring = configuration.profile(name), KeyringStore()
    store = choose_store(settings.tokens, keyring)
    other = choose_store("keyring" if settings.tokens == "file" else "file", keyring)  # of login --store
    had = [place for place in (store, other) if not place.absence and StoredTokens(settings, place).forget()]
    if store.absence and not had:
        raise ValueError(f"Nothing is saved, so there is nothing to delete: {store.absence}")
    for place in had or [store]:
        show(_format_outcome("the tokens", name, bool(had), place.title))
    if secrets:
        sources = SecretSources(settings, configuration.environment_of(name), keyring, ask)
        names = {
            "the client secret": sources.keyring_name("client_secret"),
            "the bot secret": sources.keyring_name("bot_secret"),
        }
        names |= {
            f"the webhook URL {hook!r}": sources.keyring_name(f"webhook_{hook}") for hook in settings.webhooks
        }
        for what, keyring_name in names.items():
            show(_format_outcome(what, name, keyring.forget(keyring_name), keyring.title))


def _format_outcome(what: str, name: str, was_deleted: bool, title: str) -> str:
    if was_deleted:
        return f"Deleted {what} of {name!r} from {title}."
    return f"There was nothing to delete: no {what.removeprefix('the ')} of {name!r} in {title}."


def _advise_without_store(profile: "Profile", configuration: "Configuration") -> str:
    """Say how sessions get tokens when none can be saved."""
    if profile.is_fake:
        names = [configuration.environment.variable(profile.name, key) for key in ("login_id", "password")]
        return f"Sessions with this fake sign in by themselves if {' and '.join(names)} are set."
    return (
        f'For a file instead, set tokens = "file" in svckit.toml under [{profile.name}]. A session in '
        "a terminal or a notebook asks you when it needs to; one in pytest, with `pytest -s`."
    )


def _choose_profile(profile: str | None, configuration: "Configuration") -> str:
    from svckit.profiles.resolution import FAKE

    name = profile or configuration.chosen
    if name == FAKE:
        raise ValueError(
            "The in-process fake needs no sign-in. Name a profile, or set SVCKIT_PROFILE; `svckit profiles` lists them."
        )
    return check_profile(name, configuration)
