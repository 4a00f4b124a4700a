"""The fake over TCP: starts and stops within a program, streams, keeps its addresses, and breaks as it is told to."""

import asyncio
import re
import socket
import ssl
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from urllib.parse import urlsplit

import anyio
import httpx
import pytest
import trustme

from fakes import FakeService

from ...loopback import PATIENCE, exchange, local_client, open_socket
from ..caller import make


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    authority = trustme.CA()
    issued = authority.issue_cert("127.0.0.1", "localhost")
    folder = tmp_path_factory.mktemp("tls")
    issued.private_key_pem.write_to_path(folder / "key.pem")
    issued.cert_chain_pems[0].write_to_path(folder / "cert.pem")
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return (folder / "cert.pem", folder / "key.pem"), context


@pytest.fixture(params=["tcp", "tls", "uncompiled"])
def served(fake, certificate, request):
    if request.param == "uncompiled":
        request.getfixturevalue("uncompiled")
    with fake.serve(tls=certificate[0] if request.param == "tls" else None) as running:
        yield running


@pytest.fixture
def connect(fake, served, certificate):
    """A function that makes a client."""

    def make():
        headers = {"Authorization": f"Bearer {fake.access_token()}"}
        return local_client(base_url=served.url, headers=headers, verify=certificate[1])

    return make


@pytest.fixture
def http(connect):
    with connect() as client:
        yield client


def rename(http, name="Mina"):
    return http.patch("/api/users/u-001", json={"nickName": name})


def nick_name(fake):
    return fake.directory["u-001"]["nickName"]


def test_facts_lead_to_this_server(fake, served):
    assert served.facts.keys() == fake.facts.keys()
    assert served.facts["base_url"] == f"{served.url}/api"
    assert served.facts["webhooks"][0].startswith(f"{served.url}/hooks/message/")
    assert served.facts["admin_key"] == fake.facts["admin_key"]


def test_upload_and_download_follow_the_addresses_given_out(http, served):
    file = {"fileName": "big", "fileSize": 3_000_000}
    url = http.post("/api/users/u-001/drive/files", json=file, headers={"Host": "evil.example"}).json()[
        "uploadUrl"
    ]
    assert url.startswith(served.url + "/storage/")
    content = bytes(range(250)) * 12_000
    file_id = http.post(url, files={"Filedata": ("big", content)}).json()["fileId"]
    location = http.get(f"/api/users/u-001/drive/files/{file_id}/download").headers["Location"]
    assert location.startswith(served.url)
    assert http.get(location).content == content


def test_clients_in_many_threads_lose_nothing(fake, served, connect):
    def post(number):
        with connect() as client:
            for each in range(10):
                text = f"{number}/{each}"
                assert client.post(served.facts["webhooks"][0], json={"body": {"text": text}}).is_success

    threads = [threading.Thread(target=post, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    texts = {message.text for message in fake.webhooks.messages("channel-1")}
    assert texts == {f"{number}/{each}" for number in range(8) for each in range(10)}


def test_many_receivers_may_call_back_at_the_same_time(fake):
    """Each waits until all have been called, and then makes an admin call of its own."""
    many = 45  # more than the threads that anyio has unless it is told to have more
    together = threading.Barrier(many, timeout=PATIENCE)
    fake.callbacks.timeout = PATIENCE

    with fake.serve() as served, local_client() as client:
        client.headers["Authorization"] = f"Bearer {served.facts['admin_key']}"
        clock = served.facts["admin_url"] + "/clock"

        def receiver(headers, body):
            together.wait()
            return client.get(clock).status_code

        def say():
            message = {"botId": "bot-1", "userId": "u-001", "content": {"type": "text", "text": "hello"}}
            assert client.post(served.facts["admin_url"] + "/messages", json=message).json()["delivered"]

        fake.callbacks.connect("bot-1", receiver)
        with ThreadPoolExecutor(many) as members:
            for said in [members.submit(say) for _ in range(many)]:
                said.result()


def test_it_serves_within_a_running_event_loop(fake):
    async def use():
        with fake.serve() as served:
            async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
                return await client.post(served.facts["webhooks"][0], json={"body": {"text": "hello"}})

    assert asyncio.run(use()).status_code == 200


def test_nothing_is_left_behind(fake):
    before = set(threading.enumerate())
    with fake.serve() as served:
        port = int(served.url.rpartition(":")[2])
        with local_client() as client:
            assert client.get(served.url).status_code == 404
            assert client.get(served.url + "/admin/clock").status_code in (401, 404)
    for thread in set(threading.enumerate()) - before:
        thread.join(PATIENCE)  # those of admin calls end by themselves when the server has
    assert set(threading.enumerate()) <= before
    with socket.socket() as again:
        assert again.connect_ex(("127.0.0.1", port)) != 0
    with pytest.raises(RuntimeError, match="not being served"):
        served.url  # noqa: B018 - a property that raises


def test_a_port_that_is_chosen_is_served_again_and_again(fake):
    with fake.serve() as served:
        port = int(served.url.rpartition(":")[2])
        with pytest.raises(OSError, match="in use"), fake.serve(port):
            pass
    for _ in range(2):
        with fake.serve(port) as again:
            assert again.url == f"http://127.0.0.1:{port}"
            with local_client() as client:
                assert client.get(again.url).status_code == 404


def test_running_fake_is_not_started_twice(fake):
    with fake.serve() as served, pytest.raises(RuntimeError, match="already served"):
        served.__enter__()


def test_ipv6_is_served(fake):
    if not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    with fake.serve(host="::1") as served:
        assert served.url.startswith("http://[::1]:")
        assert httpx.get(served.facts["base_url"], trust_env=False, timeout=PATIENCE).status_code == 401


# TLS


def test_tls_without_its_files_is_said_at_once(fake, tmp_path):
    before = set(threading.enumerate())
    with pytest.raises(FileNotFoundError), fake.serve(tls=(tmp_path / "no.pem", tmp_path / "no.key")):
        pass
    assert set(threading.enumerate()) == before


# Faults, as far as a server can do them

CUT_OFF = (httpx.ReadError, httpx.RemoteProtocolError)  # over TLS, Python takes a TCP reset for an early end
BREAKS = [
    ("connect_error", {}, CUT_OFF, False),
    ("reset", {}, CUT_OFF, False),
    ("reset", {"applied": True}, CUT_OFF, True),
    ("truncate", {"after": 3}, httpx.RemoteProtocolError, True),
    ("read_timeout", {}, httpx.ReadTimeout, False),
    ("read_timeout", {"applied": True}, httpx.ReadTimeout, True),
]


def give_up_soon_after_it_is_taken(fake, request):
    """Let a client lose patience with a response soon after the fake has taken the request."""

    def look(event, info):
        if event.endswith("receive_response_headers.started"):
            while not len(fake.journal):
                threading.Event().wait(0.01)

    request.extensions["trace"] = look
    request.extensions["timeout"]["read"] = 0.05


@pytest.mark.parametrize(("kind", "options", "error", "applied"), BREAKS)
def test_connections_break(fake, http, kind, options, error, applied, caplog):
    getattr(fake.faults, kind)("users.update", **options)
    before = nick_name(fake)
    if kind == "read_timeout":
        http.event_hooks = {"request": [partial(give_up_soon_after_it_is_taken, fake)]}
    with pytest.raises(error):
        rename(http)
    assert (nick_name(fake) == "Mina") is applied
    assert (nick_name(fake) == before) is not applied
    http.event_hooks = {}
    assert rename(http).status_code == 200
    assert [record for record in caplog.records if record.levelname in ("WARNING", "ERROR")] == []


@pytest.mark.usefixtures("either")
def test_reset_is_one_of_tcp(fake):
    fake.faults.reset("users.update")
    with fake.serve() as served, local_client() as client, pytest.raises(httpx.ReadError):
        client.patch(served.facts["base_url"] + "/users/u-001", json={})


def test_refused_connection_reads_nothing_of_the_body(fake, http):
    fake.faults.connect_error("users.update")
    came = []

    def body():
        for _ in range(200):
            came.append(1)
            yield b"x" * 1_000_000

    with pytest.raises((httpx.WriteError, httpx.ReadError, httpx.RemoteProtocolError)):
        http.patch("/api/users/u-001", content=body())
    assert len(came) < 200


def test_delays_and_slow_bodies_move_a_standing_clock_only(fake, http):
    fake.faults.delay("users.update", seconds=30)
    fake.faults.slow("users.update", chunk=100, seconds=60)
    size = len(rename(http).content)
    passed = (fake.clock.now() - make().clock.now()).total_seconds()
    assert passed == 30 + 60 * -(-size // 100)


def test_with_a_running_clock_a_delay_takes_its_time(monkeypatch):
    waits = []
    move_on_after = anyio.move_on_after
    monkeypatch.setattr(anyio, "move_on_after", lambda delay: waits.append(delay) or move_on_after(0))
    fake = FakeService.sample()
    fake.faults.delay("notifications.post", seconds=50)
    fake.faults.slow("notifications.post", chunk=20, seconds=2)
    with fake.serve() as served, local_client() as client:
        response = client.post(served.facts["webhooks"][0], json={"body": {"text": "hello"}})
    assert response.json() == {"code": 200, "description": "success"}
    assert [seconds for seconds in waits if seconds] == [50, *[2] * -(-len(response.content) // 20)]


def test_stopping_does_not_wait_for_a_client_that_waits(fake):
    fake.faults.read_timeout("*")
    failed = []

    def ask(url):
        try:
            httpx.get(url, trust_env=False, timeout=PATIENCE)
        except httpx.TransportError as error:
            failed.append(error)

    with fake.serve() as served:
        thread = threading.Thread(target=ask, args=(served.facts["base_url"] + "/users/u-001",))
        thread.start()
        while not len(fake.journal):
            thread.join(0.01)
    thread.join()
    assert failed


@pytest.mark.usefixtures("either")
def test_stopping_does_not_wait_for_the_rest_of_a_request(fake, monkeypatch, caplog):
    monkeypatch.setattr("fakes.doors.served.PATIENCE", 600)
    with fake.serve() as served:
        client = open_socket(served.url)
        client.sendall(
            b"PATCH /api/users/u-001 HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n"
        )
        assert client.recv(100).startswith(b"HTTP/1.1 100 ")  # it is being read
    with client:
        assert client.recv(100) == b""
    assert not caplog.records
    assert len(fake.journal) == 0


@pytest.mark.usefixtures("either")
def test_unread_response_ends_without_traceback(fake, monkeypatch, caplog):
    monkeypatch.setattr("fakes.doors.served.PATIENCE", 0.05)
    fake.files.list_files()[0].latest.content.write(bytes(50_000_000))
    bearer = f"Authorization: Bearer {fake.access_token()}"
    place = "/api/forms/form-1/responses/response-1/attachments/attachment-1"
    with fake.serve() as served:
        head = exchange(served.url, f"GET {place} HTTP/1.0\r\n{bearer}\r\n\r\n".encode()).decode()
        found = urlsplit(re.search(r"(?i)^location: (\S+)", head, re.MULTILINE)[1])
        client = open_socket(served.url)
        client.sendall(f"GET {found.path}?{found.query} HTTP/1.1\r\nHost: x\r\n{bearer}\r\n\r\n".encode())
        assert client.recv(12) == b"HTTP/1.1 200"
    client.close()
    assert not caplog.records


# Requests that clients seldom make


@pytest.mark.parametrize("at", ["{url}", "HTTP://elsewhere.example:81"])
def test_a_target_in_absolute_form_is_taken(fake, at):
    with fake.serve() as served:
        target = at.format(url=served.url) + "/api/users?x=1"
        response = exchange(
            served.url, f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()
        )
        assert b"UNAUTHORIZED" in response
        assert [entry.url for entry in fake.journal] == [served.url + "/api/users?x=1"]


def test_an_offer_to_upgrade_is_passed_over_in_silence(fake, caplog):
    with fake.serve() as served:
        response = exchange(
            served.url,
            b"GET /api/users HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n",
        )
    assert b"UNAUTHORIZED" in response
    assert not caplog.records


@pytest.mark.usefixtures("either")
def test_what_is_not_a_request_is_logged(fake, caplog):
    with fake.serve() as served, open_socket(served.url) as client:
        client.sendall(b"\x16\x03\x01 no http\r\n\r\n")
        assert client.recv(100).startswith(b"HTTP/1.1 400 ")
    assert [record.getMessage() for record in caplog.records] == ["Invalid HTTP request received."]
