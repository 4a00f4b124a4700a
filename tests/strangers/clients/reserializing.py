"""The server of a bot with a body parser: it has only the parsed event, and writes it again to check the signature."""

import hmac
import json
from base64 import b64encode
from http.server import BaseHTTPRequestHandler


class Receiver(BaseHTTPRequestHandler):
    secret = ""

    def do_POST(self):
        event = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        written = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
        signature = b64encode(hmac.digest(self.secret.encode(), written.encode(), "sha256")).decode()
        right = hmac.compare_digest(self.headers.get("X-SERVICE-Signature", ""), signature)
        self.send_response(200 if right else 401)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *message):
        pass
