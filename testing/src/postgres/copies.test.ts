import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildIndex, importRows, openDuckDb } from "@lethe/engine-duckdb";
import { openPostgres } from "@lethe/engine-postgres";
import {
  compilePlan,
  compileTrees,
  dialects,
  type Engine,
  type Plan,
  type Policy,
  readPolicy,
  type TableStorage,
  tablesRead,
} from "@lethe/query";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unseal } from "../../../packages/core/src/exact/exact.ts";
import {
  comparable,
  comparableCells,
  names,
  nativeRow,
  ofBoundedRows,
  ofUnits,
  policyOf,
  questions,
  seed,
  textRow,
  type Where,
} from "../differential-data.ts";
import { plannedStages } from "../planned.ts";
import type { ReferenceGroup } from "../reference-evaluator.ts";
import { lendTable } from "./lent-table.ts";
import { serverWith } from "./server-with.ts";
import { hasPostgres } from "./start-postgres.ts";

/*
 * A table of PostgreSQL, its copy that an import keeps, and the copy with an index: the same rows count, so every exact answer is the
 * same to the last digit, whichever of them is asked.
 */

const where: Where = {
  policy: "database: { kind: postgres }",
  table: "relation: public.people\n    trusted: true",
};
const native: Readonly<Record<string, string>> = {
  ...{ pid: "text", wage: "numeric", age: "int4", grade: "int2", code: "int8", sector: "text" },
  ...{ town: "varchar", member: "boolean", since: "date", born: "timestamptz", seen: "timestamp" },
};
const options = { limits: { memory: 512 << 20, threads: 2 }, clock: Date.now };

describe.skipIf(!hasPostgres())("a copy of a table of PostgreSQL", () => {
  const own = serverWith("CREATE ROLE reader LOGIN; SET timezone = 'UTC'");

  async function comparing(
    policy: Policy,
    compare: (engines: { readonly live: Engine; readonly copy: Engine }) => Promise<void>,
  ): Promise<void> {
    const stateDirectory = mkdtempSync(join(tmpdir(), "lethe-copies-"));
    const log = (detail: string): void => expect.fail(detail);
    const live = openPostgres({ policy, url: own.server.urlOf("reader"), seed, log });
    const place = { ...options, policy, stateDirectory, log };
    try {
      const tables = Object.keys(policy.tables);
      await live.freeze(tables, (table, rows) =>
        importRows({ ...place, table, source: table, asOf: 0 }, rows),
      );
      const asked = async (): Promise<void> => {
        const copy = await openDuckDb({ ...place, seed, baseDirectory: stateDirectory });
        await compare({ live, copy }).finally(() => copy.close());
      };
      await asked();
      const isOrdered = policy.tables[tables[0]!]!.contribution.limit === "rows-before-filter";
      if (!isOrdered) return;
      await buildIndex({ ...place, table: tables[0]!, seed });
      await asked();
    } finally {
      await live.close();
      rmSync(stateDirectory, { recursive: true, force: true });
    }
  }

  /** The plan's sums, then the cells of each of its trees. */
  async function executed(plan: Plan, engine: Engine): Promise<readonly ReferenceGroup[][]> {
    const dialect = dialects[engine.dialect]!;
    const storages = new Map<string, TableStorage>();
    for (const table of tablesRead(plan)) storages.set(table, await engine.storage(table));
    const lies = (table: string): TableStorage => storages.get(table)!;
    const all: ReferenceGroup[][] = [];
    for (const query of [compilePlan(plan, lies, dialect), ...compileTrees(plan, lies, dialect)])
      all.push(unseal(await engine.run(query)).groups as ReferenceGroup[]);
    return all;
  }

  async function same(plan: Plan, { live, copy }: { live: Engine; copy: Engine }): Promise<number> {
    const [there, here] = [await executed(plan, live), await executed(plan, copy)];
    expect(comparable(plan, here[0]!), plan.text).toEqual(comparable(plan, there[0]!));
    expect(
      here.slice(1).map((each) => comparableCells(plan, each)),
      plan.text,
    ).toEqual(there.slice(1).map((each) => comparableCells(plan, each)));
    return there[0]!.length;
  }

  for (const [unit, groups, bound] of [
    ["row", 1, "groups-after-filter"],
    ["pid", 2, "groups-after-filter"],
    ["pid", 2, "rows-before-filter"],
  ] as const)
    for (const [kind, arbitrary, types] of [
      ["native types", nativeRow, native],
      ["texts", textRow, {}],
    ] as const)
      it(`answers as the table does: unit ${unit}, ${bound}, columns of ${kind}`, async () => {
        const policy = policyOf(unit, groups, where, bound);
        const ofThem = bound === "rows-before-filter" ? ofBoundedRows : [...questions, ...ofUnits];
        const asked = unit === "row" ? questions : ofThem;
        const plans = (await Promise.all(asked.map((question) => plannedStages(question, policy)))).flat();
        const fallback = kind === "texts" ? "text" : "float8";
        const columns = names.map((name) => ({
          name,
          type: (types as Record<string, string>)[name] ?? fallback,
        }));
        for (const rows of fc.sample(fc.array(arbitrary, { minLength: 25, maxLength: 60 }), {
          numRuns: 1,
          seed: 74,
        })) {
          await lendTable(own.admin, "people", columns, rows);
          await comparing(policy, async (engines) => {
            let found = 0;
            for (const plan of plans) found += await same(plan, engines);
            expect(found).toBeGreaterThan(plans.length / 2);
          });
        }
      });

  it("answers as the tables do where a join leads to the unit", async () => {
    const policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 100, delta: 1e-5 }
database: { kind: postgres }
tables:
  orders: { relation: public.orders, unit: { through: customer, references: customers.id }, max_groups_contributed: 2, max_rows_contributed_per_group: 2,
    columns: { customer: { type: integer }, town: { type: text }, paid: { type: number, bounds: [0, 100] } } }
  customers: { relation: public.customers, unit: id, key: id, max_rows_contributed_per_group: 1,
    columns: { id: { type: integer }, grade: { type: integer, bounds: [0, 5] } } }
`);
    await own.admin.query(`CREATE TABLE customers AS SELECT i AS id, i % 7 AS grade FROM generate_series(1, 40) AS i;
      CREATE TABLE orders AS SELECT i * i % 45 AS customer, 'town ' || i % 6 AS town, i % 90 + 0.25 AS paid FROM generate_series(1, 400) AS i;
      GRANT SELECT ON customers, orders TO reader`);
    await comparing(policy, async (engines) => {
      for (const text of [
        "SELECT town, COUNT(*), SUM(paid), COUNT(DISTINCT paid) FROM orders GROUP BY town",
        "SELECT grade, COUNT(*) FROM customers GROUP BY grade",
      ])
        for (const plan of await plannedStages(text, policy))
          expect(await same(plan, engines)).toBeGreaterThan(3);
    });
  });
});
