"""A client that lets its library follow redirects, and so loses its token on the way to another host."""

import httpx


def download(api_url, token, user_id, file_id):
    """Return the content of a file in a user's drive."""
    url = f"{api_url}/users/{user_id}/drive/files/{file_id}/download"
    headers = {"Authorization": f"Bearer {token}"}
    response = httpx.get(url, headers=headers, follow_redirects=True, timeout=60)
    response.raise_for_status()
    return response.content
