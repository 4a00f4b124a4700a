"""The certificate authority of one run, and the files of CAs that let programs trust it."""

import os
import ssl
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from warnings import catch_warnings

from svckit.extras import needing

__all__ = ["CA_VARIABLES", "PASSWORD", "Authority", "read_trusted"]

CA_VARIABLES = (
    "SSL_CERT_FILE",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
    "DENO_CERT",
)
"""The variables that name a file of CAs."""
PASSWORD = "changeit"  # noqa: S105 - of Java's own trust stores; nothing in them is secret
START = b"-----BEGIN CERTIFICATE-----"
END = b"-----END CERTIFICATE-----"


class Authority:
    """A certificate authority whose key never leaves the memory, with one certificate for all hosts.

    Args:
        hosts: the names of the hosts.
        folder: the folder of the run, which its user deletes.

    Attributes:
        context: what the server presents.
        ca_file: the authority's certificate alone, for the trust store of a machine or a container.
        bundle: the CAs that were trusted before, and this one.

    Raises:
        ModuleNotFoundError: the package trustme, of the extra serve, is missing.
    """

    def __init__(self, hosts: Iterable[str], folder: Path) -> None:
        with needing("`svckit run` or --as"):
            import trustme
        authority = trustme.CA(organization_name="svckit", organization_unit_name="a fake on this machine")
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.set_alpn_protocols(["http/1.1"])
        authority.issue_cert(*sorted(hosts)).configure_cert(self.context)
        self.ca_file = folder / "ca.pem"
        self.bundle = folder / "bundle.pem"
        self._trusted = [*read_trusted(os.environ), authority.cert_pem.bytes()]
        self.ca_file.write_bytes(self._trusted[-1])
        self.bundle.write_bytes(b"".join(self._trusted))

    def write_trust_store(self, path: Path) -> None:
        """Write the CAs of the bundle as a trust store for Java, in PKCS #12."""
        from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, pkcs12
        from cryptography.utils import CryptographyDeprecationWarning
        from cryptography.x509 import load_pem_x509_certificate

        certificates = []
        with catch_warnings(action="ignore", category=CryptographyDeprecationWarning):
            for number, pem in enumerate(self._trusted):
                with suppress(ValueError):  # an old CA that breaks a rule of today
                    certificate = load_pem_x509_certificate(pem)
                    certificates.append(pkcs12.PKCS12Certificate(certificate, b"ca-%d" % number))
        path.write_bytes(
            pkcs12.serialize_java_truststore(certificates, BestAvailableEncryption(PASSWORD.encode()))
        )


def read_trusted(environment: Mapping[str, str]) -> list[bytes]:
    """Return the CAs that programs trust on this machine, in PEM: those of the variables, of the system, of certifi.

    Files that cannot be read are left out.

    Examples:
        >>> pems = read_trusted({})
        >>> len(pems) > 10, pems[0].splitlines()[0]
        (True, b'-----BEGIN CERTIFICATE-----')
    """
    import certifi

    system = ssl.get_default_verify_paths().cafile  # follows SSL_CERT_FILE, too
    named = [environment.get(variable) for variable in CA_VARIABLES]
    found: dict[bytes, None] = {}
    for file in filter(None, [*named, system, certifi.where()]):
        with suppress(OSError):
            found |= dict.fromkeys(split_certificates(Path(file).read_bytes()))
    return list(found)


def split_certificates(text: bytes) -> Iterator[bytes]:
    """Yield the certificates of a PEM file, without what is around them.

    Examples:
        >>> block = b"-----BEGIN CERTIFICATE-----\\r\\nMIIB\\r\\n-----END CERTIFICATE-----"
        >>> list(split_certificates(b"# a comment\\n" + block))
        [b'-----BEGIN CERTIFICATE-----\\nMIIB\\n-----END CERTIFICATE-----\\n']
    """
    for piece in text.replace(b"\r\n", b"\n").split(START)[1:]:
        content, end, _ = piece.partition(END)
        if end:
            yield START + content + END + b"\n"
