"""The server of a bot, which looks for the product's word in header names, and refuses a wrong signature with 401."""

import hmac
import json
from base64 import b64encode
from http.server import BaseHTTPRequestHandler


class Receiver(BaseHTTPRequestHandler):
    secret = ""
    texts = ()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        expected = b64encode(hmac.digest(self.secret.encode(), body, "sha256")).decode()
        right = hmac.compare_digest(self.headers.get("X-ACME-Signature", ""), expected)
        if right and self.headers["X-ACME-BotId"]:
            self.texts.append(json.loads(body)["content"]["text"])
        self.send_response(200 if right else 401)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *message):
        pass
