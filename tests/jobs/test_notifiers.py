"""Three processes post to five webhooks at once: 120 messages go through each minute, and none is lost."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from fakes import FakeService

from .pages import copy_program

LINES = 50
NAMES = ("alerts", "build", "ci", "deploy", "errors")


@pytest.mark.long
def test_three_notifiers_lose_nothing(installed, tmp_path):
    program = tmp_path / "post_lines.py"
    program.write_text(copy_program("notify-from-a-script", "post_lines.py"), "utf-8")
    fake = FakeService.sample()
    room = fake.facts["channel_id"]
    for name in NAMES[1:]:
        fake.webhooks.add(name, room)
    with fake.serve() as served:
        named = zip(NAMES, served.facts["webhooks"], strict=True)
        urls = {f"SVCKIT_WEBHOOK_{name.upper()}": url for name, url in named}
        texts = [f"{name} {number}" for name in NAMES for number in range(LINES * 3 // len(NAMES))]

        def run(number):
            lines = "\n".join(texts[number::3])
            return installed.run(program, NAMES[number], cwd=tmp_path, stdin=lines, **urls)

        with ThreadPoolExecutor() as pool:
            assert list(pool.map(run, range(3))) == [""] * 3
    assert sorted(message.text for message in fake.webhooks.messages(room)) == sorted(texts)
    accepted = [entry for entry in fake.journal if entry.status == 200]
    assert [_used(entry) for entry in accepted] == [*range(1, 121), *range(1, len(texts) - 119)]


def _used(entry):
    """Return how many messages of the minute were accepted so far."""
    return int(dict(entry.response_headers)["RateLimit-Used"])
