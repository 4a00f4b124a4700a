"""A bot that sends a picture: it announces the name alone, and sends the file ID that it gets at once."""

import httpx


class Bot:
    def __init__(self, api_url, token, bot_id):
        self.url = f"{api_url}/bots/{bot_id}"
        self.http = httpx.Client(headers={"Authorization": f"Bearer {token}"}, timeout=60)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.http.close()

    def send_picture(self, user_id, name, content):
        """Upload a picture, and send it to a user; return its ID."""
        upload = self.post(f"{self.url}/attachments", json={"fileName": name}).json()
        form = {"data": {"resourceName": name}, "files": {"FileData": (name, content, "image/png")}}
        self.post(upload["uploadUrl"], **form)
        message = {"content": {"type": "image", "fileId": upload["fileId"]}}
        self.post(f"{self.url}/users/{user_id}/messages", json=message)
        return upload["fileId"]

    def post(self, url, **body):
        response = self.http.post(url, **body)
        response.raise_for_status()
        return response
