# A script that works through a day with Ruby's own client; the hosts of its service are literals.
require "json"
require "net/http"

AUTH = "https://auth.example.com/oauth2/v2.0"
API = "https://www.example.com/v1.0"
CLIENT = { client_id: ENV.fetch("CLIENT_ID"), client_secret: ENV.fetch("CLIENT_SECRET") }

def call(kind, url, headers = {}, body = nil)
  uri = URI(url)
  request = kind.new(uri, headers)
  request.body = body
  response = Net::HTTP.start(uri.host, uri.port, use_ssl: true) { |http| http.request(request) }
  raise response.body if response.code.to_i >= 400
  response
end

def send_json(kind, url, headers, body)
  JSON.parse(call(kind, url, headers.merge("Content-Type" => "application/json"), JSON.dump(body)).body)
end

def get_token(grant)
  form = { "Content-Type" => "application/x-www-form-urlencoded" }
  JSON.parse(call(Net::HTTP::Post, "#{AUTH}/token", form, URI.encode_www_form(CLIENT.merge(grant))).body)
end

asked = { client_id: CLIENT[:client_id], redirect_uri: ENV.fetch("REDIRECT_URI"), scope: "user,file",
          response_type: "code", state: "s-1" }
location = call(Net::HTTP::Get, "#{AUTH}/authorize?#{URI.encode_www_form(asked)}")["Location"]
code = URI.decode_www_form(URI(location).query).to_h["code"]
tokens = get_token(grant_type: "authorization_code", code: code)
token = get_token(grant_type: "refresh_token", refresh_token: tokens["refresh_token"])["access_token"]
bearer = { "Authorization" => "Bearer #{token}" }
puts "signed in"

user = "#{API}/users/#{ENV.fetch("USER_ID")}"
puts "nickname #{send_json(Net::HTTP::Patch, user, bearer, { nickName: "Mina" })["nickName"]}"
status = { profileStatusId: "BUSY", statusMessage: "in a meeting" }
puts "status #{send_json(Net::HTTP::Post, "#{user}/user-profile-statuses", bearer, status)["profileStatusId"]}"

announced = send_json(Net::HTTP::Post, "#{user}/drive/files", bearer, { fileName: "diary.txt", fileSize: 10 })
form = "--b\r\nContent-Disposition: form-data; name=\"Filedata\"; filename=\"diary.txt\"\r\n" \
       "Content-Type: text/plain\r\n\r\nday by day\r\n--b--\r\n"
headers = bearer.merge("Content-Type" => "multipart/form-data; boundary=b")
stored = JSON.parse(call(Net::HTTP::Post, announced["uploadUrl"], headers, form).body)
download = call(Net::HTTP::Get, "#{user}/drive/files/#{stored["fileId"]}/download", bearer)["Location"]
puts "file #{call(Net::HTTP::Get, download, bearer).body}"

notified = send_json(Net::HTTP::Post, ENV.fetch("WEBHOOK_URL"), {}, { body: { text: "The day is over." } })
puts "notified #{notified["code"]}"
