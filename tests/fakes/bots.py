"""What the tests of callbacks share: a fake, a message, and a receiver that keeps what comes."""

from collections.abc import Callable, Mapping

TEXT = {"type": "text", "text": "hello"}
AttemptResult = list[tuple[dict[str, str], bytes]]


def keep(came: AttemptResult, status: int | None = None) -> Callable[[Mapping[str, str], bytes], int | None]:
    def receiver(headers: Mapping[str, str], body: bytes) -> int | None:
        came.append((dict(headers), body))
        return status

    return receiver
