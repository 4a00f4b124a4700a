"""Rules of the user directory."""

from fakes.rulebook.sections import DIRECTORY, OTHER_ERRORS, USER_FIELDS

PARTIAL = DIRECTORY.documented(
    "user.partial",
    "Only the fields that are sent are changed. The description requires only domainId, email and userName in the "
    "response; the fake returns every field, without a value as null or an empty array, also where an organization, "
    "custom field or relation was sent without it. As every response would rest on this, none counts as resting on it.",
)
LIMITS = USER_FIELDS.documented("user.limits", "Fields must keep within their limits.")
READ_ONLY = USER_FIELDS.documented(
    "user.read-only",
    "Fields marked RO appear in responses only: an update that sends them changes none of them.",
)
PERMISSION = DIRECTORY.documented(
    "user.permission",
    "User permissions are only changed in the administrator screen: whatever an update sends, isAdministrator stays "
    "the same.",
)
RESTRICTIONS = DIRECTORY.documented(
    "user.restrictions",
    "The management settings decide which properties can be set and read: the fake's setting propertyRestrictions.",
)
USAGE_PERMISSION = DIRECTORY.assumed(
    "user.usage-permission",
    "employmentTypeId and userTypeId can be set, because they are not marked read-only: the user permission that "
    "only the administrator screen changes is taken to be isAdministrator. In the alternatives it also covers these "
    "usage permission types, and a change of them is ignored or refused.",
    ("settable", "ignored", "refused"),
)
NOT_SETTABLE = DIRECTORY.assumed(
    "user.not-settable",
    "An update with a property that the management settings do not allow to be set is refused as a whole with 400; "
    "the alternatives refuse it with 403, or ignore the property.",
    ("400", "403", "ignored"),
)
NOT_READABLE = DIRECTORY.assumed(
    "user.not-readable",
    "A property that the management settings do not allow to be read is absent; in the alternative, it is null if "
    "it can be null.",
    ("absent", "null"),
)
NOT_FOUND = OTHER_ERRORS.assumed(
    "user.not-found",
    "An update of a user who does not exist gets 404, which is listed for it without a condition; the alternative is "
    "the status of an invalid parameter.",
    ("404", "400"),
)
LINK_ID = DIRECTORY.documented(
    "user.link-id",
    "When the e-mail used as external chat-link ID is changed, the link ID follows it.",
)
FORBIDDEN_WORD = DIRECTORY.documented(
    "user.forbidden-word",
    "If the new e-mail contains a forbidden word, the old one becomes a sub e-mail address and stays the link ID.",
)
ADVANCED_ALIAS = DIRECTORY.documented(
    "user.advanced-alias",
    "On the advanced plan, a sub e-mail used for the external chat link must be in aliasEmails.",
)
NOT_CONCURRENT = DIRECTORY.documented(
    "user.not-concurrent",
    "Updates of the same user must not be called concurrently.",
)
MESSENGER = USER_FIELDS.documented(
    "user.messenger",
    "MSGR_C_OLD and MSGR_C are one network: requests may name either, responses name the one that is current on the "
    "day.",
)
LINK_ID_KEPT = DIRECTORY.assumed(
    "user.link-id-kept",
    "A sub e-mail address that has remained the link ID remains so when the e-mail changes again; in the "
    "alternative the link ID follows: it is the old e-mail if the new one contains a forbidden word, otherwise the "
    "new one.",
    ("kept", "follows"),
)
LINK_ID_REMOVED = DIRECTORY.assumed(
    "user.link-id-removed",
    "Without the advanced plan, a link ID that is removed from aliasEmails remains the link ID; in the alternative the "
    "e-mail becomes it.",
    ("kept", "email"),
)
CONCURRENT = OTHER_ERRORS.assumed(
    "user.concurrent",
    "An update that begins while another of the same user is in progress gets 409.",
    ("409", "last-wins"),
)
OLD_MESSENGER = USER_FIELDS.assumed(
    "user.old-messenger",
    "From its end in mid November 2026, MSGR_C_OLD is refused in requests.",
    ("refused", "accepted"),
)
INACTIVE = OTHER_ERRORS.assumed(
    "user.inactive",
    "A user who is suspended, deleted, pending or awaiting can be updated; only an unknown one gets 404.",
    ("updated", "not-found"),
)
CONFLICT_CONDITION = OTHER_ERRORS.assumed(
    "user.conflict-condition",
    "An e-mail or external key that another user has gets 409.",
    ("duplicate", "never"),
)
ALIAS_CONFLICT = OTHER_ERRORS.assumed(
    "user.alias-conflict",
    "An e-mail or sub e-mail address may be another user's sub e-mail address, and a sub e-mail address may be "
    "another user's e-mail.",
    ("accepted", "409"),
)
EMAIL_CASE = USER_FIELDS.assumed(
    "user.email-case",
    "Addresses that differ only in case are the same: they conflict, identify the same user, are the same sub "
    "e-mail address or link ID, and contain the same forbidden words; in the alternative they are different.",
    ("ignored", "distinct"),
)
EXTERNAL_KEY_CASE = USER_FIELDS.assumed(
    "user.external-key-case",
    "External keys that differ only in case are different: they do not conflict, and a path finds a user only by the "
    "exact key; in the alternative they are the same.",
    ("distinct", "ignored"),
)
EMAIL_FORM = USER_FIELDS.assumed(
    "user.email-form",
    "An e-mail address may be any text, even empty; the alternative requires exactly one @ between other characters.",
    ("any-text", "address"),
)
ALIAS_DUPLICATE = USER_FIELDS.assumed(
    "user.alias-duplicate",
    "A sub e-mail address may be given twice, and is stored as sent.",
    ("kept", "refused"),
)
MERGE = DIRECTORY.assumed(
    "user.merge",
    "A nested object or array that is sent replaces the whole stored one. In the alternative, an object is merged into "
    "the stored one at every level, so that what it does not have stays; an array still replaces the whole one.",
    ("top-level", "deep"),
)
ADDRESSING = DIRECTORY.assumed(
    "user.addressing",
    "A path can also identify a user by login e-mail or by externalKey:<key>; in an alternative also by me, which is "
    "the user of the access token.",
    ("id-email-key", "id-only", "me"),
)
DOMAIN_CHANGE = DIRECTORY.assumed(
    "user.domain-change",
    "A domainId other than the user's own is refused; moving a user is another operation.",
    ("refused", "stored"),
)
CUSTOM_PROPERTIES = USER_FIELDS.assumed(
    "user.custom-properties",
    "Custom properties are checked against their definitions; a name without one is refused.",
    ("checked", "accepted"),
)
REFERENCES = USER_FIELDS.assumed(
    "user.references",
    "The references of a user are not checked: domains and units of organizations, positions, levels, both usage "
    "permission types and the users of relations. A customFieldId is not checked in the alternative either, because "
    "the description does not show what defines a custom field.",
    ("not-checked", "checked"),
)
CONTRADICTIONS = USER_FIELDS.assumed(
    "user.contradictions",
    "An update may name several primary domains, several primary organizations in one domain, one language of "
    "i18nNames twice, and the user as his or her own relation; the alternative refuses each of these.",
    ("accepted", "refused"),
)
ARRAY_LIMIT = USER_FIELDS.assumed(
    "user.array-limit",
    "An array without a described maximum, i18nNames or organizations, may have up to 1000 items.",
    ("1000", "unlimited"),
)
TELEPHONE = USER_FIELDS.assumed(
    "user.telephone",
    "The telephone pattern, which has no end anchor, is read as matching the whole text.",
    ("whole-text", "prefix"),
)
TIME_ZONE = USER_FIELDS.assumed(
    "user.time-zone",
    "timeZone must be a name in the time zone database of the package tzdata; the alternative accepts any name of "
    "the form Region/City.",
    ("known", "form-only"),
)
KATAKANA = USER_FIELDS.assumed(
    "user.katakana",
    "Readings of names may also contain spaces, and half-width katakana; the alternatives accept only one of the "
    "two, or neither.",
    ("both", "spaces", "half-width", "neither"),
)
BIRTHDAY = USER_FIELDS.assumed(
    "user.birthday",
    "A birthday whose birthdayCalendarType is LUNAR may be the 30th of any month; any other must be a day of the "
    "solar calendar.",
    ("by-calendar", "always-solar"),
)
SUSPENDED_REASON = USER_FIELDS.assumed(
    "user.suspended-reason",
    "A suspended user's suspendedReason is one of the two values shown; in the alternative it is another one.",
    ("shown", "further"),
)
