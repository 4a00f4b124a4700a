"""The deviations of the file transfer: each lets its client pass, and marks responses; off, all is as described."""

import httpx
import pytest

from tests.fakes.admin import Admin
from tests.fakes.caller import DRIVE, calling, make
from tests.fakes.deviating import check_marked, deviates, on

BOTS = "/bots/bot-1/attachments"


@pytest.fixture
def me(request):
    """A client of a fake with the deviation of the class."""
    with calling(on(request.cls.deviation)) as me:
        yield me


class TestRequest:
    deviation = "file.request"

    def test_missing_size_names_the_deviation(self):
        with calling(make()) as me:
            response = me.api("POST", BOTS, json={"fileName": "a.txt"})
            assert (response.status_code, deviates(response)) == (400, "")
            assert 'deviations={"file.request": "name-only-for-bots"}' in response.headers["X-Fake-Reason"]
            other = me.api("POST", "/users/u-001/drive/files", json={"fileName": "a.txt"})
            assert "deviations" not in other.headers["X-Fake-Reason"]
            both = me.api("POST", BOTS, json={"overwrite": "no"})
            assert "deviations" not in both.headers["X-Fake-Reason"]

    @pytest.mark.parametrize("content", [b"", b"hello", b"x" * 100_000])
    def test_a_bots_attachment_needs_only_a_name(self, me, content):
        response = me.api("POST", BOTS, json={"fileName": "a.txt"})
        assert response.status_code == 200
        check_marked(me.fake, response, "file.request")
        sent = me.send(response.json()["uploadUrl"], content)
        assert (sent.status_code, sent.json()["fileSize"]) == (201, len(content))
        check_marked(me.fake, sent, "file.request")
        assert (
            me.http.get(
                me.api("GET", f"{BOTS}/{sent.json()['fileId']}").headers["Location"], headers=me.bearer
            ).content
            == content
        )

    def test_a_size_that_is_announced_counts(self, me):
        response = me.ask(BOTS, size=4)
        assert deviates(response) == ""
        assert me.send(response.json()["uploadUrl"], b"hello").status_code == 400

    def test_other_places_need_a_size(self, me):
        response = me.api("POST", "/users/u-001/drive/files", json={"fileName": "a.txt"})
        assert (response.status_code, deviates(response)) == (400, "")

    def test_a_name_is_needed(self, me):
        assert "fileName" in me.api("POST", BOTS, json={}).json()["description"]

    def test_it_can_be_resumed(self, me):
        url = me.api("POST", BOTS, json={"fileName": "a.txt"}).json()["uploadUrl"]
        assert me.send(url, b"he", **{"Content-Range": "0-1/5"}).json() == {"offset": 2}
        response = me.send(url, b"llo", **{"Content-Range": "2-4/5"})
        assert (response.status_code, response.json()["fileSize"]) == (201, 5)

    def test_the_total_of_the_first_range_counts(self, me):
        url = me.api("POST", BOTS, json={"fileName": "a.txt"}).json()["uploadUrl"]
        me.send(url, b"he", **{"Content-Range": "0-1/4"})
        refused = me.send(url, b"ll", **{"Content-Range": "2-3/9"})
        assert refused.status_code == 400
        assert "its total must be that of the first range, 4; given 9" in refused.json()["description"]
        sent = me.send(url, b"ll", **{"Content-Range": "2-3/4"})
        assert (sent.status_code, sent.json()["fileSize"]) == (201, 4)

    def test_a_resumed_upload_keeps_its_total(self):
        with calling(on("file.request", "file.step1-offset")) as me:
            wanted = {"fileName": "a.txt", "resume": True}
            first = me.api("POST", BOTS, json=wanted).json()["uploadUrl"]
            me.send(first, b"he", **{"Content-Range": "0-1/4"})
            url = me.api("POST", BOTS, json=wanted).json()["uploadUrl"]
            assert me.send(url, b"ll", **{"Content-Range": "2-3/9"}).status_code == 400
            assert me.send(url, b"ll", **{"Content-Range": "2-3/4"}).status_code == 201

    def test_a_url_from_before_it_was_turned_off_is_refused(self, me):
        url = me.api("POST", BOTS, json={"fileName": "a.txt"}).json()["uploadUrl"]
        me.fake.rules.choose({}, deviations={"file.request": None})
        response = me.send(url)
        assert (response.status_code, deviates(response)) == (400, "")
        assert "without a fileSize" in response.json()["description"]


class TestStep1Id:
    deviation = "file.step1-id"

    def test_the_file_gets_the_id_of_step_1(self, me):
        first, second = me.ask(name="a.txt"), me.ask(name="b.txt")
        check_marked(me.fake, second, "file.step1-id")
        for step in (second, first):
            sent = me.send(step.json()["uploadUrl"])
            assert sent.json()["fileId"] == step.json()["fileId"]
            assert deviates(sent) == ""
            assert me.download(sent.json()["fileId"]).content == b"hello"

    def test_of_a_file_that_is_replaced_it_is_its_own(self, me):
        file_id = me.upload()["fileId"]
        step = me.ask(overwrite=True)
        assert step.json()["fileId"] == file_id
        assert me.send(step.json()["uploadUrl"], b"HELLO").json()["fileId"] == file_id
        step = me.ask(f"/users/u-001/drive/files/{file_id}", name="b.txt")
        assert step.json()["fileId"] == file_id
        assert me.send(step.json()["uploadUrl"], b"world").json()["fileId"] == file_id
        assert me.download(file_id).content == b"world"

    def test_no_other_file_is_put_under_a_promised_id(self, me):
        step = me.ask().json()
        given = {"place": DRIVE, "name": "b.txt", "text": "x", "fileId": step["fileId"]}
        told = Admin(me.fake).refused("POST", "/files", given, status=409)
        assert f"the ID '{step['fileId']}' is promised to an upload" in told
        assert me.send(step["uploadUrl"]).json()["fileId"] == step["fileId"]
        assert me.download(step["fileId"]).content == b"hello"
        assert Admin(me.fake)("POST", "/files", given).status_code == 201

    def test_the_promise_ends_with_its_url(self, me):
        file_id = me.ask().json()["fileId"]
        me.fake.clock.advance(hours=25)
        assert me.fake.files.put("/users/u-002/drive/files", "b.txt", "x", file_id=file_id).name == "b.txt"


class TestStep1Offset:
    deviation = "file.step1-offset"

    def test_resume_is_ignored_as_described(self):
        with calling(make()) as me:
            response = me.ask(resume=True)
            assert (response.json().keys(), deviates(response)) == ({"uploadUrl"}, "")
            assert response.headers["X-Fake-Ignored"] == "resume"

    def test_an_upload_continues_at_the_offset(self, me):
        url = me.url()
        me.send(url, b"he", **{"Content-Range": "0-1/5"})
        response = me.ask(resume=True)
        check_marked(me.fake, response, "file.step1-offset")
        assert response.json()["offset"] == 2
        assert "X-Fake-Ignored" not in response.headers
        sent = me.send(response.json()["uploadUrl"], b"llo", **{"Content-Range": "2-4/5"})
        assert sent.status_code == 201
        check_marked(me.fake, sent, "file.step1-offset")
        assert me.download(sent.json()["fileId"]).content == b"hello"
        used = me.send(url, b"llo", **{"Content-Range": "2-4/5"})
        assert used.status_code == 404
        check_marked(me.fake, used, "file.step1-offset")
        assert me.ask(resume=True).json()["offset"] == 0

    @pytest.mark.parametrize("other", [{"name": "b.txt"}, {"size": 6}, {"path": "/users/u-002/drive/files"}])
    def test_another_upload_starts_at_0(self, me, other):
        me.send(me.url(), b"he", **{"Content-Range": "0-1/5"})
        assert me.ask(**other, resume=True).json()["offset"] == 0

    def test_an_expired_upload_starts_at_0(self, me):
        me.send(me.url(), b"he", **{"Content-Range": "0-1/5"})
        me.fake.clock.advance(hours=24, seconds=1)
        me.become()
        assert me.ask(resume=True).json()["offset"] == 0

    def test_without_resume_nothing_changes(self, me):
        for more in ({}, {"resume": False}):
            response = me.ask(**more)
            assert (response.json().keys(), deviates(response)) == ({"uploadUrl"}, "")

    def test_the_next_range_and_a_wrong_one_rest_on_it_too(self, me):
        me.send(me.url(), b"he", **{"Content-Range": "0-1/5"})
        url = me.ask(resume=True).json()["uploadUrl"]
        for piece, status in (("0-1/5", 400), ("2-3/5", 200)):
            response = me.send(url, b"ll", **{"Content-Range": piece})
            assert response.status_code == status
            check_marked(me.fake, response, "file.step1-offset")
        assert deviates(me.send(me.url(name="b.txt"))) == ""

    def test_resume_is_true_or_false(self, me):
        wrong = me.ask(resume=None)
        assert wrong.json()["description"] == "resume must be true or false; given null"
        check_marked(me.fake, wrong, "file.step1-offset")
        assert me.ask(resume="yes").json()["description"] == 'resume must be true or false; given "yes"'

    def test_the_id_of_step_1_stays_the_same(self):
        with calling(on("file.step1-offset", "file.step1-id")) as me:
            first = me.ask().json()
            me.send(first["uploadUrl"], b"he", **{"Content-Range": "0-1/5"})
            assert me.ask(resume=True).json()["fileId"] == first["fileId"]


def test_an_upload_gets_201_or_200():
    with calling(make()) as me:
        response = me.send(me.url())
        assert (response.status_code, deviates(response)) == (201, "")
        assert "file.stored" in me.fake.journal[-1].rules
    with calling(on("file.stored")) as me:
        response = me.send(me.url())
        assert response.status_code == 200
        check_marked(me.fake, response, "file.stored")


class TestStorageBearer:
    deviation = "file.storage-bearer"

    def test_missing_bearer_names_the_deviation(self):
        with calling(make()) as me:
            location = me.locate(me.upload()["fileId"]).headers["Location"]
            down, up = me.http.get(location), me.http.post(me.url(), files={"Filedata": b"hello"})
            assert "drops the bearer token on the way to another host" in down.json()["description"]
            assert up.json()["description"].endswith("; an upload URL needs it too")
            for response in (down, up):
                assert (response.status_code, deviates(response)) == (401, "")
                assert 'deviations={"file.storage-bearer": "not-needed"}' in response.headers["X-Fake-Reason"]
            wrong = me.http.get(location, headers={"Authorization": "Bearer wrong"})
            assert "another host" not in wrong.json()["description"]

    def test_the_urls_work_without_it(self, me):
        response = me.http.post(me.url(), files={"Filedata": ("a.txt", b"hello")})
        assert response.status_code == 201
        check_marked(me.fake, response, "file.storage-bearer")
        location = me.locate(response.json()["fileId"]).headers["Location"]
        response = me.http.get(location)
        assert (response.status_code, response.content) == (200, b"hello")
        check_marked(me.fake, response, "file.storage-bearer")

    def test_a_client_that_follows_the_redirect_itself_passes(self):
        with (
            calling(on("file.storage-bearer")) as me,
            httpx.Client(transport=me.fake.transport(), follow_redirects=True, trust_env=False) as http,
        ):
            file_id = me.upload()["fileId"]
            url = f"{me.facts['base_url']}/users/u-001/drive/files/{file_id}/download"
            assert http.get(url, headers=me.bearer).content == b"hello"

    def test_a_bearer_that_is_sent_counts(self, me):
        response = me.send(me.url())
        assert (response.status_code, deviates(response)) == (201, "")
        assert "file.bearer" in me.fake.journal[-1].rules
        response = me.http.post(
            me.url(), files={"Filedata": b"hello"}, headers={"Authorization": "Bearer wrong"}
        )
        assert (response.status_code, deviates(response)) == (401, "")

    def test_the_resource_api_still_needs_it(self, me):
        response = me.http.patch(me.facts["base_url"] + "/users/u-001", json={})
        assert (response.status_code, deviates(response)) == (401, "")

    @pytest.mark.parametrize("path", ["/uploads/nope", "/downloads/nope"])
    def test_an_unknown_url_is_not_found(self, me, path):
        method = "POST" if "uploads" in path else "GET"
        response = me.http.request(method, me.facts["upload_url"] + path)
        assert response.status_code == 404
        check_marked(me.fake, response, "file.storage-bearer")

    def test_no_bearer_comes_first_where_none_is_needed(self):
        fake = make(
            deviations={"file.storage-bearer": "not-needed"}, assume={"api.bearer-order": "bearer-first"}
        )
        with calling(fake) as me:
            response = me.http.delete(me.facts["upload_url"] + "/uploads/nope")
            assert response.status_code == 404
            check_marked(me.fake, response, "file.storage-bearer")
