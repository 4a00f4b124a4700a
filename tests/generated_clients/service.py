"""The served fake as the programs are told of it, and what it saw of them."""

import json

from ..loopback import local_client

USER = "u-003"


class Service:
    """A served fake with a hidden user."""

    def __init__(self, running):
        self._running = running
        self._token = running.admin("POST", "/tokens", {}).json()["accessToken"]
        assert self.user(searchable=False)["searchable"] is False
        running.admin("DELETE", "/journal")

    @property
    def given(self):
        """What a program is told, in its environment."""
        return {"GIVEN": json.dumps(self._running.facts | {"token": self._token, "user": USER})}

    def user(self, **changes):
        """The user, changed."""
        with local_client(headers={"Authorization": f"Bearer {self._token}"}) as http:
            return http.patch(f"{self._running.facts['base_url']}/users/{USER}", json=changes).json()

    def bodies(self, operation):
        """The JSON bodies that an operation was sent, in order."""
        exchanges = self._running.admin("GET", "/journal?bodies=true").json()["exchanges"]
        return [json.loads(each["requestBody"]) for each in exchanges if each["operation"] == operation]

    def room(self):
        """The texts of the messages in the sample's room."""
        room = f"/rooms/{self._running.facts['channel_id']}/messages"
        return [message["text"] for message in self._running.admin("GET", room).json()["messages"]]
