"""Deviations: what the fake does on request although the service's description decides it differently."""

from dataclasses import dataclass

from fakes.rulebook import sections
from fakes.rulebook.rule import Section

__all__ = [
    "CLIENT_AUTH",
    "DEVIATIONS",
    "EXPIRES_IN",
    "ID_TOKEN",
    "REFRESH_ROTATION",
    "REQUEST",
    "STEP1_ID",
    "STEP1_OFFSET",
    "STORAGE_BEARER",
    "STORED",
    "Deviation",
]


@dataclass(frozen=True, slots=True, eq=False)
class Deviation:
    """A departure from documented rules that somebody can ask for by name.

    Attributes:
        id: area and behavior, such as ``file.stored``; it may be that of a documented rule.
        departs_from: the IDs of the documented rules that do not hold for a response that it shapes.
        section: the section of the service's description that it departs from.
        text: what the fake does if it is chosen.
        need: the clients that need it.
        values: the values to choose from.
    """

    id: str
    departs_from: tuple[str, ...]
    section: str
    text: str
    need: str
    values: tuple[str, ...]

    def recommend(self) -> str:
        """Return the setting that chooses its first value.

        Examples:
            >>> STORED.recommend()
            'deviations={"file.stored": "200"}'
        """
        return f'deviations={{"{self.id}": "{self.values[0]}"}}'


DEVIATIONS: dict[str, Deviation] = {}
"""All deviations by ID. They are not rules: none applies unless it is chosen."""


def _declare(
    deviation_id: str, *departs_from: str, section: Section, text: str, need: str, values: tuple[str, ...]
) -> Deviation:
    DEVIATIONS[deviation_id] = deviation = Deviation(
        deviation_id, departs_from, section=section.heading, text=text, need=need, values=values
    )
    return deviation


CLIENT_AUTH = _declare(
    "token.client-auth",
    "token.parameters",
    section=sections.TOKEN_ENDPOINTS,
    text="The token endpoint also takes client_id and client_secret from Basic credentials in the Authorization "
    "header. Form fields that are sent as well win, but a client_id must be the same in both. A 401 for such "
    "credentials has the header WWW-Authenticate.",
    need="OAuth libraries that authenticate the client with client_secret_basic, their default.",
    values=("form-or-basic",),
)
REFRESH_ROTATION = _declare(
    "token.refresh-rotation",
    "token.refreshed",
    section=sections.CREDENTIAL_STATES,
    text="A refresh also returns a new refresh token, valid for 90 days, and uses up the old one.",
    need="Clients that replace the stored refresh token after each refresh, or fail without a new one.",
    values=("rotated",),
)
EXPIRES_IN = _declare(
    "token.expires-in",
    "token.issued",
    "token.refreshed",
    section=sections.TOKEN_FIELDS,
    text="expires_in is a number of seconds, not text.",
    need="Clients that add expires_in to a time, as OAuth 2.0 shows it as a number.",
    values=("number",),
)
ID_TOKEN = _declare(
    "token.id-token",
    "token.issued",
    section=sections.TOKEN_FIELDS,
    text="The exchange of a code for the scope openid also returns an id_token: a JWT with iss, sub, aud, iat, exp and "
    "the nonce of the authorization request, signed with RS256. /.well-known/openid-configuration, below the URL of "
    "the authorization server, names the keys that check it. The value always issues it for any scope.",
    need="OpenID Connect clients, which check the id_token and read the user's ID from it.",
    values=("issued", "always"),
)
REQUEST = _declare(
    "file.request",
    "file.request",
    section=sections.FILE_TRANSFER,
    text="The first step of an upload to a bot needs no fileSize; the content may then have any size.",
    need="Bots that announce an attachment by its fileName alone.",
    values=("name-only-for-bots",),
)
STEP1_ID = _declare(
    "file.step1-id",
    "file.upload-url",
    section=sections.FILE_TRANSFER,
    text="The first step of an upload also returns the fileId that the file then gets; of a file that it replaces, "
    "the file's own.",
    need="Bots that send the fileId of an attachment without reading the result of the upload.",
    values=("sent",),
)
STEP1_OFFSET = _declare(
    "file.step1-offset",
    "file.upload-url",
    section=sections.FILE_TRANSFER,
    text='The first step of an upload takes "resume": true, and then also returns the offset to continue from: the '
    "number of bytes already received in an unfinished upload of the same name and size to the same place, or 0.",
    need="Clients that resume an upload after a restart, when they no longer have its URL.",
    values=("sent",),
)
STORED = _declare(
    "file.stored",
    "file.stored",
    section=sections.FILE_TRANSFER,
    text="A successful upload gets 200, not 201.",
    need="Clients that accept only 200 for an upload.",
    values=("200",),
)
STORAGE_BEARER = _declare(
    "file.storage-bearer",
    "api.bearer",
    "file.bearer",
    section=sections.AUTHENTICATION,
    text="Upload and download URLs work without an Authorization header, for the user who requested them; a header "
    "that is sent must be valid.",
    need="Clients that follow the redirect to the content themselves, and drop the bearer on the way to another host.",
    values=("not-needed",),
)
