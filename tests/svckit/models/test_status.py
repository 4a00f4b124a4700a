"""Profile statuses."""

import pytest
from pydantic import ValidationError

from svckit.models import StatusRegistration, UserProfileStatus

IDS = ["BUSY", "AWAY", "LEAVE_OFFICE", "ABSENCE", *[f"CUSTOM{number:02}" for number in range(1, 13)]]


@pytest.mark.parametrize("status", IDS)
def test_all_sixteen_statuses_are_known(status):
    assert StatusRegistration(profile_status_id=status).to_wire() == {"profileStatusId": status}


@pytest.mark.parametrize(
    ("fields", "fits"),
    [
        ({}, True),
        ({"statusMessage": "x" * 50}, True),
        ({"statusMessage": "x" * 51}, False),
        ({"statusMessage": None, "startTime": None, "endTime": None, "autoReplyMail": None}, True),
        ({"startTime": "2026-06-01T09:00:00"}, False),
        (
            {"autoReplyMail": {"internal": {"content": "x" * 300}, "external": {"sentDirectlyToMe": True}}},
            True,
        ),
        ({"autoReplyMail": {"internal": {"content": "x" * 301}}}, False),
        ({"autoReplyMail": {"internal": None}}, False),
        ({"autoReplyMail": {"external": {"content": None}}}, False),
        ({"autoReplyMail": {"external": {"sentDirectlyToMe": "true"}}}, False),
        ({"profileStatusId": "CUSTOM13"}, False),
        ({"profileStatusId": "CUSTOM1"}, False),
        ({"profileStatusId": None}, False),
    ],
)
def test_limits(fields, fits):
    body = {"profileStatusId": "BUSY", **fields}
    if fits:
        assert StatusRegistration.from_wire(body).to_wire() == body
    else:
        with pytest.raises(ValidationError):
            StatusRegistration.from_wire(body)


def test_the_kind_of_status_is_required():
    with pytest.raises(ValidationError, match="profileStatusId"):
        StatusRegistration.from_wire({})


def test_a_response_adds_what_the_service_writes():
    body = {
        "profileStatusId": "BUSY",
        "userProfileStatusId": "s-1",
        "scheduleType": "PRESENT",
        "iconUrl": "x",
    }
    assert UserProfileStatus.from_wire(body).to_wire() == body
    assert StatusRegistration.from_wire(body).to_wire() == {"profileStatusId": "BUSY"}


def test_an_automatic_reply_goes_to_all_mail_unless_told_otherwise():
    status = StatusRegistration.from_wire({"profileStatusId": "BUSY", "autoReplyMail": {"internal": {}}})
    assert status.auto_reply_mail.internal.sent_directly_to_me is False
