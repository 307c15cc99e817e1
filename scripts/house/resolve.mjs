import { posix } from "node:path";

/** The workspace folder a path lies in, or null: "packages/engines/duckdb/src/x.ts" → "packages/engines/duckdb". */
export function packageOf(path, manifests) {
  for (const folder of manifests.keys()) if (path.startsWith(`${folder}/`)) return folder;
  return null;
}

/**
 * Returns the target of an import: { kind: "file", path } inside the workspace (path is null when nothing is there), or
 * { kind: "outside", name } for Node and registry modules.
 */
export function resolveImport(from, specifier, { modules, manifests }) {
  if (specifier.startsWith(".")) {
    const path = posix.join(posix.dirname(from), specifier);
    // JSON and built files are not modules of the house; they are no edge of it either.
    return { kind: "file", path: modules.has(path) ? path : null, wanted: path };
  }
  for (const [folder, manifest] of manifests) {
    if (specifier !== manifest.name && !specifier.startsWith(`${manifest.name}/`)) continue;
    const entry = manifest.exports?.[`.${specifier.slice(manifest.name.length)}`];
    const source = typeof entry === "string" ? entry : entry?.source;
    const path = source ? posix.join(folder, source) : null;
    return { kind: "file", path: path && modules.has(path) ? path : null, wanted: specifier };
  }
  return { kind: "outside", name: specifier };
}

/** "@scope/name/sub" → "@scope/name", "name/sub" → "name". */
export function registryName(specifier) {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
