import { readdirSync } from "node:fs";
import { type CellText, type RowsToFreeze, readPolicy } from "@lethe/query";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDuckDb } from "../open-duckdb.ts";
import { type Fixture, fixture } from "../testing/engine-fixture.ts";
import { importRows } from "./import-rows.ts";
import { readManifest } from "./manifest.ts";
import { removeSnapshot } from "./remove-snapshot.ts";

const policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
database: { kind: postgres }
tables:
  visits: { unit: who, max_rows_contributed_per_group: 1, columns: { who: { type: text }, cost: { type: number, bounds: [0, 50] }, wild: { type: number }, big: { type: integer },
    open: { type: boolean } } }
`);

/** who, cost on its grid, wild, big, open, and the unit's name. */
const some: readonly (readonly CellText[])[] = [
  ["a", "7", "0.1", "9007199254740993", "t", "a"],
  ["a", "7", "-0", null, "f", "a"],
  [null, null, null, null, null, null],
  ["ü😀", "0", "5e-324", "-9223372036854775808", "t", "ü😀"],
];

describe("rows that another engine has cleaned", () => {
  let house: Fixture;
  beforeEach(() => {
    house = fixture("visits: { file: v.csv, unit: row, columns: { a: { type: text } } }").with(policy);
  });
  afterEach(() => house.remove());

  function given(rows: readonly (readonly CellText[])[], changed: Partial<RowsToFreeze> = {}): RowsToFreeze {
    const present = { who: 3, cost: 4, wild: 3, big: 2, open: 3 };
    const read = async (take: (cells: readonly CellText[]) => void): Promise<void> => rows.forEach(take);
    return { sources: ["16384"], rows: rows.length, present, read, ...changed };
  }
  const freeze = (rows: RowsToFreeze): ReturnType<typeof importRows> =>
    importRows({ ...house, table: "visits", source: "clinic.visits", asOf: 1_600_000_000_000 }, rows);

  it("are a snapshot: the same values, the values that were lost, of when and of what it is", async () => {
    const told: string[] = [];
    const report = await importRows(
      {
        ...house,
        table: "visits",
        source: "clinic.visits",
        asOf: 1_600_000_000_000,
        progress: (step) => told.push(step),
      },
      given(some),
    );
    expect(report).toMatchObject({
      rows: 4,
      lost: [{ column: "cost", values: 1 }],
      kept: { units: 2, beyond: 1 },
    });
    expect(told).toContain("reading visits");
    expect(readManifest(house.stateDirectory, "visits")).toMatchObject({
      source: "clinic.visits",
      copied: { sources: ["16384"], asOf: "2020-09-13T12:26:40.000Z" },
      created: "2023-11-14T22:13:20.000Z",
      unitNumbers: true,
    });
    await house.prepare(
      `ATTACH '${report.path}' AS s (READ_ONLY)`,
      `SELECT CASE WHEN count(*) <> 3 THEN error('rows') END FROM s.visits WHERE
        (who, cost, wild, big, open) IN (('a', 7, 0.1, 9007199254740993, true), ('ü😀', 0, 5e-324, -9223372036854775808, true))
        OR (big IS NULL AND wild = 0 AND NOT open)`,
    );
    const engine = await openDuckDb(house);
    try {
      expect(await engine.storage("visits")).toMatchObject({
        layout: "snapshot",
        imported: report.manifest.id,
      });
    } finally {
      await engine.close();
    }
  });

  it("of another number, width or type than was said fail whole: the copy before stays, and the log alone has words", async () => {
    await freeze(given(some));
    const before = readManifest(house.stateDirectory, "visits");
    const failed: readonly [RowsToFreeze, RegExp][] = [
      [given(some, { rows: 5 }), /5 rows were read as 4/],
      [given([["a", "7"]]), /expected 6 cells, got 2/],
      [given([["a", "7.5", null, null, null, "a"]]), /BigInt/],
      [given([["a", "99999999999", null, null, null, "a"]]), /range|cast|convert/i],
      [given([["a", null, "NaN", null, null, "a"]]), /no finite double/],
      [given([["a", null, null, null, "yes", "a"]]), /neither true nor false/],
      [given(some, { read: async () => Promise.reject(new Error("secret 31337")) }), /secret 31337/],
    ];
    for (const [rows, detail] of failed) {
      const error = await freeze(rows).catch((thrown: Error) => thrown);
      expect(error).toMatchObject({
        code: "engine.source",
        message: "clinic.visits could not be imported; details are in the owner's log",
      });
      expect(house.logged.at(-1)).toMatch(detail);
    }
    expect(readManifest(house.stateDirectory, "visits")).toEqual(before);
    expect(readdirSync(`${house.stateDirectory}/snapshots`)).toHaveLength(2);
  });

  it("are removed with all that names them", async () => {
    await freeze(given(some));
    expect(removeSnapshot(house.stateDirectory, "visit")).toBe(false);
    expect(removeSnapshot(house.stateDirectory, "visits")).toBe(true);
    expect(readdirSync(`${house.stateDirectory}/snapshots`)).toEqual([]);
    expect(removeSnapshot(house.stateDirectory, "visits")).toBe(false);
    expect(removeSnapshot(house.path("nowhere"), "visits")).toBe(false);
  });
});
