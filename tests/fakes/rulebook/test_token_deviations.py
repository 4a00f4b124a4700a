"""The deviations of the token endpoint: each lets its client pass, and marks responses; off, all is as described."""

import base64
import sys

import jwt
import pytest

from tests.fakes.admin import Admin
from tests.fakes.caller import calling, make
from tests.fakes.deviating import check_marked, deviates, on


def basic(me, secret=None):
    pair = f"{me.facts['client_id']}:{secret or me.facts['client_secret']}"
    return {"Authorization": "Basic " + base64.b64encode(pair.encode()).decode()}


def post_form(me, headers, **form):
    return me.http.post(me.facts["auth_url"] + "/oauth2/v2.0/token", data=form, headers=headers)


@pytest.fixture
def me(request):
    """A client of a fake with the deviation of the class."""
    with calling(on(request.cls.deviation)) as me:
        yield me


class TestClientAuth:
    deviation = "token.client-auth"

    def test_the_form_alone_is_described_and_the_refusal_names_basic(self):
        with calling(make()) as me:
            response = post_form(me, basic(me), grant_type="authorization_code", code=me.code())
            assert (response.status_code, deviates(response)) == (400, "")
            assert "sent as Basic credentials" in response.json()["error_description"]
            reason = response.headers["X-Fake-Reason"]
            assert reason.endswith('; allowed with deviations={"token.client-auth": "form-or-basic"}')
            assert "token.parameters" in me.fake.journal[-1].rules
            assert me.facts["client_secret"] not in repr(me.fake.journal[-1].request_headers)

    def test_basic_is_accepted_to_exchange_and_to_refresh(self, me):
        response = post_form(me, basic(me), grant_type="authorization_code", code=me.code())
        assert response.status_code == 200
        check_marked(me.fake, response, "token.client-auth")
        token = response.json()["refresh_token"]
        response = post_form(me, basic(me), grant_type="refresh_token", refresh_token=token)
        assert response.status_code == 200
        check_marked(me.fake, response, "token.client-auth")

    def test_the_form_is_still_accepted_and_not_marked(self, me):
        response = me.exchange()
        assert (response.status_code, deviates(response)) == (200, "")
        assert "token.parameters" in me.fake.journal[-1].rules

    def test_a_wrong_secret_is_refused(self, me):
        response = post_form(me, basic(me, "wrong"), grant_type="authorization_code", code=me.code())
        assert (response.status_code, response.json()["error"]) == (401, "invalid_client")
        assert response.headers["WWW-Authenticate"].startswith("Basic ")
        check_marked(me.fake, response, "token.client-auth")

    @pytest.mark.parametrize("sent", ["right", "wrong"])
    def test_wrong_secret_in_the_form_is_refused_too(self, me, sent):
        secret = {"right": me.facts["client_secret"]}.get(sent, sent)
        form = {"client_id": me.facts["client_id"], "client_secret": "wrong", "code": me.code()}
        response = post_form(me, basic(me, secret), grant_type="authorization_code", **form)
        assert (response.status_code, response.json()["error"]) == (401, "invalid_client")
        assert response.headers["WWW-Authenticate"].startswith("Basic ")
        check_marked(me.fake, response, "token.client-auth")

    def test_other_refusals_ask_for_no_credentials(self, me):
        assert "WWW-Authenticate" not in me.exchange(me.code(), client_secret="wrong").headers
        me.fake.rules.choose({"token.error-status": "always-401"})
        response = post_form(me, basic(me), grant_type="authorization_code", code="made-up")
        assert (response.status_code, response.json()["error"]) == (401, "invalid_grant")
        assert "WWW-Authenticate" not in response.headers

    @pytest.mark.parametrize("further", [{}, {"client_secret": "wrong"}], ids=["the ID", "ID and secret"])
    def test_two_clients_are_refused(self, me, further):
        client = me.fake.auth.register("https://other.example/callback")
        form = {"grant_type": "authorization_code", "code": me.code(), "client_id": client.client_id}
        response = post_form(me, basic(me), **form, **further)
        assert (response.status_code, response.json()["error"]) == (401, "invalid_client")
        said = response.json()["error_description"]
        assert said == (
            f"the client_id of the form, '{client.client_id}', and that of the Basic credentials, "
            f"'{me.facts['client_id']}', differ; send one client, in one place"
        )
        check_marked(me.fake, response, "token.client-auth")

    def test_the_same_client_may_be_in_both(self, me):
        form = {"grant_type": "authorization_code", "client_id": me.facts["client_id"]}
        response = post_form(me, basic(me), code=me.code(), **form)
        assert response.status_code == 200
        check_marked(me.fake, response, "token.client-auth")
        secret = {"client_secret": me.facts["client_secret"]}
        response = post_form(me, basic(me), code=me.code(), **form, **secret)
        assert (response.status_code, deviates(response)) == (200, "")

    def test_basic_beside_a_whole_form_is_ignored_as_described(self):
        with calling(make()) as me:
            form = {name: me.facts[name] for name in ("client_id", "client_secret")}
            header = {"Authorization": "Basic " + base64.b64encode(b"other:secret").decode()}
            response = post_form(me, header, grant_type="authorization_code", code=me.code(), **form)
            assert (response.status_code, deviates(response)) == (200, "")

    def test_credentials_are_percent_encoded_in_the_header(self, me):
        encoded = me.facts["client_secret"].replace("_", "%5F")
        response = post_form(me, basic(me, encoded), grant_type="authorization_code", code=me.code())
        assert response.status_code == 200

    @pytest.mark.parametrize("sent", ["Basic", "Basic ?", "Basic bm9jb2xvbg==", "Basic /w=="])
    def test_what_cannot_be_read_is_refused(self, me, sent):
        form = {"grant_type": "authorization_code", "code": me.code()}
        response = post_form(me, {"Authorization": sent}, **form)
        assert (response.status_code, response.json()["error"]) == (401, "invalid_client")
        assert "client_id:client_secret" in response.json()["error_description"]

    def test_what_else_is_missing_is_named(self, me):
        response = post_form(me, basic(me), grant_type="authorization_code")
        assert response.json()["error_description"] == "the token request lacks code"
        response = post_form(me, {}, grant_type="authorization_code", code="x")
        assert response.json()["error_description"] == "the token request lacks client_id, client_secret"


class TestRefreshRotation:
    deviation = "token.refresh-rotation"

    def test_each_refresh_returns_the_next_and_uses_up_the_last(self, me):
        first = me.exchange()
        assert deviates(first) == ""
        response = me.refresh(first.json()["refresh_token"])
        check_marked(me.fake, response, "token.refresh-rotation")
        second = response.json()["refresh_token"]
        assert second != first.json()["refresh_token"]
        response = me.refresh(first.json()["refresh_token"])
        assert (response.status_code, response.json()["error"]) == (400, "invalid_grant")
        check_marked(me.fake, response, "token.refresh-rotation")
        me.fake.clock.advance(days=89)
        assert me.refresh(second).status_code == 200
        states = [each["state"] for each in me.fake.records("credentials")]
        assert states.count("used") == 2

    def test_the_access_token_is_valid(self, me):
        tokens = me.refresh(me.exchange().json()["refresh_token"]).json()
        me.take(tokens["access_token"])
        assert me.patch().status_code == 200

    def test_choosing_rotation_later_spares_old_tokens(self):
        with calling(make()) as me:
            token = me.exchange().json()["refresh_token"]
            me.refresh(token)
            me.fake.rules.choose({}, deviations={"token.refresh-rotation": "rotated"})
            assert me.refresh(token).status_code == 200
            assert me.refresh(token).status_code == 400


def test_expires_in_is_text_or_a_number():
    with calling(make()) as me:
        response = me.exchange()
        assert (response.json()["expires_in"], deviates(response)) == ("86400", "")
    with calling(on("token.expires-in")) as me:
        response = me.exchange()
        assert response.json()["expires_in"] == 86400
        check_marked(me.fake, response, "token.expires-in")
        assert me.refresh(response.json()["refresh_token"]).json()["expires_in"] == 86400


class TestIdToken:
    def read(self, me, token):
        """The claims of an ID token, checked with the published keys, and the header."""
        issuer = me.facts["auth_url"]
        published = me.http.get(f"{issuer}/.well-known/openid-configuration")
        check_marked(me.fake, published, "token.id-token")
        assert published.json()["issuer"] == issuer
        assert "revocation_endpoint" not in published.json()
        keys = jwt.PyJWKSet.from_dict(me.http.get(published.json()["jwks_uri"]).json())
        header = jwt.get_unverified_header(token)
        options = {"verify_exp": False, "verify_iat": False}  # by the system's clock
        client = me.facts["client_id"]
        claims = jwt.decode(
            token, keys[header["kid"]], ["RS256"], audience=client, issuer=issuer, options=options
        )
        return claims, header

    def test_there_is_none_as_described(self):
        with calling(make()) as me:
            response = me.exchange(me.code(scope="openid"))
            assert ("id_token" in response.json(), deviates(response)) == (False, "")
            url = f"{me.facts['auth_url']}/.well-known/openid-configuration"
            assert me.http.get(url).status_code == 404

    def test_it_is_signed_with_a_published_key(self):
        with calling(on("token.id-token")) as me:
            response = me.exchange(me.code(scope="openid user", nonce="n-1"))
            check_marked(me.fake, response, "token.id-token")
            token = response.json()["id_token"]
            assert token not in me.fake.journal[-1].response_body
            claims, header = self.read(me, token)
            assert header == {"alg": "RS256", "typ": "JWT", "kid": "fake-key-1"}
            now = int(me.fake.clock.now().timestamp())
            assert claims == {
                "iss": me.facts["auth_url"],
                "sub": "u-001",
                "aud": me.facts["client_id"],
                "iat": now,
                "exp": now + 86400,
                "nonce": "n-1",
            }
            refreshed = me.refresh(response.json()["refresh_token"])
            assert ("id_token" in refreshed.json(), deviates(refreshed)) == (False, "")

    def test_only_the_scope_openid_gets_one_unless_all_do(self):
        with calling(on("token.id-token")) as me:
            response = me.exchange()
            assert ("id_token" in response.json(), deviates(response)) == (False, "")
        with calling(make(deviations={"token.id-token": "always"})) as me:
            response = me.exchange()
            assert deviates(response) == "token.id-token=always"
            assert "nonce" not in jwt.decode(response.json()["id_token"], options={"verify_signature": False})

    def test_a_nonce_is_known_with_it_alone(self):
        for deviations, ignored in (({}, "nonce"), ({"token.id-token": "issued"}, None)):
            with calling(make(deviations=deviations)) as me:
                assert me.authorize(nonce="n-1").headers.get("X-Fake-Ignored") == ignored

    @pytest.mark.parametrize("package", ["jwt", "cryptography"])
    def test_without_the_extra_it_cannot_be_chosen(self, monkeypatch, package):
        monkeypatch.setitem(sys.modules, package, None)
        words = f"the deviation token.id-token needs {package}, of the extra jwt: pip install"
        with pytest.raises(ModuleNotFoundError, match=words):
            on("token.id-token")
        fake = make()
        with pytest.raises(ModuleNotFoundError, match=words):
            fake.rules.choose({}, deviations={"token.id-token": "issued"})
        response = Admin(fake)("PATCH", "/rules", json={"deviations": {"token.id-token": "issued"}})
        assert (response.status_code, words in response.json()["description"]) == (400, True)
        assert not fake.rules.deviations.chosen
