"""Which cases of a real run tell the alternatives of an assumption apart, as `telling` has found.

By rule, then by the alternative that a case shows not to be the service's: the functions of such cases. An assumption
that is not here, or one of its alternatives, no real run can confirm.
"""

TOLD_APART = {
    "api.unauthorized": {
        "403": (
            "test_cross_cutting::test_call_without_a_valid_bearer_is_unauthorized",
            "test_directory::test_authorization_header_is_required",
            "test_files_download::test_each_path_needs_the_bearer",
            "test_files_download::test_content_needs_the_bearer",
            "test_files_upload_addresses::test_each_path_needs_the_bearer",
            "test_files_upload_addresses::test_content_needs_the_bearer_and_the_upload_is_still_good",
            "test_statuses::test_bearer_is_required",
        ),
    },
    "api.error-body": {
        "oauth2": (
            "test_cross_cutting::test_call_without_a_valid_bearer_is_unauthorized",
            "test_cross_cutting::test_shape_of_a_resource_error",
            "test_directory::test_other_field_refuses_null",
            "test_directory::test_authorization_header_is_required",
            "test_directory::test_body_that_is_no_json_object_is_refused",
            "test_directory_limits::test_length_above_the_limit",
            "test_directory_limits::test_what_is_no_telephone_number",
            "test_directory_properties::test_custom_property_without_a_definition",
            "test_files_download::test_each_path_needs_the_bearer",
            "test_files_upload_addresses::test_each_path_needs_the_bearer",
            "test_files_upload_addresses::test_wrong_upload_request_is_refused",
            "test_files_upload_addresses::test_content_needs_the_bearer_and_the_upload_is_still_good",
            "test_statuses::test_invalid_status_is_refused_as_not_used",
            "test_statuses::test_bearer_is_required",
        ),
    },
    "api.invalid": {
        "422": (
            "test_directory::test_other_field_refuses_null",
            "test_directory::test_content_type_json_is_required",
            "test_directory::test_body_that_is_no_json_object_is_refused",
            "test_directory_limits::test_length_above_the_limit",
            "test_directory_limits::test_what_is_no_telephone_number",
            "test_directory_properties::test_custom_property_without_a_definition",
            "test_files_upload_addresses::test_wrong_upload_request_is_refused",
            "test_files_upload_content::test_wrong_form_is_refused_and_the_upload_still_good",
            "test_statuses::test_status_id_is_required",
            "test_statuses::test_content_type_json_is_required",
            "test_statuses::test_body_that_is_no_json_object_is_refused",
            "test_statuses::test_message_above_50_characters",
            "test_statuses::test_wrong_auto_reply_is_refused",
            "test_statuses::test_status_that_ends_before_it_starts_is_refused",
            "test_statuses::test_status_that_is_over_already_is_refused",
        ),
    },
    "api.not-found": {
        "400": ("test_files_download::test_download_address_that_was_not_issued_is_not_found",),
    },
    "api.content-type": {
        "not-checked": (
            "test_directory::test_content_type_json_is_required",
            "test_statuses::test_content_type_json_is_required",
        ),
    },
    "api.extra-fields": {
        "refused": (
            "test_directory_nesting::test_read_only_field_is_ignored",
            "test_directory_nesting::test_unknown_field_is_ignored",
        ),
    },
    "api.query": {
        "refused": ("test_cross_cutting::test_query_that_is_not_described_does_no_harm",),
    },
    "auth.request-refused": {
        "200": (
            "test_auth::test_each_required_parameter",
            "test_auth::test_wrong_parameter_never_redirects",
        ),
    },
    "user.merge": {
        "deep": ("test_directory_nesting::test_nested_object_replaces_the_stored_one_whole",),
    },
    "user.addressing": {
        "id-only": ("test_directory_addressing::test_user_is_addressed_by_email_or_external_key",),
    },
    "user.custom-properties": {
        "accepted": ("test_directory_properties::test_custom_property_without_a_definition",),
    },
    "user.telephone": {
        "prefix": ("test_directory_limits::test_what_is_no_telephone_number",),
    },
    "user.birthday": {
        "always-solar": (
            "test_directory_birthday::test_day_of_a_lunar_calendar_is_taken",
            "test_directory_birthday::test_day_of_a_lunar_calendar_is_taken_where_the_user_has_one",
            "test_directory_birthday::test_calendar_that_does_not_have_the_birthday_is_refused",
            "test_directory_birthday::test_other_updates_of_a_user_with_a_lunar_birthday_are_taken",
        ),
    },
    "drive.permission": {
        "false": ("test_files_drive::test_type_and_permission_of_a_drive_file",),
    },
    "drive.type": {
        "extension": ("test_files_drive::test_type_and_permission_of_a_drive_file",),
    },
    "file.upload-status": {
        "201": ("test_files_upload_addresses::test_asking_for_an_upload_address_stores_nothing_yet",),
    },
    "file.upload-reuse": {
        "reusable": ("test_files_upload_addresses::test_upload_address_is_single_use",),
    },
    "file.part-name": {
        "Filedata-only": ("test_files_upload_content::test_form_is_taken",),
    },
    "file.content-field": {
        "any": (
            "test_files_upload_content::test_form_is_taken",
            "test_files_upload_content::test_wrong_form_is_refused_and_the_upload_still_good",
        ),
    },
    "file.form-limit": {
        "413": ("test_files_upload_content::test_wrong_form_is_refused_and_the_upload_still_good",),
    },
    "file.size-limit": {
        "413": ("test_files_upload_addresses::test_file_size_is_a_long",),
        "400": ("test_files_upload_addresses::test_file_size_is_a_long",),
    },
    "file.raw": {
        "accepted": (
            "test_files_upload_content::test_raw_content_by_put_is_refused_and_the_upload_still_good",
        ),
    },
    "file.incomplete": {
        "308": ("test_files_resumable::test_resumable_upload",),
    },
    "file.wrong-range": {
        "416": ("test_files_resumable::test_wrong_first_range_is_refused_and_the_upload_still_good",),
    },
    "file.size": {
        "not-checked": (
            "test_files_upload_content::test_content_of_another_size_is_refused_and_the_upload_still_good",
        ),
    },
    "file.same-name": {
        "refused": ("test_files_drive::test_without_overwrite_a_second_file_stands_beside_the_first",),
    },
    "file.overwrite": {
        "replace": ("test_files_drive::test_revisions_are_counted_from_1",),
    },
    "file.revision-name": {
        "kept": ("test_files_drive::test_a_file_takes_the_name_of_its_new_revision",),
    },
    "file.revision-ids": {
        "from-0": (
            "test_files_download::test_a_revision_there_is_not_is_not_found",
            "test_files_drive::test_revisions_are_counted_from_1",
        ),
    },
    "file.range-unit": {
        "refused": ("test_files_resumable::test_resumable_upload",),
    },
    "file.query": {
        "refused": ("test_files_download::test_query_of_a_download_does_no_harm",),
    },
    "file.name": {
        "sent": (
            "test_files_upload_content::test_file_is_named_as_announced",
            "test_files_upload_content::test_file_is_named_as_announced_in_the_alternative_form_too",
        ),
    },
    "file.default-type": {
        "text/plain": ("test_files_upload_content::test_content_without_a_type_is_a_stream_of_octets",),
    },
    "file.modified-time": {
        "date-time": ("test_files_drive::test_modified_time_may_be_any_text",),
    },
    "file.download-reuse": {
        "single-use": ("test_files_download::test_download_address_can_be_used_again",),
    },
    "lifecycle.ended": {
        "410": ("test_versioning::test_ended_operation_names_its_end_and_the_replacement",),
    },
    "notification.refused-calls": {
        "counted": ("test_notification_rate::test_refused_calls_do_not_count",),
    },
    "notification.other-fields": {
        "ignored": ("test_notifications::test_app_sends_no_other_content",),
    },
    "notification.empty-text": {
        "refused": ("test_notifications::test_message_is_answered_with_success",),
    },
    "notification.mentions": {
        "checked": ("test_notifications::test_message_is_answered_with_success",),
    },
    "notification.button-url": {
        "http-only": ("test_notifications::test_message_is_answered_with_success",),
    },
    "status.order": {
        "accepted": ("test_statuses::test_status_that_ends_before_it_starts_is_refused",),
    },
    "status.past": {
        "accepted": ("test_statuses::test_status_that_is_over_already_is_refused",),
    },
    "status.name": {
        "absent": (
            "test_statuses::test_registration_answers_200_and_the_status",
            "test_statuses::test_each_status_id_is_taken",
        ),
    },
    "status.icon": {
        "absent": (
            "test_statuses::test_registration_answers_200_and_the_status",
            "test_statuses::test_each_status_id_is_taken",
        ),
    },
    "token.error-body": {
        "code-description": ("test_tokens::test_refused_refresh_leaves_the_refresh_token_good",),
    },
    "token.error-status": {
        "always-401": ("test_tokens::test_refused_refresh_leaves_the_refresh_token_good",),
    },
    "token.earlier-access": {
        "ended": ("test_tokens::test_refresh_does_not_end_earlier_access_tokens",),
    },
}
