"""A session in which everything that users, members and clients may choose tries to run a script.

It is run here for static faces, and in notebooks for live ones. `SETUP` shows it in the panel, and `TYPED` types the
same into every field of every explorer there is, as a browser does, whatever the fields are called.
"""

EVIL = "\"'><img src=x onerror='window.__xss=1'><script>window.__xss=1</script>"

SETUP = f"""
from contextlib import suppress
from dataclasses import fields

import svckit
from fakes import FakeService
from svckit import places
from svckit.widgets.explorers.explorer_panel import EXPLORERS

EVIL = {EVIL!r}
fake = FakeService.sample(users=20, seed=0, now="2026-06-01T09:00:00+09:00")
svc = svckit.connect(fake)
svc.users.update("u-001", user_name={{"last_name": EVIL, "first_name": EVIL}}, nick_name=EVIL, task=EVIL, location=EVIL,
                 custom_fields=[{{"custom_field_id": EVIL, "value": EVIL, "link": EVIL}}],
                 relations=[{{"relation_user_id": EVIL, "relation_name": EVIL[:50]}}])
svc.users.set_status("u-001", "BUSY", message=EVIL[:50], start="2026-06-01T10:00:00+09:00",
                     end="2026-06-01T11:00:00+09:00",
                     auto_reply={{"internal": {{"content": EVIL, "sent_directly_to_me": True}}}})
svc.users.set_status("u-001", "AWAY", message="<img src=x onerror=window.__xss=1>")
stored = svc.files.upload(EVIL.encode(), to=places.drive("u-001"), name=EVIL.replace("/", "") + ".html")
fake.webhooks.add(EVIL, fake.facts["channel_id"])
svc.notify(EVIL, title=EVIL, button=(EVIL, "https://example.com/?" + EVIL))
fake.callbacks.connect("bot-1", lambda headers, body: None)
fake.callbacks.send("bot-1", "u-001", {{"type": "text", "text": EVIL, "postback": EVIL}})
fake.callbacks.send("bot-1", "u-001", {{"type": "location", "address": EVIL, "latitude": 35.6, "longitude": 139.7}})
fake.faults.status("/" + EVIL, 503, times=1)
with suppress(svckit.errors.ServiceError):
    svc.request("GET", "/users/" + EVIL.replace("/", "%2F"))

panel = svc.explore("users")
panel.current.select("u-001")
panel.show("statuses")
panel.current.choose("u-001")
panel.current.toggle_form()
panel.show("files")
panel.current.select("drive/u-001", stored.file_id)
panel.current.preview()
panel.current.wait()
panel.show("notifications")
panel.current.write(text=EVIL + ' <m userId="u-001">', title=EVIL, label=EVIL, url="https://example.com/?" + EVIL)
panel.current.burst(130)
panel.current.wait()
panel.show("inbox")
panel.current.write(user="u-001", text=EVIL)
panel.current.receive_here()
panel.current.send()
panel.current.wait()
panel.show("sign-in")
for step in ("request", "log_in", "check", "exchange"):
    getattr(panel.current, step)()
panel.show("time")
panel.current.write(target="users.*")
panel.current.inject()
with suppress(svckit.errors.ServiceError):  # uses it up
    svc.users.read("u-001")
panel.current.move_to_next()
panel.show("rules")
panel.current.select("file.stored", deviation=True)
panel.show("fake")
panel.current.add_user(name=EVIL)
panel.current.add_bot()
panel.current.add_stub(path="/groups")
panel.current.take_snapshot(snapshot=EVIL)
panel.show("traffic")
panel.current.select(fake.journal[-1].number)
"""
TYPED = """
for name in EXPLORERS:
    panel.show(name)
    for part in (panel.current, *getattr(panel.current, "children", ())):
        draft = getattr(part, "draft", None)
        for field in fields(draft) if draft else ():
            part._receive(part, {"do": "write", "field": field.name, "text": EVIL}, [])
"""
