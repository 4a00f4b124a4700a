"""What the scenarios of decisions that the description leaves open observe, by rule and alternative."""

MISSING, INVALID, TOO_MANY = "missing parameter", "invalid parameter", "too many request"
NO_WEBHOOK = "invalid webhook URL"

LEFT_OPEN = {
    "api.bearer-order": {"bearer-last": [404, 413, 401], "bearer-first": [401, 401, 401]},
    "api.unmatched-bearer": {"checked": [401, 401], "not-checked": [404, 404]},
    "api.null": {"refused": [400, 400, 400], "as-absent": [200, 200, 200]},
    "api.null-optional": {"refused": [400, 400, 400, 400], "as-absent": [200, 200, 200, 400]},
    "callback.file-id": {"not-checked": "delivered", "checked": "invalid"},
    "file.download-validity": {"unlimited": (200, 200), "same-user": (404, 200), "24h": (200, 404)},
    "file.overwrite-target": {
        "newest": ("second", True),
        "oldest": ("first", True),
        "file-resources": ("second", False),
    },
    "auth.redirect-status": {"302": 302, "303": 303},
    "auth.screen-reuse": {
        "until-login": [401, 302, 302],
        "one-attempt": [401, 400, 302],
        "10-minutes": [401, 302, 400],
    },
    "notification.other-method": {
        "400": (400, {"code": 400, "description": "invalid webhook URL"}, None),
        "405": (405, {"code": 405, "description": "method not allowed"}, "POST"),
        "404": (404, {"code": 404, "description": "not found"}, None),
    },
    "notification.error-order": {
        "url-rate-missing-invalid": [MISSING, INVALID, NO_WEBHOOK, TOO_MANY],
        "rate-first": [MISSING, INVALID, TOO_MANY, TOO_MANY],
        "body-before-rate": [MISSING, INVALID, NO_WEBHOOK, MISSING],
        "invalid-before-missing": [INVALID, INVALID, NO_WEBHOOK, TOO_MANY],
        "not-json-as-missing": [MISSING, MISSING, NO_WEBHOOK, TOO_MANY],
    },
    "api.bearer-form": {"any-case": [200, 200], "exact": [401, 401]},
    "status.open-end": {
        "refused": (400, None),
        "reserved": (200, "RESERVED"),
        "current": (200, "PRESENT"),
    },
    "token.inactive-user": {
        "valid": (200, 200, 200),
        "not-renewed": (200, 400, 400),
        "refused": (401, 400, 400),
    },
    "user.external-key-case": {"distinct": (404, 200), "ignored": (200, 409)},
    "api.utc-offset": {
        "letter": ("2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z"),
        "numeric": ("2026-06-01T00:00:00+00:00", "2026-06-02T00:00:00+00:00"),
    },
    "file.photo": {"newest": (201, "second"), "refused": (409, "first")},
    "user.contradictions": {"accepted": [200, 200, 200, 200], "refused": [400, 400, 400, 400]},
    "auth.unknown-parameter": {"ignored": [200, 200, 200], "refused": [400, 400, 400]},
    "auth.scope-names": {"any": [200, 200, 200], "user-and-file": [400, 400, 200]},
    "auth.pkce": {"ignored": [200, 200, 200], "checked": [400, 400, 400]},
    "token.jwt-bearer": {
        "refused": [["error", "error_description"], 400, 400, 400, 400],
        "issued": [["access_token", "expires_in", "scope", "token_type"], 200, 200, 400, 400],
    },
    "token.code-reuse": {"keeps-tokens": [400, 200, 200], "ends-tokens": [400, 401, 400]},
    "token.last-instant": {
        "included": [200, 201, 200],
        "excluded": [400, 404, 400],
    },
}
