"""Edges of assumptions about signing in, codes and tokens."""

from base64 import urlsafe_b64encode
from datetime import timedelta
from hashlib import sha256

from .edges import edges, patching
from .scenarios_calls import refresh_token_of


# -- the login screen ----------------------------------------------------------------------------------------
def log_in(me, hidden, password=None):
    form = {"login_id": me.facts["login_id"], "password": password or me.facts["password"]}
    return me.send_login(hidden | form)


def screen_of(minutes=0, seconds=0, *, tried=(), password=None):
    """A login with a screen of some age, after other attempts with these passwords."""

    def send(me):
        hidden = me.hidden()
        for each in tried:
            log_in(me, hidden, each)
        me.fake.clock.advance(minutes=minutes, seconds=seconds)
        return log_in(me, hidden, password)

    return send


edges(
    "auth.screen-reuse",
    first_attempt=(screen_of(), 302),
    wrong_password_at_ten_minutes=(screen_of(10, password="wrong"), 401),
    after_a_failed_one=(screen_of(tried=["wrong"]), (302, 400, 302)),
    older=(screen_of(10, 1), (302, 302, 400)),
    after_a_login=(screen_of(tried=[None]), 400),
)

UNKNOWN = "unknown parameters"


def refreshing(**changes):
    return lambda me: me.refresh(me.exchange().json()["refresh_token"], **changes)


edges(
    "auth.unknown-parameter",
    domain=(lambda me: me.authorize(domain="example"), 200),
    challenge=(lambda me: me.authorize(code_challenge="x", code_challenge_method="S256"), 200),
    verifier=(lambda me: me.exchange(code_verifier="x"), 200),
    exchange=(lambda me: me.exchange(domain="example", redirect_uri=me.facts["redirect_uri"]), 200),
    refresh=(refreshing(scope="user"), 200),
    prompt=(lambda me: me.authorize(prompt="login"), (200, UNKNOWN)),
    nonce=(lambda me: me.exchange(nonce="x"), (200, UNKNOWN)),
    scope_of_a_code=(lambda me: me.exchange(scope="user"), (200, UNKNOWN)),
    redirect_of_a_refresh=(refreshing(redirect_uri="x"), (200, UNKNOWN)),
)
edges(
    "auth.scope-names",
    one=(lambda me: me.authorize(scope="user"), 200),
    both=(lambda me: me.authorize(scope="file,user"), 200),
    another=(lambda me: me.authorize(scope="user,,bot"), (200, "there is no scope")),
    capital=(lambda me: me.authorize(scope="User"), (200, "there is no scope")),
)

# -- proof key for code exchange -----------------------------------------------------------------------------
VERIFIER, OTHER = "v" * 43, "w" * 43
S256 = urlsafe_b64encode(sha256(VERIFIER.encode()).digest()).decode().rstrip("=")


def challenge(value=S256, method="S256"):
    """The parameters of an authorization request; those that are None are left out."""
    sent = {"code_challenge": value, "code_challenge_method": method}
    return {name: each for name, each in sent.items() if each is not None}


def exchange(me, sent, verifier):
    return me.exchange(me.code(**sent), **({} if verifier is None else {"code_verifier": verifier}))


def exchanging(sent, verifier):
    return lambda me: exchange(me, sent, verifier)


def authorizing(*given):
    return lambda me: me.authorize(**challenge(*given))


CHARACTERS = "code_challenge must have 43 to 128"
edges(
    "auth.pkce",
    S256=(exchanging(challenge(), VERIFIER), 200),
    plain=(exchanging(challenge(VERIFIER, "plain"), VERIFIER), 200),
    no_method_is_plain=(exchanging(challenge(VERIFIER, None), VERIFIER), 200),
    the_longest=(exchanging(challenge("v" * 128, "plain"), "v" * 128), 200),
    neither=(exchanging({}, None), 200),
    other_verifier=(exchanging(challenge(), OTHER), (200, "does not fit the code_challenge")),
    other_plain_verifier=(exchanging(challenge(VERIFIER, "plain"), OTHER), (200, "by the method plain")),
    the_challenge_itself=(exchanging(challenge(), S256), (200, "does not fit")),
    no_verifier=(exchanging(challenge(), None), (200, "code_verifier is missing")),
    short_verifier=(exchanging(challenge(), "v" * 42), (200, "43 to 128 of the characters")),
    long_verifier=(exchanging(challenge(), "v" * 129), (200, "given 129 characters")),
    verifier_of_other_characters=(exchanging(challenge(), "é" * 43), (200, "43 to 128 of the characters")),
    no_challenge=(exchanging({}, VERIFIER), (200, "had no code_challenge")),
    other_method=(authorizing(S256, "S512"), (200, "must be S256 or plain; given 'S512'")),
    method_in_small_letters=(authorizing(S256, "s256"), (200, "must be S256 or plain")),
    method_alone=(authorizing(None), (200, "code_challenge is missing")),
    short_challenge=(authorizing("x" * 42), (200, CHARACTERS)),
    long_challenge=(authorizing("x" * 129), (200, CHARACTERS)),
    challenge_in_another_base64=(authorizing("+" + S256[1:]), (200, CHARACTERS)),
)


# -- codes and tokens ----------------------------------------------------------------------------------------
def redeem(me):
    code = me.code()
    return timedelta(minutes=10), lambda: me.exchange(code)


def renew(me):
    refresh_token = me.exchange().json()["refresh_token"]
    return timedelta(days=90), lambda: me.refresh(refresh_token)


def upload(me):
    url = me.url()

    def send():
        me.become()
        return me.send(url)

    return timedelta(hours=24), send


def at_the_end(use, microseconds):
    """A use of what was issued, so long after its end."""

    def call(me):
        lifetime, send = use(me)
        me.fake.clock.to(me.fake.clock.now() + lifetime + timedelta(microseconds=microseconds))
        return send()

    return call


for use, used, refused in ((redeem, 200, 400), (renew, 200, 400), (upload, 201, 404)):
    edges(
        "token.last-instant",
        **{
            f"{use.__name__} before": (at_the_end(use, -1), used),
            f"{use.__name__} at": (at_the_end(use, 0), (used, refused)),
            f"{use.__name__} after": (at_the_end(use, 1), refused),
        },
    )


def after_reuse(call, *, sent_again=True):
    """A call with the tokens of a code, after that was sent again."""

    def send(me):
        other, code = me.bearer, me.code()
        tokens = me.exchange(code).json()
        me.take(tokens["access_token"])
        if sent_again:
            me.exchange(code)
        return call(me, tokens, code, other)

    return send


def update_with_a_renewed_token(me):
    code = me.code()
    tokens = me.exchange(code).json()
    renewed = me.refresh(tokens["refresh_token"]).json()["access_token"]
    me.exchange(code)
    me.take(renewed)
    return me.patch()


def update_with_another_token(me, tokens, code, other):
    me.bearer = other
    return me.patch()


def update_after_a_wrong_client(me, tokens, code, other):
    me.exchange(code, client_secret="wrong")
    return me.patch()


edges(
    "token.code-reuse",
    before=(after_reuse(lambda me, *_: me.patch(), sent_again=False), 200),
    code=(after_reuse(lambda me, tokens, code, _: me.exchange(code)), 400),
    access_token=(after_reuse(lambda me, *_: me.patch()), (200, 401)),
    refresh_token=(after_reuse(lambda me, tokens, *_: me.refresh(tokens["refresh_token"])), (200, 400)),
    renewed_token=(update_with_a_renewed_token, (200, 401)),
    another_token=(after_reuse(update_with_another_token), 200),
    wrong_client=(after_reuse(update_after_a_wrong_client, sent_again=False), 200),
)

SUSPENDED = "u-017"


def acting_as(user, call):
    def act(me):
        me.become(user)
        return call(me)

    return act


def refreshing_token_of(user):
    return lambda me: me.refresh(refresh_token_of(me, user))


NOT_ACTIVE = "u-017 is not active"
edges(
    "token.inactive-user",
    call=(acting_as(SUSPENDED, patching()), (200, 200, 401)),
    refresh=(refreshing_token_of(SUSPENDED), (200, NOT_ACTIVE, NOT_ACTIVE)),
    call_about_one=(acting_as("u-002", patching(SUSPENDED)), 200),
    refresh_of_others=(refreshing_token_of("u-002"), 200),
)
