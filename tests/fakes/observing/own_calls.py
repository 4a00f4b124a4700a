"""Calls of an application that show deviations, and a rule whose scenario alone shows nothing to others."""

from base64 import b64encode

BOTS = "/bots/bot-1/attachments"


def send_client_as_basic(me):
    credentials = f"{me.facts['client_id']}:{me.facts['client_secret']}"
    headers = {"Authorization": "Basic " + b64encode(credentials.encode()).decode()}
    url = me.facts["auth_url"] + "/oauth2/v2.0/token"
    me.http.post(url, data={"grant_type": "authorization_code", "code": me.code()}, headers=headers)


def refresh_with_each_new_token(me):
    token = me.exchange().json()["refresh_token"]
    for _ in range(2):
        token = me.refresh(token).json().get("refresh_token", token)


def announce_a_name_alone(me):
    url = me.api("POST", BOTS, json={"fileName": "a.txt"}).json()["uploadUrl"]
    me.send(url)


def begin_again(me):
    me.send(me.url(), b"he", **{"Content-Range": "0-1/5"})
    me.ask(resume=True)


def drop_the_bearer(me):
    url, location = me.url(), me.locate(me.upload()["fileId"]).headers["Location"]
    me.bearer = {}
    me.send(url), me.fetch(location)


def come_back_after_a_day(me):
    me.patch()
    me.fake.clock.advance(hours=25)
    me.patch()


OWN_CALLS = {
    "api.unauthorized": come_back_after_a_day,
    "token.client-auth": send_client_as_basic,
    "token.refresh-rotation": refresh_with_each_new_token,
    "token.expires-in": lambda me: me.exchange(),
    "token.id-token": lambda me: me.exchange(),
    "file.request": announce_a_name_alone,
    "file.step1-id": lambda me: me.ask(),
    "file.step1-offset": begin_again,
    "file.stored": lambda me: me.upload(),
    "file.storage-bearer": drop_the_bearer,
}
