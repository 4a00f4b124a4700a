"""Calls at random that sign in, or change users, such that many meet an assumption, and several meet two at once."""

from hypothesis import strategies as st
from pydantic_core import to_json

from .keys import ask_for_token, assert_for, private_key, public_pem
from .player import some, step


def sign_in(me, changes):
    me.codes.append(me.code(**changes))


def exchange(me, changes, other_client=False):
    code = me.codes[-1] if me.codes else "made-up"
    response = me.exchange(code, **changes, **(another(me) if other_client else {}))
    if response.is_success:
        me.tokens.append(response.json())


def refresh(me, changes, other_client=False):
    token = me.tokens[-1]["refresh_token"] if me.tokens else "made-up"
    response = me.refresh(token, **changes, **(another(me) if other_client else {}))
    if response.is_success:
        me.tokens.append(me.tokens[-1] | response.json())


def send_assertion(me, changes, subject, other_client=False):
    me.fake.auth.register_key(public_pem(private_key()))
    response = ask_for_token(
        me, assert_for(me.fake, sub=subject), **changes, **(another(me) if other_client else {})
    )
    if response.is_success:
        me.tokens.append({"refresh_token": "none"} | response.json())


def another(me):
    other = me.fake.auth.register("https://other.example/callback")
    return {"client_id": other.client_id, "client_secret": other.client_secret}


def take(me, which):
    """Call from now on with a token that was issued."""
    me.bearer = {"Authorization": f"Bearer {me.tokens[which % len(me.tokens)]['access_token']}"}


def become(me, user, scope):
    me.bearer = {"Authorization": f"Bearer {me.fake.access_token(user, scope)}"}


def attempt(me, login, password, changes):
    me.log_in(login(me), password, **changes)


LOGINS = [
    lambda me: me.facts["login_id"].upper(),
    lambda me: me.fake.directory["u-017"]["email"],
    lambda me: me.fake.directory["u-017"]["email"].upper(),
    lambda me: "nobody@example.com",
]
AUTHORIZATION = some(
    scope=["user", "user file", "user,,file", "profile"],
    state=[["s-1", "s-2"], "s-3"],
    domain=["elsewhere", "example"],
    prompt=["login"],
    code_challenge=["v" * 43, "short"],
    code_challenge_method=["plain", "S512"],
)
FLAG = st.booleans()
TOKENS = some(
    client_secret=["wrong"],
    redirect_uri=["https://elsewhere.test/", "http://127.0.0.1:8731/callback"],
    scope=["user", "user,file"],
    domain=["elsewhere"],
    grant_type=["client_credentials", "password"],
    code_verifier=["v" * 43, "w" * 43],
)
SIGNING_IN = st.one_of(
    step(sign_in, changes=AUTHORIZATION),
    step(exchange, changes=TOKENS, other_client=FLAG),
    step(exchange, changes=st.just({})),
    step(refresh, changes=TOKENS, other_client=FLAG),
    step(
        send_assertion,
        changes=some(client_secret=["wrong"], scope=[None, "user"], domain=["elsewhere"]),
        subject=st.sampled_from(["u-002", "u-017", "nobody", "HANA.NAKAMURA.001@example.com"]),
        other_client=FLAG,
    ),
    step(take, which=st.integers(0, 3)),
    step(
        become,
        user=st.sampled_from(["u-001", "u-002", "u-003"]),
        scope=st.sampled_from(["user,file", "user", "file"]),
    ),
    step(
        attempt,
        login=st.sampled_from(LOGINS),
        password=st.sampled_from([None, "wrong"]),
        changes=AUTHORIZATION,
    ),
)

# -- the directory --------------------------------------------------------------------------------------------------


def patch(me, user, change, odd):
    me.api("PATCH", f"/users/{user}{odd.get('query', '')}", **written(change, odd))


def set_status(me, user, change, odd):
    written_status = {"profileStatusId": "BUSY"} | change
    me.api(
        "POST", f"/users/{user}/user-profile-statuses{odd.get('query', '')}", **written(written_status, odd)
    )


def written(change, odd):
    """A JSON body, and what is odd about it."""
    if "key" in odd:
        body = to_json(change)
        body = body[:-1] + (b"," if change else b"") + b'"nickName":"a","nickName":"b"}'
        return {"content": body, "headers": {"Content-Type": odd.get("type", "application/json")}}
    if "type" in odd:
        return {"json": change, "headers": {"Content-Type": odd["type"]}}
    return {"json": change}


ODD = some(query=["?dryRun=true"], type=["text/plain"], key=[True])
USERS = st.sampled_from(
    [
        "u-001",
        "u-002",
        "u-003",
        "u-017",
        "u-001",
        "u-001",
        "me",
        "nobody",
        "externalKey:emp-00002",
        "externalKey:Emp-X",
        "U-2@EXAMPLE.COM",
    ]
)
EMAILS = [
    "new@example.com",
    "NEW@example.com",
    "casino@example.com",
    "Casino.2@example.com",
    "mina",
    "alias@example.com",
]
CHANGES = some(
    nickName=["Mina", "x" * 101],
    locale=["ja_JP", None],
    shoeSize=[38],
    isAdministrator=[True],
    email=EMAILS,
    privateEmail=["mina", "mina@example.com"],
    aliasEmails=[[], ["alias@example.com"], ["Alias@example.com", "alias@example.com"], ["new@example.com"]],
    userExternalKey=["emp-00002", "emp-x", "EMP-X", None],
    telephone=["+81-3", "+81-3 ext. 7", "none"],
    timeZone=["Asia/Tokyo", "Mars/Phobos", "Mars"],
    userName=[
        {"lastName": "Mori"},
        {"phoneticLastName": "サトウ ミナ"},
        {"phoneticFirstName": "ﾐﾅ", "phoneticLastName": "abc"},
        {"lastName": "Mori", "firstName": "Mina", "phoneticLastName": None, "phoneticFirstName": None},
    ],
    birthday=["1990-02-30", "1990-02-28", None],
    birthdayCalendarType=["LUNAR", "SOLAR", None],
    domainId=[7, 10000001],
    activationDate=["2026-06-01T00:00:00+00:00", "2026-06-01T09:00:00+09:00", None],
    customProperties=[
        {"shoeSize": 38},
        {"page": {"text": "a", "link": "https://x.test", "more": 1}},
        {"page": 1},
        {},
    ],
    messenger=[
        {"protocol": "MSGR_C_OLD", "messengerId": "mina"},
        {"protocol": "CUSTOM", "customProtocol": "x", "messengerId": "mina"},
        {"protocol": "MSGR_A", "messengerId": "mina"},
        None,
    ],
    relations=[
        [{"relationUserId": "nobody", "relationName": "Mentor"}],
        [{"relationUserId": "u-001", "relationName": "Self"}],
        [],
    ],
    i18nNames=[[{"language": "ja_JP"}] * 2, []],
    employmentTypeId=["et-1", "et-2"],
    organizations=[[{"domainId": 7, "primary": True}], [{"domainId": 10000001, "primary": True, "shoe": 1}]],
)
TIMES = [
    "2026-06-01T08:00:00+09:00",
    "2026-06-01T09:00:00+09:00",
    "2026-06-01T10:00:00+09:00",
    "2026-06-02T11:00:00+09:00",
    "2026-06-02T02:00:00+00:00",
]
STATUSES = some(
    profileStatusId=["AWAY", "LUNCH"],
    statusMessage=["x", "x" * 51],
    startTime=TIMES,
    endTime=TIMES,
    more=[1],
    autoReplyMail=[
        {"internal": {"content": "away", "more": 1}},
        {"internal": None, "external": {"content": None}},
    ],
)
DIRECTORY = st.one_of(
    step(patch, user=USERS, change=CHANGES, odd=ODD),
    step(patch, user=USERS, change=CHANGES, odd=st.just({})),
    step(set_status, user=USERS, change=STATUSES, odd=ODD),
    step(set_status, user=st.just("u-001"), change=STATUSES, odd=st.just({})),
)
