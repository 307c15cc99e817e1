import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseRational } from "@lethe/core";
import {
  compilePlan,
  duckdb,
  parseQuestion,
  placeColumn,
  planQuestion,
  policyHash,
  resolveQuestion,
  unitColumn,
} from "@lethe/query";
import { afterEach, describe, expect, test } from "vitest";
import { unseal } from "../../../../core/src/exact/exact.ts";
import { openDuckDb } from "../open-duckdb.ts";
import { quoteIdentifier, quoteRelation } from "../quote.ts";
import { readingOfManifest } from "../reading-of-manifest.ts";
import { compiled, type Fixture, fixture, policyOf } from "../testing/engine-fixture.ts";
import { buildIndex } from "./build-index.ts";
import { importTable } from "./import-table.ts";
import { manifestPath, readManifest } from "./manifest.ts";

let house: Fixture;
afterEach(() => house.remove());

const visits = (columns = ""): string => `visits:
  file: visits.csv
  unit: who
  max_groups_contributed: 2
  max_rows_contributed_per_group: 2
  limit: rows-before-filter
  columns: { who: { type: text }, x: { type: integer, bounds: [0, 99] }, wild: { type: number }, g: { type: text, categories: [a, b] }${columns} }`;

/** Forty units of up to eleven rows, and rows of nobody; 0 and −0, NULL and equal rows among them. */
const csv = `who,x,wild,g\n${Array.from({ length: 300 }, (_, i) => {
  const who = i % 17 === 0 ? "" : `p${(i * i) % 41}`;
  return `${who},${(i * 7) % 5},${i % 3 === 0 ? "-0" : i % 3 === 1 ? "0" : ""},${i % 2 ? "a" : "b"}`;
}).join("\n")}\n`;

const questions = [
  "SELECT g, COUNT(*), AVG(x), SUM(wild, contribution_bounds_per_row => (0, 1)) FROM visits WHERE x > 0 GROUP BY g",
  "SELECT COUNT(DISTINCT who), VARIANCE(x) FROM visits",
  "SELECT x % 3, COUNT(DISTINCT who), SUM(x) FROM visits GROUP BY 1",
];

/** Every question's exact groups in a fixed order, and whether any of its SQL had to rank rows. */
async function answers(
  fixture: Fixture,
): Promise<{ readonly groups: readonly string[]; readonly ranks: boolean }> {
  const engine = await openDuckDb(fixture);
  const groups: string[] = [];
  let ranks = false;
  try {
    const storage = await engine.storage("visits");
    for (const text of questions) {
      const resolved = resolveQuestion(await parseQuestion(text), fixture.policy);
      const options = { epsilon: parseRational("1"), delta: parseRational("1e-9") };
      const plan = planQuestion(resolved, fixture.policy, options, policyHash(fixture.policy));
      const query = compilePlan(plan, () => storage, duckdb);
      ranks ||= query.needsSeed;
      const found = unseal(await engine.run(query)).groups.map(
        ({ key, units, sums }) => `${[key, units, sums]}`,
      );
      groups.push(found.sort().join(" ; "));
    }
  } finally {
    await engine.close();
  }
  return { groups, ranks };
}

async function imported(): Promise<void> {
  house = fixture(visits());
  house.write("visits.csv", csv);
  await importTable({ ...house, table: "visits" });
}

function state(of: Fixture = house, table = "visits"): string | null {
  const manifest = readManifest(of.stateDirectory, table);
  const asked = { policy: of.policy, table, manifest, seed: () => of.seed };
  const { from, order } = readingOfManifest({ ...asked, needsOrder: true });
  const { order: unasked, ...unordered } = readingOfManifest({ ...asked, needsOrder: false });
  expect([unasked, unordered]).toEqual([null, { table, from, snapshot: null, asOf: null }]);
  return from === "import" || order === "not-needed" ? order : from;
}

describe("an index", () => {
  test("changes how rows are found, and not which", async () => {
    await imported();
    const without = await answers(house);
    expect(without.ranks).toBe(true);
    expect(state()).toBe("none");
    const before = readManifest(house.stateDirectory, "visits")!;
    const manifest = await buildIndex({ ...house, table: "visits" });
    expect(manifest).toEqual(readManifest(house.stateDirectory, "visits"));
    expect(manifest).toMatchObject({ rows: before.rows, domainHash: before.domainHash });
    expect(state()).toBe("built");
    expect(await answers(house)).toEqual({ groups: without.groups, ranks: false });
    // The snapshot without an index is gone, and so are drafts.
    const files = readdirSync(join(house.stateDirectory, "snapshots"));
    expect(files.sort()).toEqual([manifest.file, "visits.json"].sort());
    await buildIndex({ ...house, table: "visits" });
    expect(await answers(house)).toEqual({ groups: without.groups, ranks: false });
  });

  test("gives each row its place, and lays the rows that count before those that are passed over", async () => {
    await imported();
    await buildIndex({ ...house, table: "visits" });
    const engine = await openDuckDb(house);
    const { relation } = await engine.storage("visits");
    const [place, unit] = [placeColumn, unitColumn].map(quoteIdentifier);
    const asked = async (value: string, among = ""): Promise<readonly (bigint | null)[]> => {
      const sql = `SELECT 0, ${value} FROM (SELECT *, rowid AS stored FROM ${quoteRelation(relation)}${among})`;
      return unseal(await engine.run(compiled(sql, 0, 1))).groups[0]!.sums;
    };
    try {
      // Two rows in a group, four in all: each unit's places are 1, 2, 3 … without a gap.
      const gaps = `SELECT ${unit}, max(${place}) <> count(*) OR count(DISTINCT ${place}) <> count(*) OR min(${place}) <> 1 AS gap FROM`;
      const sql = `SELECT 0, count(*) FILTER (WHERE gap) FROM (${gaps} ${quoteRelation(relation)} WHERE ${unit} IS NOT NULL GROUP BY 1)`;
      expect(unseal(await engine.run(compiled(sql, 0, 1))).groups[0]!.sums).toEqual([0n]);
      expect(await asked(`count(*) FILTER (WHERE (${place} IS NULL) <> (${unit} IS NULL))`)).toEqual([0n]);
      const ends = async (from: number, to: number): Promise<readonly (bigint | null)[]> => {
        const among = ` WHERE ${place} BETWEEN ${from} AND ${to}`;
        return [...(await asked("min(stored)", among)), ...(await asked("max(stored)", among))];
      };
      const [[first, last], [next, end], [beyond]] = [await ends(1, 2), await ends(3, 4), await ends(5, 99)];
      expect([first! < last!, last! < next!, next! < end!, end! < beyond!]).toEqual([true, true, true, true]);
      // Within the first level the rows of a unit lie together.
      const steps = `count(*) FILTER (WHERE ${unit} IS DISTINCT FROM before)`;
      const within = `SELECT 0, ${steps} - count(DISTINCT ${unit}) FROM (SELECT ${unit}, lag(${unit}) OVER (ORDER BY rowid) AS before FROM ${quoteRelation(relation)} WHERE ${place} <= 2)`;
      expect(unseal(await engine.run(compiled(within, 0, 1))).groups[0]!.sums).toEqual([0n]);
    } finally {
      await engine.close();
    }
  });

  test("keeps other rows under another seed, with or without the index of the first", async () => {
    await imported();
    const other = { ...house, seed: "another seed" };
    const [mine, others] = [await answers(house), await answers(other)];
    expect(others.groups).not.toEqual(mine.groups);
    await buildIndex({ ...house, table: "visits" });
    expect(state(other)).toBe("other-seed");
    expect(await answers(other)).toEqual(others);
    await buildIndex({ ...other, table: "visits" });
    expect(state()).toBe("other-seed");
    expect(await answers(house)).toEqual(mine);
  });

  test("goes with the snapshot that it was built for", async () => {
    await imported();
    await buildIndex({ ...house, table: "visits" });
    await importTable({ ...house, table: "visits" });
    expect(state()).toBe("none");
    expect((await answers(house)).ranks).toBe(true);
  });

  test("is refused where there is nothing to order, or another policy", async () => {
    await imported();
    const changed = house.with(policyOf(visits(", extra: { type: text }")));
    await expect(buildIndex({ ...changed, table: "visits" })).rejects.toMatchObject({
      code: "policy.changed",
    });
    expect(state(changed)).toBe("stale");
    const rows = house.with(
      policyOf("visits: { file: visits.csv, unit: row, columns: { x: { type: integer } } }"),
    );
    await expect(buildIndex({ ...rows, table: "visits" })).rejects.toMatchObject({
      code: "parameter.invalid",
    });
    expect(state(rows)).toBe("not-needed");
    await expect(buildIndex({ ...house, table: "none" })).rejects.toMatchObject({
      code: "query.unknown-table",
    });
    const empty = { ...house, stateDirectory: house.path("elsewhere") };
    await expect(buildIndex({ ...empty, table: "visits" })).rejects.toMatchObject({
      code: "engine.not-imported",
    });
    expect(state(empty)).toBe("not-imported");
  });

  test("of a table that is not there, or whose snapshot is not, is refused by words that mend it", async () => {
    await imported();
    const build = (table: string, of: Fixture = house): Promise<unknown> => buildIndex({ ...of, table });
    for (const table of ["none", "toString"]) {
      const refusal = {
        code: "query.unknown-table",
        message: `the policy has no table ${table}`,
        fields: { table },
      };
      await expect(build(table)).rejects.toMatchObject(refusal);
      expect(() => state(house, table)).toThrow(expect.objectContaining(refusal));
    }
    await expect(
      build("visits", { ...house, stateDirectory: house.path("elsewhere") }),
    ).rejects.toMatchObject({
      message: "visits was not imported: an index is kept in a snapshot",
      fix: "lethe import --table visits",
      fields: { table: "visits" },
    });
    const { file } = readManifest(house.stateDirectory, "visits")!;
    const path = join(house.stateDirectory, "snapshots", file);
    const damaged = {
      code: "engine.source",
      message: "the snapshot of visits is missing or not as it was written",
      fix: "lethe import --table visits",
      fields: { table: "visits" },
    };
    writeFileSync(path, "x");
    await expect(build("visits")).rejects.toMatchObject(damaged);
    rmSync(path);
    await expect(build("visits")).rejects.toMatchObject(damaged);
  });

  test("of a table whose units are another's is not needed: its own rows name none", async () => {
    const keyed = visits(", v: { type: text }").replace("unit: who", "unit: who\n  key: v");
    const notes =
      "notes: { file: n.csv, unit: { through: v, references: visits.v }, columns: { v: { type: text } } }";
    house = fixture(`${keyed}\n${notes}`);
    expect(state(house, "notes")).toBe("not-needed");
    await expect(buildIndex({ ...house, table: "notes" })).rejects.toMatchObject({
      code: "parameter.invalid",
      message: "the rows of notes do not name their units",
      fields: { table: "notes" },
    });
  });

  test("is given up where the table is imported meanwhile, and the new snapshot stays", async () => {
    await imported();
    const path = manifestPath(house.stateDirectory, "visits");
    const after = JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), id: "of a later import" });
    const removedAtEnd = (remove: () => void): (() => void) => {
      writeFileSync(path, after);
      return remove;
    };
    const refusal = buildIndex({ ...house, limits: { ...house.limits, removedAtEnd }, table: "visits" });
    await expect(refusal).rejects.toMatchObject({
      code: "engine.source",
      message: "visits was imported meanwhile",
      fields: { table: "visits" },
    });
    expect(readFileSync(path, "utf8")).toBe(after);
    expect(readdirSync(join(house.stateDirectory, "snapshots")).length).toBe(2);
  });

  test("has a name and a time of its own, and says nothing else that is new", async () => {
    await imported();
    const before = readManifest(house.stateDirectory, "visits")!;
    const after = await buildIndex({ ...house, clock: () => 1_800_000_000_000, table: "visits" });
    const { id, file, bytes, sha256, created, places, imported: rows, ...facts } = after;
    expect(before).toMatchObject(facts);
    expect(rows).toBe(before.id);
    expect(created).toBe("2027-01-15T08:00:00.000Z");
    expect(file).toBe(`visits-${id}.duckdb`);
    expect([id === before.id, file === before.file, sha256 === before.sha256]).toEqual([false, false, false]);
    const path = join(house.stateDirectory, "snapshots", file);
    expect(bytes).toBe(statSync(path).size);
    expect(places).toMatch(/^[0-9a-f]{64}$/);
    expect(before.places).toBeUndefined();
  });

  test("that cannot be written leaves the snapshot as it was, and says nothing of the data", async () => {
    await imported();
    const before = readFileSync(manifestPath(house.stateDirectory, "visits"), "utf8");
    const tight = { ...house, limits: { ...house.limits, memory: 1 << 20 }, table: "visits" };
    const refusal = await buildIndex(tight).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: "engine.source",
      message: "visits could not be indexed; details are in the owner's log",
    });
    expect(house.logged).toEqual([expect.stringMatching(/^visits: .*memory/i)]);
    expect(String(refusal)).not.toMatch(/p\d/);
    expect(readFileSync(manifestPath(house.stateDirectory, "visits"), "utf8")).toBe(before);
    expect(readdirSync(join(house.stateDirectory, "snapshots")).length).toBe(2);
  });
});
