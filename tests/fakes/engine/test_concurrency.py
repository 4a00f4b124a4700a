"""One fake serves many threads; two updates of one user at once are told apart."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from ..caller import calling, make

THREADS = 8
CALLS = 40


@pytest.mark.parametrize(("form", "status"), [("composed", 409), ("as-sent", 404)])
def test_a_decomposed_key_names_the_same_user_if_texts_are_composed(form, status):
    with calling(make(assume={"text.normalization": form})) as me:
        me.patch("u-002", userExternalKey="\u30ac")
        with me.begin_update("u-002"):
            assert me.patch("externalKey:\u30ab\u3099").status_code == status


def test_update_begun_during_another_is_refused():
    with calling(make()) as me, me.begin_update() as first, me.begin_update() as second:
        first.feed(b"{}")
        second.feed(b"{}")
        assert [first.finish().status, second.finish().status] == [200, 409]


def test_an_update_that_will_be_refused_is_not_in_the_way_of_the_next(me):
    with me.begin_update() as first, me.begin_update() as refused:
        first.feed(b"{}")
        assert first.finish().status == 200
        with me.begin_update() as third:
            third.feed(b"{}")
            assert third.finish().status == 200
        refused.feed(b"{}")
        assert refused.finish().status == 409
    assert me.fake.in_progress == {}


@pytest.mark.parametrize(("alternative", "answer"), [("stays-valid", 409), ("ended", 200)])
def test_a_token_that_ended_when_it_was_refreshed_is_in_nobodys_way(alternative, answer):
    with calling(make(assume={"token.earlier-access": alternative})) as me:
        tokens = me.exchange().json()
        me.take(tokens["access_token"])
        with me.begin_update():
            renewed = me.refresh(tokens["refresh_token"]).json()["access_token"]
            me.take(renewed)
            assert me.patch().status_code == answer


def test_looking_at_a_token_rests_on_no_rule():
    with calling(make()) as me, me.begin_update():
        me.patch()
        assert me.fake.journal[-1].rules == (
            "api.bearer",
            "user.not-concurrent",
            "user.concurrent",
            "api.error-body",
        )


def test_other_users_and_other_operations_are_not_in_the_way():
    with calling(make()) as me, me.begin_update():
        assert me.patch("u-002").status_code == 200
        assert me.set_status().status_code == 200


def test_many_threads_get_right_answers_and_numbers_of_their_own(fake):
    start = Barrier(THREADS)

    def work(number):
        user = f"u-{number + 1:03d}"
        with calling(fake) as me:
            start.wait()
            for count in range(CALLS):
                assert me.patch(user, nickName=f"{user} {count}").json()["nickName"] == f"{user} {count}"
                content = f"{user} {count}".encode()
                assert (
                    me.download(
                        me.upload(f"/users/{user}/drive/files", content)["fileId"],
                        f"/users/{user}/drive/files",
                    ).content
                    == content
                )

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(work, range(THREADS)))
    assert [entry.number for entry in fake.journal] == list(range(1, THREADS * CALLS * 5 + 1))
    assert len({stored.file_id for stored in fake.files.list_files()}) == THREADS * CALLS + 1
    assert fake.in_progress == {}


def test_the_limit_holds_across_threads(fake):

    def work(_):
        with calling(fake) as me:
            return [me.notify().status_code for _ in range(20)]

    with ThreadPoolExecutor(THREADS) as pool:
        responses = [status for statuses in pool.map(work, range(THREADS)) for status in statuses]
    assert sorted(responses) == [200] * 120 + [429] * 40
