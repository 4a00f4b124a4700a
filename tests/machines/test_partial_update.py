"""The partial update of users: any fields, wrong values, conflicts, forbidden words, and messengers by the date."""

from datetime import date, timedelta
from urllib.parse import quote

from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule, run_state_machine_as_test

from .lockstep import SEARCH, USERS, Lockstep
from .user_fields import EMAILS, FIRST_EMAILS, IGNORED, KEYS, PROPERTIES, RIGHT, WRONG

FORBIDDEN = "casino"
E_MAILS = [pair for pair in RIGHT if pair[0] in ("email", "aliasEmails")]
IDENTIFYING = E_MAILS * 2 + [pair for pair in RIGHT if pair[0] == "userExternalKey"]
FIELDS = st.lists(st.sampled_from(RIGHT), max_size=6).map(dict)
ADDRESSES = [
    *USERS * 10,
    *FIRST_EMAILS,
    *filter(None, EMAILS),
    *(f"externalKey:{key}" for key in KEYS),
    "u-009",
    "nobody@example.com",
]
OLD_MESSENGER = {"protocol": "MSGR_C_OLD", "messengerId": "m"}
MESSENGER_SWITCH, OLD_MESSENGER_END = date(2026, 7, 31), date(2026, 11, 15)
NOT_DEFAULTED = {
    "lastName",
    "firstName",
    "phoneticLastName",
    "phoneticFirstName",
    "customProtocol",
    "team",
    "level",
}
"""Nested fields that are null or absent unless they are sent."""


class PartialUpdate(Lockstep):
    def __init__(self):
        super().__init__()
        self.advanced = False
        self.switch_forbidden_word(True)
        self.both(lambda fake: setattr(fake.settings, "custom_properties", PROPERTIES))
        self.users = {user_id: self.patch(user_id, {}).json() for user_id in USERS}
        self.first_emails = [user["email"] for user in self.users.values()]
        self.link_ids = {user_id: user["email"] for user_id, user in self.users.items()}

    def patch(self, address, body):
        return self.call("PATCH", f"/users/{quote(address, safe='')}", json=body, headers=self.bearer())

    def email(self, email):
        return self.first_emails[email] if isinstance(email, int) else email

    def find(self, address):
        """The user with an id, a login e-mail or an external key."""
        if address in self.users:
            return address
        for user_id, user in self.users.items():
            if (
                address.lower() == user["email"].lower()
                or address == f"externalKey:{user['userExternalKey']}"
            ):
                return user_id
        return None

    @rule(days=st.sampled_from([1, 30, 59, 60, 61, 166, 167]))
    def wait(self, days):
        self.pass_time(timedelta(days=days))

    @rule(on=st.booleans())
    def switch_forbidden_word(self, on):
        self.words = [FORBIDDEN] if on else []
        self.both(lambda fake: setattr(fake.settings, "forbidden_email_words", self.words))

    @rule(on=st.booleans())
    def switch_advanced_plan(self, on):
        self.advanced = on
        self.both(lambda fake: setattr(fake.settings, "advanced_plan", on))

    @rule(
        address=st.sampled_from(ADDRESSES),
        fields=FIELDS,
        ignored=st.lists(st.sampled_from(IGNORED), max_size=1).map(dict),
        wrong=st.just({}) | st.just({}) | st.sampled_from(WRONG).map(lambda pair: dict([pair])),
    )
    def update(self, address, fields, ignored, wrong):
        body = fields | wrong
        if "email" in fields and "email" not in wrong:
            body["email"] = self.email(fields["email"])
        user_id = self.find(self.email(address))
        response = self.patch(self.email(address), body | ignored)
        if user_id is None:
            assert response.status_code == 404
            return
        right = {name: value for name, value in body.items() if name not in wrong}
        refusals = {400} if wrong else set()
        refusals |= {400} if self.breaks_a_rule(user_id, right) else set()
        refusals |= {409} if self.conflicts(user_id, right) else set()
        if refusals:
            assert response.status_code in refusals
            return
        assert response.status_code == 200
        self.change(user_id, body, response.json())

    @rule(
        address=st.sampled_from(ADDRESSES),
        fields=st.lists(st.sampled_from(IDENTIFYING), max_size=2).map(dict),
    )
    def identify_anew(self, address, fields):
        self.update(address, fields, {}, {})

    @rule(user_id=st.sampled_from(USERS))
    def update_old_messenger(self, user_id):
        response = self.patch(user_id, {"messenger": OLD_MESSENGER})
        if self.now.date() >= OLD_MESSENGER_END:
            assert response.status_code == 400
            return
        assert response.status_code == 200
        self.change(user_id, {"messenger": OLD_MESSENGER}, response.json())

    def conflicts(self, user_id, body):
        """Whether another user has the e-mail or the external key."""
        others = [user for each, user in self.users.items() if each != user_id]
        email, key = body.get("email"), body.get("userExternalKey")
        return any(
            (email is not None and email.lower() == other["email"].lower())
            or (key is not None and key == other["userExternalKey"])
            for other in others
        )

    def breaks_a_rule(self, user_id, body):
        """Whether the sub e-mails lose the link ID on the advanced plan, or have no room for the old e-mail."""
        user, link_id = self.users[user_id], self.link_ids[user_id]
        aliases = self.aliases(user, body)
        lost = "aliasEmails" in body and link_id not in [
            *body["aliasEmails"],
            body.get("email"),
            user["email"],
        ]
        return len(aliases) > 10 or (self.advanced and lost)

    def forbidden(self, user, body):
        """Whether the e-mail changes to one with a forbidden word."""
        email = body.get("email", user["email"])
        return email != user["email"] and any(word in email.lower() for word in self.words)

    def aliases(self, user, body):
        """The sub e-mails after a change; an e-mail that gives way to one with a forbidden word is among them."""
        aliases = body.get("aliasEmails", user["aliasEmails"])
        if not self.forbidden(user, body) or user["email"] in aliases:
            return aliases
        return [*aliases, user["email"]]

    def change(self, user_id, body, shown):
        """Hold the response to the model: what was sent is new, and the rest is as it was."""
        user = self.users[user_id]
        expected = user | body | {"aliasEmails": self.aliases(user, body)}
        if body.get("messenger"):
            expected["messenger"] = self.named_by_date(body["messenger"])
        if "employmentTypeId" in body:  # one that the domain does not have, or none
            expected["employmentTypeName"] = None
        assert shown.keys() == user.keys()
        for name, value in shown.items():
            if name in body:
                assert covers(value, expected[name]), name
            else:
                assert value == expected[name], name
        if "email" in body and self.link_ids[user_id] == user["email"] and not self.forbidden(user, body):
            self.link_ids[user_id] = body["email"]
        self.users[user_id] = shown

    def named_by_date(self, messenger):
        """A messenger of the network with two names, by the one that responses have today."""
        if not messenger or messenger["protocol"] not in ("MSGR_C", "MSGR_C_OLD"):
            return messenger
        switched = self.now.date() >= MESSENGER_SWITCH
        return messenger | {"protocol": "MSGR_C" if switched else "MSGR_C_OLD"}

    @invariant()
    def users_are_those_of_the_model(self):
        for user in self.users.values():
            user["messenger"] = self.named_by_date(user["messenger"])
        held = list(self.fake.records("users"))
        assert held == list(self.users.values())

    @invariant()
    def link_ids_are_those_of_the_model(self):
        assert {user_id: self.fake.state.users.link_id(user_id) for user_id in USERS} == self.link_ids


def covers(shown, sent):
    """Whether what is shown is what was sent, with nothing beside it but defaults, nulls and read-only fields."""
    if isinstance(sent, list):
        return len(shown) == len(sent) and all(map(covers, shown, sent))
    if isinstance(sent, dict):
        rest = {value for name, value in shown.items() if name not in sent and name in NOT_DEFAULTED}
        return rest <= {None} and all(covers(shown[name], value) for name, value in sent.items())
    return shown == sent


def test_partial_update():
    run_state_machine_as_test(PartialUpdate, settings=SEARCH)
