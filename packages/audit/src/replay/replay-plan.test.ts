import { LetheError } from "@lethe/core";
import { type ExactGroup, seal } from "@lethe/core/mechanisms";
import { type Engine, type Plan, readPolicy } from "@lethe/query";
import { beforeAll, describe, expect, test } from "vitest";
import { planned } from "../../../../testing/src/planned.ts";
import { type Database, measure, movedBeyondPrice, replayPlan } from "./replay-plan.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-3 }
tables:
  people: { file: people.csv, unit: row, columns: { age: { type: integer, bounds: [0, 7] } } }
`);
let plan: Plan;
let tree: Plan;
beforeAll(async () => {
  plan = await planned("SELECT COUNT(*) FROM people", policy);
  tree = await planned("SELECT COUNT(*), MEDIAN(age) FROM people", policy);
});

const total = (rows: bigint): ExactGroup => ({ key: [], units: rows, sums: [rows] });
function database(run: Engine["run"], dialect = "duckdb"): Database & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    engine: {
      dialect: dialect as Engine["dialect"],
      async storage(table) {
        asked.push(table);
        return { relation: ["stored", table], layout: "raw" };
      },
      run,
      rows: () => Promise.reject(new Error("no rows are read here")),
      published: () => Promise.reject(new Error("no public rows are read here")),
      close: async () => undefined,
    },
  };
}
const holding = (rows: bigint) => database(async () => seal({ groups: [total(rows)] }));
const failing = (code: "engine.failed" | "query.type") =>
  database(async () => {
    throw new LetheError(code, "no", { fix: "no" });
  });

describe("a plan on neighbouring databases", () => {
  test("is found to move farther than its price by the neighbour that shows it", async () => {
    const found = await replayPlan(plan, [holding(5n), holding(6n), holding(7n), holding(4n)]);
    expect(found).toHaveLength(2);
    expect(found[0]).toMatch(/^neighbour 2: .*ℓ1 2 > 1$/);
    expect(found[1]).toMatch(/^neighbour 2: .*ℓ2² 4 > 1$/);
  });
  test("is run with each constant in the place of a value that is released before it, and the questions before it, too", async () => {
    const staged = await planned(
      "SELECT COUNT(*) FROM people WHERE age > (SELECT AVG(age) FROM people)",
      policy,
    );
    const texts = new Set<string>();
    const counting = database(async ({ sql }) => {
      texts.add(sql);
      return seal({ groups: [{ key: [], units: 5n, sums: [5n, 5n] }] });
    });
    expect(await replayPlan(staged, [counting])).toEqual([]);
    // The mean, and the count behind NULL, 0 and 1: of a number no other constant is one.
    expect(texts.size).toBe(4);
  });
  test("is found where one of them cannot answer", async () => {
    expect(await replayPlan(plan, [holding(5n), failing("engine.failed")])).toEqual([
      "neighbour 1: could not answer",
    ]);
    expect(await replayPlan(plan, [failing("engine.failed"), holding(5n)])).toEqual([
      "the first database could not answer",
    ]);
    expect(await replayPlan(plan, [])).toEqual([]);
  });
  test("hides no failure of another kind", async () => {
    await expect(replayPlan(plan, [failing("query.type")])).rejects.toMatchObject({ code: "query.type" });
    await expect(
      replayPlan(plan, [database(async () => seal({ groups: [] }), "none")]),
    ).rejects.toMatchObject({
      code: "internal.invariant",
    });
  });
});

describe("measuring", () => {
  test("asks for the plan and for each of its trees, of where the engine stores the table", async () => {
    const texts: string[] = [];
    const held = database(async ({ sql }) => {
      texts.push(sql);
      return seal({ groups: [total(BigInt(texts.length))] });
    });
    expect(await measure(tree, held)).toEqual([[total(1n)], [total(2n)]]);
    expect(texts.every((text) => text.includes("stored"))).toBe(true);
    expect(held.asked).toEqual(["people"]);
  });
  test("asks of where it is told that the table lies, and not the engine", async () => {
    const texts: string[] = [];
    const held = database(async ({ sql }) => {
      texts.push(sql);
      return seal({ groups: [] });
    });
    await measure(plan, { ...held, lies: (table) => ({ relation: ["elsewhere", table], layout: "raw" }) });
    expect(texts[0]).toContain("elsewhere");
    expect(held.asked).toEqual([]);
  });
  test("says nothing of two that could not answer, and much of one", () => {
    expect(movedBeyondPrice(plan, null, null)).toEqual(["could not answer"]);
    expect(movedBeyondPrice(plan, [[total(1n)]], null)).toEqual(["could not answer"]);
    expect(movedBeyondPrice(plan, null, [[total(1n)]])).toEqual([]);
    const cells = (at: bigint) => [{ key: [at], units: 1n, sums: [10n ** 9n] }];
    const moved = movedBeyondPrice(tree, [[total(1n)], cells(0n)], [[total(1n)], cells(7n)]);
    expect(moved.some((what) => what.includes("ℓ1"))).toBe(true);
  });
});
