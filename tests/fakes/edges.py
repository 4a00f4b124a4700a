"""Tables of edges: for assumptions, further calls about which they decide, or do not, beside the scenario of each."""

EDGES = {}
"""By rule ID and name: a function of a `Caller` that returns a response, and what that is under each alternative.

One outcome is that of all alternatives, and the response does not name the assumption. With a tuple of outcomes, one
for each alternative, it does. An outcome is a status, the words of a refusal with 400, or both.
"""


def edges(rule_id, **calls):
    """Enter edges of a rule; underscores in their names stand for blanks."""
    rows = EDGES.setdefault(rule_id, {})
    for name, row in calls.items():
        assert name not in rows, f"two edges of {rule_id} named {name}"
        rows[name] = row


def patching(user="u-001", **change):
    """An update of a user."""
    return lambda me: me.patch(user, **change)


def after(*calls, assume=None, **settings):
    """The last of several calls, in a domain with these settings, and under further assumptions."""

    def send(me):
        me.fake.rules.choose(assume or {})
        for name, value in settings.items():
            setattr(me.fake.settings, name, value)
        *_, last = [call(me) for call in calls]
        return last

    return send
