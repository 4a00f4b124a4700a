#!/bin/sh
# Everything a client does with the service, with nothing but curl: READY is the ready line of `svckit serve`, and
# RECEIVER the address of a server that takes the bot's callbacks. Ends at the first thing that goes wrong.
set -eu

fact() { printf '%s' "$READY" | sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p"; }
field() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p"; }
call() { curl --silent --show-error --fail-with-body --noproxy '*' "$@"; }
location() { sed -n 's/^[Ll]ocation: *\([^[:cntrl:]]*\).*/\1/p'; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
api=$(fact base_url) auth=$(fact auth_url) admin=$(fact admin_url) user=$(fact user_id)

# Sign in: the login page, its form, the code in the redirect, the tokens for the code.
ticket=$(call --get "$auth/oauth2/v2.0/authorize" \
    --data-urlencode "client_id=$(fact client_id)" --data-urlencode "redirect_uri=$(fact redirect_uri)" \
    --data-urlencode 'scope=user,file' --data-urlencode 'response_type=code' --data-urlencode 'state=s-1' |
    sed -n 's/.*name="login_ticket" value="\([^"]*\)".*/\1/p')
code=$(call --dump-header - --output "$work/none" "$auth/oauth2/v2.0/authorize" --data-urlencode "login_ticket=$ticket" \
    --data-urlencode "login_id=$(fact login_id)" --data-urlencode "password=$(fact password)" |
    location | sed -n 's/.*[?&]code=\([^&]*\).*/\1/p')
token=$(call "$auth/oauth2/v2.0/token" --data-urlencode 'grant_type=authorization_code' --data-urlencode "code=$code" \
    --data-urlencode "client_id=$(fact client_id)" --data-urlencode "client_secret=$(fact client_secret)" |
    field access_token)
bearer="Authorization: Bearer $token"

# Upload and download, each in two steps.
head -c 300000 /dev/urandom >"$work/sent"
upload=$(call "$api/users/$user/drive/files" --header "$bearer" --header 'Content-Type: application/json' \
    --data '{"fileName": "sent.bin", "fileSize": 300000}' | field uploadUrl)
file=$(call "$upload" --header "$bearer" --form "Filedata=@$work/sent;filename=sent.bin" | field fileId)
content=$(call --dump-header - --output "$work/none" "$api/users/$user/drive/files/$file/download" --header "$bearer" | location)
call "$content" --header "$bearer" --output "$work/received"
cmp "$work/sent" "$work/received"

# Update, notification, callback.
call --request PATCH "$api/users/$user" --header "$bearer" --header 'Content-Type: application/json' \
    --data '{"nickName": "curl"}' | grep -q '"nickName":"curl"'
call "$(printf '%s' "$READY" | sed -n 's/.*"webhooks": *\["\([^"]*\)".*/\1/p')" \
    --header 'Content-Type: application/json' --data '{"title": "CI", "body": {"text": "from curl"}}' | grep -q success
call --request PUT "$admin/bots/$(fact bot_id)/callback" --header "Authorization: Bearer $(fact admin_key)" \
    --data "{\"url\": \"$RECEIVER\"}"
call "$admin/messages" --header "Authorization: Bearer $(fact admin_key)" \
    --data "{\"botId\": \"$(fact bot_id)\", \"userId\": \"$user\", \"content\": {\"type\": \"text\", \"text\": \"to curl\"}}" |
    grep -q '"delivered":true'
