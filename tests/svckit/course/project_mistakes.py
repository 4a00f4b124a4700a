"""What learners do in the project, by the sentence that feedback should have."""

SENTENCES = {
    "spaces": "clears",
    "needless": "whole rows",
    "ahead": "order",
    "strangers": "stops, raised",
    "too long": "stops, raised",
    "forgets": "report",
    "sorts": "report",
    "old file": "file",
    "elsewhere": "no file",
    "heading": "file",
    "two attempts": "one attempt",
    "polite": "forged, status",
    "first": "silent",
    "twice": "silent",
    "accepted": "silent, status",
    "refuses": "chatty, status",
    "unknown type": "unknown type, raised",
}
"""The sentences that broken clients get, where they have other names than the clients."""

CLIENT_MISTAKES = {
    "ahead": (
        '    user = svc.users.read(row["user"])\n',
        '    user = next(each for each in svc.users.list_known() if each.user_id == row["user"])\n',
    ),
    "no column": ("fields[name] = value", 'fields[name] = value; fields["searchable"] = True'),
    "kind": ("    return report\n", "    report.changed = tuple(report.changed)\n    return report\n"),
    "forged, raised": ("except svckit.events.BadSignature", "except svckit.Unreachable"),
    "silent": ("if lines:", "if False:"),
    "silent, raised": ("if lines:", "if lines[9]:"),
    "chatty, raised": (
        'content=svckit.events.TextContent(text="hr report")) if lines:',
        'content=content) if "hr report" == content.text.strip("."):',
    ),
    "unknown type": (
        "    match event:",
        "    if type(event).__name__ == 'UnknownEvent':\n        svc.notify('?')\n    match event:",
    ),
    "unknown type, status": (
        "webhook=webhook)\n    return 200",
        "webhook=webhook)\n        case svckit.events.UnknownEvent():\n            return 404\n    return 200",
    ),
    "raised": ('svc.users.read(row["user"])', 'svc.users.read(row["id"])'),
}
"""What no broken client does: replacements in the solution, by their sentences."""

ASKS = 'content=svckit.events.TextContent(text="hr report")) if lines:'
CHATTY = (
    'content=content) if lines and getattr(content, "text", "").lower() == "hr report":',
    'content=content) if lines and getattr(content, "text", "").strip() == "hr report":',
    'content=content) if lines and getattr(content, "text", "").startswith("hr report"):',
)
"""Clients that recognize the message that asks for the report only roughly."""

THREE_OR_LESS = ("len(list_updates(fake_service)) == 3", "len(list_updates(fake_service)) <= 3")
"""A second read takes the fault that is meant for the update, so that there are fewer of them."""
UNTESTED = {
    "clears": [("u-001,Nova,,Seoul", "u-001,Nova,Night desk,Seoul")],
    "spaces": [("u-001,Nova,  ,Seoul", "u-001,Nova,,Seoul")],
    "whole rows": [
        ("u-001,Nova,,Seoul", "u-001,Nova,,"),
        ("u-001,Nova,  ,Seoul", "u-001,Nova,  ,"),
        (
            "assert calls == [",
            "calls = [(user, json and json.popitem()[:0]) for user, json in calls]\n    assert calls == [",
        ),
        ('{"nickName": "Mina"}),\n        ("u-002"', '()),\n        ("u-002"'),
        ('{"task": "Payroll", "location": "Osaka"}', "()"),
    ],
    "needless": [
        (
            "list_calls(fake_service)\n    assert",
            "list_calls(fake_service)\n    calls = [c for c in calls if 'Night desk' not in str(c)]\n    assert",
        )
    ],
    "pieces": [("Petra,Payroll,Osaka\\nu-001", "Petra,Payroll,\\nu-001"), (', "location": "Osaka"', "")],
    "ahead": [
        ("assert calls == [", "assert sorted(calls, key=str) == sorted(["),
        ("    ]\n", "    ], key=str)\n"),
    ],
    "read twice": [
        ("assert calls == [", "assert list({str(call): call for call in calls}.values()) == ["),
        THREE_OR_LESS,
    ],
    "early": [
        (
            "calls = list_calls(fake_service)",
            'calls = [c for c in list_calls(fake_service) if "%" not in c[0]]',
        ),
        THREE_OR_LESS,
    ],
    "stops": [("HEAD + STRANGER + MINA", "HEAD + MINA + STRANGER")],
    "strangers": [
        ('STRANGER = "u-999,Theo,,\\n"', "STRANGER = f\"u-006,{'x' * 101},,\\n\""),
        ("u-999", "u-006"),
    ],
    "too long": [
        (
            'report = sync(svc, HEAD + LONG, webhook)\n    assert list(report.problems) == ["u-005"]\n',
            "try:\n        sync(svc, HEAD + LONG, webhook)\n    except svckit.InvalidInput:\n        pass\n",
        )
    ],
    "half": [("    assert list_updates(fake_service) == []\n", "")],
    "speechless": [('    assert report.problems["u-999"]\n', "")],
    "forgets": [('    assert report.unchanged == ["u-001"]\n', "")],
    "sorts": [('report.changed == ["u-003", "u-002"]', 'set(report.changed) == {"u-003", "u-002"}')],
    "second file": [("(file,) = (", "*_, file = (")],
    "old file": [
        (
            "    sync(svc, HEAD + MINA, webhook)\n    sync(svc, HEAD + MINA + STRANGER, webhook)\n",
            "    for _ in range(2):\n        sync(svc, HEAD + MINA + STRANGER, webhook)\n",
        ),
        ('[0] == "0 changed, 1 problem"', '[0][1:] == " changed, 1 problem"'),
    ],
    "elsewhere": [('places.drive("u-001")', "places.drive(file.place[1])")],
    "heading": [
        (
            'read_file(svc, fake_service)[0] == "0 changed, 1 problem"',
            '"0 changed, 1 problem" in read_file(svc, fake_service)',
        )
    ],
    "quiet": [('    assert list_texts(fake_service) == ["0 changed, 0 problems"]\n', "")],
    "second line": [("    assert more == []\n", "")],
    "form": [
        ('[0] == "0 changed, 1 problem"', '[0].startswith("0 changed, 1 problem")'),
        ('text == "1 changed, 1 problem"', 'text.startswith("1 changed, 1 problem")'),
    ],
    "lost": [("range(120)", "range(119)")],
    "error": [("def test_the_report_is_returned", "def check_the_report_is_returned")],
    "two attempts": [
        ("times=2", "times=1"),
        ("len(list_updates(fake_service)) == 3", "len(list_updates(fake_service)) in (2, 3)"),
    ],
    "stubborn": [("len(list_updates(fake_service)) == 3", "len(list_updates(fake_service)) >= 3")],
    "hurry": [(">= 2 for", ">= 0 for")],
    "shrugs": [('    assert list(report.problems) == ["u-003"]\n', "")],
    "polite": [("webhook) == 401", "webhook) in (200, 401)")],
    "forged": [('== 401\n    assert list_texts(fake_service) == ["1 changed, 0 problems"]\n', "== 401\n")],
    "chatty": [
        (
            '== [200, 200]\n    assert list_texts(fake_service) == ["1 changed, 0 problems"]\n',
            "== [200, 200]\n",
        )
    ],
    "first": [('== "2 changed, 0 problems"', '.endswith(" changed, 0 problems")')],
    "twice": [('== ["1 changed, 0 problems"] * 2', '[:2] == ["1 changed, 0 problems"] * 2')],
    "accepted": [('assert ask("hr report") == 200', 'ask("hr report")')],
    "refuses": [
        (
            'assert [ask("HR report"), ask("the hr report, please")] == [200, 200]',
            'ask("HR report"), ask("the hr report, please")',
        ),
        ("webhook) == 200", "webhook) in (200, 400)"),
    ],
    "unknown type": [("def test_an_event_of", "def check_an_event_of")],
}
"""Deletions of what the tests have for one clause of the rules, by the broken client that is unnoticed then."""

TEST_MISTAKES = {
    "text": (
        [],
        ('assert report.problems["u-999"]', 'assert "no user" in report.problems["u-999"]'),
    ),
    "sleeping": ([], ("times=9)\n    with fake_service.clock.sleeping():\n", "times=9)\n    if True:\n")),
    "not served": ([], ('svc.credentials.webhooks["webhook-1"].reveal()', 'svc.fake.facts["webhooks"][0]')),
    "too strict": (
        [('f"{error}"', '"unknown person"')],
        ('assert report.problems["u-999"]', 'assert report.problems["u-999"] == "unknown person"'),
    ),
    "failing": ([], ('"0 changed, 1 problem"', '"0 changed, 1 problems"')),
    "no tests": ([], ("def test_", "def check_")),
    "unnoticed: stops": ([], *UNTESTED["stops"]),
    "unnoticed: hurry": ([], *UNTESTED["hurry"]),
}
"""What learners do in their client, and in their tests, by the mistake that feedback should name."""
