"""Use what openapi-generator makes for Python: one host is set, and the other areas have theirs from the document."""

import json
import os
import re

from openapi_client import ApiClient, Configuration
from openapi_client.api.auth_api import AuthApi
from openapi_client.api.notifications_api import NotificationsApi
from openapi_client.api.storage_api import StorageApi
from openapi_client.api.upload_api import UploadApi
from openapi_client.api.users_api import UsersApi
from openapi_client.models.notification import Notification
from openapi_client.models.notification_body import NotificationBody
from openapi_client.models.status_registration import StatusRegistration
from openapi_client.models.upload_request import UploadRequest
from openapi_client.models.user_change import UserChange

GIVEN = json.loads(os.environ["GIVEN"])
CONTENT = bytes(range(256)) * 1024

client = ApiClient(Configuration(host=GIVEN["base_url"], access_token=GIVEN["token"]))
screen = AuthApi(client).auth_authorize_without_preload_content(
    GIVEN["client_id"], GIVEN["redirect_uri"], "user,file", "code", "s-1"
)
assert re.search(rb'name="login_ticket"', screen.read())
user = UsersApi(client).users_update(GIVEN["user"], UserChange(nick_name="Mina"))
status = UsersApi(client).users_set_status(GIVEN["user"], StatusRegistration(profile_status_id="BUSY"))
ticket = UploadApi(client).upload_drive(
    GIVEN["user"], UploadRequest(file_name="all-bytes.bin", file_size=len(CONTENT))
)
stored = StorageApi(client).storage_receive(
    ticket.upload_url.rpartition("/")[2], filedata=("all-bytes.bin", CONTENT)
)
message = Notification(body=NotificationBody(text="Build is green"))
reply = NotificationsApi(client).notifications_post(GIVEN["webhooks"][0].rpartition("/")[2], message)
told = {
    "nickName": user.nick_name,
    "status": status.profile_status_id,
    "fileSize": stored.file_size,
    "code": reply.code,
}
print(json.dumps(told))
