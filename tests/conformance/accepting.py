"""What a service does otherwise than its description shows, and a client can accept: a finding, not a failure."""

import json

import httpx

from .rule_ids import PROMISED
from .shapes import misfits, resolve, shape_of, unknown_values

TOKEN = "POST /oauth2/v2.0/token"
NUMBER = "expires_in is a number"
UPLOAD = "POST /uploads/{address}"
SHOWN = {
    TOKEN: 200,
    UPLOAD: 201,
    "PATCH /users/{userId}": 200,
    "POST /message/{webhookId}": 200,
    "POST /users/{userId}/user-profile-statuses": 200,
}
"""The status of success of each operation that the description shows just one of."""
STORED = "file.stored: the status is 200, not 201"
ROTATED = "a new refresh token is returned"
DEVIATIONS = {
    f"token.issued: {NUMBER}": ("token.expires-in", "number"),
    f"token.refreshed: {ROTATED}": ("token.refresh-rotation", "rotated"),
    STORED: ("file.stored", "200"),
}
"""The deviations of the fake that do the same, with their values."""


class Accepting:
    """Hands responses on as the description shows them, and notes in what they were otherwise.

    Attributes:
        found: the number of responses by what they had otherwise, in sentences without values.
    """

    def __init__(self, recording):
        self._recording = recording
        self._document = recording.document
        self.found = {}

    def add(self, method, url, answer, renewed=None):
        """Note a response; the same as it is shown, where it is otherwise in what a client can accept.

        Whether a rotated refresh token still works is not tried: a service may end the whole sign-in for that.

        Args:
            method: of the request.
            url: of the request.
            answer: the response.
            renewed: the refresh token that was sent, if one was.
        """
        name = self._recording.add(method, url, answer)
        path = name.partition(" ")[2]
        operation = self._document["paths"].get(path, {}).get(method.lower())
        if operation is None or not answer.is_success:
            return answer
        rule_id = "token.issued" if name == TOKEN else PROMISED.get(name, name)
        status = SHOWN.get(name, answer.status_code)
        if name == UPLOAD and "fileId" not in answer.text:  # only a part has arrived
            status = answer.status_code
        if not answer.content:  # a case that reads the body says so
            status = answer.status_code
        if status != answer.status_code:
            self._note(rule_id, f"the status is {answer.status_code}, not {status}")
        body = self._read(answer, operation["responses"].get(str(status), {}), rule_id, renewed)
        if status == answer.status_code and body is None:
            return answer
        return rebuilt(answer, status, body)

    def _read(self, answer, response, rule_id, renewed):
        """The fields as they are shown; None where they are that, or are not JSON."""
        schema = response.get("content", {}).get("application/json", {}).get("schema")
        try:
            given = answer.json() if schema else None
        except ValueError:
            self._note(rule_id, "the body is not JSON")
            return None
        if not isinstance(given, dict):
            return None
        fields = dict(given)
        if renewed and (issued := fields.pop("refresh_token", None)):
            words = ROTATED if issued != renewed else "the same refresh token is returned"
            self._note("token.refreshed", words)
        seconds = fields.get("expires_in")
        if type(seconds) in {int, float} and seconds == int(seconds):  # True is not a number
            fields["expires_in"] = str(int(seconds))
            self._note(rule_id, NUMBER)
        kind = fields.get("token_type")
        if isinstance(kind, str) and kind != "Bearer" and kind.lower() == "bearer":
            fields["token_type"] = "Bearer"
            self._note(rule_id, "token_type is not written Bearer")
        for words in misfits(shape_of(fields, self._recording.described), schema, self._document):
            self._note(rule_id, words)
        for field in dict.fromkeys(unknown_values(fields, schema, self._document)):
            self._note(rule_id, f"{field} has a value that is not described")
        shown = resolve(schema, self._document).get("properties") or fields
        fields = {name: value for name, value in fields.items() if name in shown}
        return None if fields == given else fields

    def _note(self, rule_id, words):
        sentence = f"{rule_id}: {words}"
        self.found[sentence] = self.found.get(sentence, 0) + 1

    def deviations(self):
        """The deviations that the service has, each with its value and how many responses showed it."""
        for sentence, (deviation_id, value) in DEVIATIONS.items():
            if sentence in self.found:
                yield deviation_id, value, self.found[sentence]


def rebuilt(answer, status, body):
    """A response with another status, and with other fields unless they are None."""
    content = answer.content if body is None else json.dumps(body).encode()
    dropped = {"content-length", "content-encoding", "transfer-encoding"}
    headers = [(name, value) for name, value in answer.headers.multi_items() if name not in dropped]
    return httpx.Response(status, headers=headers, content=content)
