"""What the codes and tokens of a user who is not active are good for, which the description does not show."""

from ..caller import calling, make

INACTIVE = "u-017"
RULE = "token.inactive-user"


def issued(fake, user_id=INACTIVE):
    return fake.state.tokens.issue(user_id, fake.facts["client_id"], "user,file")


def test_a_code_that_is_refused_is_not_used_up():
    fake = make(assume={"auth.inactive-user": "let-in", RULE: "refused"})
    with calling(fake) as me:
        email = fake.directory[INACTIVE]["email"]
        code = (
            me.log_in(email, fake.auth.password(INACTIVE)).headers["Location"].split("code=")[1].split("&")[0]
        )
        assert me.exchange(code).json()["error"] == "invalid_grant"
        fake.rules.choose({RULE: "valid"})
        assert me.exchange(code).status_code == 200


def test_the_list_of_credentials_says_that_they_no_longer_work():
    fake = make(assume={RULE: "refused"})
    issued(fake)
    issued(fake, "u-002")
    states = {(each["userId"], each["credential"]): each["state"] for each in fake.state.tokens.records()}
    assert states == {
        (INACTIVE, "access token"): "expired",
        (INACTIVE, "refresh token"): "expired",
        ("u-002", "access token"): "valid",
        ("u-002", "refresh token"): "valid",
    }


def test_a_restored_directory_decides_who_is_active():
    fake, other = make(assume={RULE: "refused"}), make(assume={RULE: "refused"})
    with calling(fake, "u-002") as me:
        assert me.patch().status_code == 200
        snapshot = fake.snapshot()
        snapshot["directory"]["users"]["changed"]["u-002"] = fake.directory["u-002"] | {"isPending": True}
        fake.restore(snapshot)
        assert me.patch().status_code == 401
        fake.restore(other.snapshot() | {"tokens": snapshot["tokens"]})
        assert me.patch().status_code == 200


def test_content_of_a_suspended_user_is_refused_before_it_comes(fake):
    with calling(fake, INACTIVE) as me:
        url = me.url()
        fake.rules.choose({RULE: "refused"})
        assert me.send(url).status_code == 401
