"""Users and their profile statuses: the partial update, link IDs, conflicts, and statuses by the clock."""

from datetime import date, datetime
from typing import Any

from .expecting import (
    NOT_FOUND,
    UNAUTHORIZED,
    Anything,
    Covering,
    Expected,
    Matching,
    Naming,
    Outcome,
    invalid,
    refusal,
)
from .fields import STATUS, STATUS_IDS, USER, fits_property, is_day, wrong_fields

State = dict[str, Any]

SWITCH, END = date(2026, 7, 31), date(2026, 11, 15)
"""The days from which responses use the new name of the messenger's network, and requests must."""
FOLLOWING = {
    "employmentTypeId": ("employmentTypeExternalKey", "employmentTypeName"),
    "userTypeId": ("userTypeExternalKey", "userTypeName", "userTypeCode"),
}
"""The read-only fields that follow an ID."""
COMPLETED = ("userName", "i18nNames", "organizations", "customFields", "relations")
"""The fields whose objects a response completes."""


def is_signed_in(state: State, token: str | None) -> bool:
    found = state["access"].get(token)
    return found is not None and state["now"] < found["ends"]


def find_user(state: State, address: str) -> str | None:
    """The user with an ID, a login e-mail in any case, or an external key."""
    if address in state["users"]:
        return address
    kind, colon, key = address.partition(":")
    for user_id, user in state["users"].items():
        if kind == "externalKey" and colon:
            if user["userExternalKey"] == key:
                return user_id
        elif "@" in address and user["email"].lower() == address.lower():
            return user_id
    return None


def update(state: State, op: dict[str, Any]) -> Outcome:
    if not is_signed_in(state, op["token"]):
        return UNAUTHORIZED
    user_id, sent = find_user(state, op["user"]), op["body"]
    if user_id is None:
        return NOT_FOUND
    if not isinstance(sent, dict) or op.get("type", "application/json") != "application/json":
        return invalid()
    sent = {name: value for name, value in sent.items() if name in USER}
    wrong = wrong_fields(sent, USER)
    right = {name: value for name, value in sent.items() if name not in wrong}
    aliases, link_id = follow_email(state, user_id, right)
    wrong |= find_domain_problems(state, user_id, right, aliases)
    if wrong:
        return invalid(*sorted(wrong))
    taken = find_taken(state, user_id, sent)
    if taken is not None:
        return refusal(409, "CONFLICT", taken)
    change(state, user_id, sent, aliases, link_id)
    return Expected(200, show(state, user_id), learn=lambda _, shown: note(state, user_id, shown))


def find_domain_problems(state: State, user_id: str, sent: dict[str, Any], aliases: list[str]) -> set[str]:
    """The fields that break a rule or setting of the domain."""
    user, settings, wrong = state["users"][user_id], state["settings"], set()
    if sent.get("domainId", user["domainId"]) != user["domainId"]:
        wrong.add("domainId")
    defined = {each["name"]: each for each in settings["customProperties"]}
    for name, value in sent.get("customProperties", {}).items():
        if name not in defined or not fits_property(value, defined[name]):
            wrong.add("customProperties")
    birthday, calendar = (sent.get(name, user[name]) for name in ("birthday", "birthdayCalendarType"))
    if birthday is not None and not is_day(birthday) and calendar != "LUNAR":
        wrong.add("birthday" if "birthday" in sent else "birthdayCalendarType")
    if (sent.get("messenger") or {}).get("protocol") == "MSGR_C_OLD" and state["now"].date() >= END:
        wrong.add("messenger")
    if len(aliases) > 10:
        wrong.add("email")
    link_id = state["link_ids"].get(user_id)
    if settings["advancedPlan"] and "aliasEmails" in sent and link_id is not None:
        kept = [*sent["aliasEmails"], sent.get("email", user["email"]), user["email"]]
        if follow_email(state, user_id, sent)[1].lower() not in [each.lower() for each in kept]:
            wrong.add("aliasEmails")
    return wrong


def find_taken(state: State, user_id: str, sent: dict[str, Any]) -> str | None:
    """The field whose value another user has: an e-mail in any case, or the external key."""
    others = [other for each, other in state["users"].items() if each != user_id]
    email, key = sent.get("email"), sent.get("userExternalKey")
    if email is not None and email.lower() in [other["email"].lower() for other in others]:
        return "email"
    return (
        "userExternalKey"
        if key is not None and key in [other["userExternalKey"] for other in others]
        else None
    )


def follow_email(state: State, user_id: str, sent: dict[str, Any]) -> tuple[list[str], str]:
    """The sub e-mails and the link ID after a change."""
    user = state["users"][user_id]
    old, aliases = user["email"], list(sent.get("aliasEmails", user["aliasEmails"]))
    new, link_id = sent.get("email", old), state["link_ids"].get(user_id, old)
    if new == old:
        return aliases, link_id
    words = state["settings"]["forbiddenEmailWords"]
    forbidden = new.lower() != old.lower() and any(word.lower() in new.lower() for word in words)
    if forbidden and old.lower() not in [each.lower() for each in aliases]:
        aliases.append(old)
    if link_id == old and not forbidden:
        link_id = new
    return aliases, link_id


def change(state: State, user_id: str, sent: dict[str, Any], aliases: list[str], link_id: str) -> None:
    """Store what was sent; read-only names beside a new ID are left open until a response shows them."""
    user = state["users"][user_id]
    stored = dict(sent)
    for name, following in FOLLOWING.items():
        if name in sent:
            stored |= dict.fromkeys(following, Anything())
    for name in COMPLETED:
        if name in sent:
            stored[name] = Covering(sent[name])
    if (sent.get("messenger") or {}).get("protocol") == "MSGR_C_OLD":
        stored["messenger"] = sent["messenger"] | {"protocol": "MSGR_C"}
    if sent.get("activationDate"):
        stored["activationDate"] = write_time(sent["activationDate"])
    stored["aliasEmails"] = aliases
    state["users"][user_id] = user | stored
    state["link_ids"].pop(user_id, None)
    if link_id != stored.get("email", user["email"]):
        state["link_ids"][user_id] = link_id


def show(state: State, user_id: str) -> dict[str, Any]:
    """A user as a response has it today."""
    user = state["users"][user_id]
    if (user["messenger"] or {}).get("protocol") == "MSGR_C" and state["now"].date() < SWITCH:
        return user | {"messenger": user["messenger"] | {"protocol": "MSGR_C_OLD"}}
    return user


def note(state: State, user_id: str, shown: dict[str, Any]) -> None:
    """Keep a user as a response has shown it."""
    if (shown["messenger"] or {}).get("protocol") == "MSGR_C_OLD":
        shown = shown | {"messenger": shown["messenger"] | {"protocol": "MSGR_C"}}
    state["users"][user_id] = shown


def write_time(text: str) -> str:
    """A time as responses have it: an offset of zero is Z."""
    return text[:-6] + "Z" if text.endswith(("+00:00", "-00:00")) else text


def read_user(state: State, op: dict[str, Any]) -> Outcome:
    """What the administrator sees of a user: the record, and what is beyond it."""
    user_id = op["user"]
    user = state["users"][user_id]
    body = {
        "userId": user_id,
        "loginId": user["email"],
        "password": state["passwords"][user_id],
        "linkId": state["link_ids"].get(user_id, user["email"]),
        "statuses": list_statuses(state, user_id),
        "record": user,  # as stored: responses show some fields as they were until their day
    }
    return Expected(200, body)


# -- profile statuses -------------------------------------------------------------------------------------------


def register(state: State, op: dict[str, Any]) -> Outcome:
    if not is_signed_in(state, op["token"]):
        return UNAUTHORIZED
    user_id = find_user(state, op["user"])
    return NOT_FOUND if user_id is None else register_for(state, user_id, op["body"])


def register_for(state: State, user_id: str, sent: dict[str, Any]) -> Outcome:
    now = state["now"]
    status_id = sent.get("profileStatusId", ...)
    if status_id is not ... and status_id not in STATUS_IDS:
        return refuse_status("Not used status.")
    wrong = wrong_fields(sent, STATUS, ("profileStatusId",))
    if wrong:
        return invalid(*sorted(wrong))
    start, end = (sent.get(name) and datetime.fromisoformat(sent[name]) for name in ("startTime", "endTime"))
    reserved = bool(start and start > now)
    if (start and end and end <= start) or (reserved and not end) or (end and end <= now):
        return invalid("endTime")
    if not state["settings"]["profileStatusEnabled"]:
        return refuse_status("The status must be enable.")
    schedule = "RESERVED" if reserved else "PRESENT"
    status = {
        "userProfileStatusId": Matching(r"(?P<status>.+)"),
        "profileStatusId": status_id,
        "profileStatusName": Naming(),
        "iconUrl": Matching("https://.+"),
        "scheduleType": schedule,
        "statusMessage": sent.get("statusMessage"),
        "startTime": sent.get("startTime") and write_time(sent["startTime"]),
        "endTime": sent.get("endTime") and write_time(sent["endTime"]),
        "autoReplyMail": complete_replies(sent.get("autoReplyMail")),
    }
    settle(state, user_id)[schedule] = status

    def learn(_: dict[str, str], shown: dict[str, Any]) -> None:
        known = [
            each["userProfileStatusId"] for slots in state["statuses"].values() for each in slots.values()
        ]
        assert shown["userProfileStatusId"] not in known, "the ID of a status is not new"
        state["statuses"][user_id][schedule] = shown

    return Expected(200, status, learn=learn)


def refuse_status(message: str) -> Expected:
    return Expected(400, {"code": "INVALID_PARAMETER", "description": message})


def complete_replies(sent: dict[str, Any] | None) -> dict[str, Any] | None:
    return sent and {side: {"sentDirectlyToMe": False} | reply for side, reply in sent.items()}


def settle(state: State, user_id: str) -> dict[str, Any]:
    """The statuses of a user now: a reserved one that has started is the current one, one that has ended is gone."""
    slots, now = state["statuses"].setdefault(user_id, {}), state["now"]
    if "RESERVED" in slots and datetime.fromisoformat(slots["RESERVED"]["startTime"]) <= now:
        slots["PRESENT"] = slots.pop("RESERVED") | {"scheduleType": "PRESENT"}
    end = slots.get("PRESENT", {}).get("endTime")
    if end and datetime.fromisoformat(end) <= now:
        del slots["PRESENT"]
    return slots


def list_statuses(state: State, user_id: str) -> list[dict[str, Any]]:
    slots = settle(state, user_id)
    return [slots[schedule] for schedule in ("PRESENT", "RESERVED") if schedule in slots]
