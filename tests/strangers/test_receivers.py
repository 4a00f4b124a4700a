"""Servers of bots that check the signature of each event in a way of their own."""

import shutil

import pytest

from .clients import reserializing
from .runs import hear, listening, run_node, say

PLACE = {"type": "location", "address": "東京都 1–2", "latitude": 35.0, "longitude": 139.0}
"""A place whose coordinates are whole, and whose name is not ASCII."""
TEXT = {"type": "text", "text": 'é "\\/" \u2028 😀\n'}


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_server_with_body_parser(start):
    running = start()
    with run_node(running.facts["bot_secret"]) as url:
        assert say(running, url, PLACE) == 200
        assert say(running, url, TEXT) == 200
    with run_node("another") as url:
        assert say(running, url, PLACE) == 401


def test_python_server_with_body_parser(start):
    running = start()
    with listening(reserializing.Receiver, secret=running.facts["bot_secret"]) as url:
        assert say(running, url, PLACE) == 200
        assert say(running, url, PLACE | {"latitude": 35.5}) == 200
        assert say(running, url, TEXT) == 200
    with listening(reserializing.Receiver, secret="another") as url:
        assert say(running, url, TEXT) == 401


def test_server_looks_for_its_word(start):
    assert hear(start(header_word="ACME")) == ["hello"]


def test_server_refuses_another_word(start):
    running = start()
    assert hear(running) == []
    delivery = running.fake.callbacks.deliveries[-1]
    assert delivery.status == 401
    assert "X-SERVICE-Signature (the setting header_word)" in delivery.error
    running.administer("PATCH", "/domain", {"headerWord": "ACME"})
    assert hear(running) == ["hello"]


def test_server_refuses_another_secret(start):
    running = start(header_word="ACME")
    running.facts = dict(running.facts, bot_secret="another")
    assert hear(running) == []
