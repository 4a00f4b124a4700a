"""What learners do in the project: replacements in the solution, by the mistake that feedback should name."""

CLIENT_MISTAKES = {
    "hurry": ("time.sleep(pause)", "pass"),
    "order": (
        '    user = svc.users.read(row["user"])\n',
        '    user = next(each for each in svc.users.list_known() if each.user_id == row["user"])\n',
    ),
    "read twice": (
        '    user = svc.users.read(row["user"])\n',
        '    svc.users.read(row["user"])\n    user = svc.users.read(row["user"])\n',
    ),
    "report": ('    report.changed.append(row["user"])\n', ""),
    "error": (
        "except svckit.ServiceError as error:\n        print",
        "except KeyError as error:\n        print",
    ),
    "form": ('"problem" if len(self.problems) == 1 else "problems"', '"problems"'),
    "silent": ("if lines:", "if False:"),
    "chatty": ('text="hr report"', "text=_"),
    "stops": ("except (svckit.ServiceError, svckit.InvalidInput)", "except svckit.Unreachable"),
    "file": ("places.drive(me.user_id)", 'places.drive("u-002")'),
    "lost": (", wait=True)\n    except svckit.ServiceError", ")\n    except KeyError"),
    "second file": (", overwrite=True", ""),
    "whole rows": (
        '    update(svc, row["user"], fields)\n',
        '    for name in fields:\n        update(svc, row["user"], {name: fields[name]})\n',
    ),
    "raised": ('svc.users.read(row["user"])', 'svc.users.read(row["id"])'),
}

LITERAL_MISTAKES = {
    "a cell of spaces": ("clears", ("row[column].strip()", "row[column]")),
    "capitals": (
        "chatty",
        (
            'content=svckit.events.TextContent(text="hr report")) if lines:',
            'content=content) if lines and getattr(content, "text", "").lower() == "hr report":',
        ),
    ),
    "spaces around the text": (
        "chatty",
        (
            'content=svckit.events.TextContent(text="hr report")) if lines:',
            'content=content) if lines and getattr(content, "text", "").strip() == "hr report":',
        ),
    ),
    "the start of the text": (
        "chatty",
        (
            'content=svckit.events.TextContent(text="hr report")) if lines:',
            'content=content) if lines and getattr(content, "text", "").startswith("hr report"):',
        ),
    ),
    "a request before the first row": (
        "order",
        ("    report = Report()\n", "    report = Report()\n    svc.users.read(svc.credentials.login_id)\n"),
    ),
}
"""Clients that keep the rules only roughly, and the mistake that feedback should name."""

TEST_MISTAKES = {
    "text": (
        '["u-999", "u-005"]\n',
        '["u-999", "u-005"]\n    assert "no user" in report.problems["u-999"]\n',
    ),
    "sleeping": (
        "times=2)\n    with fake_service.clock.sleeping():\n        report",
        "times=2)\n    if True:\n        report",
    ),
    "too strict": ("import receive, sync\n", "import lines, receive, sync\n"),
    "failing": ('"0 changed, 1 problem"', '"0 changed, 1 problems"'),
    "no tests": ("def test_", "def check_"),
    "unnoticed: clears": (
        '{HEAD}u-003,Mina,Night desk, \\nu-001,Hana,,\\n"',
        '{HEAD}u-003,Mina,Night desk,Home office\\nu-001,Hana,Night desk,Seoul\\n"',
    ),
    "unnoticed: whole rows": ("Mina,Night desk, \\n", "Mina,, \\n"),
    "unnoticed: stops": (
        'MINA.replace(HEAD, problems), webhook)\n    assert list(report.problems) == ["u-999", "u-005"]',
        'MINA + "u-999,Theo,,", webhook)\n    assert list(report.problems) == ["u-999"]',
    ),
    "unnoticed: second file": ("(file,) = (each for", "*_, file = (each for"),
    "unnoticed: lost": ("range(120)", "range(119)"),
    "unnoticed: one attempt": ("503, skip=1, times=2", "503"),
    "unnoticed: forged": (
        '== 401\n    assert list_texts(fake_service) == ["0 changed, 0 problems"]\n',
        "in (200, 401)\n",
    ),
    "unnoticed: unknown type": ('{"type": "postback", "data": "hr report"}', "{}"),
}
