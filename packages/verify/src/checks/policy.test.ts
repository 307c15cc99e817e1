import { parseRational } from "@lethe/core";
import { one } from "@lethe/core/numeric";
import { type Plan, readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { samplePlan } from "../testing/sample-release.ts";
import { columnsAreThePolicys, publicKeysAreThePolicys } from "./policy.ts";

const policyText = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
tables:
  people: { file: a.csv, unit: row, columns: {
    level: { type: integer, categories: [4, 1, 9, 6], default: 1 },
    age: { type: integer, bounds: [3, 7], default: 3 },
    wage: { type: number, bounds: [-5, 60], default: 0 },
    flag: { type: boolean },
    day: { type: date, bounds: [2024-02-28, 2024-03-01], default: 2024-02-29 } } }
`;
const policy = readPolicy(policyText);
const planned = (text: string): Promise<Plan> =>
  samplePlan(text, policyText, { epsilon: one, delta: parseRational("1e-6") });

/** The same plan with a column read as if it held other values. */
const reading = (plan: Plan, column: string, domain: object): Plan =>
  JSON.parse(JSON.stringify(plan), (_, value) =>
    value?.kind === "column" && value.name === column
      ? { ...value, domain: { ...value.domain, ...domain } }
      : value,
  );

describe("a column is read within all that the policy lets it hold", () => {
  type Ends = readonly [number, number];
  it.each<[string, Ends, Ends, Ends]>([
    ["level", [1, 9], [2, 9], [1, 8]],
    ["age", [3, 7], [4, 7], [3, 6]],
    ["wage", [-5, 60], [-4, 60], [-5, 59]],
  ])("%s", async (column, all, ...less) => {
    const plan = await planned(`SELECT SUM(${column}) FROM people`);
    const outcome = (bounds: readonly number[]): string =>
      columnsAreThePolicys(reading(plan, column, { bounds }), policy).outcome;
    expect(outcome(all)).toBe("passed");
    expect(outcome([all[0] - 1, all[1] + 1])).toBe("passed");
    for (const bounds of less) expect(outcome(bounds), `${bounds}`).toBe("failed");
  });

  it("is of its type", async () => {
    const plan = await planned("SELECT SUM(wage), SUM(age) FROM people");
    expect(columnsAreThePolicys(reading(plan, "wage", { integer: true }), policy).outcome).toBe("failed");
    expect(columnsAreThePolicys(reading(plan, "age", { integer: false }), policy).outcome).toBe("passed");
    expect(columnsAreThePolicys(reading(plan, "age", { type: "date" }), policy).outcome).toBe("failed");
  });
});

describe("public keys are those that the policy declares", () => {
  const outcome = (plan: Plan, declared: readonly unknown[]): string => {
    const program = { kind: "public", declared: declared.map((key) => [key]) } as Plan["keys"]["program"];
    return publicKeysAreThePolicys({ ...plan, keys: { ...plan.keys, program } }, policy).outcome;
  };

  it.each<[string, unknown[], unknown[]]>([
    ["level", [1, 4, 6, 9], [0, 5, 10, null]],
    ["age", [3, 4, 5, 6, 7], [2, 8, null, "3"]],
    ["flag", [false, true, null], [0, "true"]],
    ["day", ["2024-02-28", "2024-02-29", "2024-03-01"], ["2024-02-27", "2024-02-30", "2024-03-02", null]],
    ["age > 4", [false, true, null], [0, 1]],
    ["DATE_TRUNC('month', day)", ["2024-02-01", "2024-03-01"], ["2024-01-01", "2024-04-01"]],
  ])("%s", async (key, values, others) => {
    const plan = await planned(`SELECT ${key}, COUNT(*) FROM people GROUP BY 1`);
    expect(publicKeysAreThePolicys(plan, policy).outcome).toBe("passed");
    expect(outcome(plan, values)).toBe("passed");
    for (const other of others) expect(outcome(plan, [...values, other]), String(other)).toBe("failed");
  });

  it("in every list of them, and of each key in its place", async () => {
    const plan = await planned("SELECT level, flag, COUNT(*) FROM people GROUP BY 1, 2");
    const told = (...lists: readonly (readonly [keys: string[], declared: unknown[][]])[]): string => {
      const totals = lists.map(([keys, declared]) => ({ keys, declared }));
      const program = { kind: "private" };
      return publicKeysAreThePolicys(
        { ...plan, keys: { ...plan.keys, program }, totals } as unknown as Plan,
        policy,
      ).outcome;
    };
    expect(told([["level"], [[4]]], [["flag"], [[true]]])).toBe("passed");
    expect(told([["level"], [[4]]], [["level"], [[5]]])).toBe("failed");
    expect(told([["level"], [[5]]], [["level"], [[4]]])).toBe("failed");
    expect(told([["level"], [[4], [5]]])).toBe("failed");
    expect(told([["level", "flag"], [[4, false]]])).toBe("passed");
    expect(told([["level", "flag"], [[4, 4]]])).toBe("failed");
    expect(told([["flag"], [[4]]])).toBe("failed");
    expect(told([[], [[]]])).toBe("passed");
  });
});
