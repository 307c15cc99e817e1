import { parseRational } from "@lethe/core";
import { one } from "@lethe/core/numeric";
import { type JoinRelation, type ListRelation, type Plan, type Relation, readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { ownerOfRows } from "../derive/rows-of-units.ts";
import { rowsJoined } from "../joins/joined-rows.ts";
import { samplePlan } from "../testing/sample-release.ts";
import { publicKeysAreThePolicys } from "./policy.ts";

const policyText = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
tables:
  visits: { file: a.csv, unit: who, columns: { who: { type: integer }, ward: { type: text, categories: [a, b] }, cost: { type: integer, bounds: [0, 9] } } }
  wards: { file: b.csv, public: true, key: ward, columns: { ward: { type: text, categories: [a, b], default: a } } }
`;
const policy = readPolicy(policyText);
const planned = (text: string): Promise<Plan> =>
  samplePlan(text, policyText, { epsilon: one, delta: parseRational("1e-6") });
const ofTable =
  "SELECT w.ward, COUNT(*) AS n FROM wards w LEFT JOIN visits v ON v.ward = w.ward GROUP BY w.ward";
const ofList =
  "SELECT w.ward, COUNT(*) AS n FROM (VALUES ('a'), ('c')) AS w(ward) LEFT JOIN visits v ON v.ward = w.ward GROUP BY w.ward";

const joined = (plan: Plan): JoinRelation => plan.from as JoinRelation;
const withFrom = (plan: Plan, from: Relation): Plan => ({ ...plan, from });

describe("groups of public rows that are all answered", () => {
  it.each([ofTable, ofList])("are public ones: %s", async (text) => {
    const plan = await planned(text);
    expect(publicKeysAreThePolicys(plan, policy).outcome).toBe("passed");
    expect(ownerOfRows(plan.from)).toMatchObject({ kind: "named" });
  });

  it("belong to no unit", async () => {
    const plan = await planned(ofTable);
    const { left, right } = joined(plan);
    expect(() => ownerOfRows({ ...joined(plan), keeps: "right" })).toThrow("somebody's");
    expect(() => ownerOfRows({ ...joined(plan), type: "left" })).toThrow("somebody's");
    expect(() => ownerOfRows({ ...joined(plan), left: right, right: left })).toThrow("somebody's");
  });

  it("have no key of rows of units, and are not selected", async () => {
    const plan = await planned(ofTable);
    const [part] = plan.keys.parts;
    const expression = { ...part!.expression, source: "v" } as Plan["keys"]["parts"][number]["expression"];
    const mixed = { ...plan, keys: { ...plan.keys, parts: [{ ...part!, expression }] } };
    expect(publicKeysAreThePolicys(mixed, policy)).toMatchObject({ outcome: "failed" });
    const selected = {
      ...plan,
      keys: { ...plan.keys, program: { kind: "private", rule: {} } },
    } as unknown as Plan;
    expect(publicKeysAreThePolicys(selected, policy)).toMatchObject({ outcome: "failed" });
  });

  it("are those that a list holds, whose rows are its columns", async () => {
    const plan = await planned(ofList);
    const list = joined(plan).left as ListRelation;
    const withList = (change: Partial<ListRelation>): Plan =>
      withFrom(plan, { ...joined(plan), left: { ...list, ...change } });
    expect(publicKeysAreThePolicys(withList({ rows: [["a"]] }), policy).outcome).toBe("failed");
    for (const change of [
      { rows: [["a"], ["zz"]] },
      { rows: [["a", "b"]] },
      { rows: [[1]] },
      { names: ["other"] },
    ])
      expect(() => ownerOfRows(withList(change).from), JSON.stringify(change)).toThrow("a list whose rows");
  });

  it("are joined with as many rows as a list has", async () => {
    const list = (rows: string): string =>
      `SELECT n, COUNT(*) AS c FROM (VALUES ${rows}) AS l(n) LEFT JOIN visits ON cost >= n GROUP BY n`;
    expect(rowsJoined((await planned(list("(1), (2), (3)"))).from)).toBe(3);
    const equal = `SELECT n, COUNT(*) AS c FROM (VALUES (1), (2), (2)) AS l(n) LEFT JOIN visits ON cost = n GROUP BY n`;
    const plan = await planned(equal);
    expect(rowsJoined(plan.from)).toBe(2);
    expect(plan.joinedRows).toBe(2);
  });
});
