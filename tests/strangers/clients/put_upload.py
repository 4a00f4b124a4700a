"""A backup program that uploads with PUT, as to most object stores."""

import requests


def back_up(api_url, token, user_id, name, content):
    """Store a file in a user's drive; return its ID."""
    headers = {"Authorization": f"Bearer {token}"}
    announced = requests.post(
        f"{api_url}/users/{user_id}/drive/files",
        headers=headers,
        json={"fileName": name, "fileSize": len(content)},
    )
    announced.raise_for_status()
    stored = requests.put(
        announced.json()["uploadUrl"],
        headers=headers | {"Content-Type": "application/octet-stream"},
        data=content,
    )
    stored.raise_for_status()
    return stored.json()["fileId"]
