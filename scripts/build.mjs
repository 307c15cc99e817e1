// Builds every workspace package with tsdown: ESM and type declarations into dist/. Skips packages whose sources did not change.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";

const root = fileURLToPath(new URL("..", import.meta.url));
const packages = [
  "packages/core",
  "packages/query",
  "packages/ledger",
  "packages/engines/duckdb",
  "packages/gateway",
  "packages/verify",
  "apps/cli",
];

function fingerprint(directory) {
  const hash = createHash("sha256");
  for (const entry of readdirSync(join(directory, "src"), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.includes(".test.")) continue;
    const path = join(entry.parentPath, entry.name);
    hash.update(path).update(readFileSync(path));
  }
  return hash
    .update(readFileSync(join(directory, "package.json")))
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .digest("hex");
}

for (const name of packages) {
  const cwd = join(root, name);
  const manifest = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"));
  const stamp = join(cwd, "dist", ".fingerprint");
  const current = fingerprint(cwd);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === current) continue;
  const entry = Object.values(manifest.exports).flatMap((target) => target.source ?? []);
  if (manifest.bin) entry.push("./src/bin.ts");
  await build({
    cwd,
    entry: entry.filter((path) => existsSync(join(cwd, path))),
    format: "esm",
    fixedExtension: true,
    platform: name === "packages/core" ? "neutral" : "node",
    target: "node20",
    dts: { oxc: true },
    clean: true,
    logLevel: "warn",
    config: false,
  });
  writeFileSync(stamp, current);
}
