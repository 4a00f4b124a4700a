"""A nightly job of a service account that welcomes new people; the hosts of its service are literals."""

import json
import os
import time
import urllib.parse
import urllib.request

import jwt

AUTH = "https://auth.example.com/oauth2/v2.0"
API = "https://www.example.com/v1.0"
GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"


def call(url, data=None, method=None, **headers):
    request = urllib.request.Request(url, data, headers, method=method)
    with urllib.request.urlopen(request) as response:
        return json.loads(response.read() or b"null")


def get_token():
    now = int(time.time())
    claims = {"iss": os.environ["CLIENT_ID"], "sub": os.environ["ACCOUNT"], "iat": now, "exp": now + 1800}
    claims["delegated_user"] = os.environ["DELEGATED_USER"]
    form = {
        "grant_type": GRANT,
        "assertion": jwt.encode(claims, os.environ["PRIVATE_KEY"], "RS256"),
        "client_id": os.environ["CLIENT_ID"],
        "client_secret": os.environ["CLIENT_SECRET"],
        "scope": "user bot",
    }
    return call(f"{AUTH}/token", urllib.parse.urlencode(form).encode())["access_token"]


class Service:
    def __init__(self, token):
        self.bearer = {"Authorization": f"Bearer {token}"}

    def get(self, path):
        return call(API + path, **self.bearer)

    def send(self, path, body, method="POST"):
        headers = self.bearer | {"Content-Type": "application/json"}
        return call(API + path, json.dumps(body).encode(), method, **headers)

    def list_people(self):
        cursor = ""
        while cursor is not None:
            query = urllib.parse.urlencode({"count": 2} | ({"cursor": cursor} if cursor else {}))
            page = self.get(f"/users?{query}")
            yield from page["users"]
            cursor = page["responseMetaData"]["nextCursor"]


def welcome_newcomers(service):
    print("as", service.get("/users/me")["email"])
    for person in [person for person in service.list_people() if not person.get("nickName")]:
        user_id = person["userId"]
        service.send(f"/users/{user_id}", {"nickName": "newcomer"}, "PATCH")
        print(user_id, service.get(f"/users/{user_id}")["nickName"])
        welcome = {"content": {"type": "text", "text": f"Welcome, {user_id}!"}}
        service.send(f"/bots/{os.environ['BOT_ID']}/users/{user_id}/messages", welcome)


if __name__ == "__main__":
    welcome_newcomers(Service(get_token()))
