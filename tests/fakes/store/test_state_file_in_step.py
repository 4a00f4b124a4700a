"""The state file in step with its fake, through anything a client or an administrator may do, and any kill."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from fakes import FakeService
from fakes.parts.domain import Beginning
from fakes.persistence import NotSaved
from fakes.store.state_file import StateFile

from ..caller import NOW, Caller
from ..refusing import found, refusing

BEGINNING = Beginning(users=20, seed=0, now=NOW)
TOTAL = 300_000
LATER = {"startTime": "2026-12-01T09:00:00+09:00", "endTime": "2026-12-02T09:00:00+09:00"}


class KeptFake(RuleBasedStateMachine):
    """A fake with a state file; a kill is the file closed without a last commit."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.earlier = []
        self.unfinished = []
        self.me = None

    @initialize()
    def begin(self):
        self.file = StateFile(Path(self.folder.name) / "fake.db")
        self.fake = FakeService.sample(*BEGINNING)
        self.file.attach(self.fake, BEGINNING)

    def sign_in(self):
        if self.me is not None:
            self.me.http.close()
        self.me = Caller(self.fake)

    @rule(user=st.integers(1, 5), name=st.sampled_from(["Mina", "Hana", None]))
    def rename(self, user, name):
        self.sign_in()
        self.me.patch(f"u-00{user}", nickName=name, email=f"user{user}.{name}@example.com")

    @rule(allowed=st.integers(0, 9), user=st.integers(1, 5), overwrite=st.booleans(), old=st.booleans())
    def be_refused(self, allowed, user, overwrite, old):
        """Half-way, at any of the assumptions that a call rests on."""
        self.sign_in()
        url = self.me.url(name="a.txt", overwrite=overwrite)
        if old:
            self.fake.clock.advance(days=3)
            self.sign_in()
        for call in (
            self.me.exchange,
            lambda: self.me.patch(
                f"u-00{user}", email=f"{user}@example.com", aliasEmails=["a@b.example"], more=1
            ),
            lambda: self.me.send(url, name="b.txt"),
            self.me.ask,
            lambda: self.me.notify('<m userId = "u-002">'),
            lambda: self.me.set_status(f"u-00{user}"),
        ):
            with refusing(self.fake, self.me.http, allowed):
                call()

    @rule(user=st.sampled_from(["alice", "bob"]), email=st.sampled_from(["own@company.example", None]))
    def add_own_user(self, user, email):
        snapshot = self.fake.snapshot()
        record = self.fake.directory["u-005"] | {"userId": user, "aliasEmails": [], "userExternalKey": user}
        snapshot["directory"]["users"]["changed"][user] = record | {
            "email": email or f"{user}@company.example"
        }
        self.fake.restore(snapshot)
        self.sign_in()
        self.me.patch(user, nickName="Own")

    @rule(fault=st.sampled_from(["status", "reset", "delay"]))
    def break_down(self, fault):
        self.sign_in()
        options = {"status": {"status": 503}, "reset": {"applied": True}, "delay": {"seconds": 90.0}}[fault]
        getattr(self.fake.faults, fault)("users.update", **options)
        with suppress(httpx.ReadError):
            self.me.patch("u-002", nickName=fault)

    @rule()
    def fail_to_commit(self):
        self.file._database._file.execute("PRAGMA query_only = ON")
        self.sign_in()
        with pytest.raises(NotSaved):
            self.file.commit()
        self.file._database._file.execute("PRAGMA query_only = OFF")

    @rule(user=st.integers(1, 3), times=st.sampled_from([{}, LATER]))
    def set_status(self, user, times):
        self.sign_in()
        self.me.set_status(f"u-00{user}", **times)

    @rule(size=st.sampled_from([0, 1, 70_000, 200_000]), overwrite=st.booleans())
    def upload(self, size, overwrite):
        self.sign_in()
        stored = self.me.upload(content=os.urandom(size), overwrite=overwrite)
        self.me.download(stored["fileId"])

    @rule()
    def begin_upload(self):
        self.sign_in()
        self.unfinished.append((self.me.url(size=TOTAL), 0))

    @precondition(lambda self: self.unfinished)
    @rule(size=st.sampled_from([1, 64 * 1024, 70_000, TOTAL]))
    def go_on_with_upload(self, size):
        self.sign_in()
        url, start = self.unfinished.pop()
        end = min(start + size, TOTAL)
        headers = {"Content-Range": f"{start}-{end - 1}/{TOTAL}"}
        if self.me.send(url, os.urandom(end - start), **headers).is_success and end < TOTAL:
            self.unfinished.append((url, end))

    @rule(seconds=st.sampled_from([1, 61, 86_400, 20 * 86_400]))
    def advance(self, seconds):
        self.fake.clock.advance(seconds=seconds)

    @rule(text=st.text(max_size=5))
    def notify(self, text):
        self.sign_in()
        self.me.notify(text)

    @rule()
    def exchange(self):
        self.sign_in()
        self.me.authorize()
        token = self.me.exchange().json()
        if "refresh_token" in token:
            self.me.refresh(token["refresh_token"])

    @rule()
    def say(self):
        self.fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": "hello"})

    @rule(receiver=st.sampled_from(["http://127.0.0.1:9/callback", None]))
    def connect(self, receiver):
        self.fake.callbacks.connect("bot-1", receiver)
        self.fake.callbacks.timeout = 5

    @rule(word=st.sampled_from(["spam", "Mina"]))
    def set_up(self, word):
        self.fake.webhooks.invite_bot(f"room/{word}")
        if len(self.fake.webhooks.all()) < 5:
            self.fake.webhooks.add(word, f"room/{word}")
        self.fake.faults.drop_callback("bot-1", times=2)
        self.fake.settings.forbidden_email_words = [word]
        self.fake.callbacks.client_versions["u-002"] = "2.2"

    @rule()
    def take_snapshot(self):
        self.earlier.append(self.fake.snapshot())

    @precondition(lambda self: self.earlier)
    @rule()
    def restore(self):
        self.fake.restore(self.earlier.pop())

    @rule()
    def reset(self):
        self.fake.reset()

    @rule()
    def commit(self):
        self.file.commit()
        before = self.file._database._file.total_changes
        self.file.commit()
        assert self.file._database._file.total_changes == before

    @rule()
    def kill(self):
        """What was committed is there again, and nothing that was not."""
        self.file.commit()
        expected, receiver = self.fake.snapshot(), repr(self.fake.callbacks.bot("bot-1").receiver)
        self.fake.access_token()
        self.fake.files.seed(("drive", "u-001"), "lost", "lost.txt", "text/plain", b"lost")
        self.file._database._file.close()
        self.begin()
        assert self.fake.snapshot() == expected
        assert found(self.fake) == found(self.fake.fork())
        assert repr(self.fake.callbacks.bot("bot-1").receiver) == receiver

    def teardown(self):
        self.kill()
        if self.me is not None:
            self.me.http.close()
        self.file.close()
        self.folder.cleanup()


SEARCH = settings(
    derandomize=True, max_examples=25, stateful_step_count=30, database=None, report_multiple_bugs=False
)


def test_any_sequence():
    run_state_machine_as_test(KeptFake, settings=SEARCH)


@pytest.mark.long
def test_more_sequences():
    run_state_machine_as_test(KeptFake, settings=settings(SEARCH, max_examples=150))
