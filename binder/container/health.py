"""Exit with 0 if the fake of this container responds, for the container's health check."""

import os
import ssl
import sys
from urllib.request import HTTPSHandler, ProxyHandler, build_opener

ON = ("1", "true", "t", "yes", "y", "on")
SECONDS = 4


def build_url() -> str:
    """Return the URL of the admin call ``GET /health``, by the variables that `svckit serve` reads."""
    port = int(os.environ.get("SVCKIT_SERVE_PORT") or 8000)
    origins = os.environ.get("SVCKIT_SERVE_ORIGINS", "").lower() in ON
    scheme = "https" if os.environ.get("SVCKIT_SERVE_TLS_CERT") else "http"
    return (
        f"{scheme}://127.0.0.1:{port + 4}/health" if origins else f"{scheme}://127.0.0.1:{port}/admin/health"
    )


def check_health() -> None:
    """Call it.

    Raises:
        OSError: there is no response, or not that of a healthy fake.
    """
    unverified = ssl.create_default_context()  # the certificate is for the name by which others call it
    unverified.check_hostname, unverified.verify_mode = False, ssl.CERT_NONE
    with build_opener(ProxyHandler({}), HTTPSHandler(context=unverified)).open(build_url(), timeout=SECONDS):
        pass


if __name__ == "__main__":
    try:
        check_health()
    except OSError as error:
        sys.exit(f"The fake does not respond at {build_url()}: {error}")
