"""The part of a hub's configuration that gives each learner a world of their own on a shared server.

When a learner's server starts, the hub creates their world, or finds it again, and passes on its URLs and secrets as
the profile `class`. With the admin key of their own world, `svc.fake` moves its clock and so on, and checks post their
progress; it opens nothing else. Only admins of the hub get the server's admin key, for `course.classroom()`.
"""

import json
import os
import re
from hashlib import blake2b
from typing import Any

from tornado.httpclient import AsyncHTTPClient

CONFLICT = 409
LONGEST = 63
"""The most characters in the name of a world."""
FACTS = (
    "base_url",
    "auth_url",
    "upload_url",
    "webhook_url",
    "admin_url",
    "admin_key",
    "client_id",
    "client_secret",
    "redirect_uri",
    "login_id",
    "password",
)


async def give_world(spawner: Any) -> None:
    """Set the environment of a learner's server to their world, and of a trainer's to the server of the worlds."""
    if spawner.user.admin:
        server = {name: os.environ[name] for name in ("SVCKIT_ADMIN_URL", "SVCKIT_ADMIN_KEY")}
        spawner.environment = {**spawner.environment, **server}
        return
    facts = await create_or_find(name_world(spawner.user.name))
    spawner.environment |= {f"SVCKIT_CLASS_{key.upper()}": facts[key] for key in FACTS} | {
        "SVCKIT_PROFILE": "class",
        "SVCKIT_CLASS_FAKE": "true",
        "SVCKIT_CLASS_SCOPES": "user,file",
        "SVCKIT_CLASS_WEBHOOKS": "alerts",
        "SVCKIT_CLASS_WEBHOOK_ALERTS": facts["webhooks"][0],
    }


def name_world(learner: str) -> str:
    """Return the name of a learner's world, which is no other learner's.

    Characters that the name of a world cannot have are escaped, so 11 letters of Hangul are too long already. The end
    of a name that is too long is replaced by a hash, after ``__``, which no escaped name has: in it, each ``_`` follows
    a hexadecimal digit.
    """
    name = re.sub("^[^a-z0-9]|[^a-z0-9-]", lambda found: f"x{ord(found[0]):x}_", learner)
    if len(name) <= LONGEST:
        return name
    end = "__" + blake2b(learner.encode(), digest_size=16).hexdigest()
    return name[: LONGEST - len(end)] + end


async def create_or_find(name: str) -> dict[str, Any]:
    """Return the facts of a world."""
    url = f"{os.environ['SVCKIT_ADMIN_URL']}/worlds/{name}"
    headers = {
        "Authorization": f"Bearer {os.environ['SVCKIT_ADMIN_KEY']}",
        "Content-Type": "application/json",
    }
    http = AsyncHTTPClient()
    response = await http.fetch(url, method="POST", headers=headers, body="{}", raise_error=False)
    if response.code == CONFLICT:  # from an earlier day
        response = await http.fetch(url, headers=headers, raise_error=False)
    response.rethrow()
    facts: dict[str, Any] = json.loads(response.body)
    return facts


c = get_config()  # noqa: F821 - JupyterHub defines it
c.Spawner.pre_spawn_hook = give_world
