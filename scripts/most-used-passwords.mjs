// Writes the passwords that people use most into packages/serve, as the first bytes of hashes: those of zxcvbn (Dropbox, MIT licence), which are ranked by how often they stood in passwords that leaked. `--check` changes
// nothing, and fails where the file is of another list.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const path = fileURLToPath(new URL("../packages/serve/src/people/passwords/most-used.ts", import.meta.url));
const { passwords } = createRequire(import.meta.url)("zxcvbn/lib/frequency_lists.js");
const { version } = createRequire(import.meta.url)("zxcvbn/package.json");
const [most, shortest, bytes] = [3000, 4, 4];
const used = passwords.filter((each) => each.length >= shortest).slice(0, most);
const hashes = used
  .map((each) =>
    createHash("sha256")
      .update(each)
      .digest("hex")
      .slice(0, 2 * bytes),
  )
  .sort();
const packed = Buffer.from(hashes.join(""), "hex").toString("base64");
const text = `/**
 * The ${used.length} passwords of ${shortest} characters or more that people use most, by zxcvbn ${version} (Dropbox, MIT licence): of each the first ${bytes} bytes of its SHA-256, in their order.
 * Made by scripts/most-used-passwords.mjs.
 */
export const mostUsed: string =
  "${packed}";
`;
if (process.argv.includes("--check")) process.exitCode = readFileSync(path, "utf8") === text ? 0 : 1;
else writeFileSync(path, text);
