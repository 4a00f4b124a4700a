// Use what openapi-generator makes for fetch: it has one base path, so each area has a configuration.

import { Configuration, NotificationsApi, StorageApi, UploadApi, UsersApi } from "./client/index.js";

declare const process: { env: Record<string, string | undefined> };

const given = JSON.parse(process.env["GIVEN"] ?? "{}");
const userId: string = given.user;
const content = new Uint8Array(256 * 1024).map((_, at) => at % 256);

function at(basePath: string): Configuration {
  return new Configuration({ basePath, accessToken: given.token });
}

const users = new UsersApi(at(given.base_url));
const user = await users.usersUpdate({ userId, userChange: { nickName: "Mina" } });
const status = await users.usersSetStatus({ userId, statusRegistration: { profileStatusId: "BUSY" } });
const ticket = await new UploadApi(at(given.base_url)).uploadDrive({
  userId,
  uploadRequest: { fileName: "all-bytes.bin", fileSize: content.length },
});
const [base = "", address = ""] = ticket.uploadUrl.split("/uploads/");
const file = new File([content], "all-bytes.bin");
const stored = await new StorageApi(at(base)).storageReceiveRaw({ address, filedata: file });
const { fileSize } = await stored.raw.clone().json(); // typed as the first of two successes, 200
const [hook = "", webhookId = ""] = given.webhooks[0].split("/message/");
const notification = { body: { text: "Build is green" } };
const { code } = await new NotificationsApi(at(hook)).notificationsPost({ webhookId, notification });
console.log(JSON.stringify({ nickName: user.nickName, status: status.profileStatusId, fileSize, code }));
