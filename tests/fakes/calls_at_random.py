"""Calls at random, such that many meet an assumption, and several meet two at once."""

from functools import partial

from hypothesis import strategies as st

from .calls_of_files import FILES
from .calls_of_users import DIRECTORY, FLAG, ODD, SIGNING_IN, written
from .player import some, step
from .scenarios import SCENARIOS

REAL_TIME = "callback.timeout"
"""The one rule whose scenario depends on how fast the machine is."""


def notify(me, text, more, inside, odd, stranger):
    url = me.facts["webhook_url"] + "/message/none" if stranger else me.facts["webhooks"][0]
    body = more | ({} if text is None else {"body": {"text": text} | inside})
    me.http.post(url + odd.get("query", ""), **written(body, odd))


def notify_often(me, times):
    me.fake.state.webhooks.limiter.limit = 4
    for _ in range(times):
        me.notify()


def say(me, content, more, answer):
    me.say(content, answer=answer, **more)


def wait(me, span):
    me.fake.clock.advance(**span)


def configure(me, name, value):
    setattr(me.fake.settings, name, value)


def call(me, method, path):
    me.api(method, path)


SETTINGS = [
    ("forbidden_email_words", ["casino"]),
    ("advanced_plan", True),
    ("profile_status_enabled", False),
    ("single_sign_on", True),
    ("custom_properties", [{"name": "page", "propertyType": "LINK", "multiValued": False}]),
    ("property_restrictions", {"nickName": {"settable": False}, "birthday": {"readable": False}}),
    ("property_restrictions", {"suspendedReason": {"readable": False}, "messenger": {"readable": False}}),
    ("api_calls_per_minute", 3),
]
SPANS = [
    {"seconds": 40},
    {"seconds": 20},
    {"minutes": 11},
    {"hours": 2},
    {"hours": 24},
    {"days": 3},
    {"days": 45},
    {"days": 91},
    {"days": 12.5},
]
CONTENTS = [
    {"type": "text", "text": "hello"},
    {"type": "text", "text": "世界", "postback": "start"},
    {"type": "sticker", "packageId": "1", "stickerId": "2"},
    {"type": "text", "text": "hello", "more": 1},
]
NOTIFYING = step(
    notify,
    text=st.sampled_from(["hello", "", "x" * 100_001, '<m userId="nobody">', "<m userId='u-003'>", None, 5]),
    more=some(
        title=["", "CI", "x" * 100_001, None],
        image=["cat.png"],
        button=[
            {"label": "Open", "url": "javascript:alert(1)"},
            {"label": "", "url": "https://x.test", "more": 1},
            {"label": "Open"},
        ],
    ),
    inside=some(more=[1]),
    odd=ODD,
    stranger=FLAG,
)
OTHERS = st.one_of(
    NOTIFYING,
    step(
        notify,
        text=st.sampled_from(["hello", "", '<m userId="nobody">', "<m userId='u-003'>", None]),
        more=some(title=["", "CI"], image=["cat.png"]),
        inside=st.just({}),
        odd=st.just({}),
        stranger=st.just(False),
    ),
    step(notify_often, times=st.sampled_from([1, 2, 3, 4])),
    step(
        say,
        content=st.sampled_from(CONTENTS),
        more=some(client_version=["2.2"], channel_id=["room"]),
        answer=st.sampled_from([200, 204, 500]),
    ),
    step(wait, span=st.sampled_from(SPANS)),
    st.sampled_from([partial(configure, name=name, value=value) for name, value in SETTINGS]),
    step(
        call,
        method=st.sampled_from(["GET", "PATCH", "POST"]),
        path=st.sampled_from(
            ["/users/u-001", "/directory/custom-fields", "/users/u-001/mail/vipmailfolders", "/x"]
        ),
    ),
)
STEPS = st.one_of(
    SIGNING_IN,
    DIRECTORY,
    FILES,
    FILES,
    OTHERS,
    st.sampled_from(
        [each for rule_id, each in SCENARIOS.items() if rule_id not in (REAL_TIME, "token.inactive-user")]
    ),
)
SEQUENCES = st.one_of(
    st.lists(STEPS, min_size=1, max_size=8),
    *(st.lists(each | OTHERS, min_size=1, max_size=8) for each in (SIGNING_IN, DIRECTORY, FILES, OTHERS)),
)

AREAS = {
    "api": STEPS,
    "auth": SIGNING_IN,
    "callback": OTHERS,
    "drive": FILES,
    "file": FILES,
    "lifecycle": DIRECTORY | OTHERS,
    "notification": OTHERS,
    "status": DIRECTORY,
    "text": DIRECTORY,
    "token": SIGNING_IN,
    "user": DIRECTORY,
}
"""Calls that meet the rules of an area, by how their ids begin."""
