"""Where a served fake has its areas: one origin, or one each; under another path; behind a proxy."""

import json
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from fakes.doors.layout import Layout
from svckit.addresses import locate

from ...loopback import bind, find_five_ports, local_client
from ..caller import bearer

URLS = ("base_url", "auth_url", "upload_url", "webhook_url", "admin_url")
UPLOAD = {"fileName": "a.txt", "fileSize": 5}


def transfer(http, facts):
    """Upload a file by the two steps, and ask for it by the first step of a download."""
    drive = facts["base_url"] + "/users/u-001/drive/files"
    url = http.post(drive, json=UPLOAD).json()["uploadUrl"]
    file_id = http.post(url, files={"Filedata": ("a.txt", b"hello")}).json()["fileId"]
    return url, f"{drive}/{file_id}/download"


def test_each_area_has_an_origin(fake):
    with fake.serve(origins=True) as served, local_client(headers=bearer(fake)) as http:
        origins = {locate(served.facts[name])[0] for name in URLS}
        assert len(origins) == len(URLS)
        assert served.facts["base_url"] == served.url
        upload_url, download = transfer(http, served.facts)
        location = http.get(download).headers["Location"]
        for url in (upload_url, location):
            assert url.startswith(served.facts["upload_url"] + "/")
        assert http.get(location).content == b"hello"
        assert http.get(served.facts["auth_url"] + "/oauth2/v2.0/authorize").status_code == 400
        assert http.post(served.facts["webhooks"][0], json={"body": {"text": "x"}}).status_code == 200
        assert http.get(served.facts["admin_url"] + "/health").json() == {"status": "ok"}
        key = {"Authorization": f"Bearer {served.facts['admin_key']}"}
        assert http.get(served.facts["admin_url"] + "/facts", headers=key).json() == dict(served.facts)


def test_automatic_redirect_fails_between_origins(fake):
    """httpx drops the bearer token on the way to another host, as all clients should."""

    def download(facts, **options):
        with local_client(headers=bearer(fake), follow_redirects=True, **options) as http:
            return http.get(transfer(http, facts)[1]).status_code

    with fake.serve() as one, fake.serve(origins=True) as served:
        assert download(one.facts) == 200
        assert download(served.facts) == 401
    assert download(fake.facts, transport=fake.transport()) == 401


def test_five_ports_follow_each_other_or_none_is_taken(fake):
    first = find_five_ports()
    taken = first + 3
    with bind(taken) as holder:
        holder.listen()
        words = f"port {taken} is in use; the areas need the ports {first} to {first + 4}"
        with pytest.raises(OSError, match=words), fake.serve(first, origins=True):
            pass
    with fake.serve(first, origins=True) as served:
        assert [served.facts[name] for name in URLS] == [
            f"http://127.0.0.1:{port}" for port in range(first, first + 5)
        ]


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"base_path": "/v1.0"}, "/v1.0"),
        ({"base_path": "/api/v1.0/"}, "/api/v1.0"),
        ({"base_path": "/"}, ""),
        ({"base_path": "/v1.0", "origins": True}, "/v1.0"),
        ({"origins": True}, ""),
        ({}, "/api"),
    ],
)
def test_the_resource_api_is_served_under_the_base_path(fake, options, path):
    with fake.serve(**options) as served, local_client(headers=bearer(fake)) as http:
        assert served.facts["base_url"] == served.url + path
        upload_url, download = transfer(http, served.facts)
        assert http.get(download).status_code == 302
        assert upload_url.startswith(served.facts["upload_url"] + "/uploads/")
        assert http.get(served.facts["auth_url"] + "/oauth2/v2.0/authorize").status_code == 400


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"base_path": "v1.0"}, "must start with / and have no query"),
        ({"base_path": "/v1?x"}, "must start with / and have no query"),
        ({"base_path": "//v1"}, "must start with / and have no query"),
        ({"base_path": "/v1/.."}, "must start with / and have no query"),
        ({"base_path": "/.", "origins": True}, "must start with / and have no query"),
        ({"base_path": "/v1%"}, "must start with / and have no query"),
        ({"base_path": "/hooks/v1"}, "below /hooks, which is another area's on one origin"),
        ({"origins": True, "port": 65534}, "the first may be up to 65531; given 65534"),
        ({"cors": ["https://a.example/x"]}, "'https://a.example/x' is not an origin"),
        ({"cors": "https://a.example"}, "is not a list of origins"),
    ],
)
def test_what_cannot_be_served_is_said_at_once(fake, options, said):
    with pytest.raises(ValueError, match=said):
        fake.serve(**options)
    fake.serve(base_path="/hooks/v1", origins=True)  # another origin's


PROXY = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "fake.example:8443", "X-Forwarded-Prefix": "/svc/"}


def upload_url(http, served, **headers):
    response = http.post(served.facts["base_url"] + "/users/u-001/photo", json=UPLOAD, headers=headers)
    return response.json()["uploadUrl"].partition("/uploads/")[0]


@pytest.mark.parametrize(
    ("headers", "base"),
    [
        (PROXY, "https://fake.example:8443/svc"),
        ({"X-Forwarded-Proto": "https", "Host": "fake.example"}, "https://fake.example"),
        ({"X-Forwarded-Host": "fake.example, inner.example"}, "http://fake.example"),
        ({"X-Forwarded-Prefix": "/a/b", "Host": "fake.example"}, "http://fake.example/a/b"),
        (
            {"X-Forwarded-Host": "evil.example/x?", "X-Forwarded-Proto": "gopher", "X-Forwarded-Prefix": "x"},
            None,
        ),
        ({"X-Forwarded-Prefix": "/svc/../.."}, None),
        ({"Host": "fake.example"}, None),
    ],
)
def test_a_proxy_decides_the_urls_if_it_may(fake, headers, base):
    with fake.serve(forwarded=True) as served, local_client(headers=bearer(fake)) as http:
        assert upload_url(http, served, **headers) == (base or served.url) + "/storage"
    with fake.serve() as served, local_client(headers=bearer(fake)) as http:
        assert upload_url(http, served, **headers) == served.url + "/storage"


def test_behind_a_proxy_each_origin_keeps_its_port(fake):
    with fake.serve(forwarded=True, origins=True) as served, local_client(headers=bearer(fake)) as http:
        port = served.facts["upload_url"].rpartition(":")[2]
        assert upload_url(http, served, **PROXY) == f"https://fake.example:{port}/svc"


def test_on_all_interfaces_each_origin_has_the_host_of_the_request(fake):
    with fake.serve(host="0.0.0.0", origins=True) as served, local_client(headers=bearer(fake)) as http:
        port = served.facts["upload_url"].rpartition(":")[2]
        assert upload_url(http, served, Host="machine.example:1") == f"http://machine.example:{port}"


def test_base_urls_of_one_base_are_one_object():
    scope = {"path": "/api", "headers": [(b"host", b"a.example")], "server": None}
    layout = Layout()
    assert layout.find(scope)[1] is layout.find(dict(scope))[1]  # the engine remembers URLs by them


@pytest.mark.usefixtures("either")
def test_absolute_target_decides_issued_addresses(fake):
    headers = {"Host": "other.example", "Content-Type": "application/json", **bearer(fake)}
    with fake.serve(host="0.0.0.0") as served:
        http = HTTPConnection(urlsplit(served.url).netloc)
        http.request("POST", "http://machine.example:99/api/users/u-001/photo", json.dumps(UPLOAD), headers)
        url = json.loads(http.getresponse().read())["uploadUrl"]
        http.close()
    assert url.startswith("http://machine.example:99/storage/")
