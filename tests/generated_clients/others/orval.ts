// Use what orval makes: the base URLs are in the functions, as the document has them.

import { notificationsPost, storageReceive, uploadDrive, usersSetStatus, usersUpdate } from "./client.js";

declare const process: { env: Record<string, string | undefined> };

const given = JSON.parse(process.env["GIVEN"] ?? "{}");
const authorized = { headers: { Authorization: `Bearer ${given.token}` } };
const content = new Uint8Array(256 * 1024).map((_, at) => at % 256);

const user = await usersUpdate(given.user, { nickName: "Mina" }, authorized);
const status = await usersSetStatus(given.user, { profileStatusId: "BUSY" }, authorized);
const request = { fileName: "all-bytes.bin", fileSize: content.length };
const ticket = await uploadDrive(given.user, request, authorized);
if (user.status !== 200 || status.status !== 200 || ticket.status !== 200) throw new Error("refused");
const address = ticket.data.uploadUrl.split("/uploads/")[1] ?? "";
const stored = await storageReceive(address, { Filedata: new File([content], "all-bytes.bin") }, authorized);
const webhookId = given.webhooks[0].split("/message/")[1];
const reply = await notificationsPost(webhookId, { body: { text: "Build is green" } });
if (stored.status !== 201 || reply.status !== 200) throw new Error("refused");
console.log(
  JSON.stringify({
    nickName: user.data.nickName,
    status: status.data.profileStatusId,
    fileSize: stored.data.fileSize,
    code: reply.data.code,
  }),
);
