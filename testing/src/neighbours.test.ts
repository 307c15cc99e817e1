import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { replayPlan } from "@lethe/audit";
import { openDuckDb } from "@lethe/engine-duckdb";
import { duckdb, type Engine, type Policy, placedSelect, readPolicy, snapshotSelect } from "@lethe/query";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planned, plannedStages } from "./planned.ts";
import { columnNames, type Neighbours, randomNeighbours } from "./random-neighbours.ts";
import type { RawRow, RawValue } from "./reference-evaluator.ts";

/*
 * Replay over neighbours, through the SQL and the engine that answer questions: between tables that differ in one unit no
 * exact measurement moves farther than the plan's price assumes, the unit counts of no more groups differ than the
 * selection was charged for, each by one at most, and neither table makes a question fail. NEIGHBOURS=1000 NEIGHBOURS_EACH=4
 * replays about 5,000 questions over four neighbours each.
 */

const cases = Number(process.env.NEIGHBOURS ?? 90);
const firstSeed = Number(process.env.NEIGHBOURS_SEED ?? 1);
const tablesEach = Number(process.env.NEIGHBOURS_EACH ?? 1);

const secret = "a secret seed";

describe("between neighbours", () => {
  const folder = mkdtempSync(join(tmpdir(), "lethe-neighbours-"));
  const all = Array.from({ length: cases }, (_, at) => randomNeighbours(firstSeed + at, tablesEach));
  const policies = all.map(({ policy }) => readPolicy(policy));
  const logged: string[] = [];
  let engine: Engine;

  beforeAll(async () => {
    const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
    const connection = await instance.connect();
    await connection.run(`ATTACH '${join(folder, "people.duckdb")}' AS people`);
    await connection.run("BEGIN");
    for (const [at, neighbours] of all.entries()) {
      for (const statement of statements(at, neighbours, policies[at]!)) await connection.run(statement);
      const { people } = policies[at]!.tables;
      for (const side of people!.contribution.bound === "rows-before-filter"
        ? neighbours.tables.keys()
        : []) {
        const placed = placedSelect(people!, `people.snapshot_${at}_${side}`, duckdb);
        await connection.run(`CREATE TABLE people.placed_${at}_${side} AS ${placed}`, [secret]);
      }
    }
    await connection.run("COMMIT");
    await connection.run("DETACH people");
    connection.closeSync();
    instance.closeSync();
    engine = await openDuckDb({
      policy: policies[0]!,
      baseDirectory: folder,
      stateDirectory: folder,
      seed: secret,
      limits: { threads: 2, memory: 1 << 30, timeoutMs: 60_000 },
      log: (detail) => logged.push(detail),
    });
  });
  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
  });

  it("a price that assumes no movement is refuted", async () => {
    const at = all.findIndex(({ policy }) => policy.includes("add-or-remove-one"));
    const plan = await planned("SELECT COUNT(*) FROM people", policies[at]!);
    const free = {
      ...plan,
      measurements: plan.measurements.map((each) => ({ ...each, l1: "0", l2Squared: "0" })),
    };
    const raw = (side: number) =>
      ({ relation: ["people", "main", `raw_${at}_${side}`], layout: "raw" }) as const;
    const moved = { engine, lies: () => raw(1) };
    expect(await replayPlan(free, [moved, { engine, lies: () => raw(1) }])).toEqual([]);
    const sides = [{ engine, lies: () => raw(0) }, moved];
    expect(await replayPlan(free, sides)).toContainEqual(expect.stringMatching(/neighbour 1: .*ℓ1 .* > 0/));
    expect(await replayPlan(plan, sides)).toEqual([]);
  });

  it("no measurement moves farther than it was charged for", async () => {
    let replayed = 0;
    for (const [at, { questions, tables }] of all.entries()) {
      for (const question of questions) {
        const plans = await plannedStages(question, policies[at]!, { epsilon: null });
        const isPlaced = policies[at]!.tables.people!.contribution.bound === "rows-before-filter";
        const layouts = ["raw", "snapshot", ...(isPlaced ? (["placed"] as const) : [])] as const;
        for (const [plan, layout] of plans.flatMap((each) => layouts.map((of) => [each, of] as const))) {
          const databases = [...tables.keys()].map((side) => ({
            engine,
            lies: () =>
              ({
                relation: ["people", "main", `${layout}_${at}_${side}`],
                layout: layout === "raw" ? layout : "snapshot",
                hasPlaces: layout === "placed",
              }) as const,
          }));
          const broken = await replayPlan(plan, databases);
          expect(broken, `seed ${firstSeed + at} (${layout}): ${question}: ${logged.at(-1)}`).toEqual([]);
        }
        replayed += 1;
      }
    }
    if (process.env.NEIGHBOURS) console.log(`${replayed} questions over ${tablesEach} neighbours each`);
  });
});

/** Each table as the owner keeps it, and as import freezes it. */
function statements(at: number, { types, tables }: Neighbours, policy: Policy): string[] {
  const columns = columnNames.map((name, column) => `"${name}" ${types[column]}`).join(", ");
  return tables.flatMap((rows, side) => {
    const raw = `people.raw_${at}_${side}`;
    const values = rows.map((row) => `(${literals(row, types).join(", ")})`);
    return [
      `CREATE TABLE ${raw} (${columns})`,
      ...(values.length === 0 ? [] : [`INSERT INTO ${raw} VALUES ${values.join(", ")}`]),
      `CREATE TABLE people.snapshot_${at}_${side} AS ${snapshotSelect(policy.tables.people!, raw, duckdb)}`,
    ];
  });
}

function literals(row: RawRow, types: readonly string[]): string[] {
  return columnNames.map((name, column) => {
    const value: RawValue = row[name] ?? null;
    if (value === null) return "NULL";
    const text = Object.is(value, -0) ? "-0.0" : String(value);
    // What a narrow type cannot hold is missing in it.
    return `TRY_CAST('${text.replaceAll("'", "''")}' AS ${types[column]!.replace(/ COLLATE .*/, "")})`;
  });
}
