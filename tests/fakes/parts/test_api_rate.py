"""The rate of the resource API: none is shown, so none is held to unless it is assumed."""

from ..caller import calling, make, named

RULE = "api.rate-limit"


def rated(figure=3, **options):
    fake = make(assume={RULE: "per-minute"}, **options)
    fake.settings.api_calls_per_minute = figure
    return fake


def statuses(me, calls):
    return [me.patch().status_code for _ in range(calls)]


def almost_exhaust(me):
    """Leave one call of the minute."""
    me.patch()
    snapshot = me.fake.snapshot()
    snapshot["api_rate"]["calls"] = 5999
    me.fake.restore(snapshot)


def test_calls_before_a_figure_was_set_do_not_count():
    with calling(rated(None)) as me:
        assert statuses(me, 3) == [200, 200, 200]
        me.fake.settings.api_calls_per_minute = 2
        assert statuses(me, 3) == [200, 200, 429]


def test_call_beyond_the_limit_gets_a_plain_429():
    with calling(rated()) as me:
        assert statuses(me, 3) == [200, 200, 200]
        refused = me.patch(nickName="Mina")
    assert refused.status_code == 429
    assert refused.json()["code"] == "TOO_MANY_REQUESTS"
    assert not any("rate" in name.lower() or name.lower() == "retry-after" for name in refused.headers)
    assert me.fake.directory["u-001"]["nickName"] != "Mina"


def test_minute_begins_with_the_first_counted_call():
    with calling(rated(1)) as me:
        assert statuses(me, 3) == [200, 429, 429]
        me.fake.clock.advance(seconds=59.5)
        assert me.patch().status_code == 429
        me.fake.clock.advance(seconds=0.5)
        assert statuses(me, 2) == [200, 429]


def test_only_the_resource_api_shares_the_limit():
    with calling(rated(2)) as me:
        url = me.url()
        assert me.set_status().status_code == 200
        assert me.ask().status_code == 429
        assert me.send(url).status_code == 201
        assert me.notify().status_code == 200
        assert me.exchange().status_code == 200


def test_without_a_figure_it_is_6000_a_minute():
    with calling(rated(None)) as me:
        almost_exhaust(me)
        assert statuses(me, 2) == [200, 429]


def test_by_default_what_6000_a_minute_would_refuse_rests_on_that(me):
    almost_exhaust(me)
    responses = [me.patch() for _ in range(3)]
    me.fake.clock.advance(seconds=60)
    responses.append(me.patch())
    assert [response.status_code for response in responses] == [200] * 4
    assert [RULE in named(response) for response in responses] == [False, True, True, False]


def test_the_default_counts_all_calls_without_keeping_any(me):
    for _ in range(3):
        me.patch()
    me.api("GET", "/users/u-001/mail/vipmailfolders")
    assert me.fake.snapshot()["api_rate"]["calls"] == 4


def test_a_call_that_a_bearer_refuses_first_rests_on_no_rate():
    with calling(make(assume={"api.bearer-order": "bearer-first"})) as me:
        almost_exhaust(me)
        me.patch()
        assert RULE in named(me.patch())
        me.bearer = {}
        assert RULE not in named(me.patch())
