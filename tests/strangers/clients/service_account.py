"""A job that runs as a service account: it signs an assertion with its key, and nobody signs in."""

import time
from urllib.parse import quote

import httpx
import jwt

GRANT_TYPE = "urn:ietf:params:oauth:grant-type:jwt-bearer"


def get_access_token(auth_url, client_id, client_secret, account, private_key):
    """Get a token for the service account."""
    now = int(time.time())
    claims = {"iss": client_id, "sub": account, "iat": now, "exp": now + 60 * 60}
    form = {
        "assertion": jwt.encode(claims, private_key, algorithm="RS256"),
        "grant_type": quote(GRANT_TYPE, safe=""),  # and httpx encodes it again
        "client_id": client_id,
        "client_secret": client_secret,
        "scope": "user",
    }
    response = httpx.post(f"{auth_url}/oauth2/v2.0/token", data=form, timeout=60)
    response.raise_for_status()
    return response.json()["access_token"]


def set_task(api_url, token, user_id, task):
    """Say what a user works on."""
    headers = {"Authorization": f"Bearer {token}"}
    response = httpx.patch(f"{api_url}/users/{user_id}", headers=headers, json={"task": task}, timeout=60)
    response.raise_for_status()
    return response.json()["task"]
