"""An app that proves with a code verifier that it is the one that asked for the code."""

from base64 import urlsafe_b64encode
from hashlib import sha256
from secrets import token_urlsafe
from urllib.parse import urlencode

import httpx


class SignIn:
    def __init__(self, auth_url, client_id, client_secret, redirect_uri):
        self.auth_url = auth_url
        self.client = {"client_id": client_id, "client_secret": client_secret}
        self.redirect_uri = redirect_uri
        self.verifier = token_urlsafe(48)

    def get_url(self):
        """Return the URL to open in the browser."""
        challenge = urlsafe_b64encode(sha256(self.verifier.encode()).digest()).rstrip(b"=").decode()
        parameters = {
            "client_id": self.client["client_id"],
            "redirect_uri": self.redirect_uri,
            "scope": "user",
            "response_type": "code",
            "state": token_urlsafe(),
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        return f"{self.auth_url}/oauth2/v2.0/authorize?{urlencode(parameters)}"

    def finish(self, redirected_to):
        """Exchange the code of the redirect for tokens."""
        code = httpx.URL(redirected_to).params["code"]
        form = {"grant_type": "authorization_code", "code": code, "code_verifier": self.verifier}
        response = httpx.post(f"{self.auth_url}/oauth2/v2.0/token", data=form | self.client, timeout=60)
        response.raise_for_status()
        return response.json()
