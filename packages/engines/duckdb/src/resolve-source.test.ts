import { readFileSync, writeFileSync } from "node:fs";
import type { TableStorage } from "@lethe/query";
import { afterEach, describe, expect, it } from "vitest";
import type { Attachments } from "./attach.ts";
import { openDuckDb } from "./open-duckdb.ts";
import { resolveSource } from "./resolve-source.ts";
import { buildIndex } from "./snapshot/build-index.ts";
import { importTable } from "./snapshot/import-table.ts";
import { manifestPath } from "./snapshot/manifest.ts";
import { type Fixture, fixture, policyOf } from "./testing/engine-fixture.ts";

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
    fix: "lethe import people.csv",
    fields: { table: "people" },
  });
});

describe("a snapshot's storage", () => {
  const visits =
    "visits: { file: v.csv, unit: who, max_groups_contributed: 1, max_rows_contributed_per_group: 1, columns: { who: { type: text }, x: { type: integer } } }";
  const storageOf = async (table: string, seed = house.seed): Promise<TableStorage> => {
    const engine = await openDuckDb({ ...house, seed });
    try {
      return await engine.storage(table);
    } finally {
      await engine.close();
    }
  };

  it("says whether units may be told apart by their numbers, and whether rows have places under this seed", async () => {
    house = fixture(visits);
    house.write("v.csv", "who,x\na,1\nb,2\n");
    await importTable({ ...house, table: "visits" });
    const { relation, ...facts } = await storageOf("visits");
    expect(relation.slice(1)).toEqual(["main", "visits"]);
    const { imported, ...words } = facts;
    expect(words).toEqual({ layout: "snapshot", hasPlaces: false, hasUnitNumbers: true });
    await buildIndex({ ...house, table: "visits" });
    expect(await storageOf("visits")).toMatchObject({ hasPlaces: true, hasUnitNumbers: true });
    expect(await storageOf("visits", "another")).toMatchObject({ hasPlaces: false, hasUnitNumbers: true });
    // Snapshots of before have no word on the numbers.
    const path = manifestPath(house.stateDirectory, "visits");
    const { unitNumbers: _, ...before } = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify(before));
    expect(await storageOf("visits")).toMatchObject({ hasPlaces: true, hasUnitNumbers: false });
  });

  it("names the import that froze the rows: another for the same file, the same for an index", async () => {
    house = fixture(visits);
    house.write("v.csv", "who,x\na,1\nb,2\n");
    const ids: (string | undefined)[] = [];
    for (const make of [importTable, buildIndex, buildIndex, importTable]) {
      await make({ ...house, table: "visits" });
      ids.push((await storageOf("visits")).imported);
    }
    const [first, indexed, again, second] = ids;
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([indexed, again]).toEqual([first, first]);
    expect(second).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).not.toBe(first);
  });

  it("names no import where a file is read as it lies", async () => {
    house = fixture("people: { file: p.parquet, unit: row, columns: { x: { type: integer } } }");
    await house.prepare("COPY (SELECT 1 AS x) TO '$DIR/p.parquet'");
    expect((await storageOf("people")).imported).toBeUndefined();
  });

  it("has no numbers of units where each row is one", async () => {
    await twoManifests();
    expect(await storageOf("people")).toMatchObject({ hasPlaces: false, hasUnitNumbers: false });
  });

  it("has times as integers, which is what import makes of them", async () => {
    house = fixture("people: { file: p.csv, unit: row, columns: { day: { type: date } } }");
    house.write("p.csv", "day\n2020-01-01\n");
    await importTable({ ...house, table: "people" });
    expect(await storageOf("people")).toMatchObject({ layout: "snapshot" });
  });

  it("is not used where another policy made it, and the refusal names the import", async () => {
    await twoManifests();
    const changed = policyOf("people: { file: people.csv, unit: row, columns: { wage: { type: number } } }");
    const engine = await openDuckDb(house.with(changed));
    try {
      await expect(engine.storage("people")).rejects.toMatchObject({
        code: "policy.changed",
        message: "the policy of people changed since it was imported",
        fix: "lethe import people.csv",
        fields: { table: "people" },
      });
    } finally {
      await engine.close();
    }
  });
});

it("says that a CSV was not imported, and how it is", async () => {
  house = fixture("people: { file: people.csv, unit: row, columns: { wage: { type: integer } } }");
  house.write("people.csv", "wage\n1\n");
  await expect(resolved([])).rejects.toMatchObject({
    code: "engine.not-imported",
    message: "people is a CSV file that was not imported",
    fix: "lethe import people.csv",
    fields: { table: "people", file: "people.csv" },
  });
});
