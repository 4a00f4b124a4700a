"""The profiles explorer: what each profile still lacks for the real service, step by step."""

from collections.abc import Mapping
from typing import Any

import anywidget
import traitlets

from svckit.profiles.readiness import check_readiness
from svckit.profiles.resolution import Configuration
from svckit.widgets.base.assets import style
from svckit.widgets.base.callbacks import clear_error, show_errors
from svckit.widgets.base.template_widget import TemplateWidget

__all__ = ["ProfilesExplorer"]


class ProfilesExplorer(TemplateWidget, anywidget.AnyWidget):
    """The steps that make a profile ready for the real service, with the line or command for each that is missing.

    Profiles come from ``svckit.toml`` and the environment, as for `svckit.connect`; nothing is sent, and no secret is
    shown. ``svckit profiles`` prints the same.

    Args:
        profile: the profile to show first; by default that of ``SVCKIT_PROFILE``.

    Attributes:
        profile: the name of the profile shown.
        error: the error of the last request, or an empty string.

    Raises:
        UnusableProfile: a file cannot be read, or there is no such profile.

    Examples:
        >>> explorer = ProfilesExplorer()
        >>> explorer
        Profiles
        Profile: fake
        The profile is ready.
        Steps
          service  done  in process; it needs nothing
        >>> explorer.choose("fake")
        >>> explorer.refresh()
        >>> explorer.close()
    """

    _css = style("explorers/explorer.css", "explorers/profiles_explorer.css")
    template = "widgets/explorers/profiles.html"

    heard = traitlets.Unicode("").tag(sync=True)

    def __init__(self, profile: str | None = None) -> None:
        configuration = Configuration.load()
        self.profile = profile or configuration.chosen
        super().__init__()
        self.on_msg(self._receive)
        self._show(configuration)

    @clear_error
    def choose(self, profile: str) -> None:
        """Show another profile.

        Args:
            profile: the name of the profile.

        Raises:
            UnusableProfile: no such profile.
        """
        configuration = Configuration.load()
        configuration.check_known(profile)
        self.profile = profile
        self._show(configuration)

    @clear_error
    def refresh(self) -> None:
        """Read the file, the environment and the keyring again."""
        self._show(Configuration.load())

    def _show(self, configuration: Configuration) -> None:
        steps = check_readiness(self.profile, configuration)
        self.view = {
            "badge": "",
            "profile": self.profile,
            "profiles": [(name, name) for name in ("fake", *configuration.names)],
            "ready": all(step.done for step in steps),
            "steps": [
                {"name": step.name, "done": step.done, "detail": step.detail, "remedy": step.remedy}
                for step in steps
            ],
        }

    @show_errors
    def _receive(self, _widget: object, content: Mapping[str, Any], _buffers: object) -> None:
        match content:
            case {"do": "write", "field": "profile", "text": str(name)}:
                self.choose(name)
            case {"do": "refresh"}:
                self.refresh()
            case _:
                raise ValueError(f"a profiles explorer does not understand {content!r}")
