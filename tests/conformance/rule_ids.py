"""Which rules of the fake's rulebook the cases try: by what they assume, and by their names where a rule is documented.

`test_rule_ids` holds these tables to the rulebook, and `coverage` to the cases.
"""

ASSUMED = {
    "authorization errors": ("auth.request-refused",),
    "wrong secret": ("token.wrong-secret",),
    "refresh again": ("token.refresh-reuse", "token.refresh-scope", "token.earlier-access"),
    "any scope": ("api.scope",),
    "scope separator": ("auth.scope-separator",),
    "own client": ("token.client-bound",),
    "redirect at token": ("token.redirect-uri",),
    "token errors": ("token.error-body", "token.error-status", "token.content-type"),
    "inactive users": ("auth.inactive-user",),
    "failed login": ("auth.failure-status",),
    "login case": ("auth.login-id-case",),
    "repeated parameter": ("auth.repeated-parameter",),
    "domain in force": ("auth.domain-name",),
    "ticket status": ("file.upload-status",),
    "part name": ("file.part-name",),
    "content field": ("file.content-field",),
    "form limit": ("file.form-limit",),
    "size limit": ("file.size-limit",),
    "range unit": ("file.range-unit",),
    "resume": ("file.incomplete", "file.wrong-range"),
    "raw content": ("file.raw",),
    "upload address": ("file.upload-lifetime", "file.upload-reuse", "file.upload-user"),
    "announced size": ("file.size",),
    "announced name": ("file.name",),
    "default type": ("file.default-type",),
    "modified time": ("file.modified-time",),
    "drive fields": ("file.drive-fields",),
    "download address": ("file.download-reuse",),
    "queries": ("file.query", "api.query"),
    "place": ("file.place",),
    "containers": ("file.containers",),
    "parent": ("file.parent",),
    "new revision": ("file.overwrite",),
    "revision name": ("file.revision-name",),
    "drive values": ("drive.root", "drive.path", "drive.type", "drive.permission"),
    "overwrite": ("file.overwrite",),
    "beside": ("file.same-name",),
    "revisions": ("file.revision-ids",),
    "logs": ("file.logs",),
    "resource errors": (
        "api.error-body",
        "api.unauthorized",
        "api.invalid",
        "api.not-found",
        "api.content-type",
    ),
    "references": ("user.references", "notification.mentions"),
    "custom properties": ("user.custom-properties",),
    "duplicates": ("user.conflict-condition",),
    "telephone": ("user.telephone",),
    "lunar birthday": ("user.birthday",),
    "status names": ("status.name", "status.icon"),
    "merge": ("user.merge",),
    "ignored": ("api.extra-fields",),
    "addressing": ("user.addressing",),
    "limit errors": ("api.invalid",),
    "domain change": ("user.domain-change",),
    "concurrent": ("user.concurrent",),
    "status order": ("status.order",),
    "status past": ("status.past",),
    "status replaced": ("status.replaced",),
    "status by the clock": ("status.transition",),
    "rate window": ("notification.window",),
    "refused calls": ("notification.refused-calls",),
    "empty title": ("notification.empty-title",),
    "empty text": ("notification.empty-text",),
    "button address": ("notification.button-url",),
    "other content": ("notification.other-fields",),
    "issued time": ("callback.issued-time",),
    "only 200": ("callback.delivered",),
    "signature": ("callback.signature",),
    "compact JSON": ("callback.body",),
    "other types": ("callback.other-content",),
    "old clients": ("callback.old-clients",),
    "not described": ("lifecycle.not-described",),
    "ended": ("lifecycle.ended",),
    "dates": ("lifecycle.dates",),
    "unmatched": ("api.unmatched",),
}
"""The rules that say the same as an assumption of `description.ASSUMPTIONS`."""

READINGS = {
    "expires_in": "token.issued",
    "empty update": "user.partial",
    "alias in use": "user.advanced-alias",
    "login form": "auth.login-screen",
}
"""Assumptions that are a reading of a rule that the fake has as documented: it offers no other."""

OF_THE_SAMPLE = ("sample tenant",)
"""What is no behaviour of a service, but of the sample that a fake begins with."""

DOCUMENTED = {
    "api.bearer": (
        "test_call_without_a_valid_bearer_is_unauthorized",
        "test_token_in_the_address_is_no_bearer",
        "test_call_with_a_bearer_is_answered",
        "test_authorization_header_is_required",
        "test_bearer_is_required",
        "test_each_path_needs_the_bearer",
        "test_neither_refresh_token_nor_code_is_a_bearer",
        "test_from_login_to_a_resource_call",
    ),
    "auth.parameters": ("test_each_required_parameter", "test_wrong_parameter_never_redirects"),
    "auth.domain-under-sso": (
        "test_domain_is_optional_without_single_sign_on",
        "test_single_sign_on_requires_domain_in_the_authorization_request",
        "test_single_sign_on_with_domain_in_both_requests",
        "test_single_sign_on_requires_domain_in_the_issuance_request",
        "test_refresh_needs_no_domain_under_single_sign_on",
    ),
    "auth.login-screen": (
        "test_authorization_request_is_answered_with_a_login_screen",
        "test_authorization_request_is_answered_with_a_page",
        "test_login_screen_escapes_what_it_was_given",
        "test_form_cannot_send_the_browser_elsewhere",
        "test_login_form_posts_to_the_authorization_server",
    ),
    "auth.redirect": (
        "test_login_redirects_to_the_application_with_code_and_state",
        "test_state_is_echoed_exactly",
        "test_the_redirect_goes_to_the_application_that_asked",
        "test_each_login_gives_another_code",
    ),
    "auth.failure-screen": (
        "test_failed_login_shows_an_error_screen_and_does_not_redirect",
        "test_another_users_password_is_a_failed_login",
        "test_login_screen_still_works_after_a_failed_login",
        "test_login_id_is_the_email",
    ),
    "code.single-use": ("test_code_works_once",),
    "code.lifetime": ("test_code_is_good_within_10_minutes", "test_code_is_not_good_after_10_minutes"),
    "token.parameters": (
        "test_refused_issuance_leaves_the_code_good",
        "test_refused_refresh_leaves_the_refresh_token_good",
        "test_body_that_is_not_form_encoded_is_refused",
        "test_parameters_are_read_from_the_body_not_the_address",
        "test_each_application_signs_in_with_what_it_was_registered_with",
    ),
    "token.issued": (
        "test_issuance_answers_the_token_set_as_json",
        "test_token_type_is_bearer",
        "test_expires_in_is_24_hours_in_seconds_as_a_string",
        "test_tokens::test_content_type_may_name_a_character_set",
        "test_scopes_asked_for_are_those_of_the_token",
        "test_access_tokens_belong_to_who_logged_in",
        "test_token_endpoints_carry_v2_0",
    ),
    "token.refreshed": (
        "test_refresh_answers_no_refresh_token",
        "test_refresh_answers_a_new_access_token_that_works",
        "test_refresh_token_renews_an_expired_access_token",
    ),
    "token.access-lifetime": (
        "test_access_token_is_good_for_24_hours",
        "test_access_token_has_expired_when_24_hours_elapsed",
        "test_renewed_access_token_has_its_own_24_hours",
    ),
    "token.refresh-lifetime": (
        "test_refresh_token_is_good_within_90_days",
        "test_refresh_token_is_not_good_after_90_days",
    ),
    "user.partial": (
        "test_update_answers_200_and_the_user",
        "test_response_always_has",
        "test_no_field_is_required_in_the_request",
        "test_type_of_a_field_in_the_response",
        "test_suspended_reason_is_one_of_those_shown",
        "test_leave_of_absence_is_shown",
        "test_field_is_written_alone",
        "test_all_fields_are_written_together",
        "test_other_users_are_not_changed",
        "test_last_of_several_updates_counts",
        "test_directory::test_content_type_may_name_a_character_set",
        "test_text_is_kept_to_the_code_point",
        "test_query_that_is_not_described_does_no_harm",
        "test_directory_addressing::test_user_id_is_url_encoded",
        "test_users_are_searchable_by_default",
        "test_sequential_updates_of_the_same_user_are_fine",
    ),
    "user.limits": (
        "test_nullable_field_is_cleared_by_null",
        "test_other_field_refuses_null",
        "test_nested_nullable_field_takes_null",
        "test_length_at_the_limit",
        "test_length_above_the_limit",
        "test_at_or_below_the_limit",
        "test_above_the_limit",
        "test_no_items_and_no_text_are_allowed",
        "test_telephone_pattern",
        "test_what_is_no_telephone_number",
        "test_value_is_taken",
        "test_wrong_value_is_refused",
    ),
    "user.not-found": ("test_unknown_user_is_not_found", "test_shape_of_a_resource_error"),
    "user.link-id": ("test_link_id_follows_the_email",),
    "user.forbidden-word": (
        "test_forbidden_word_keeps_the_old_email_as_alias_and_link_id",
        "test_email_without_a_forbidden_word_leaves_the_aliases",
    ),
    "user.advanced-alias": (
        "test_advanced_plan_keeps_the_alias_in_use_as_link_id",
        "test_without_the_advanced_plan_aliases_are_free",
    ),
    "user.not-concurrent": ("test_updates_of_the_same_user_must_not_be_concurrent",),
    "user.messenger": (
        "test_both_values_are_accepted_and_answered_as_one",
        "test_what_was_stored_before_the_switch_is_answered_anew_after_it",
        "test_other_networks_are_not_affected",
    ),
    "status.registered": (
        "test_registration_answers_200_and_the_status",
        "test_each_status_id_is_taken",
        "test_each_entry_has_its_own_id",
        "test_statuses::test_user_id_is_url_encoded",
        "test_absent_fields_are_null",
        "test_field_may_be_null",
        "test_auto_reply_of_one_side",
        "test_auto_reply_of_both_sides",
        "test_auto_reply_goes_to_all_mail_by_default",
        "test_time_is_answered_as_the_same_instant",
    ),
    "status.not-used": ("test_invalid_status_is_refused_as_not_used",),
    "status.must-be-enabled": ("test_status_setting_of_the_domain_must_be_enabled",),
    "status.limits": (
        "test_message_within_50_characters",
        "test_message_above_50_characters",
        "test_auto_reply_within_300_characters",
        "test_wrong_auto_reply_is_refused",
    ),
    "status.one-each": (
        "test_a_current_and_a_reserved_status_stand_side_by_side",
        "test_second_of_a_kind_replaces_the_first",
        "test_statuses_of_other_users_stay",
    ),
    "status.reserved": ("test_schedule_type", "test_reserved_status_needs_its_end"),
    "file.upload-url": (
        "test_each_path_answers_an_upload_address",
        "test_asking_for_an_upload_address_stores_nothing_yet",
        "test_upload_addresses_are_independent",
    ),
    "file.request": ("test_wrong_upload_request_is_refused", "test_file_size_is_a_long"),
    "file.stored": (
        "test_each_path_takes_content_and_answers_the_upload_result",
        "test_upload_result_of_a_drive_file_has_also",
        "test_times_of_a_drive_file_are_written_with_their_offset",
        "test_modified_time_that_was_sent_is_the_files",
        "test_name_is_kept_exactly",
        "test_part_may_name_the_file_in_raw_utf_8",
    ),
    "file.multipart": (
        "test_form_is_taken",
        "test_wrong_form_is_refused_and_the_upload_still_good",
        "test_boundary_may_be_any",
        "test_content_is_kept_exactly",
        "test_content_in_a_field_is_kept_exactly",
        "test_body_may_come_in_any_two_chunks",
        "test_body_may_come_in_chunks_of_any_size",
        "test_alternative_form_may_come_byte_by_byte",
    ),
    "file.resumable": (
        "test_resumable_upload",
        "test_incomplete_upload_is_no_file_yet",
        "test_two_resumable_uploads_do_not_mix",
    ),
    "file.location": (
        "test_each_path_leads_to_what_was_uploaded",
        "test_download_address_can_be_used_again",
        "test_query_of_a_download_does_no_harm",
    ),
    "file.content": (
        "test_files_own_content_type_is_kept",
        "test_length_is_exact",
        "test_a_file_can_be_downloaded_again",
        "test_photo_is_the_one_uploaded_last",
        "test_content_is_downloaded_by_the_id_in_the_event",
    ),
    "file.bearer": (
        "test_content_needs_the_bearer",
        "test_content_needs_the_bearer_and_the_upload_is_still_good",
    ),
    "notification.success": (
        "test_success_is_answered_exactly",
        "test_message_arrives_in_the_room",
        "test_message_is_answered_with_success",
        "test_without_button_none_is_shown",
        "test_text_is_kept_exactly",
        "test_mention_markup",
        "test_messages_stand_in_the_order_they_were_sent",
        "test_success_carries_the_rate",
    ),
    "notification.no-token": ("test_no_access_token_is_needed",),
    "notification.parameters": (
        "test_missing_parameter",
        "test_invalid_parameter",
        "test_null_where_a_value_is_required",
        "test_body_that_is_no_json",
        "test_app_cannot_send_files",
    ),
    "notification.webhook-url": ("test_invalid_webhook_url",),
    "notification.title-default": ("test_title_of_the_webhook_list_is_the_default",),
    "notification.rate": (
        "test_each_call_counts_against_the_rate",
        "test_120_requests_a_minute_and_no_more",
        "test_all_urls_of_the_domain_share_the_rate",
        "test_resource_api_is_not_limited_by_it",
        "test_resource_api_does_not_use_it_up",
    ),
    "notification.webhooks": ("test_five_webhook_urls_per_domain",),
    "notification.setup": (
        "test_app_cannot_receive",
        "test_bot_is_invited_before_a_webhook_is_added",
        "test_webhook_entry_has_a_title",
        "test_each_url_posts_into_its_own_room",
    ),
    "callback.event": (
        "test_event_in_a_room",
        "test_answer_to_who_said_it_shows_the_same_event",
        "test_one_event_for_each_message",
        "test_only_members_say_something_and_only_to_bots",
        "test_200_is_success",
        "test_next_message_is_sent_although_the_last_failed",
        "test_calls_to_the_service_cause_no_event",
    ),
    "callback.headers": ("test_content_type", "test_header_names_the_bot"),
    "callback.fields": ("test_each_type_of_message_is_sent", "test_issued_time_is_the_instant_in_utc"),
    "callback.content": ("test_postback_of_a_text_is_optional", "test_what_is_no_message_cannot_be_said"),
    "callback.one-to-one": ("test_channel_is_not_sent_for_a_one_to_one_room",),
    "callback.client-version": (
        "test_message_that_the_client_supports_is_sent",
        "test_message_that_the_client_does_not_support_is_not_sent",
    ),
    "callback.not-resent": (
        "test_broken_connection_is_a_failure_and_not_sent_again",
        "test_any_other_status_is_a_failure_and_not_sent_again",
        "test_without_a_receiving_server_nothing_is_delivered",
    ),
    "lifecycle.retired": (
        "test_ended_operation_names_its_end_and_the_replacement",
        "test_custom_field_operations_have_ended_in_early_december_2026",
        "test_operations_whose_end_is_undecided_do_not_end",
    ),
}
"""The test functions that hold a service to a documented rule, some of which rest on assumptions besides; with their
module where two have the same name."""


def documented_by(name):
    """The IDs of the documented rules that a case tries; its name is as `coverage.case_name` has it."""
    qualified = name.partition("[")[0]
    either = {qualified, qualified.partition("::")[2]}
    return [rule_id for rule_id, functions in DOCUMENTED.items() if not either.isdisjoint(functions)]


def ids_of(key):
    """The IDs of the rules that an assumption of the suite is about."""
    return ASSUMED.get(key, (READINGS[key],) if key in READINGS else ())


PROMISED = {
    "PATCH /users/{userId}": "user.partial",
    "POST /users/{userId}/user-profile-statuses": "status.registered",
    "POST /uploads/{address}": "file.stored",
    "GET /downloads/{address}": "file.content",
    "POST /message/{webhookId}": "notification.success",
    "POST /oauth2/v2.0/token": "token.refreshed",
    "GET /oauth2/v2.0/authorize": "auth.login-screen",
}
"""The documented rules by which an operation is taken; a service that never takes it breaks these alone."""


def promised_by(operation):
    """The ID of the documented rule by which an operation is taken: its method and the template of its path."""
    other = "file.location" if operation.startswith("GET ") else "file.upload-url"
    return PROMISED.get(operation, other)
