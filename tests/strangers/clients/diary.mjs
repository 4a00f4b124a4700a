// A script for Node that works through a day with fetch; the hosts of its service are literals.
import { createServer } from "node:http";

const AUTH = "https://auth.example.com/oauth2/v2.0";
const API = "https://www.example.com/v1.0";
const { CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, USER_ID, WEBHOOK_URL, BOT } = process.env;

async function read(response) {
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

async function getToken(grant) {
  const body = new URLSearchParams({ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, ...grant });
  return read(await fetch(`${AUTH}/token`, { method: "POST", body }));
}

async function locate(url, headers) {
  return (await fetch(url, { headers, redirect: "manual" })).headers.get("Location");
}

const asked = { client_id: CLIENT_ID, redirect_uri: REDIRECT_URI, scope: "user,file", response_type: "code", state: "s-1" };
const returned = new URL(await locate(`${AUTH}/authorize?${new URLSearchParams(asked)}`));
const tokens = await getToken({ grant_type: "authorization_code", code: returned.searchParams.get("code") });
const { access_token } = await getToken({ grant_type: "refresh_token", refresh_token: tokens.refresh_token });
console.log("signed in");

const bearer = { Authorization: `Bearer ${access_token}` };
const headers = { ...bearer, "Content-Type": "application/json" };
const send = async (url, content, how = { method: "POST" }) =>
  read(await fetch(url, { ...how, headers, body: JSON.stringify(content) }));

const user = `${API}/users/${USER_ID}`;
console.log("nickname", (await send(user, { nickName: "Mina" }, { method: "PATCH" })).nickName);
const status = { profileStatusId: "BUSY", statusMessage: "in a meeting" };
console.log("status", (await send(`${user}/user-profile-statuses`, status)).profileStatusId);

const content = "day by day";
const { uploadUrl } = await send(`${user}/drive/files`, { fileName: "diary.txt", fileSize: content.length });
const body = new FormData();
body.append("Filedata", new Blob([content], { type: "text/plain" }), "diary.txt");
const { fileId } = await read(await fetch(uploadUrl, { method: "POST", headers: bearer, body }));
const download = await locate(`${user}/drive/files/${fileId}/download`, bearer);
console.log("file", await (await fetch(download, { headers: bearer })).text());

console.log("notified", (await send(WEBHOOK_URL, { body: { text: "The day is over." } })).code);

if (BOT) {
  const server = createServer(async (request, response) => {
    const event = JSON.parse(Buffer.concat(await request.toArray()));
    console.log("heard", event.content.text);
    response.setHeader("Connection", "close").end();
    server.close();
  });
  server.listen(0, "127.0.0.1", () => console.log("listening", server.address().port));
}
