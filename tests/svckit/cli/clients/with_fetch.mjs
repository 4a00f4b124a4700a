// Everything a client does with the service, with Node alone: READY is the ready line of `svckit serve`.
// Ends at the first thing that goes wrong.
import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { createServer } from "node:http";

const facts = JSON.parse(process.env.READY);
const { base_url: api, auth_url: auth, admin_url: admin, user_id: user } = facts;

async function call(status, url, options = {}) {
  const answer = await fetch(url, { redirect: "manual", ...options });
  if (answer.status !== status) throw new Error(`${url} was answered ${answer.status}: ${await answer.text()}`);
  return answer;
}
const json = (body, headers = {}) => ({
  method: "POST",
  headers: { "Content-Type": "application/json", ...headers },
  body: JSON.stringify(body),
});
const form = (fields) => ({ method: "POST", body: new URLSearchParams(fields) });

// Sign in: the login page, its form, the code in the redirect, the tokens for the code.
const client = { client_id: facts.client_id, redirect_uri: facts.redirect_uri };
const asked = new URLSearchParams({ ...client, scope: "user,file", response_type: "code", state: "s-1" });
const page = await (await call(200, `${auth}/oauth2/v2.0/authorize?${asked}`)).text();
const login_ticket = /name="login_ticket" value="([^"]*)"/.exec(page)[1];
const login = form({ login_ticket, login_id: facts.login_id, password: facts.password });
const redirect = new URL((await call(302, `${auth}/oauth2/v2.0/authorize`, login)).headers.get("Location"));
assert.equal(redirect.searchParams.get("state"), "s-1");
const exchange = { ...client, client_secret: facts.client_secret, grant_type: "authorization_code" };
const issued = await call(200, `${auth}/oauth2/v2.0/token`, form({ ...exchange, code: redirect.searchParams.get("code") }));
const bearer = { Authorization: `Bearer ${(await issued.json()).access_token}` };

// Upload and download, each in two steps.
const sent = randomBytes(300_000);
const drive = `${api}/users/${user}/drive/files`;
const { uploadUrl } = await (await call(200, drive, json({ fileName: "sent.bin", fileSize: sent.length }, bearer))).json();
const body = new FormData();
body.append("Filedata", new Blob([sent]), "sent.bin");
const { fileId } = await (await call(201, uploadUrl, { method: "POST", headers: bearer, body })).json();
const found = (await call(302, `${drive}/${fileId}/download`, { headers: bearer })).headers.get("Location");
const received = Buffer.from(await (await call(200, found, { headers: bearer })).arrayBuffer());
assert.ok(sent.equals(received));

// Update, notification, callback.
const change = { ...json({ nickName: "fetch" }, bearer), method: "PATCH" };
assert.equal((await (await call(200, `${api}/users/${user}`, change)).json()).nickName, "fetch");
await call(200, facts.webhooks[0], json({ title: "CI", body: { text: "from fetch" } }));

const events = [];
const server = createServer((request, response) => {
  const pieces = [];
  request.on("data", (piece) => pieces.push(piece));
  request.on("end", () => {
    events.push({ body: Buffer.concat(pieces), signature: request.headers["x-service-signature"] });
    response.end();
  });
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const key = { Authorization: `Bearer ${facts.admin_key}` };
const url = `http://127.0.0.1:${server.address().port}/callback`;
await call(204, `${admin}/bots/${facts.bot_id}/callback`, { ...json({ url }, key), method: "PUT" });
const content = { type: "text", text: "to fetch" };
const came = await call(200, `${admin}/messages`, json({ botId: facts.bot_id, userId: user, content }, key));
assert.equal((await came.json()).delivered, true);
server.closeAllConnections();
server.close();
assert.equal(JSON.parse(events[0].body).content.text, "to fetch");
assert.equal(events[0].signature, createHmac("sha256", facts.bot_secret).update(events[0].body).digest("base64"));
