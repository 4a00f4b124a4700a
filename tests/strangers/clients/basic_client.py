"""A client whose OAuth library sends its credentials in the Authorization header, the default of most."""

import httpx


def exchange(auth_url, client_id, client_secret, code):
    """Exchange a code for tokens."""
    response = httpx.post(
        f"{auth_url}/oauth2/v2.0/token",
        auth=(client_id, client_secret),
        data={"grant_type": "authorization_code", "code": code},
        timeout=60,
    )
    response.raise_for_status()
    return response.json()
