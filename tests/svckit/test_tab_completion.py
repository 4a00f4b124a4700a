"""What Tab offers in a notebook: the names people use, and no others."""

from typing import Any

import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell

import svckit
from fakes import FakeService

SESSION = (
    "bot_secret clock close credentials explain explore fake files http is_fake notices notification_setup notify "
    "profile rate records request resume retries run sign_in trace users webhooks"
)
OFFERED = {
    "svckit": (
        "AsyncSession Cancelled Conflict Credentials ForeignOrigin InvalidInput NotFound Profile RateLimited Refused "
        "Retired Secret ServiceError Session SignInStopped Unauthorized Unreachable UnusableProfile Webhook connect "
        "connect_async course events expect explain frames lifecycle models operations places plots widgets"
    ),
    "svckit.plots": "Figure credentials deliveries rate_window retirements timeline",
    "svc": SESSION,
    "svc.users": "apply diff list_known read set_status update",
    "svc.files": "copy download download_many resume upload upload_many",
    "directory": "find get items keys put remove values",
    "webhooks": "add add_app all invite_bot messages remove_app remove_bot rooms",
    "fake": (
        "access_token admin_openapi asgi auth bots browser budget callbacks clock directory facts faults files "
        "fork httpx journal openapi records reset responses restore rules sample serve settings snapshot statuses "
        "stub stubs sweep_steps tokens transport webhooks"
    ),
}


@pytest.fixture
def shell(fake: FakeService) -> Any:
    shell = InteractiveShell()
    with svckit.connect(fake) as svc:
        parts = {"directory": fake.directory, "webhooks": fake.webhooks}
        shell.user_ns.update(svc=svc, fake=fake, svckit=svckit, **parts)
        yield shell


@pytest.mark.parametrize("owner", OFFERED)
def test_tab_offers_the_names_people_use(owner: str, shell: Any) -> None:
    text = f"{owner}."
    with provisionalcompleter():
        offered = {each.text for each in shell.Completer.completions(text, len(text))}
    assert sorted(name for name in offered if not name.startswith("_")) == OFFERED[owner].split()


def test_tab_offers_the_arguments_of_a_sample(shell: Any) -> None:
    shell.user_ns["FakeService"] = FakeService
    with provisionalcompleter():
        text = "FakeService.sample(assum"
        offered = {each.text for each in shell.Completer.completions(text, len(text))}
    assert offered >= {"assume=", "assume_from=", "assumptions="}
    with pytest.raises(TypeError, match=r"^got an unexpected keyword argument 'user'$"):
        FakeService.sample(user=3)  # type: ignore[call-arg]
