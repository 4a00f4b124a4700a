"""The calls of the admin interface as a table."""

from fakes.handlers import (
    admin_data,
    admin_domain,
    admin_records,
    admin_rooms,
    admin_stubs,
    admin_worlds,
    error_formats,
)
from fakes.handlers.admin import respond
from fakes.handlers.context import CallContext
from fakes.handlers.routing import Handler, Route
from fakes.http.messages import FakeResponse
from fakes.parts.facts import Facts

__all__ = ["ADMIN_ROUTES"]


def list_calls(_: CallContext) -> FakeResponse:
    """List the admin calls."""
    return respond({"calls": [describe_route(route) for route in ADMIN_ROUTES]})


def describe_route(route: Route) -> dict[str, object]:
    """Return an admin call as data: its path, what it does, and whether it needs the key."""
    does = (route.handler.__doc__ or "").partition("\n")[0].replace("``", "")
    return {"method": route.method, "path": route.template, "does": does, "key": not route.keyless}


def read_facts(call: CallContext) -> FakeResponse:
    """Return the facts: the keys of the ready line, with the URLs of this door."""
    with call.domain.lock:
        return respond(Facts.of(call.state, call.base_urls).to_wire())


def read_health(_: CallContext) -> FakeResponse:
    """Say that the fake responds."""
    return respond({"status": "ok"})


def read_openapi(call: CallContext) -> FakeResponse:
    """Return the service as an OpenAPI document, with the URLs of this door."""
    return respond(call.domain.openapi(call.base_urls))


def read_asyncapi(call: CallContext) -> FakeResponse:
    """Return the events as an AsyncAPI document."""
    return respond(call.domain.asyncapi())


def read_admin_openapi(call: CallContext) -> FakeResponse:
    """Return the admin calls as an OpenAPI document, with the URL of this door."""
    return respond(call.domain.admin_openapi(call.base_urls))


CALLS: tuple[tuple[str, str, str, Handler], ...] = (
    ("GET", "/", "index", list_calls),
    ("GET", "/health", "health", read_health),
    ("GET", "/facts", "facts", read_facts),
    ("GET", "/clock", "clock.read", admin_domain.read_clock),
    ("POST", "/clock", "clock.move", admin_domain.move_clock),
    ("GET", "/domain", "domain.read", admin_domain.read_settings),
    ("PATCH", "/domain", "domain.change", admin_domain.change_settings),
    ("POST", "/applications", "applications.register", admin_domain.register_application),
    ("PUT", "/applications/{clientId}/key", "applications.set_key", admin_domain.set_key),
    ("POST", "/tokens", "tokens.issue", admin_domain.issue_token),
    ("POST", "/sign-in", "sign_in", admin_domain.sign_in),
    ("GET", "/users/{userId}", "users.read", admin_domain.read_user),
    ("PUT", "/users/{userId}", "users.put", admin_data.put_user),
    ("DELETE", "/users/{userId}", "users.remove", admin_data.remove_user),
    ("POST", "/files", "files.put", admin_data.put_file),
    ("GET", "/snapshot", "snapshot.take", admin_domain.take_snapshot),
    ("PUT", "/snapshot", "snapshot.restore", admin_domain.restore),
    ("POST", "/reset", "reset", admin_domain.reset),
    ("GET", "/webhooks", "webhooks.list", admin_rooms.list_webhooks),
    ("POST", "/webhooks", "webhooks.add", admin_rooms.add_webhook),
    ("PUT", "/notification-app", "app.add", admin_rooms.add_app),
    ("DELETE", "/notification-app", "app.remove", admin_rooms.remove_app),
    ("GET", "/rooms", "rooms.list", admin_rooms.list_rooms),
    ("PUT", "/rooms/{channelId}/bot", "rooms.invite_bot", admin_rooms.invite_bot),
    ("DELETE", "/rooms/{channelId}/bot", "rooms.remove_bot", admin_rooms.remove_bot),
    ("GET", "/rooms/{channelId}/webhooks", "rooms.webhooks", admin_rooms.list_webhooks_of_room),
    ("GET", "/rooms/{channelId}/messages", "rooms.read", admin_rooms.read_room),
    ("POST", "/bots", "bots.add", admin_data.add_bot),
    ("PUT", "/bots/{botId}/callback", "bots.connect", admin_rooms.connect_bot),
    ("POST", "/messages", "messages.send", admin_rooms.send_message),
    ("GET", "/journal", "journal.read", admin_records.read_journal),
    ("DELETE", "/journal", "journal.clear", admin_records.clear_journal),
    ("GET", "/rules", "rules.list", admin_records.list_rules),
    ("PATCH", "/rules", "rules.choose", admin_records.choose_rules),
    ("GET", "/faults", "faults.list", admin_records.list_faults),
    ("POST", "/faults", "faults.add", admin_records.add_fault),
    ("DELETE", "/faults", "faults.clear", admin_records.clear_faults),
    ("GET", "/stubs", "stubs.list", admin_stubs.list_stubs),
    ("POST", "/stubs", "stubs.add", admin_stubs.add_stub),
    ("DELETE", "/stubs", "stubs.clear", admin_stubs.clear_stubs),
    ("GET", "/worlds", "worlds.list", admin_worlds.list_worlds),
    ("POST", "/worlds", "worlds.add", admin_worlds.add_world),
    ("GET", "/worlds/{worldName}", "worlds.read", admin_worlds.read_world),
    ("POST", "/worlds/{worldName}", "worlds.add_named", admin_worlds.add_world),
    ("DELETE", "/worlds/{worldName}", "worlds.remove", admin_worlds.remove_world),
    ("GET", "/openapi.json", "openapi", read_openapi),
    ("GET", "/asyncapi.json", "asyncapi", read_asyncapi),
    ("GET", "/admin-openapi.json", "admin_openapi", read_admin_openapi),
)

KEYLESS = frozenset({"index", "health", "openapi", "asyncapi", "admin_openapi"})
"""Calls that show nothing of the fake's state."""

QUERIED = frozenset({"journal.read"})
"""Calls that take a query."""

ADMIN_ROUTES = tuple(
    Route(
        method,
        "admin",
        path,
        f"admin.{name}",
        handler,
        error_formats.format_admin_error,
        "",
        keyless=name in KEYLESS,
        queried=name in QUERIED,
    )
    for method, path, name, handler in CALLS
)
