/* oxlint-disable no-await-in-loop, unicorn/no-invalid-fetch-options -- one request after another, and never a GET with a body */
// A nightly job of a service account that welcomes new people; the hosts of its service are literals.
import { createSign } from "node:crypto";

const AUTH = "https://auth.example.com/oauth2/v2.0";
const API = "https://www.example.com/v1.0";
const { ACCOUNT, BOT_ID, CLIENT_ID, CLIENT_SECRET, DELEGATED_USER, PRIVATE_KEY } = process.env;

async function read(response) {
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text && JSON.parse(text);
}

const encode = (part) => Buffer.from(JSON.stringify(part)).toString("base64");
const now = Math.floor(Date.now() / 1000);
const claims = { iss: CLIENT_ID, sub: ACCOUNT, iat: now, exp: now + 1800, delegated_user: DELEGATED_USER };
const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
const signature = createSign("RSA-SHA256").update(signed).sign(PRIVATE_KEY, "base64");
const form = {
  grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
  assertion: `${signed}.${signature}`,
  client_id: CLIENT_ID,
  client_secret: CLIENT_SECRET,
  scope: "user bot",
};
const { access_token } = await read(await fetch(`${AUTH}/token`, { method: "POST", body: new URLSearchParams(form) }));

const headers = { Authorization: `Bearer ${access_token}`, "Content-Type": "application/json" };
const get = async (path) => read(await fetch(API + path, { headers }));
const send = async (path, body, method = "POST") => read(await fetch(API + path, { method, headers, body: JSON.stringify(body) }));

const people = [];
let cursor;
do {
  const page = await get(`/users?count=2${cursor ? `&cursor=${cursor}` : ""}`);
  people.push(...page.users);
  cursor = page.nextCursor;
} while (cursor);

console.log("as", (await get("/users/me")).email);
for (const { userId } of people.filter((person) => !person.nickName)) {
  await send(`/users/${userId}`, { nickName: "newcomer" }, "PATCH");
  console.log(userId, (await get(`/users/${userId}`)).nickName);
  await send(`/bots/${BOT_ID}/users/${userId}/messages`, { content: { type: "text", text: `Welcome, ${userId}!` } });
}
