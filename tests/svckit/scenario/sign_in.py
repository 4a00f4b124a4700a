"""Signing in and renewing tokens, with what fits and with what does not."""

from typing import Any

from svckit.models.secret import Secret
from svckit.models.token import TokenSet
from svckit.operations.auth import exchange

from .story import Story, refused, step
from .transfers import DRIVE


def sign_in(story: Story, **session: Any) -> None:
    """Sign in to another session."""
    with story.session(**session) as other:
        other.sign_in()


@refused(401)
def signs_in_with_a_wrong_password(story: Story) -> None:
    sign_in(story, password="wrong")


@refused(400)
def signs_in_as_an_unknown_application(story: Story) -> None:
    sign_in(story, client_id="stranger")


@refused(401)
def signs_in_with_a_wrong_secret(story: Story) -> None:
    sign_in(story, secret="wrong")


@step
def signs_in_with_spaces_between_scopes(story: Story) -> None:
    sign_in(story, scopes=("user file",))


@step
def signs_in_with_one_scope_and_uploads(story: Story) -> None:
    with story.session(scopes=("user",)) as other:
        other.sign_in()
        other.users.read("u-001")
        other.files.upload(b"hello", to=DRIVE, name="scope.txt")


@refused(401)
def signs_in_as_a_suspended_user(story: Story) -> None:
    sign_in(story, login="u-017")


@step
def signs_in_with_capitals(story: Story) -> None:
    sign_in(story, login_id=story.fake.facts["login_id"].upper())


@refused(400)
def signs_in_to_another_domain(story: Story) -> None:
    sign_in(story, domain="elsewhere")


@refused(400)
def redeems_a_made_up_code(story: Story) -> None:
    with story.session() as other:
        other.run(exchange(other.profile, other.credentials, Secret("made-up")))


MADE_UP = {"access_token": Secret("made-up"), "scope": "user", "token_type": "Bearer"}


@refused(401)
def calls_with_a_made_up_token(story: Story) -> None:
    with story.session() as other:
        other._driver.tokens.keep(TokenSet(**MADE_UP, expires_in="86400"), story.fake.clock.now())
        other.users.read("u-001")


@refused(401)
def calls_what_there_is_not_with_a_made_up_token(story: Story) -> None:
    with story.session() as other:
        other._driver.tokens.keep(TokenSet(**MADE_UP, expires_in="86400"), story.fake.clock.now())
        other.request("GET", "/users")


@step
def calls_with_the_token_of_a_suspended_user(story: Story) -> None:
    tokens = {**MADE_UP, "access_token": Secret(story.fake.access_token("u-017"))}
    with story.session(login="u-017") as other:
        other._driver.tokens.keep(TokenSet(**tokens, expires_in="86400"), story.fake.clock.now())
        assert other.users.read("u-001").user_id == "u-001"


@refused(400)
def renews_with_the_token_of_another_application(story: Story) -> None:
    registered = story.fake.auth.register("https://other.example/callback")
    with (
        story.session() as own,
        story.session(client_id=registered.client_id, secret=registered.client_secret) as other,
    ):
        refresh = own.sign_in()._driver.tokens.current.refresh
        tokens = TokenSet(**MADE_UP, refresh_token=refresh, expires_in="0")
        other._driver.tokens.keep(tokens, story.fake.clock.now())
        other.users.read("u-001")


@step
def goes_on_with_the_token_before_a_renewal(story: Story) -> None:
    with story.session() as own, story.session() as other:
        before = own.sign_in()._driver.tokens.current
        own._perform(own._driver.renew_tokens(before))
        other._driver.tokens.current = before
        other.users.read("u-001")
