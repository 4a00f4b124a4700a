"""The requests that a proxy turned away, and what it says about them."""

import re
from collections import Counter

__all__ = ["Refusals", "explain_host"]

UNPRINTABLE = re.compile(r"[^A-Za-z0-9.:_\[\]-]+")
LONGEST = 253
"""The longest name of a host (RFC 1035 2.3.4)."""


class Refusals:
    """The requests and connections that a proxy refused, for the report.

    Attributes:
        hosts: the hosts that are not led, with the number of requests.
        distrusting: the number of connections whose client does not trust the certificate.

    Examples:
        >>> refusals = Refusals()
        >>> refusals.hosts["www.example.org"] += 2
        >>> refusals.distrusting += 1
        >>> print(*refusals.explain(), sep="\\n")
        2 requests refused: www.example.org is not led to the fake; name it with --as, such as ...
        1 connection ended because its client does not trust the certificate: it reads none of the variables ...
    """

    def __init__(self) -> None:
        self.hosts: Counter[str] = Counter()
        self.distrusting = 0

    def refuse(self, host: str) -> str:
        """Count a request to a host that is not led, and return what its client is told."""
        host = UNPRINTABLE.sub("?", host)[:LONGEST]
        self.hosts[host] += 1
        return explain_host(host)

    def explain(self) -> list[str]:
        """Return a line for each host, and one for the clients without trust."""
        lines = [
            f"{count} request{'s' if count > 1 else ''} refused: {explain_host(host)}"
            for host, count in self.hosts.items()
        ]
        if self.distrusting:
            ended = "1 connection" if self.distrusting == 1 else f"{self.distrusting} connections"
            lines.append(
                f"{ended} ended because its client does not trust the certificate: it reads none of the variables "
                "that name the file of CAs, or code sets another file"
            )
        return lines


def explain_host(host: str) -> str:
    """Explain why a request to a host is refused, and which option to set.

    Examples:
        >>> explain_host("www.example.org")
        'www.example.org is not led to the fake; name it with --as, such as --as base_url=https://www.example.org, ...'
    """
    return (
        f"{host} is not led to the fake; name it with --as, such as --as base_url=https://{host}, "
        f"or let requests to it leave the machine with --pass-through {host}"
    )
