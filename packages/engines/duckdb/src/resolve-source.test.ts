import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import type { Attachments } from "./attach.ts";
import { resolveSource } from "./resolve-source.ts";
import { importTable } from "./snapshot/import-table.ts";
import { manifestPath } from "./snapshot/manifest.ts";
import { type Fixture, fixture } from "./testing/engine-fixture.ts";

let house: Fixture;
afterEach(() => house.remove());

/** Imports a table twice. Returns the manifest of either import; the first one's file is gone by then. */
async function twoManifests(): Promise<readonly [string, string]> {
  house = fixture("people: { file: people.csv, unit: row, columns: { wage: { type: integer } } }");
  const imported = async (csv: string): Promise<string> => {
    house.write("people.csv", csv);
    await importTable({ ...house, table: "people" });
    return readFileSync(manifestPath(house.stateDirectory, "people"), "utf8");
  };
  return [await imported("wage\n1\n"), await imported("wage\n1\n2\n3\n")];
}

/** Resolves the table while the manifest changes from one to the next, each time that the state folder is looked up. */
function resolved(manifests: readonly string[]): Promise<{ readonly files: readonly string[] }> {
  const left = [...manifests];
  const directories = {
    base: house.baseDirectory,
    get state() {
      const next = left.shift();
      if (next !== undefined) writeFileSync(manifestPath(house.stateDirectory, "people"), next);
      return house.stateDirectory;
    },
  };
  const attachments = {
    database: async (_table: string, path: string) => ({ relation: ["any"], files: [path] }),
  } as unknown as Attachments;
  return resolveSource("people", house.policy.tables.people!, directories, house.seed, attachments);
}

it("finds the new snapshot where an import replaces the old one between manifest and file", async () => {
  const [before, after] = await twoManifests();
  const { files } = await resolved([before, after]);
  expect(files).toEqual([expect.stringContaining((JSON.parse(after) as { file: string }).file)]);
});

it("says that a snapshot is missing where its file is gone for good", async () => {
  const [before] = await twoManifests();
  await expect(resolved([before])).rejects.toMatchObject({
    code: "engine.source",
    message: "the snapshot of people is missing or not as it was written",
  });
});
