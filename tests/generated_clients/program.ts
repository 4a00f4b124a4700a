// What somebody does with the types that are generated for TypeScript: change a user, transfer files, notify.

import createClient from "openapi-fetch";
import type { components, paths } from "./service.ts";

type Schemas = components["schemas"];

declare const process: { env: Record<string, string | undefined> }; // the one name of Node's that is used

const given: {
  base_url: string;
  domain_id: number;
  token: string;
  user: string;
  webhooks: string[];
} = JSON.parse(process.env["GIVEN"] ?? "{}");
const params = { path: { userId: given.user } };
const content = new Uint8Array(256 * 1024).map((_, at) => at % 256);
const api = client(given.base_url);

function client(baseUrl: string) {
  return createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${given.token}` } });
}

/** What an answer holds, if it is the success. */
function expect<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

/** The last step of an address, and what is before it. */
function split(url: string, step: string): [string, string] {
  const at = url.lastIndexOf(step);
  return [url.slice(0, at), url.slice(at + step.length)];
}

async function change(body: Schemas["UserChange"]) {
  return expect(await api.PATCH("/users/{userId}", { params, body }));
}

/** Upload in two steps; the second is at the address that the first one gives out. */
async function upload(fileName: string, body: Schemas["UploadForm"]) {
  const request = { fileName, fileSize: content.length };
  const ticket = expect(await api.POST("/users/{userId}/drive/files", { params, body: request }));
  const [base, address] = split(ticket.uploadUrl, "/uploads/");
  const stored = expect(
    await client(base).POST("/uploads/{address}", {
      params: { path: { address } },
      body,
      bodySerializer: (parts) => {
        const form = new FormData();
        for (const [name, part] of Object.entries(parts ?? {})) form.append(name, part);
        return form;
      },
    }),
  );
  if (!("fileId" in stored)) throw new Error("more ranges are to come");
  return stored;
}

/** A file as the types have it, which know binary parts as text. */
function file(name: string): string {
  return new File([content], name, { type: "application/octet-stream" }) as unknown as string;
}

/** Download in two steps. */
async function download(fileId: string): Promise<ArrayBuffer> {
  const found = await api.GET("/users/{userId}/drive/files/{fileId}/download", {
    params: { path: { userId: given.user, fileId } },
    redirect: "manual",
  });
  if (found.response.status !== 302) throw new Error(JSON.stringify(found.error));
  const [base, address] = split(found.response.headers.get("Location") ?? "", "/downloads/");
  return expect(
    await client(base).GET("/downloads/{address}", {
      params: { path: { address } },
      parseAs: "arrayBuffer",
    }),
  );
}

async function sha256(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What the types keep from being written; nobody calls it. */
export async function wrong() {
  // @ts-expect-error a nickname is text
  await change({ nickName: 7 });
  // @ts-expect-error the field is nickName
  await change({ nickname: "Mina" });
  // @ts-expect-error an upload has a size
  await api.POST("/users/{userId}/drive/files", { params, body: { fileName: "a.txt" } });
}

const user = await change({ nickName: "Mina" });
await change({ task: null });
const unit = { orgUnitId: "ou-1", primary: true };
await change({ organizations: [{ domainId: given.domain_id, primary: true, orgUnits: [unit] }] });
expect(
  await api.POST("/users/{userId}/user-profile-statuses", {
    params,
    body: { profileStatusId: "BUSY", autoReplyMail: { internal: { content: "Back soon" } } },
  }),
);
const uploads = [
  await upload("all-bytes.bin", { Filedata: file("all-bytes.bin") }),
  await upload("other-form.bin", {
    resourceName: "other-form.bin",
    FileData: file("other-form.bin"),
  }),
];
const [hook, webhookId] = split(given.webhooks[0] ?? "", "/message/");
expect(
  await createClient<paths>({ baseUrl: hook }).POST("/message/{webhookId}", {
    params: { path: { webhookId } },
    body: { body: { text: "Build is green" } },
  }),
);
const missing = await api.PATCH("/users/{userId}", {
  params: { path: { userId: "u-999" } },
  body: {},
});
console.log(
  JSON.stringify({
    nickName: user.nickName,
    searchable: user.searchable,
    uploads,
    downloads: await Promise.all(
      uploads.map(async ({ fileId }) => sha256(await download(fileId ?? ""))),
    ),
    missing: missing.error?.code,
  }),
);
