import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readModule } from "./read-module.mjs";

const skipped = new Set(["node_modules", "dist", "coverage", "data"]);
const sourceFile = /\.(?:ts|tsx|mjs)$/;

function* walk(directory, prefix) {
  if (!existsSync(directory)) return;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (skipped.has(entry.name) || entry.name.startsWith(".")) continue;
    const path = `${prefix}/${entry.name}`;
    if (entry.isDirectory()) yield* walk(join(directory, entry.name), path);
    else if (sourceFile.test(entry.name) && !entry.name.endsWith(".d.ts")) yield path;
  }
}

/** Folders with a package.json, as "packages/core" → manifest. */
function readManifests(root) {
  const manifests = new Map();
  const workspaces = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).workspaces;
  for (const workspace of workspaces) {
    const parent = workspace.endsWith("/*") ? workspace.slice(0, -2) : null;
    const folders = parent ? readdirSync(join(root, parent)).map((name) => `${parent}/${name}`) : [workspace];
    for (const folder of folders) {
      const file = join(root, folder, "package.json");
      if (existsSync(file)) manifests.set(folder, JSON.parse(readFileSync(file, "utf8")));
    }
  }
  return manifests;
}

/** The whole house as plain data: { modules: Map<path, facts>, manifests: Map<folder, package.json> }. Paths use "/". */
export function readHouse(root) {
  const files = new Map();
  for (const top of ["packages", "apps", "testing", "scripts", "bench"]) {
    for (const path of walk(join(root, top), top)) files.set(path, readFileSync(join(root, path), "utf8"));
  }
  return houseOf(files, readManifests(root));
}

/** The same from texts in memory: what tests feed the rules with. */
export function houseOf(files, manifests) {
  return {
    modules: new Map([...files].map(([path, text]) => [path, readModule(path, text)])),
    manifests,
  };
}
