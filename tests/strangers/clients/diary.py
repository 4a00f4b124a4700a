"""A script of the standard library that works through a day; the hosts of its service are literals."""

import json
import os
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

AUTH = "https://auth.example.com/oauth2/v2.0"
API = "https://www.example.com/v1.0"
CLIENT = {name: os.environ.get(name.upper(), "") for name in ("client_id", "client_secret")}


class Unfollowed(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_arguments):
        return None


def locate(url, headers):
    """Return where a URL redirects to."""
    try:
        urllib.request.build_opener(Unfollowed).open(urllib.request.Request(url, headers=headers))
    except urllib.error.HTTPError as redirected:
        return redirected.headers["Location"]
    raise ValueError("no redirect")


def call(url, data=None, method=None, **headers):
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)) as response:
        return response.read()


def send(url, body, token=None, method="POST"):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return json.loads(
        call(url, json.dumps(body).encode(), method, Content_Type="application/json", **headers)
    )


def get_token(**grant):
    return json.loads(call(f"{AUTH}/token", urllib.parse.urlencode(CLIENT | grant).encode()))


def sign_in():
    asked = {
        "client_id": CLIENT["client_id"],
        "redirect_uri": os.environ["REDIRECT_URI"],
        "scope": "user,file",
        "response_type": "code",
        "state": "s-1",
    }
    returned = urllib.parse.urlsplit(locate(f"{AUTH}/authorize?{urllib.parse.urlencode(asked)}", {}))
    code = urllib.parse.parse_qs(returned.query)["code"][0]
    tokens = get_token(grant_type="authorization_code", code=code)
    token = get_token(grant_type="refresh_token", refresh_token=tokens["refresh_token"])["access_token"]
    print("signed in")
    return token


def work(token):
    user = f"{API}/users/{os.environ['USER_ID']}"
    print("nickname", send(user, {"nickName": "Mina"}, token, "PATCH")["nickName"])
    status = {"profileStatusId": "BUSY", "statusMessage": "in a meeting"}
    print("status", send(f"{user}/user-profile-statuses", status, token)["profileStatusId"])

    content = b"day by day"
    announced = send(f"{user}/drive/files", {"fileName": "diary.txt", "fileSize": len(content)}, token)
    form = (
        b'--b\r\nContent-Disposition: form-data; name="Filedata"; filename="diary.txt"\r\n'
        b"Content-Type: text/plain\r\n\r\n" + content + b"\r\n--b--\r\n"
    )
    headers = {"Authorization": f"Bearer {token}", "Content_Type": "multipart/form-data; boundary=b"}
    file_id = json.loads(call(announced["uploadUrl"], form, **headers))["fileId"]
    bearer = {"Authorization": f"Bearer {token}"}
    print("file", call(locate(f"{user}/drive/files/{file_id}/download", bearer), **bearer).decode())

    print("notified", send(os.environ["WEBHOOK_URL"], {"body": {"text": "The day is over."}})["code"])


class Bot(BaseHTTPRequestHandler):
    def do_POST(self):
        event = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.end_headers()
        print("heard", event["content"]["text"])

    def log_message(self, *_message):
        pass


def listen():
    with HTTPServer(("127.0.0.1", 0), Bot) as server:
        print("listening", server.server_port, flush=True)
        server.handle_request()


if __name__ == "__main__":
    work(sign_in())
    if "BOT" in os.environ:
        listen()
