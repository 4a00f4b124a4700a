"""The environment of a program whose requests reach a fake, language by language."""

import json
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from fakes.proxy.authority import CA_VARIABLES, PASSWORD
from fakes.proxy.named_hosts import NamedHosts
from fakes.proxy.refusals import explain_host

__all__ = ["make_environment"]

PRELOAD = Path(__file__).with_name("preload.cjs")
LOCAL = ("localhost", "127.0.0.1", "::1")
LOCAL_IN_JAVA = ("localhost", "127.*", "[::1]")


def make_environment(
    served: NamedHosts[Any],
    environment: Mapping[str, str],
    pass_through: Collection[str] = (),
) -> dict[str, str]:
    """Return an environment in which programs reach a fake at the names of its hosts.

    Args:
        served: the fake, while it is served.
        environment: the environment to change; proxies and files of CAs that it names are replaced, and the CAs in
            those files stay trusted.
        pass_through: the hosts that programs reach without the proxy.

    Returns:
        The environment: the variables of proxies and of CAs, and for Node, Java and PHP, which honour few of those,
        their own.
    """
    proxy, bundle = urlsplit(served.url), str(served.authority.bundle)
    changed = dict(environment)
    for name in ("HTTPS_PROXY", "HTTP_PROXY"):
        changed[name] = changed[name.lower()] = served.url
    changed["NO_PROXY"] = changed["no_proxy"] = ",".join((*LOCAL, *pass_through))
    changed |= dict.fromkeys(CA_VARIABLES, bundle)

    # JSON quotes a path as Node reads it: with its backslashes escaped.
    add(changed, "NODE_OPTIONS", f"--require {json.dumps(str(PRELOAD))}")
    changed["FAKE_LED_HOSTS"] = json.dumps(
        {
            "hosts": served.hosts,
            "address": proxy.hostname,
            "port": served.tls_port,
            "free": [*LOCAL, *pass_through],
            "refusal": explain_host("HOST"),
        }
    )

    store = served.folder / "trusted.p12"
    served.authority.write_trust_store(store)
    properties = {
        "https.proxyHost": proxy.hostname,
        "https.proxyPort": proxy.port,
        "http.proxyHost": proxy.hostname,
        "http.proxyPort": proxy.port,
        "http.nonProxyHosts": "|".join((*LOCAL_IN_JAVA, *pass_through)),
        "javax.net.ssl.trustStore": store,
        "javax.net.ssl.trustStoreType": "PKCS12",
        "javax.net.ssl.trustStorePassword": PASSWORD,
    }
    add(changed, "JAVA_TOOL_OPTIONS", " ".join(f'"-D{name}={value}"' for name, value in properties.items()))

    settings = served.folder / "php"
    settings.mkdir(exist_ok=True)
    ini = f'curl.cainfo="{bundle}"\nopenssl.cafile="{bundle}"\n'
    (settings / "svckit.ini").write_text(ini, encoding="utf-8")
    # Nothing before the separator stands for the folder that PHP was built with.
    changed["PHP_INI_SCAN_DIR"] = f"{environment.get('PHP_INI_SCAN_DIR', '')}{os.pathsep}{settings}"
    return changed


def add(environment: dict[str, str], name: str, options: str) -> None:
    """Add options to a variable that may have some.

    Examples:
        >>> environment = {"NODE_OPTIONS": "--no-warnings"}
        >>> add(environment, "NODE_OPTIONS", "--require x.cjs")
        >>> environment
        {'NODE_OPTIONS': '--no-warnings --require x.cjs'}
    """
    environment[name] = " ".join(filter(None, (environment.get(name), options)))
