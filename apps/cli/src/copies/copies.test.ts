import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importTable } from "@lethe/engine-duckdb";
import { readManifest } from "@lethe/engine-duckdb/snapshots";
import { type Policy, readPolicy } from "@lethe/query";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Workspace, workspaceOf } from "../workspace.ts";
import { openImports } from "./open-imports.ts";
import { watchImports } from "./watch-imports.ts";

let folder: string;
let workspace: Workspace;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lethe-copies-"));
  workspace = workspaceOf(join(folder, "lethe.yaml"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const policyOf = (where: string, source: string): Policy =>
  readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 5 }
${where}
tables: { visits: { ${source} unit: who, columns: { who: { type: text } } } }
`);
const trino = policyOf("database: { kind: trino, url_env: LETHE_NONE }", "");
const files = policyOf("", "file: visits.csv,");

function writeManifest(id: string): void {
  const manifest = { version: 1, id, table: "visits", relation: ["lake", "lethe", "visits"] };
  mkdirSync(join(workspace.state, "trino"), { recursive: true });
  writeFileSync(join(workspace.state, "trino", "visits.json"), JSON.stringify(manifest));
}

it("names the import of a table as engines do, so that an explanation finds the answers of the same data", async () => {
  const [ofTrino, ofFiles] = [await openImports(workspace, trino), await openImports(workspace, files)];
  expect([ofTrino("visits"), ofFiles("visits")]).toEqual([null, null]);
  writeManifest("the first");
  writeFileSync(join(folder, "visits.csv"), "who\na\n");
  const directories = { baseDirectory: folder, stateDirectory: workspace.state };
  await importTable({
    policy: files,
    table: "visits",
    ...directories,
    clock: Date.now,
    log: () => undefined,
  });
  expect(ofTrino("visits")).toBe("the first");
  expect(ofFiles("visits")).toBe(readManifest(workspace.state, "visits")?.id);
  writeManifest("the second");
  expect(ofTrino("visits")).toBe("the second");
});

it("has a service hear of each import into Trino and of its removal, and of none that its workers would not read", async () => {
  const { imports } = await watchImports(workspace, trino);
  const marks = [imports?.()];
  writeManifest("the first");
  marks.push(imports?.());
  expect(imports?.()).toBe(marks[1]);
  writeManifest("the second import");
  marks.push(imports?.());
  expect(new Set(marks).size).toBe(3);
  rmSync(join(workspace.state, "trino", "visits.json"));
  expect(imports?.()).toBe(marks[0]);
  expect(await watchImports(workspace, files)).toEqual({});
});
