"""Edges of assumptions about calls as such: bearers, bodies, queries, notifications."""

from svckit.models.user import UserChange

from .caller import DRIVE
from .edges import edges, patching
from .scenarios_messages import JSON, fill_the_minute

MAIL = "/users/u-001/mail/vipmailfolders"
ORGANIZATION = {"domainId": 10000001, "primary": True}
UNIT = {"orgUnitId": "ou-1", "primary": True}


# -- the bearer ----------------------------------------------------------------------------------------------
def bearing(written, call):
    """A call whose Authorization header is written in another way, with the token for ``{}``, or not sent for None."""

    def send(me):
        me.bearer = (
            {"Authorization": written.format(me.bearer["Authorization"].split()[1])} if written else {}
        )
        return call(me)

    return send


def send_content(me):
    url, me.bearer = me.url(), {"Authorization": me.bearer["Authorization"].replace("Bearer", "bearer")}
    return me.send(url)


edges(
    "api.bearer-form",
    small_letters=(bearing("bearer {}", patching()), (200, 401)),
    capitals=(bearing("BEARER {}", patching()), (200, 401)),
    two_blanks=(bearing("Bearer  {}", patching()), (200, 401)),
    content_in_small_letters=(send_content, (201, 401)),
    none=(bearing(None, patching()), 401),
    another_scheme=(bearing("Basic dTpw", patching()), 401),
    no_token=(bearing("bearer", patching()), 401),
)

REFUSED_BEFORE = {
    "ended": (lambda me: me.api("GET", MAIL), 404),
    "not_described": (lambda me: me.api("GET", "/directory/custom-fields"), 501),
    "too_large": (lambda me: me.api("PATCH", "/users/u-001", content=bytes(16 * 1024 * 1024 + 1)), 413),
}
NO_OPERATION = {
    "resources": lambda me: me.api("GET", "/users"),
    "storage": lambda me: me.http.get(me.facts["upload_url"] + "/none", headers=me.bearer),
}
for name, (call, status) in REFUSED_BEFORE.items():
    edges("api.bearer-order", **{name: (call, status)})
    for written in (None, "Bearer made-up"):
        edges("api.bearer-order", **{f"{name}, {written}": (bearing(written, call), (status, 401))})
for name, call in NO_OPERATION.items():
    edges("api.unmatched-bearer", **{name: (call, 404)})
    for written in (None, "Bearer made-up"):
        edges("api.unmatched-bearer", **{f"{name}, {written}": (bearing(written, call), (401, 404))})

LOGS = ("/audits/logs/download", "/monitoring/message-contents/download")


def read_log(path, user):
    def read(me):
        me.become(user)
        return me.api("GET", path)

    return read


for path in LOGS:
    edges(
        "api.permission",
        **{f"{path} by an administrator": (read_log(path, "u-001"), 302)},
        **{path: (read_log(path, "u-002"), (302, (403, "for the domain")))},
    )

# -- queries and keys ----------------------------------------------------------------------------------------
NO_QUERY = "no query parameters"
edges(
    "api.query",
    update=(lambda me: me.api("PATCH", "/users/u-001?x=1", json={}), (200, NO_QUERY)),
    status=(
        lambda me: me.api("POST", "/users/u-001/user-profile-statuses?x=1", json={"profileStatusId": "BUSY"}),
        (200, NO_QUERY),
    ),
    upload=(lambda me: me.ask(f"{DRIVE}?x=1"), (200, NO_QUERY)),
    content=(lambda me: me.send(me.url() + "?x=1"), (201, NO_QUERY)),
    fetch=(
        lambda me: me.fetch(me.locate(me.upload()["fileId"]).headers["Location"] + "?x=1"),
        (200, NO_QUERY),
    ),
    notification=(
        lambda me: me.http.post(me.facts["webhooks"][0] + "?x=1", json={"body": {"text": "a"}}),
        (200, NO_QUERY),
    ),
    token=(
        lambda me: me.http.post(
            me.facts["auth_url"] + "/oauth2/v2.0/token?x=1", data={"grant_type": "authorization_code"}
        ),
        ("lacks", NO_QUERY),
    ),
)


def writing(body):
    """An update with this body."""
    return lambda me: me.api("PATCH", "/users/u-001", content=body, headers=JSON)


edges(
    "api.duplicate-key",
    twice=(writing(b'{"nickName": "a", "nickName": "b"}'), (200, "the key nickName occurs twice")),
    inside=(
        writing(b'{"userName": {"lastName": "a", "lastName": "b"}}'),
        (200, "the key lastName occurs twice"),
    ),
    in_an_array=(
        writing(b'{"i18nNames": [{"language": "ja_JP", "language": "ko_KR"}]}'),
        (200, "the key language occurs twice"),
    ),
    escaped=(writing(b'{"nickName": "a", "nick\\u004eame": "b"}'), (200, "the key nickName occurs twice")),
    in_a_text=(writing(b'{"nickName": "a: b: c", "task": "nickName: x"}'), 200),
    in_two_objects=(
        writing(b'{"userName": {"lastName": "a"}, "i18nNames": [{"lastName": "b"}, {"lastName": "c"}]}'),
        200,
    ),
    a_pair_of_escapes=(writing(b'{"birthday": "1990-01-01", "nickName": "\\ud83d\\ude00: "}'), 200),
)


# -- nulls ---------------------------------------------------------------------------------------------------
def post_title_and_body(me):
    return me.http.post(me.facts["webhooks"][0], json={"title": "CI", "body": None})


NULLS_OF_NOTIFICATIONS = {
    "title": (lambda me: me.notify(title=None), (400, 200)),
    "button": (lambda me: me.notify(button=None), (400, 200)),
    "text": (lambda me: me.notify(None), (400, 400)),
    "body": (post_title_and_body, (400, 400)),
    "label": (lambda me: me.notify(button={"label": None, "url": "x"}), (400, 400)),
}
NULLS_OF_OPTIONAL_FIELDS = {
    "overwrite": (lambda me: me.ask(overwrite=None), (400, 200)),
    "modifiedTime": (lambda me: me.ask(modifiedTime=None), (400, 200)),
    "internal": (lambda me: me.set_status(autoReplyMail={"internal": None}), (400, 200)),
    "content": (lambda me: me.set_status(autoReplyMail={"external": {"content": None}}), (400, 200)),
}
NULLS_OF_REQUIRED_FIELDS = {
    "fileName": (lambda me: me.ask(name=None), (400, 400)),
    "profileStatusId": (lambda me: me.set_status(profileStatusId=None), (400, 400)),
}
edges(
    "api.null",
    **NULLS_OF_NOTIFICATIONS,
    **NULLS_OF_OPTIONAL_FIELDS,
    **NULLS_OF_REQUIRED_FIELDS,
    described_for_a_status=(
        lambda me: me.set_status(statusMessage=None, startTime=None, autoReplyMail=None),
        200,
    ),
    described_for_a_user=(patching(nickName=None), 200),
    not_described_for_a_user=(patching(email=None), 400),
    number_for_a_title=(lambda me: me.notify(title=5), 400),
    text_for_a_size=(lambda me: me.ask(size="5"), 400),
)


def list_optional():
    """The optional fields of a user that do not allow null, and fields within them, by name."""
    top = {name: {name: None} for name in sorted(UserChange.wire_names()) if refuses_null(name)}
    return top | {
        "organizations.email": {"organizations": [ORGANIZATION | {"email": None}]},
        "orgUnits.visible": {"organizations": [ORGANIZATION | {"orgUnits": [UNIT | {"visible": None}]}]},
        "messenger.customProtocol": {
            "messenger": {"protocol": "MSGR_A", "messengerId": "mina", "customProtocol": None}
        },
        "relations.relationName": {"relations": [{"relationUserId": "u-002", "relationName": None}]},
    }


def refuses_null(name):
    try:
        UserChange.from_wire({name: None}, from_json=True)
    except ValueError:
        return True
    return False


REQUIRED = {
    "protocol": {"messenger": {"protocol": None, "messengerId": "mina"}},
    "domainId": {"organizations": [ORGANIZATION | {"domainId": None}]},
    "item": {"aliasEmails": [None]},
    "customFieldId": {"customFields": [{"customFieldId": None}]},
}
edges(
    "api.null-optional",
    **NULLS_OF_OPTIONAL_FIELDS,
    **{name: (call, 400) for name, (call, _) in (NULLS_OF_NOTIFICATIONS | NULLS_OF_REQUIRED_FIELDS).items()},
    **{f"{name} of a user": (patching(**change), (400, 200)) for name, change in list_optional().items()},
    **{f"required {name}": (patching(**change), 400) for name, change in REQUIRED.items()},
)


# -- notifications -------------------------------------------------------------------------------------------
def posting(**request):
    return lambda me: me.http.post(me.facts["webhooks"][0], **request)


def beyond_the_rate(call):
    """A call after all that the minute admits."""

    def send(me):
        fill_the_minute(me)
        return call(me)

    return send


def requesting(method, path=None):
    """A request at a path of the webhooks, or at the webhook's own URL."""
    return lambda me: me.http.request(
        method, me.facts["webhook_url"] + path if path else me.facts["webhooks"][0]
    )


ASTRAY = {
    "unknown": requesting("POST", "/message/none"),
    "longer": requesting("POST", "/message/a/b"),
    "empty": requesting("POST", "/message/"),
    "other": requesting("POST", "/other"),
    "method": requesting("GET"),
}
edges(
    "notification.error-order",
    missing=(posting(json={}), 400),
    missing_beside_a_title=(posting(json={"title": "CI"}), 400),
    invalid=(posting(json={"body": {"text": 5}}), 400),
    of_another_type=(posting(content=b'{"body":{"text":"x"}}', headers={"Content-Type": "text/plain"}), 400),
    rate_alone=(beyond_the_rate(lambda me: me.notify("")), 429),
    missing_and_invalid=(posting(json={"title": 5}), (400,) * 5),
    no_JSON=(posting(content=b"{", headers=JSON), (400,) * 5),
    invalid_beyond_the_rate=(beyond_the_rate(posting(json={"title": 5})), (429, 429, 400, 429, 429)),
    **{name: (call, 400) for name, call in ASTRAY.items()},
    **{
        f"{name} beyond the rate": (beyond_the_rate(call), (400, 429, 400, 400, 400))
        for name, call in ASTRAY.items()
    },
)
edges(
    "notification.other-method",
    **{method: (requesting(method), (400, 405, 404)) for method in ("GET", "PUT", "DELETE", "PATCH")},
    **{path: (requesting("GET", path), 400) for path in ("/message/none", "/message", "/")},
)
edges(
    "notification.mention-form",
    described=(lambda me: me.notify('<m userId="u-003"> and <b>'), 200),
    sign=(lambda me: me.notify("a < b"), 200),
    no_user=(lambda me: me.notify("<m>"), 200),
    another_element=(lambda me: me.notify("<music userId='u-003'>"), 200),
)
