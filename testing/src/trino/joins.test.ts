import { compilePlan, type Policy, readPolicy, trino, trinoStages, withTrinoSeed } from "@lethe/query";
import { afterAll, describe, expect, it } from "vitest";
import { comparable } from "../differential-data.ts";
import { questionOf, randomShop, shapes } from "../joins/random-shop.ts";
import { type JoinWords, joinWords, shopPolicy } from "../joins/shop.ts";
import { planned } from "../planned.ts";
import { type RawTables, referenceGroups } from "../reference-evaluator.ts";
import { askTrino, freshTable, hasTrino } from "./ask-trino.ts";
import { lendTrinoTable } from "./lend-trino-table.ts";
import { trinoGroups } from "./trino-groups.ts";

/* The random shops of ../joins, whose keys break every promise: Trino computes what a nested loop over all rows does. */

const cases = Number(process.env.JOINS ?? 6);
const seed = "a secret seed";

/** Keys of one value in several types, which name the same unit all the same. */
const types: Readonly<Record<string, string>> = {
  "people.id": "integer",
  "visits.person_id": "decimal(20,4)",
  age: "smallint",
  day: "integer",
  grade: "bigint",
  cost: "double",
  price: "double",
  weight: "double",
  fee: "double",
};

/** Conditions that Trino takes for no FULL JOIN. */
const fullJoins = [
  "SELECT COUNT(*), SUM(a.cost), COUNT(b.cost) FROM visits a FULL JOIN visits b ON a.person_id = b.person_id AND a.cost < b.cost",
  "SELECT b.ward, COUNT(*), SUM(age) FROM people FULL JOIN visits b ON id = person_id AND cost > 1 GROUP BY 1",
  "SELECT COUNT(*), SUM(a.weight, contribution_bounds_per_row => (0, 2)) FROM items i JOIN (codes a FULL JOIN codes b ON a.kind = b.kind AND a.weight < b.weight) ON i.code = a.code",
];

describe.skipIf(!hasTrino())("questions over joins on Trino (LETHE_TRINO)", () => {
  const names = new Map<string, string>();
  const nameOf = (table: string): string => {
    const name = names.get(table) ?? freshTable(table);
    names.set(table, name);
    return name;
  };
  const typeOf = (table: string, column: string): string =>
    types[`${table}.${column}`] ?? types[column] ?? "varchar";
  afterAll(async () => {
    for (const name of names.values()) await askTrino(`DROP TABLE IF EXISTS ${name}`);
  });

  const policyOf = (groups: number, rows: number, joins: JoinWords): Policy =>
    readPolicy(shopPolicy("add-or-remove-one", groups, rows, joins));

  async function load(policy: Policy, tables: RawTables): Promise<void> {
    for (const [table, { columns }] of Object.entries(policy.tables)) {
      const typed = Object.keys(columns).map((name) => ({ name, type: typeOf(table, name) }));
      await lendTrinoTable(nameOf(table), typed, tables[table] ?? []);
    }
  }

  it("mean what the plan says", async () => {
    let groups = 0;
    for (let at = 1; at <= cases; at += 1) {
      const { tables, dice } = randomShop(at);
      const policy = policyOf(1 + dice.below(2), 1 + dice.below(3), at % 2 === 0 ? {} : joinWords(dice));
      await load(policy, tables);
      const asked = Array.from({ length: 6 }, (_, n) =>
        questionOf(dice, shapes[(at * 6 + n) % shapes.length]!),
      );
      for (const question of [...asked, ...fullJoins]) {
        const plan = await planned(question, policy);
        const storageOf = (table: string) =>
          ({
            relation: nameOf(table).split("."),
            layout: "raw",
            types: Object.fromEntries(
              Object.keys(policy.tables[table]!.columns).map((name) => [name, typeOf(table, name)]),
            ),
          }) as const;
        const compiled = compilePlan(plan, storageOf, trino);
        const found = await trinoGroups(compiled, plan, seed);
        const [explained] = await askTrino(`EXPLAIN (TYPE DISTRIBUTED) ${withTrinoSeed(compiled.sql, seed)}`);
        const stages = String(explained?.[0]).match(/^Fragment /gm) ?? [];
        expect(stages.length, question).toBeGreaterThan(0);
        expect(stages.length, question).toBeLessThanOrEqual(trinoStages(compiled.sql));
        const expected = referenceGroups(plan, tables, seed);
        expect(comparable(plan, found), `seed ${at}: ${question}`).toEqual(comparable(plan, expected));
        groups += found.length;
      }
    }
    expect(groups).toBeGreaterThan(5 * cases);
  });
});
