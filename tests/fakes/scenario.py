"""A table of scenarios: for each assumption, a call whose observable outcome depends on it."""

SCENARIOS = {}
"""By rule id: a function of a `Caller` that returns what a client observes; a response stands for its status."""

OUTCOMES = {}
"""By rule id: what that is under each alternative, the default first, as the rule has it in words."""


def scenario(rule_id, outcomes):
    """Enter a function as the scenario of a rule, with its outcome by alternative."""

    def enter(observe):
        assert rule_id not in SCENARIOS, f"two scenarios for {rule_id}"
        SCENARIOS[rule_id], OUTCOMES[rule_id] = observe, outcomes
        return observe

    return enter
