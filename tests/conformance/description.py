"""What the cases cite: the sections of the service's description, and what is assumed where it shows nothing."""

SECTIONS = (
    "What the service does",
    "Resources and their fields › Token set",
    "Resources and their fields › User",
    "Resources and their fields › User profile status",
    "Resources and their fields › File resources",
    "Resources and their fields › Message events and notification messages",
    "States and transitions › Credentials",
    "States and transitions › User",
    "States and transitions › User profile status",
    "Endpoints › Token endpoints",
    "Endpoints › File transfer",
    "Endpoints › Directory",
    "Endpoints › Incoming notification endpoint",
    "Authentication",
    "Events",
    "Events › Headers sent",
    "Events › Message event, common fields",
    "Events › Message types",
    "Events › Response and delivery",
    "Errors › Notification endpoint",
    "Errors › Other operations",
    "Limits",
    "Versioning",
)

ASSUMPTIONS = {
    # authorization and tokens
    "authorization errors": "Any missing or wrong parameter of the authorization request gets an error screen "
    "(400), never a redirect.",
    "login form": "The login screen is a form with the inputs `login_id` and `password`.",
    "wrong secret": "A wrong client secret does not burn the code.",
    "refresh again": "A refresh token may be used again until it ends, keeps its scope, and does not end earlier "
    "access tokens.",
    "any scope": "Any scope name is accepted.",
    "scope separator": "Scopes are accepted separated by `,` or space.",
    "own client": "A code or refresh token is refused to another client than it was issued to.",
    "redirect at token": "`redirect_uri` at the token endpoint is optional, checked if sent.",
    "expires_in": "`expires_in` is a string.",
    "token errors": 'Token errors: OAuth 2.0 style `{"error","error_description"}` with 400/401.',
    "inactive users": "A user who is suspended cannot log in.",
    "failed login": "The error screen of a failed login has status 401.",
    "login case": "The case of a login ID does not matter.",
    "repeated parameter": "Where a parameter is sent more than once, the first counts.",
    "domain in force": "A `domain` that is sent must be this domain's name.",
    # files
    "ticket status": "Step 1 of an upload answers 200.",
    "part name": "Any file part is accepted by the upload address (`Filedata`, `FileData`, `file`).",
    "content field": "A part without a file name is the content only where it is `FileData` and `resourceName` "
    "came with it.",
    "form limit": "A form has at most 16 parts, and 64 KiB in its plain fields.",
    "size limit": "Content may have any size.",
    "range unit": "`Content-Range` with or without the unit `bytes`.",
    "resume": "An incomplete resumable chunk is answered 200 with the next offset; a wrong range is refused and "
    "the upload stays as it was.",
    "raw content": "Raw content sent with PUT to an upload address is refused.",
    "upload address": "Upload addresses are single-use, bound to the requesting token's user, valid 24 h.",
    "announced size": "Content that has not the announced size is refused, and the upload stays as it was.",
    "announced name": "A file is named as step 1 announced it.",
    "default type": "Content that is sent without a content type is stored as application/octet-stream.",
    "modified time": "`modifiedTime` may be any text, and is answered as it was sent.",
    "drive fields": "The drive-file fields are answered for shared folders, collaborative drives and group folders "
    "too.",
    "download address": "A download address can be used again, as long as the file is there.",
    "queries": "Query parameters of an operation for which none are described are ignored.",
    "place": "A file is found only at the place it was stored.",
    "containers": "Containers other than users and bots are not described: any id is accepted.",
    "parent": "In an upload path, `{fileId}` of a folder or an unknown id is the parent.",
    "new revision": "`{fileId}` of a stored file makes a new revision of it.",
    "revision name": "A file takes the name that is announced with a new revision of it.",
    "drive values": "A file at the top of its place has the parent `root`; `filePath` is the name below the folder's "
    "ID; `fileType` is the content type; `hasPermission` is true.",
    "overwrite": "`overwrite: true` with the same name in the same place makes a new revision.",
    "beside": "Without `overwrite` a second file of that name stands beside the first.",
    "revisions": "Revisions are `1`, `2`, …",
    "sample tenant": "The sample tenant starts with one webhook, empty rooms, and one form response attachment.",
    "logs": "The logs are CSV made by the service.",
    # directory and statuses
    "resource errors": 'Resource errors: `{"code": "<UPPER_SNAKE>", "description": "…"}`: UNAUTHORIZED 401, '
    "NOT_FOUND 404, INVALID_PARAMETER 400, CONFLICT 409.",
    "references": "References are not checked: org units, levels, custom field ids, relation users, file ids in "
    "messages, mentioned users.",
    "custom properties": "Custom properties are checked against their definitions; a name without one is refused "
    "(400).",
    "duplicates": "A duplicate e-mail or external key is 409.",
    "telephone": "The telephone pattern has no end anchor; it is read as matching the whole string.",
    "lunar birthday": "A birthday counted as LUNAR may be the 30th of any month; any other is a day of the solar "
    "calendar.",
    "status names": "The name and the icon of a status are made up by the fake.",
    "merge": "PATCH merges at the top level: a nested object or array that is sent replaces the stored one whole.",
    "ignored": "Unknown and read-only fields are ignored.",
    "addressing": "A user is addressed by user id, by login e-mail or by `externalKey:<key>`.",
    "empty update": "The empty update returns the record.",
    "limit errors": "A body that breaks a limit is refused whole, and all its problems are named by field path.",
    "domain change": "A `domainId` other than the user's own is refused; moving a user is another operation.",
    "alias in use": "On the advanced plan, an update that drops the alias in use as the link ID is refused.",
    "concurrent": "An update that begins while another of the same user is under way is answered 409.",
    "status order": "A status that ends before it starts is 400.",
    "status past": "A status whose `endTime` has passed is refused.",
    "status replaced": "A second current status replaces the first.",
    "status by the clock": "A reserved one becomes current at its start and ends at its end.",
    # notifications and callbacks
    "rate window": "The rate window is fixed: it opens with the first call and resets 60 s later.",
    "refused calls": "Refused calls do not count.",
    "empty title": "An empty title is as good as an absent one.",
    "empty text": "A text that is sent may be empty.",
    "button address": "The address of a button may be any text.",
    "other content": "Fields for what the notification app cannot send are refused.",
    "issued time": "`issuedTime` is UTC with a literal `Z`.",
    "only 200": "Only HTTP 200 from the receiver counts as delivered.",
    "signature": "Callback signature: base64(HMAC-SHA256(bot secret, exact body bytes)).",
    "compact JSON": "Bodies are compact JSON in raw UTF-8.",
    "other types": "A message of a type that is not described cannot be sent.",
    "old clients": "A message that the member's client version does not support is not sent.",
    # versioning
    "not described": "Operations that are listed as retiring but not described answer 501 `NOT_DESCRIBED` until "
    "their end, then 404 as ended.",
    "ended": "Ended features answer 404 with a description that names the end date and the replacement.",
    "dates": '"late July 2026" is 2026-07-31, "mid November 2026" is 2026-11-15, "early December 2026" is '
    "2026-12-05.",
    "unmatched": "A request that is no operation of the description is answered 404.",
}
