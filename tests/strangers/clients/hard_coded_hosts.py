"""A script that signs in a user and sets the nickname, with the hosts of its service written into it."""

from secrets import token_urlsafe
from urllib.parse import parse_qs, quote, urlencode, urlsplit

AUTHORIZE_URL = "https://auth.example.com/oauth2/v2.0/authorize"
TOKEN_URL = "https://auth.example.com/oauth2/v2.0/token"
API_URL = "https://www.example.com/v1.0"


def run(http, client_id, client_secret, redirect_uri, user_id, open_browser):
    """Sign in, set the nickname, refresh the token, and set it again; return the nicknames."""
    state = token_urlsafe()
    parameters = {
        "client_id": client_id,
        "redirect_uri": redirect_uri,
        "scope": "user",
        "response_type": "code",
        "state": state,
    }
    redirected = parse_qs(urlsplit(open_browser(f"{AUTHORIZE_URL}?{urlencode(parameters)}")).query)
    if redirected["state"] != [state]:
        raise ValueError("forged redirect")
    client = {"client_id": client_id, "client_secret": client_secret}
    grant = {"grant_type": "authorization_code", "code": redirected["code"][0]}
    tokens = http.post(TOKEN_URL, data=grant | client).raise_for_status().json()
    first = set_nickname(http, tokens["access_token"], user_id, "Mina")

    grant = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    renewed = http.post(TOKEN_URL, data=grant | client).raise_for_status().json()
    return first, set_nickname(http, renewed["access_token"], user_id, "Minnie")


def set_nickname(http, token, user_id, nickname):
    response = http.patch(
        f"{API_URL}/users/{quote(user_id)}",
        headers={"Authorization": f"Bearer {token}"},
        json={"nickName": nickname},
    )
    return response.raise_for_status().json()["nickName"]
