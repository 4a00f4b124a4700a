"""A trace entry for the browser: in a line, as HTTP text, as curl, and as Python; see ``wire.js``."""

from svckit.http.trace import TraceEntry

__all__ = ["wire_text"]


def wire_text(entry: TraceEntry) -> dict[str, str]:
    """Format a request and its response, masked as in every trace.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> with svc.trace() as trace:
        ...     user = svc.users.read("u-001")
        >>> wire_text(trace[0])["line"]
        'PATCH /users/u-001 → 200 OK'
    """
    request = entry.request
    path = "/" + request.url.partition("://")[2].partition("/")[2].partition("?")[0]
    response = entry.response
    return {
        "line": f"{request.method} {path} → {entry.outcome}",
        "request": request.text,
        "response": entry.failure or "no response" if response is None else response.text,
        "curl": request.curl,
        "python": entry.python,
    }
