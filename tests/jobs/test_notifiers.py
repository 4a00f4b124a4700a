"""Three processes post to five webhooks at once: 120 messages go through each minute, and none is lost."""

from datetime import timedelta

import pytest

from fakes import FakeService

from .pages import copy_program

LINES = 50
NAMES = ("alerts", "build", "ci", "deploy", "errors")


@pytest.mark.long
def test_three_notifiers_share_the_limit_and_lose_nothing(installed, tmp_path):
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
        running = []
        for number, name in enumerate(("alerts", "ci", "errors")):
            notifier = installed.start(program, name, cwd=tmp_path, **urls)
            notifier.stdin.write("\n".join(texts[number::3]))
            notifier.stdin.close()
            running.append(notifier)
        done = [(notifier.stderr.read(), notifier.wait()) for notifier in running]
    assert done == [("", 0)] * 3
    assert sorted(message.text for message in fake.webhooks.messages(room)) == sorted(texts)
    first, *others = _count_windows(fake)
    assert first == 120
    assert sum(others) == len(texts) - 120


def _count_windows(fake):
    """Return how many messages were accepted in each window, which opens with its first message."""
    windows = []
    for entry in fake.journal:
        if entry.status == 200:
            if not windows or entry.at - windows[-1][0] >= timedelta(minutes=1):
                windows.append([])
            windows[-1].append(entry.at)
    return list(map(len, windows))
