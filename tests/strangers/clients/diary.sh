#!/bin/sh
# A script that works through a day with curl; the hosts of its service are literals.
set -eu

auth=https://auth.example.com/oauth2/v2.0
user="https://www.example.com/v1.0/users/$USER_ID"
field() { sed "s/.*\"$1\": *\"\{0,1\}\([^\",}]*\).*/\1/"; }
call() { curl --silent --show-error --fail-with-body "$@"; }
get_token() { call -d client_id="$CLIENT_ID" -d client_secret="$CLIENT_SECRET" "$@" "$auth/token"; }
send() { call -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$@"; }

location=$(call -G -o /dev/null -w '%{redirect_url}' "$auth/authorize" -d client_id="$CLIENT_ID" -d state=s-1 \
  --data-urlencode redirect_uri="$REDIRECT_URI" -d scope=user,file -d response_type=code)
code=$(echo "$location" | sed 's/.*[?&]code=\([^&]*\).*/\1/')
refresh=$(get_token -d grant_type=authorization_code -d code="$code" | field refresh_token)
token=$(get_token -d grant_type=refresh_token -d refresh_token="$refresh" | field access_token)
echo "signed in"

echo "nickname $(send -X PATCH -d '{"nickName": "Mina"}' "$user" | field nickName)"
status='{"profileStatusId": "BUSY", "statusMessage": "in a meeting"}'
echo "status $(send -d "$status" "$user/user-profile-statuses" | field profileStatusId)"

upload=$(send -d '{"fileName": "diary.txt", "fileSize": 10}' "$user/drive/files" | field uploadUrl)
file=$(printf 'day by day' | call -H "Authorization: Bearer $token" -F 'Filedata=@-;filename=diary.txt;type=text/plain' "$upload" | field fileId)
echo "file $(call --location-trusted -H "Authorization: Bearer $token" "$user/drive/files/$file/download")"

echo "notified $(call -H 'Content-Type: application/json' -d '{"body": {"text": "The day is over."}}' "$WEBHOOK_URL" | field code)"
