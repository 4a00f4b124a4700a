"""A JupyterHub for a class on one machine: one link, at which each learner lands in the first lesson.

    pip install 'path/to/clone[lab,serve]' -r path/to/clone/binder/hub/requirements.txt
    SVCKIT_TRAINER_PASSWORD=… SVCKIT_GROUP=spring jupyterhub -f path/to/clone/binder/hub/jupyterhub_config.py

Learners sign in at http://127.0.0.1:8000 with a name of their choice. The password that they type the first time is
theirs from then on, so nobody else signs in with that name, nor as ``trainer``, whose password is the one above.

That is all that keeps learners apart here: their servers run as the user who starts the hub, so their code can read
each other's files and, in /proc, the hub's variables with the admin key. For learners who do not trust each other,
`spawner_class` is the setting that does so for real: ``"jupyterhub.spawner.LocalProcessSpawner"``, with an account of
this machine for each learner, or DockerSpawner or KubeSpawner with a container for each. `authenticator_class` then
says how they sign in: ``"pam"`` for accounts, or OAuthenticator. The rest of this file stays as it is.

With SVCKIT_ADMIN_URL and SVCKIT_ADMIN_KEY, those of `svckit serve --worlds`, each learner gets a world there, and the
trainer follows the class with `course.classroom()`. Without them, each notebook has a fake in its own process.
"""

import os
from hmac import compare_digest
from pathlib import Path
from typing import Any

from firstuseauthenticator import FirstUseAuthenticator

PASSWORD = os.environ["SVCKIT_TRAINER_PASSWORD"].encode()


class ClassAuthenticator(FirstUseAuthenticator):
    """Learners choose a password when they first sign in; the password of trainers is set here."""

    async def authenticate(self, handler: Any, data: dict[str, str]) -> str | None:
        """Return the name of whoever signs in; None with a wrong password."""
        name = self.normalize_username(data["username"])
        if name in self.admin_users:
            return name if compare_digest(data["password"].encode(), PASSWORD) else None
        return await super().authenticate(handler, data)


c = get_config()  # noqa: F821 - JupyterHub defines it

c.JupyterHub.bind_url = "http://127.0.0.1:8000"
# The proxy in Python gives up a response after 20 s, and with it the page of a server that takes longer to start.
c.ConfigurableHTTPProxy.command = ["configurable-http-proxy", "--proxy-timeout=600000"]
c.JupyterHub.authenticator_class = ClassAuthenticator
c.Authenticator.admin_users = {"trainer"}
c.Authenticator.allow_all = True
# Each learner has a folder of that name, and names of files have at most 255 bytes: four for each character.
c.Authenticator.username_pattern = r".{1,60}\Z"
c.JupyterHub.template_vars = {
    "announcement_login": "Choose a name of up to 60 characters, without a slash, a comma or a space, and a password."
}
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = str(Path("homes", "{username}").absolute())
# The lessons are put into the home first, those that are there already stay; the arguments are the hub's.
c.Spawner.cmd = [
    "sh",
    "-c",
    'svckit course open 00; exec jupyterhub-singleuser "$@"',
    "jupyterhub-singleuser",
]
c.Spawner.args = ["--allow-root"] if os.geteuid() == 0 else []
c.Spawner.http_timeout = 180  # seconds, for a whole class that starts at once
c.Spawner.default_url = "/lab/tree/svckit-notebooks/course/00-look-around.ipynb"
c.Spawner.environment = {
    "SVCKIT_LEARNER": lambda spawner: spawner.user.name,
    "SVCKIT_GROUP": os.environ.get("SVCKIT_GROUP", ""),
    "SVCKIT_PROFILE": "fake",
}

if os.environ.get("SVCKIT_ADMIN_URL"):
    load_subconfig(str(Path(__file__).resolve().with_name("worlds.py")))  # noqa: F821 - JupyterHub defines it
