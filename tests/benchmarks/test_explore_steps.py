"""The benchmark takes the steps it names."""

from . import explore_steps


def test_every_step_is_taken(capsys):
    assert explore_steps.main(30) == 0
    first, *steps = capsys.readouterr().out.splitlines()
    assert first == "30 users, 64 columns"
    assert all(line.endswith(" ms") for line in steps)
    assert steps[-1].startswith("export as JSON")
