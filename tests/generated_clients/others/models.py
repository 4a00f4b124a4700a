"""Use the models that datamodel-code-generator makes; requests are the program's own."""

import json
import os
from urllib.request import Request, urlopen

import service_models as models

GIVEN = json.loads(os.environ["GIVEN"])
CONTENT = bytes(range(256)) * 1024


def call(method, url, content, media="application/json"):
    """The JSON of a response."""
    if not isinstance(content, bytes):
        content = content.model_dump_json(by_alias=True, exclude_unset=True).encode()
    headers = {"Authorization": f"Bearer {GIVEN['token']}", "Content-Type": media}
    with urlopen(Request(url, content, headers, method=method)) as response:
        return json.load(response)


at = f"{GIVEN['base_url']}/users/{GIVEN['user']}"
user = models.User.model_validate(call("PATCH", at, models.UserChange(nickName="Mina")))
registration = models.StatusRegistration(profileStatusId="BUSY")
status = models.UserProfileStatus.model_validate(call("POST", f"{at}/user-profile-statuses", registration))
request = models.UploadRequest(fileName="all-bytes.bin", fileSize=len(CONTENT))
ticket = models.UploadTicket.model_validate(call("POST", f"{at}/drive/files", request))
head = b'--b\r\nContent-Disposition: form-data; name="Filedata"; filename="all-bytes.bin"\r\n\r\n'
form = head + CONTENT + b"\r\n--b--\r\n"
stored = models.UploadResult.model_validate(
    call("POST", str(ticket.uploadUrl), form, "multipart/form-data; boundary=b")
)
message = models.Notification(body=models.NotificationBody(text="Build is green"))
reply = models.NotificationReply.model_validate(call("POST", GIVEN["webhooks"][0], message))
told = {
    "nickName": user.nickName,
    "status": getattr(status.profileStatusId, "value", status.profileStatusId),
    "fileSize": stored.fileSize,
    "code": reply.code,
}
print(json.dumps(told))
