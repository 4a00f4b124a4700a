<?php
// A script that works through a day with PHP's curl; the hosts of its service are literals.

const AUTH = 'https://auth.example.com/oauth2/v2.0';
const API = 'https://www.example.com/v1.0';

function call($method, $url, $headers = [], $body = null)
{
    $curl = curl_init($url);
    $options = [CURLOPT_CUSTOMREQUEST => $method, CURLOPT_HTTPHEADER => $headers, CURLOPT_RETURNTRANSFER => true];
    curl_setopt_array($curl, $options + ($body === null ? [] : [CURLOPT_POSTFIELDS => $body]));
    $text = curl_exec($curl);
    if ($text === false || curl_getinfo($curl, CURLINFO_RESPONSE_CODE) >= 400) {
        throw new Exception(curl_error($curl) . $text);
    }
    return [curl_getinfo($curl, CURLINFO_REDIRECT_URL), $text];
}

function send($method, $url, $headers, $body)
{
    return json_decode(call($method, $url, [...$headers, 'Content-Type: application/json'], json_encode($body))[1], true);
}

function get_token($grant)
{
    $client = ['client_id' => getenv('CLIENT_ID'), 'client_secret' => getenv('CLIENT_SECRET')];
    return json_decode(call('POST', AUTH . '/token', [], http_build_query($client + $grant))[1], true);
}

$asked = ['client_id' => getenv('CLIENT_ID'), 'redirect_uri' => getenv('REDIRECT_URI'), 'scope' => 'user,file',
    'response_type' => 'code', 'state' => 's-1'];
[$location] = call('GET', AUTH . '/authorize?' . http_build_query($asked));
parse_str(parse_url($location, PHP_URL_QUERY), $returned);
$tokens = get_token(['grant_type' => 'authorization_code', 'code' => $returned['code']]);
$renewed = get_token(['grant_type' => 'refresh_token', 'refresh_token' => $tokens['refresh_token']]);
$bearer = ["Authorization: Bearer {$renewed['access_token']}"];
echo "signed in\n";

$user = API . '/users/' . getenv('USER_ID');
echo 'nickname ', send('PATCH', $user, $bearer, ['nickName' => 'Mina'])['nickName'], "\n";
$status = ['profileStatusId' => 'BUSY', 'statusMessage' => 'in a meeting'];
echo 'status ', send('POST', "$user/user-profile-statuses", $bearer, $status)['profileStatusId'], "\n";

$announced = send('POST', "$user/drive/files", $bearer, ['fileName' => 'diary.txt', 'fileSize' => 10]);
$form = ['Filedata' => new CURLStringFile('day by day', 'diary.txt', 'text/plain')];
$stored = json_decode(call('POST', $announced['uploadUrl'], $bearer, $form)[1], true);
[$download] = call('GET', "$user/drive/files/{$stored['fileId']}/download", $bearer);
echo 'file ', call('GET', $download, $bearer)[1], "\n";

echo 'notified ', send('POST', getenv('WEBHOOK_URL'), [], ['body' => ['text' => 'The day is over.']])['code'], "\n";
