"""A JupyterHub for a class on one machine: each learner has a notebook server with a fake, or a world, of their own.

    pip install 'path/to/clone[lab,serve]' -r path/to/clone/binder/hub/requirements.txt
    SVCKIT_CLASS_PASSWORD=… SVCKIT_GROUP=spring jupyterhub -f path/to/clone/binder/hub/jupyterhub_config.py

Learners sign in at http://127.0.0.1:8000 with a name of their choice and the password of the class, of at least 8
characters. All servers run as the user who starts the hub, so this is for trying it out, and for learners who trust
each other. For others, take an authenticator and a spawner from JupyterHub's documentation; the rest stays as it is.

With SVCKIT_ADMIN_URL and SVCKIT_ADMIN_KEY, those of `svckit serve --worlds`, each learner gets a world there, which the
trainer can look into. Without them, each notebook has a fake in its own process.
"""

import os
from pathlib import Path

c = get_config()  # noqa: F821 - JupyterHub defines it

c.JupyterHub.bind_url = "http://127.0.0.1:8000"
c.JupyterHub.authenticator_class = "shared-password"
c.SharedPasswordAuthenticator.user_password = os.environ["SVCKIT_CLASS_PASSWORD"]
c.Authenticator.allow_all = True
# Each learner has a folder of that name, and names of files have at most 255 bytes: four for each character.
c.Authenticator.username_pattern = r".{1,60}\Z"
c.JupyterHub.template_vars = {"announcement_login": "Choose a name of up to 60 characters, without a slash."}
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = str(Path("homes", "{username}").absolute())
c.Spawner.default_url = "/lab"
c.Spawner.environment = {
    "SVCKIT_LEARNER": lambda spawner: spawner.user.name,
    "SVCKIT_GROUP": os.environ.get("SVCKIT_GROUP", ""),
    "SVCKIT_PROFILE": "fake",
}

if os.environ.get("SVCKIT_ADMIN_URL"):
    load_subconfig(str(Path(__file__).resolve().with_name("worlds.py")))  # noqa: F821 - JupyterHub defines it
