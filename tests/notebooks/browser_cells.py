"""What works in a browser, as the cells of a notebook: there, Python has no threads, sockets, or packages like pandas.

A cell asserts what it shows. `test_in_a_browser.py` runs them where threads and sockets are refused, and
`tests/browser/test_lite.py` in a browser.
"""

__all__ = ["CELLS"]

CELLS = (
    # Connecting; users and statuses
    """
import svckit
from fakes import FakeService, sweep

NOW = "2026-06-01T09:00:00+09:00"
fake = FakeService.sample(users=20, seed=0, now=NOW)
svc = svckit.connect(fake)
assert svc.users.update("u-003", nick_name="Mina").nick_name == "Mina"
assert len(svc.users.list_known()) == 20
noon, one = "2026-06-01T12:00:00+09:00", "2026-06-01T13:00:00+09:00"
svc.users.set_status("u-003", "AWAY", message="Lunch", start=noon, end=one)
svc
""",
    # Files, larger than one request has room for
    """
video = bytes(range(256)) * 12 * 1024
stored = svc.files.upload(video, to=svckit.places.drive("u-001"), name="video.mp4", resumable=1024 * 1024)
place = svckit.places.drive("u-001").file(stored.file_id)
assert svc.files.download(place) == video
uploads = svc.files.upload_many({"one.txt": b"one", "two.txt": b"two"}, to=svckit.places.drive("u-001"))
assert len(uploads) == 2
assert not uploads.failed
""",
    # The rate limit, and the clock
    """
before = fake.clock.now()
for number in range(121):
    svc.notify(f"Number {number}", wait=True)
assert fake.clock.now() > before
fake.clock.advance(hours=25)
with svc.trace() as trace:
    assert svc.users.read("u-003").nick_name == "Mina"  # with a token that was renewed
assert trace[-1].response.status == 200
assert trace.curl().startswith("curl ")
trace
""",
    # Callbacks
    """
from contextlib import suppress

seen = []

def handle(headers, body):
    seen.append(svckit.events.parse(headers, body, secret=svc.bot_secret))
    return 200

fake.callbacks.connect("bot-1", handle)
fake.callbacks.send("bot-1", "u-003", {"type": "text", "text": "Is room 3 free?"})
assert seen[0].content.text == "Is room 3 free?"
with suppress(svckit.events.BadSignature):
    svckit.events.parse({"X-SERVICE-Signature": "Zm9yZ2Vk"}, b'{"type": "message"}', secret=svc.bot_secret)
    raise AssertionError("a forged event was accepted")
""",
    # Explanations
    """
operation = svckit.operations.users.read("u-003")
assert svckit.explain(operation, on=svc).curl.startswith("curl ")
table = svckit.lifecycle.table()
assert fake.rules["api.unauthorized"].text
table
""",
    # Many fakes
    """
other = fake.fork()
svckit.connect(other).users.update("u-003", nick_name="Other")
assert svc.users.read("u-003").nick_name == "Mina"
snapshot = fake.snapshot()
svc.users.update("u-003", nick_name="Changed")
fake.restore(snapshot)
assert svc.users.read("u-003").nick_name == "Mina"

def rename_nobody(fake):
    with suppress(svckit.NotFound):
        svckit.connect(fake).users.update("nobody", nick_name="Mina")

swept = sweep(rename_nobody, lambda: FakeService.sample(users=3, seed=0, now=NOW))
assert len(swept) > 0
swept
""",
    # Without blocking
    """
import asyncio

async with svckit.connect_async(fake) as session:
    users = await asyncio.gather(*(session.users.read(f"u-00{number}") for number in range(1, 6)))
assert [user.user_id for user in users] == ["u-001", "u-002", "u-003", "u-004", "u-005"]
""",
    # A button of a widget, and what a page shows of it
    """
panel = svc.explore("notifications")
panel.current.write(text="Sent by a button")
panel.current._receive(panel.current, {"do": "send"}, [])
panel
""",
    """
await asyncio.sleep(0.1)
assert not panel.current.error, panel.current.error
assert fake.webhooks.messages(fake.facts["channel_id"])[-1].text == "Sent by a button"
panel.show("time")
panel.show("traffic")
assert panel.current.view["rows"]
""",
    # All explorers, with plain tables
    """
from svckit.widgets.explorers.explorer_panel import EXPLORERS

for name in EXPLORERS:
    panel.show(name)
    assert panel.to_html()
panel.show("sign-in")
sign_in = panel.current
for step in (sign_in.request, sign_in.log_in, sign_in.check, sign_in.exchange):
    step()
assert len(sign_in.view["lifetimes"]) == 3
panel
""",
    # What the site may lack
    """
try:
    svckit.frames.users(svc)
except ModuleNotFoundError as error:
    assert "--mirror" in str(error), error
try:
    with fake.serve():
        raise AssertionError("a browser cannot serve")
except ModuleNotFoundError as error:
    assert "for the browser" in str(error), error
print("everything works")
""",
)
"""Sources of cells."""
