"""Everything a client does with the service, with requests: READY is the ready line of `svckit serve`.

Ends at the first thing that goes wrong.
"""

import base64
import hmac
import json
import os
import re
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import ClassVar
from urllib.parse import parse_qs, urlsplit

import requests


class Receiver(BaseHTTPRequestHandler):
    """Takes callbacks, and keeps them."""

    events: ClassVar = []

    def do_POST(self):
        self.events.append((self.headers, self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *message):
        """Keep quiet."""


def main(facts):
    with requests.Session() as http:
        http.trust_env = False
        http.hooks["response"] = lambda answer, **_: answer.raise_for_status()
        bearer = sign_in(http, facts)
        transfer(http, facts, bearer)
        user = f"{facts['base_url']}/users/{facts['user_id']}"
        assert (
            http.patch(user, json={"nickName": "requests"}, headers=bearer).json()["nickName"] == "requests"
        )
        http.post(facts["webhooks"][0], json={"title": "CI", "body": {"text": "from requests"}})
        be_called_back(http, facts)


def sign_in(http, facts):
    """The login page, its form, the code in the redirect, the tokens for the code."""
    authorize, client = facts["auth_url"] + "/oauth2/v2.0/authorize", {"client_id": facts["client_id"]}
    asked = {
        "redirect_uri": facts["redirect_uri"],
        "scope": "user,file",
        "response_type": "code",
        "state": "s-1",
    }
    page = http.get(authorize, params=client | asked).text
    form = {"login_ticket": re.search('name="login_ticket" value="([^"]*)"', page)[1]}
    form |= {"login_id": facts["login_id"], "password": facts["password"]}
    redirect = parse_qs(
        urlsplit(http.post(authorize, data=form, allow_redirects=False).headers["Location"]).query
    )
    assert redirect["state"] == ["s-1"]
    form = client | {"client_secret": facts["client_secret"], "grant_type": "authorization_code"}
    issued = http.post(facts["auth_url"] + "/oauth2/v2.0/token", data=form | {"code": redirect["code"][0]})
    return {"Authorization": f"Bearer {issued.json()['access_token']}"}


def transfer(http, facts, bearer):
    """Upload and download, each in two steps."""
    sent = os.urandom(300_000)
    drive = f"{facts['base_url']}/users/{facts['user_id']}/drive/files"
    file = {"fileName": "sent.bin", "fileSize": len(sent)}
    upload = http.post(drive, json=file, headers=bearer).json()["uploadUrl"]
    file_id = http.post(upload, files={"Filedata": ("sent.bin", sent)}, headers=bearer).json()["fileId"]
    found = http.get(f"{drive}/{file_id}/download", headers=bearer, allow_redirects=False).headers["Location"]
    assert http.get(found, headers=bearer).content == sent


def be_called_back(http, facts):
    """Receive what a member writes to the bot."""
    key = {"Authorization": f"Bearer {facts['admin_key']}"}
    with HTTPServer(("127.0.0.1", 0), Receiver) as server:
        thread = Thread(target=server.handle_request)
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}/callback"
        http.put(f"{facts['admin_url']}/bots/{facts['bot_id']}/callback", json={"url": url}, headers=key)
        message = {"botId": facts["bot_id"], "userId": facts["user_id"]}
        message["content"] = {"type": "text", "text": "to requests"}
        assert http.post(facts["admin_url"] + "/messages", json=message, headers=key).json()["delivered"]
        thread.join()
    headers, body = Receiver.events[0]
    assert json.loads(body)["content"]["text"] == "to requests"
    signature = base64.b64encode(hmac.digest(facts["bot_secret"].encode(), body, "sha256")).decode()
    assert headers["X-SERVICE-Signature"] == signature


if __name__ == "__main__":
    main(json.loads(os.environ["READY"]))
