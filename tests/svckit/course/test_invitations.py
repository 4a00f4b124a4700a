"""Links to a class: how a learner gives one, and what is said of one that leads nowhere."""

import os

import pytest

from fakes import Worlds
from svckit.course import invitations
from svckit.course.invitations import invite
from svckit.course.trainer import Classroom
from svckit.models.secret import Secret

from .test_submissions import run


def test_the_link_is_asked_for_as_other_secrets_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SVCKIT_INVITATION", raising=False)
    opened = run("open", "00", "--class")
    assert (opened.exit_code, "set SVCKIT_INVITATION to the link" in opened.output) == (1, True)
    monkeypatch.setattr(invitations, "is_somebody_there", lambda: True)
    monkeypatch.setattr(invitations, "ask", lambda question: Secret("http://127.0.0.1:9/admin#ada:typed"))
    assert invitations.ask_for_link().endswith("#ada:typed")
    monkeypatch.setenv("SVCKIT_INVITATION", "http://127.0.0.1:9/admin#ada:key")
    assert invitations.ask_for_link().endswith("#ada:key")
    assert "SVCKIT_INVITATION" not in os.environ  # which the programs of the learner would have too


def test_invitations_that_lead_nowhere_say_so(
    worlds: Worlds, room: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    for link in ("http://127.0.0.1:9/admin#ada:key", invite(room._call, "ada")[:-1], "lesson 00"):
        monkeypatch.setenv("SVCKIT_INVITATION", link)
        opened = run("open", "00", "--class")
        assert opened.exit_code == 1
        assert "ask your trainer" in opened.output
    refused = run("invite", "Ada Lovelace")
    assert (refused.exit_code, "lower-case letters" in refused.output) == (1, True)
