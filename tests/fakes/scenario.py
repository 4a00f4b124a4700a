"""A table of scenarios: for each assumption, a call whose observable outcome depends on it."""

SCENARIOS = {}
"""By rule id: a function of a `Caller` that returns what a client observes."""


def scenario(rule_id):
    """Enter a function as the scenario of a rule."""

    def enter(observe):
        assert rule_id not in SCENARIOS, f"two scenarios for {rule_id}"
        SCENARIOS[rule_id] = observe
        return observe

    return enter
