"""The page of everything that is configured: profiles, environment variables and pytest."""

import inspect
from collections.abc import Callable
from typing import Any

import typer

import svckit.fakes_plugin
import svckit.pytest_plugin
from binder.reference.markdown import attributes, code, fence, page, paragraphs, prose, table
from fakes import FakeService
from fakes.parts.callbacks import Callbacks
from fakes.parts.settings import DomainSettings
from svckit import cli
from svckit.cli.serve import KEY_VARIABLE
from svckit.cli.serve_variables import name_variable
from svckit.profiles.environment import CHOICE, SECRETS
from svckit.profiles.keys import KEYS, variable_word
from svckit.profiles.toml_file import EXAMPLE, FILE_NAME

INTRO = f"""\
A profile describes a real service, or a fake that somebody serves. It is a section of `{FILE_NAME}`, in the
folder of your project or a parent of it (up to the root of the repository), or in the configuration folder of
your platform, such as `~/.config/svckit/`. The environment overrides the files. `svckit profiles` shows each
profile, the source of each key, and what is missing or wrong.
"""
KEY_NOTES = """\
A profile with `webhook_url` alone can post notifications; what else is required is required to sign in.

`tokens = "file"` saves tokens in a file of the platform's folder for state, such as `~/.local/state/svckit`, which only
its owner can read (mode 0600; on Windows, the access list of the folder protects it). Processes that share saved tokens
renew them once.

`renew_on = [401, 403]` is for a service that refuses an access token that is no longer valid with 403 instead of 401,
which its description leaves open: on such a status the session renews the token and sends the request once more.
For 403, which also means that something is forbidden, it does so at most once a minute.
`svckit observe` and `svckit conformance` suggest it when they see that.

`time_zone` is the zone in which a session shows times, draws them, and counts days; a fake shows those of its clock.

`header_word` is the word between the dashes of the event headers: `SERVICE`, the default, in
`X-SERVICE-Signature`. How events are signed is an assumption: `hmac-sha256` is the default.

`fake = true` says that the service is a fake that somebody serves: a program signs in to it with
`SVCKIT_WORK_LOGIN_ID` and `SVCKIT_WORK_PASSWORD`. For a fake on another machine, set `SVCKIT_WORK_FAKE=true`,
or say so in the file of your platform's folder, because a project's file cannot say that for you. With `admin_url`
and `SVCKIT_WORK_ADMIN_KEY`, from its facts or its ready line, `svc.fake` moves its clock, sets faults, and reads its
journal by admin calls; both count only if they name the profile. A Python
program can also make the profile of a served fake: `svckit.connect(svckit.Profile.from_facts(facts, name="class"),
credentials=svckit.Credentials.from_facts(facts))`, where `facts` is what the fake prints when it starts.
"""
SECRET_NOTES = """\
The client secret that you type is saved in the keyring, if there is one, once the sign-in has succeeded; so are
the tokens, unless `tokens` says `file`. A webhook URL is not saved: store it with
`keyring set svckit work/webhook/alerts`. Nobody is asked for the bot secret, which a session has as
`svc.bot_secret`, or the password: set their variables, or store them in the keyring under the names that
`svckit profiles` shows. The keyring needs the extra `keyring`: `pip install 'svckit-toolkit[keyring]'`. A keyring that
writes plain text is not used.
"""
REFUSALS = """\
So that a `svckit.toml` that came with a repository cannot send your secrets to a host of its own, some mixtures
are refused, with an error that says where each key comes from:

- The four URLs of a profile come from one source: one file, or the environment. A project's file cannot change
  or complete the URLs in your own file, the one in your platform's folder.
- A secret without a profile's name, such as `SVCKIT_CLIENT_SECRET`, is sent only to URLs from the environment or
  from your own file. For the URLs of a project's file, name the profile: `SVCKIT_WORK_CLIENT_SECRET`.
- Two profiles whose names produce the same variables, such as `a-b` and `a_b`, cannot be used until you rename
  one.
"""
KINDS = {"text": "text", "list": "list of texts", "numbers": "list of numbers", "flag": "true or false"}
SECRET_WORDS = {
    "client_secret": "secret of the registered application; else from the keyring, else from a prompt",
    "refresh_token": "refresh token, from `svckit login work --store print`; else tokens from where `tokens` says",
    "password": "password of the user whom a program signs in to a fake",
    "bot_secret": "secret that signs the events of your bot",
    "admin_key": "key of the admin calls of a fake, for `svc.fake`",
}
OTHERS = [
    (CHOICE, "name of the profile that is used if none is named"),
    (KEY_VARIABLE, "key of the admin calls of `svckit serve`; by default it is random"),
    ("SSL_CERT_FILE", "file of certificates of a private authority to trust"),
]
SERVE_NOTES = """\
Each option of `svckit serve` can be set in the environment, as in a container: `SVCKIT_SERVE_` and the name of
the option. `1`, `true` or `yes` sets one without a value; spaces separate the values of one that can be repeated; an
empty variable counts as not set. The command line overrides the environment. So no profile can have the name `serve`.
"""


def write() -> str:
    """Return the page."""
    keys = [
        (code(name), KINDS[key.kind], "yes" if key.required else "", code(variable(name)), prose(key.about))
        for name, key in KEYS.items()
    ]
    secrets = [(code(variable(name)), SECRET_WORDS[name]) for name in SECRETS]
    secrets.append((code("SVCKIT_WORK_WEBHOOK_ALERTS"), "webhook URL with the name `alerts` in `webhooks`"))
    return page(
        "Configuration",
        INTRO,
        fence(EXAMPLE, "toml"),
        "## Keys of a profile",
        "The variables are those of the profile `work`. Without the profile's name, such as `SVCKIT_BASE_URL`, a "
        "variable sets the key for all profiles. Commas or spaces separate the items of a list. If all required "
        "keys are set in this way, no file is needed.",
        table(("key", "value", "required", "variable", "meaning"), keys),
        KEY_NOTES,
        "## Secrets",
        "Secrets are not allowed in these files. They come from the environment, the keyring, or a prompt, in this "
        "order.",
        table(("variable", "meaning"), secrets),
        SECRET_NOTES,
        "## Other environment variables",
        table(("variable", "meaning"), [(code(name), words) for name, words in OTHERS]),
        "A session also takes `trust=`, an `ssl.SSLContext` that trusts such certificates; commands and pytest need "
        "the variable.",
        "## Options of `svckit serve`",
        SERVE_NOTES,
        table(("variable", "option"), list_options_of_serve()),
        "## What is refused",
        REFUSALS,
        "## The fake and the session",
        "A fake is made with `FakeService.sample`. Its arguments, all optional:",
        table(("argument", "default", "meaning"), list_arguments(FakeService.sample)),
        "`svckit.connect` returns a session, and makes a fake if you name none. Its arguments, all optional:",
        table(("argument", "default", "meaning"), list_arguments(svckit.connect)),
        "These can be assigned at any time:",
        table(("name", "default", "meaning"), list_settings()),
        "## pytest",
        "The plugins are installed with the package.",
        *describe_plugins(),
    )


def list_options_of_serve() -> list[tuple[str, str]]:
    """Return the variables that set the options of `svckit serve`, each with its option."""
    command: Any = typer.main.get_command(cli.app)
    options = command.commands["serve"].params
    return [(code(name_variable(each.name)), code(each.opts[0])) for each in options if each.name != "help"]


def list_arguments(function: Callable[..., object]) -> list[tuple[str, str, str]]:
    """Return the arguments of a function, with their defaults and what its docstring says of them."""
    parameters = inspect.signature(function).parameters
    return [
        (code(name), show_default(parameters[name].default), words)
        for name, words in attributes(function.__doc__, "Args")
    ]


def list_settings() -> list[tuple[str, str, str]]:
    """Return what can be assigned in a session and a fake, with the defaults."""
    with svckit.connect("fake") as svc:
        assert svc.fake is not None
        timeout = next(words for name, words in attributes(Callbacks.__doc__) if name == "timeout")
        return [
            (code("svc.retries"), code(svc.retries), paragraphs(svckit.Session.retries.__doc__)[0]),
            (code("fake.callbacks.timeout"), code(svc.fake.callbacks.timeout), timeout),
            *(
                (code(f"fake.settings.{name}"), show_default(getattr(svc.fake.settings, name)), words)
                for name, words in attributes(DomainSettings.__doc__)
                if not DomainSettings.model_fields[name].frozen
            ),
        ]


def show_default(value: object) -> str:
    """Return a default as code, nothing for None."""
    return "" if value is None else code(repr(value))


def variable(key: str) -> str:
    """Return the environment variable of a key for the profile `work`."""
    return f"SVCKIT_WORK_{variable_word(key)}"


class Collector:
    """A stand-in for pytest's parser and its configuration, which collects what a plugin adds."""

    def __init__(self) -> None:
        self.options: list[tuple[str, str]] = []
        self.settings: list[tuple[str, str]] = []
        self.markers: list[tuple[str, str]] = []

    def getgroup(self, *_: Any, **__: Any) -> "Collector":
        """Return the group of options."""
        return self

    def addoption(self, name: str, **described: Any) -> None:
        """Add an option."""
        values = described.get("choices") or [described.get("metavar") or "VALUE"]
        self.options.append((code(f"{name}={'|'.join(values)}"), prose(described["help"])))

    def addini(self, name: str, help: str = "", **_: Any) -> None:  # noqa: A002 - pytest's name
        """Add a setting."""
        self.settings.append((code(name), prose(help)))

    def addinivalue_line(self, _: str, line: str) -> None:
        """Add a marker."""
        name, _, words = line.partition(": ")
        self.markers.append((code(name), prose(words)))

    def getoption(self, name: str) -> str | None:
        """Return the default of an option."""
        return "fake" if name == "svckit_target" else None

    def getini(self, _: str) -> list[str]:
        """Return the default of a setting."""
        return []


def describe_plugins() -> list[str]:
    """Return the parts of the page about the options, settings, markers and fixtures of the pytest plugins."""
    collector: Any = Collector()
    svckit.fakes_plugin.pytest_addoption(collector)
    svckit.fakes_plugin.pytest_configure(collector)
    fixtures = [
        (code(name), prose((getattr(plugin, name).__doc__ or "").partition("\n\n")[0]))
        for plugin in (svckit.fakes_plugin, svckit.pytest_plugin)
        for name in svckit.fakes_plugin.FAKES
        if hasattr(plugin, name)
    ]
    return [
        table(("fixture", "meaning"), fixtures),
        table(("option", "meaning"), collector.options),
        table(("setting", "meaning"), collector.settings),
        table(("marker", "meaning"), collector.markers),
    ]
