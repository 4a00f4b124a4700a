"""What somebody does with the client that is generated for Python: sign in, change a user, transfer files, notify."""

import json
import os
import re
from hashlib import sha256
from io import BytesIO
from typing import TypeVar
from urllib.parse import parse_qs, urlsplit

from service_client import AuthenticatedClient, Client
from service_client.api.auth import auth_authorize, auth_login, auth_token
from service_client.api.download import download_drive_file
from service_client.api.notifications import notifications_post
from service_client.api.storage import storage_receive, storage_send
from service_client.api.upload import upload_drive
from service_client.api.users import users_set_status, users_update
from service_client.models import (
    AutoReply,
    AutoReplyMail,
    CodeExchange,
    LoginForm,
    Notification,
    NotificationBody,
    NotificationReply,
    OrgUnitChange,
    ResourceError,
    StatusRegistration,
    StatusRegistrationProfileStatusId,
    TokenRefresh,
    TokenSet,
    UploadForm,
    UploadRequest,
    UploadResult,
    UploadTicket,
    User,
    UserChange,
    UserOrganizationChange,
    UserProfileStatus,
)
from service_client.types import File, Response

GIVEN = json.loads(os.environ["GIVEN"])
USER: str = GIVEN["user"]
CONTENT = bytes(range(256)) * 1024

Expected = TypeVar("Expected")


def expect(kind: type[Expected], found: object) -> Expected:
    """What was found, if it is what the success is described as."""
    assert isinstance(found, kind), found
    return found


def sign_in() -> str:
    """Sign in by the forms, and refresh the token."""
    auth = Client(base_url=GIVEN["auth_url"])
    screen = auth_authorize.sync_detailed(
        client=auth,
        client_id=GIVEN["client_id"],
        redirect_uri=GIVEN["redirect_uri"],
        scope="user,file",
        response_type="code",
        state="s-1",
    )
    ticket = re.search(r'name="login_ticket" value="([^"]+)"', screen.content.decode())
    assert ticket is not None, screen.content
    form = LoginForm(login_ticket=ticket[1], login_id=GIVEN["login_id"], password=GIVEN["password"])
    redirect = auth_login.sync_detailed(client=auth, body=form)
    client = {"client_id": GIVEN["client_id"], "client_secret": GIVEN["client_secret"]}
    exchange = CodeExchange(
        code=parse_qs(urlsplit(redirect.headers["Location"]).query)["code"][0],
        grant_type="authorization_code",
        **client,
    )
    issued = expect(TokenSet, auth_token.sync(client=auth, body=exchange))
    refresh = TokenRefresh(
        refresh_token=expect(str, issued.refresh_token), grant_type="refresh_token", **client
    )
    return expect(TokenSet, auth_token.sync(client=auth, body=refresh)).access_token


def change(api: AuthenticatedClient, body: UserChange) -> User:
    """Change the user."""
    return expect(User, users_update.sync(USER, client=api, body=body))


def upload(api: AuthenticatedClient, name: str, form: UploadForm) -> UploadResult:
    """Upload in two steps; the second is at the address that the first one gives out."""
    ticket = upload_drive.sync(USER, client=api, body=UploadRequest(file_name=name, file_size=len(CONTENT)))
    base, _, address = expect(UploadTicket, ticket).upload_url.rpartition("/uploads/")
    storage = AuthenticatedClient(base_url=base, token=api.token)
    return expect(UploadResult, storage_receive.sync(address, client=storage, body=form))


def download(api: AuthenticatedClient, file_id: str) -> bytes:
    """Download in two steps."""
    found: Response[object] = download_drive_file.sync_detailed(USER, file_id, client=api)
    assert found.status_code == 302, found
    base, _, address = found.headers["Location"].rpartition("/downloads/")
    storage = AuthenticatedClient(base_url=base, token=api.token)
    return expect(File, storage_send.sync(address, client=storage)).payload.read()


def wrong() -> None:
    """What the types keep from being written; nobody calls it."""
    UserChange(nick_name=7)  # type: ignore[arg-type]
    UserChange(nickname="Mina")  # type: ignore[call-arg]
    UploadForm(filedata="hello")  # type: ignore[arg-type]


def main() -> None:
    """Do it all, and print what came of it."""
    api = AuthenticatedClient(base_url=GIVEN["base_url"], token=sign_in())
    user = change(api, UserChange(nick_name="Mina"))
    change(api, UserChange(task=None))
    unit = OrgUnitChange(org_unit_id="ou-1", primary=True)
    organization = UserOrganizationChange(domain_id=GIVEN["domain_id"], primary=True, org_units=[unit])
    change(api, UserChange(organizations=[organization]))
    status = StatusRegistration(
        profile_status_id=StatusRegistrationProfileStatusId.BUSY,
        auto_reply_mail=AutoReplyMail(internal=AutoReply(content="Back soon")),
    )
    expect(UserProfileStatus, users_set_status.sync(USER, client=api, body=status))
    described = UploadForm(filedata=File(BytesIO(CONTENT), "all-bytes.bin", "application/octet-stream"))
    other = UploadForm(resource_name="other-form.bin", file_data=File(BytesIO(CONTENT), "other-form.bin"))
    uploads = [upload(api, "all-bytes.bin", described), upload(api, "other-form.bin", other)]
    hook, _, webhook_id = GIVEN["webhooks"][0].rpartition("/message/")
    message = Notification(body=NotificationBody(text="Build is green"))
    expect(NotificationReply, notifications_post.sync(webhook_id, client=Client(base_url=hook), body=message))
    missing = expect(ResourceError, users_update.sync("u-999", client=api, body=UserChange()))
    print(
        json.dumps(
            {
                "nickName": user.nick_name,
                "searchable": user.searchable,
                "uploads": [stored.to_dict() for stored in uploads],
                "downloads": [
                    sha256(download(api, expect(str, stored.file_id))).hexdigest() for stored in uploads
                ],
                "missing": missing.code,
            }
        )
    )


if __name__ == "__main__":
    main()
