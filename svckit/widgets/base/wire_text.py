"""An exchange of a trace as the browser shows it: in a line, as HTTP text, and as curl; see ``wire.js``."""

from svckit.http.trace import TraceEntry

__all__ = ["wire_text"]


def wire_text(exchange: TraceEntry) -> dict[str, str]:
    """The texts of an exchange, masked as those of every trace.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> with svc.trace() as trace:
        ...     user = svc.users.read("u-001")
        >>> wire_text(trace[0])["line"]
        'PATCH /users/u-001 -> 200 OK'
    """
    request = exchange.request
    path = "/" + request.url.partition("://")[2].partition("/")[2].partition("?")[0]
    reply = exchange.reply
    return {
        "line": f"{request.method} {path} -> {exchange.outcome}",
        "request": request.text,
        "response": exchange.failure or "no answer" if reply is None else reply.text,
        "curl": request.curl,
    }
