"""The journal: a ring of exchanges in which no secret can be read."""

import json
import pickle
import re
import weakref

import httpx
import pytest

from fakes.http.messages import RequestHead

from ..caller import DRIVE


def test_entry_says_what_was_asked_and_answered(fake, me):
    me.patch(nickName="Mina")
    entry = fake.journal[-1]
    assert (entry.number, entry.operation, entry.method, entry.status) == (1, "users.update", "PATCH", 200)
    assert entry.at == fake.clock.now()
    assert entry.url == fake.facts["base_url"] + "/users/u-001"
    assert json.loads(entry.request_body) == {"nickName": "Mina"}
    assert json.loads(entry.response_body)["nickName"] == "Mina"
    assert "user.partial" in entry.rules
    assert entry.assumed == ()
    assert (entry.path, entry.user_id, entry.record()["userId"]) == ("/users/u-001", "u-001", "u-001")


def test_entry_shows_the_status_or_what_kept_it_from_being_sent(fake, me):
    me.notify()
    fake.faults.reset("notifications.post")
    with pytest.raises(httpx.TransportError):
        me.notify()
    shown = [repr(entry).partition("-> ")[2] for entry in fake.journal]
    assert shown[0].startswith("200 (notifications.post)")
    assert shown[1].startswith(f"{fake.journal[-1].injected} (notifications.post)")
    assert fake.journal[-1].injected


def test_entry_says_which_fields_were_ignored(fake, me):
    organizations = [{"domainId": 10000001, "primary": True, "levelName": "Boss", "x\r\ny": 1}]
    response = me.patch(nickName="Mina", shoeSize=38, isAdministrator=True, organizations=organizations)
    me.patch(nickName="Mina")
    told, nothing = fake.journal
    ignored = ["shoeSize", "isAdministrator", "organizations[0].levelName", "organizations[0].x y"]
    assert response.headers["X-Fake-Ignored"] == ", ".join(ignored)
    assert told.record()["ignored"] == ignored
    assert told.ignored == tuple(ignored)
    assert repr(told).endswith(f"; ignored: {', '.join(ignored)})>")
    assert "shoeSize" in repr(fake.journal)
    assert "shoeSize" in fake.journal._repr_html_()
    assert (nothing.ignored, nothing.record()["ignored"]) == ((), [])


def test_bodies_are_cut_and_contents_left_out(fake, me):
    me.notify("x" * 100_000)
    assert len(fake.journal[-1].request_body) == 64 * 1024
    file_id = me.upload(content=b"canary-content")["fileId"]
    me.download(file_id)
    assert not any("canary-content" in everything(entry) for entry in fake.journal)


def test_content_on_its_way_is_not_kept(fake, me):
    url = me.locate(me.upload(content=b"canary")["fileId"]).headers["Location"]
    headers = [(name.encode(), value.encode()) for name, value in me.bearer.items()]
    with fake.open(RequestHead("GET", url, headers)) as cycle:
        body = weakref.ref(cycle.finish().body)
    del cycle
    assert (fake.journal[-1].status, fake.journal[-1].response_bytes) == (200, None)
    assert body() is None


@pytest.mark.parametrize("size", [0, 5, 200_000])
def test_size_of_a_request_is_that_of_its_whole_body(fake, me, size):
    me.upload(content=b"x" * size)
    upload = fake.journal[-1]
    content = b"{" + b" " * size + b"}"
    me.api("PATCH", "/users/u-001", content=content, headers={"Content-Type": "application/json"})
    assert upload.operation == "storage.receive"
    assert size < upload.request_bytes < size + 500  # the delimiters and headers of the parts
    assert fake.journal[-1].request_bytes == size + 2
    assert fake.journal[-1].record()["requestBytes"] == size + 2


def test_is_indexed_and_sliced_like_a_list(fake, me):
    for _ in range(5):
        me.notify()
    assert fake.journal[-1].number == 5
    assert [entry.number for entry in fake.journal[-3:]] == [3, 4, 5]
    assert [entry.number for entry in fake.journal[::2]] == [1, 3, 5]
    with pytest.raises(IndexError, match=r"^there are only 5 requests$"):
        fake.journal[5]


def everything(entry):
    """All that a reader of an entry can see."""
    names = [name for name in dir(entry) if not name.startswith("_") and name != "record"]
    return "\n".join(
        [repr(entry), json.dumps(entry.record()), *(str(getattr(entry, name)) for name in names)]
    )


def test_no_secret_can_be_read(fake, me):
    """A session that uses every secret there is, and gets some of them wrong on the way."""
    code = me.code()
    me.exchange(code, client_secret="wrong-" + me.facts["client_secret"])
    tokens = me.exchange(code).json()
    renewed = me.refresh(tokens["refresh_token"]).json()
    me.take(renewed["access_token"])
    me.upload()
    me.http.get(me.facts["base_url"] + DRIVE, params={"access_token": tokens["access_token"]})
    me.http.post(me.facts["base_url"] + "/users/u-001", json={"password": me.facts["password"], "x": tokens})
    me.notify()
    me.http.post(me.facts["webhooks"][0] + "/", json={})
    me.http.get(me.facts["webhooks"][0])
    me.http.get(me.facts["admin_url"], headers={"Authorization": f"Bearer {me.facts['admin_key']}"})
    secrets = [code, tokens["access_token"], tokens["refresh_token"], renewed["access_token"]]
    secrets += [me.facts[name] for name in ("client_secret", "password", "admin_key", "bot_secret")]
    secrets += [url.rpartition("/")[2] for url in me.facts["webhooks"]]
    shown = [*map(everything, fake.journal), repr(fake.journal), fake.journal._repr_html_(), repr(fake.facts)]
    for number, text in enumerate(shown):
        assert not [secret for secret in secrets if secret in text], f"text {number} shows a secret"
    assert any("***" in text for text in shown)


def test_entries_are_not_pickled(fake, me):
    me.patch()
    with pytest.raises(TypeError, match=re.escape("use .record()")):
        pickle.dumps(fake.journal[0])


def test_shows_itself_escaped(fake, me):
    me.api("GET", "/<script>")
    assert "404" in repr(fake.journal)
    assert "<script>" not in fake.journal._repr_html_()


def test_repr_has_path_caller_and_assumptions(fake, me):
    me.patch(nickName="Mina")
    me.api(
        "PATCH", "/users/u-001?access_token=at_canary", json={}, headers={"Authorization": "Bearer at_wrong"}
    )
    address = me.api("POST", DRIVE, json={"fileName": "a.txt", "fileSize": 1}).json()["uploadUrl"]
    me.http.post(address, files={"attachment": b"a"}, headers=me.bearer)
    me.notify()
    update, wrong, _, upload, notification = repr(fake.journal).splitlines()[1:]
    assert update.split() == ["1", "200", "PATCH", "users.update", "/users/u-001", "(by", "u-001)"]
    assert "/users/u-001?access_token=***  (assumed: api.unauthorized, api.error-body)" in wrong
    assert "by u-001; assumed: " in upload
    assert "file.part-name" in upload
    assert notification.endswith("notifications.post  /message/***")
    assert len({line.index("  /") for line in repr(fake.journal).splitlines()[1:]}) == 1


@pytest.mark.parametrize(("calls", "title"), [(20, "20 requests"), (21, "21 requests, the latest 20 shown")])
def test_says_that_earlier_exchanges_are_left_out(fake, me, calls, title):
    for _ in range(calls):
        me.notify()
    first, *lines = repr(fake.journal).splitlines()
    assert first == f"<Journal: {title}>"
    assert len(lines) == 20
    assert title in fake.journal._repr_html_()
