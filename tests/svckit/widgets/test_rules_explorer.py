"""The rules explorer from Python: rules are filtered, alternatives are switched live, and sweeps are run."""

import pytest
from pandas.testing import assert_frame_equal

import svckit
from fakes import FakeService
from svckit.display.suggestions import UnknownName
from svckit.errors import InvalidInput, NotFound
from svckit.session.session import Session
from svckit.widgets import RulesExplorer
from svckit.widgets.explorers.fake.rules_explorer import CHECKS, SOURCE

from .conftest import ask

ADDRESSING, BY_DEFAULT = "user.addressing", "id-email-key"


@pytest.fixture
def explorer(svc: Session) -> RulesExplorer:
    return RulesExplorer(svc)


def listed(explorer: RulesExplorer) -> list[str]:
    assert explorer.table is not None
    return [str(each) for each in explorer.table.rows["id"]]


def used(explorer: RulesExplorer, rule_id: str) -> int:
    return next(each["used"] for each in explorer.head.records if each["id"] == rule_id)


def test_all_rules_and_deviations_are_listed(svc: Session, explorer: RulesExplorer) -> None:
    rules = svc.fake.rules
    assert listed(explorer) == [*(rule.id for rule in rules), *(each.id for each in rules.deviations)]
    assert explorer.table is not None
    assert_frame_equal(eval(SOURCE, {"svc": svc, "svckit": svckit}), explorer.table.model.frame)


def test_filters_combine_and_are_lifted(svc: Session, explorer: RulesExplorer) -> None:
    explorer.filter(provenance="deviation")
    assert len(listed(explorer)) == len(svc.fake.rules.deviations)
    svc.users.read(svc.fake.facts["login_id"])
    explorer.refresh()
    explorer.filter(provenance="assumed", used=True)
    assert listed(explorer) == [ADDRESSING]
    explorer.filter(used=False, text="addressed")
    assert ADDRESSING not in listed(explorer)
    explorer.filter()
    assert len(listed(explorer)) == len(explorer.head.records)


def test_an_alternative_applies_at_once(svc: Session, explorer: RulesExplorer) -> None:
    email = svc.fake.facts["login_id"]
    svc.users.read(email)
    explorer.select(ADDRESSING)
    view = ask(explorer, do="write", field="alternative", text="id-only")
    assert view["done"] == f"{ADDRESSING} is now id-only; it was {BY_DEFAULT}."
    with pytest.raises(NotFound):
        svc.users.read(email)
    assert used(explorer, ADDRESSING) == 1  # as of the last look
    ask(explorer, do="refresh")
    assert used(explorer, ADDRESSING) == 2
    assert explorer.code == f'svc.fake.rules.choose({{"{ADDRESSING}": "id-only"}})'
    ask(explorer, do="write", field="alternative", text=BY_DEFAULT)
    assert svc.users.read(email).email == email


def test_a_selected_row_shows_its_rule_and_one_of_an_outcome_too(
    svc: Session, explorer: RulesExplorer
) -> None:
    assert explorer.table is not None
    explorer.table.select("file.stored")
    assert explorer.head.view["rule"]["choices"] == []  # it is documented
    explorer.filter(provenance="deviation", text="file.stored")
    explorer.table.select(explorer.table.model.page_rows()[0].key)
    ask(explorer, do="write", field="alternative", text="200")
    assert svc.fake.rules.deviations["file.stored"].chosen == "200"
    view = ask(explorer, do="write", field="alternative", text="")
    assert svc.fake.rules.deviations["file.stored"].chosen is None
    assert view["done"] == "The deviation file.stored is now off: as described."
    explorer.sweep("read")
    explorer.wait()
    ask(explorer, do="select", number=1)
    assert explorer.head.view["rule"]["id"] == ADDRESSING


@pytest.mark.parametrize(
    ("rule_id", "alternative", "says"),
    [
        ("api.unauthorised", "403", "did you mean api.unauthorized"),
        ("api.unauthorized", "500", "choose from: 401, 403"),
        ("api.bearer", "basic", "is documented, so it has no alternatives"),
    ],
)
def test_a_choice_that_there_is_not_changes_nothing(
    explorer: RulesExplorer, rule_id: str, alternative: str, says: str
) -> None:
    before = explorer.head.records
    with pytest.raises((UnknownName, ValueError), match=says):
        explorer.choose(rule_id, alternative)
    explorer.refresh()
    assert explorer.head.records == before


@pytest.mark.parametrize("check", CHECKS)
def test_each_ready_check_passes_as_the_fake_is(explorer: RulesExplorer, check: str) -> None:
    ask(explorer, do="write", field="check", text=check)
    ask(explorer, do="sweep")
    explorer.wait()
    assert (explorer.head.error, explorer.head.view["running"]) == ("", False)
    assert explorer.head.view["swept"].startswith(f"{CHECKS[check][0]}: ")


def test_a_sweep_starts_from_what_is_chosen_and_leaves_the_fake_alone(
    svc: Session, explorer: RulesExplorer
) -> None:
    before = svc.fake.snapshot()
    explorer.choose(ADDRESSING, "me")
    number = len(svc.fake.journal)

    def named_by_email(fake: FakeService) -> None:
        fake.state.users.resolve(fake.facts["login_id"])

    explorer.sweep(named_by_email)
    explorer.wait()
    assert [(each.alternative, each.broke_with is None) for each in explorer.outcomes] == [
        (BY_DEFAULT, True),
        ("id-only", False),
    ]
    assert explorer.head.view["swept"] == "named_by_email: 2 alternatives tried, 1 broke it"
    assert [row["cells"][-1] == "holds" for row in explorer.head.view["outcomes"]] == [True, False]
    assert len(svc.fake.journal) == number
    explorer.choose(ADDRESSING, BY_DEFAULT)
    assert svc.fake.snapshot() == before


@pytest.mark.usefixtures("as_in_a_notebook")
def test_a_check_that_fails_as_the_fake_is_says_so(explorer: RulesExplorer) -> None:

    def fails(_: FakeService) -> None:
        raise ZeroDivisionError("by zero")

    explorer.sweep(fails)
    explorer.wait()
    assert explorer.head.error == "ZeroDivisionError: by zero"
    assert explorer.outcomes == []


def test_a_sweep_stops_after_the_current_alternative(explorer: RulesExplorer) -> None:
    def stopping(fake: FakeService) -> None:
        if fake.rules[ADDRESSING].chosen == "id-only":
            explorer.stop()
        fake.state.users.resolve(fake.facts["login_id"])

    explorer.sweep(stopping)
    explorer.wait()
    assert [each.alternative for each in explorer.outcomes] == ["id-only"]
    assert not explorer.head.view["running"]


def test_a_sweep_takes_a_test(explorer: RulesExplorer) -> None:
    with pytest.raises(InvalidInput, match="a sweep takes a function that is called with a fake, or one of"):
        explorer.sweep(5)  # type: ignore[arg-type] # it is wrong
    with pytest.raises(InvalidInput, match="did you mean notify"):
        explorer.sweep("notfy")


def test_elsewhere_it_says_what_is_missing(real: Session) -> None:
    explorer = RulesExplorer(real)
    assert explorer.table is None
    assert repr(explorer) == (
        "Rules [REAL]\nThis is the real service, of which the rules cannot be controlled. "
        "svckit.connect() creates a fake."
    )
    with pytest.raises(InvalidInput, match="nothing was done: This is the real service"):
        explorer.choose("api.unauthorized", "403")
    with pytest.raises(InvalidInput, match="This is the real service"):
        explorer.filter(used=True)
    explorer.refresh()


def test_a_new_one_has_the_same_rule_selected(svc: Session, explorer: RulesExplorer) -> None:
    explorer.select(ADDRESSING)
    second = RulesExplorer(svc)
    assert second.head.view["rule"]["id"] == ADDRESSING
    svc.fake.rules.choose({ADDRESSING: "me"})
    second.refresh()


def test_sweep_with_a_stopped_clock_is_repeatable(explorer: RulesExplorer) -> None:
    seen = []
    for _ in range(2):
        explorer.sweep("transfer")
        explorer.wait()
        seen.append(explorer.head.view["outcomes"])
    assert seen[0] == seen[1]
