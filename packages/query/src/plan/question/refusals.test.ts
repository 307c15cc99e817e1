import { parseRational, ratio } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../../parse/index.ts";
import { type Policy, readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import type { PlanOptions } from "../merge-options.ts";
import type { Plan } from "../plan.ts";
import { planQuestion } from "./plan-question.ts";

interface Stated {
  readonly budget?: string;
  /** The limits that the policy states for the visits. */
  readonly visits?: string;
}

function policyOf({ budget = "measure: pure, epsilon: 9", visits = "" }: Stated = {}): Policy {
  return readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { ${budget} }
tables:
  visits: { file: a.duckdb, unit: person_id, ${visits || "max_groups_contributed: 3"},
    columns: { person_id: { type: text }, cost: { type: number, bounds: [-1, 1] }, ward: { type: text, categories: [a, b] },
      note: { type: text }, dose: { type: number, bounds: [-1e-300, 1e-300] } } }
  people: { file: a.duckdb, unit: id, columns: { id: { type: text }, age: { type: integer, bounds: [0, 99] } } }
  tests: { file: a.duckdb, unit: { through: person, references: people.id }, key: number, columns: { number: { type: integer }, person: { type: text } } }
  results: { file: a.duckdb, unit: { through: test, references: tests.number }, columns: { test: { type: integer } } }
  counts: { file: a.duckdb, unit: { through: test, references: tests.number }, limit: rows-before-filter, columns: { test: { type: integer } } }
  guests: { file: a.duckdb, unit: row, columns: { age: { type: integer, bounds: [0, 99] } } }
`);
}

async function plan(text: string, options: PlanOptions, policy: Policy = policyOf()): Promise<Plan> {
  const question = resolveQuestion(await parseQuestion(text), policy);
  return planQuestion(question, policy, { epsilon: ratio(1n), ...options }, "hash");
}

const visits = "SELECT COUNT(*) FROM visits";
const byWard = "SELECT ward, COUNT(*) FROM visits GROUP BY ward";
const byNote = "SELECT note, COUNT(*) FROM visits GROUP BY note";

describe("what is stated beside a question", () => {
  it.each<[string, PlanOptions, RegExp, RegExp]>([
    [visits, { maxGroupsContributed: 0 }, /at least 1/, /= 3$/],
    [visits, { maxGroupsContributed: 1.5 }, /at least 1/, /= 3$/],
    [visits, { maxRowsPerGroup: Number.NaN }, /at least 1/, /= 1$/],
    [visits, { privacyUnitColumn: "cost" }, /must name the policy's unit/, /= person_id, or leave/],
    ["SELECT COUNT(*) FROM guests", { privacyUnitColumn: "age" }, /must name/, /each row is a unit/],
    [
      "SELECT COUNT(*) FROM results",
      { privacyUnitColumn: "person" },
      /must name/,
      /^leave privacy_unit_column out$/,
    ],
    [byWard, { maxRowsContributed: 2, maxGroupsContributed: 1 }, /two ways to limit the same/, /state one/],
    [visits, { minPrivacyUnitsPerGroup: 5 }, /no GROUP BY/, /group by a key/],
  ])("%s with %o is refused", async (text, options, message, fix) => {
    await expect(plan(text, options)).rejects.toMatchObject({
      code: "query.option",
      message: expect.stringMatching(message),
      fix: expect.stringMatching(fix),
    });
  });

  it("is taken where it says what the policy says, or less", async () => {
    const options = { privacyUnitColumn: "person_id", maxGroupsContributed: 2, maxRowsPerGroup: 1 };
    const { contribution } = await plan(byWard, options);
    expect(contribution).toMatchObject({ groups: 2, rows: 1 });
  });

  it("is no error that is still to become a price", async () => {
    await expect(plan(visits, { targetError: parseRational("5") })).rejects.toMatchObject({
      code: "internal.invariant",
    });
  });
});

describe("what a policy grants", () => {
  it.each<[string, string, string, RegExp, RegExp]>([
    ["rows of a group", byWard, `max_rows_contributed_per_group: ${2 ** 20 + 1}`, /1048576 rows/, /1048576/],
    ["groups", byNote, "max_groups_contributed: 100001", /100000 groups/, /100000/],
    [
      "rows in all",
      byNote,
      `limit: rows-before-filter, max_groups_contributed: 4, max_rows_contributed_per_group: ${2 ** 19}`,
      /and max_groups_contributed times max_rows_contributed_per_group is more/,
      /at most 262144$/,
    ],
  ])("may be more %s than noise can hide", async (_, text, granted, message, fix) => {
    const policy = policyOf({ budget: "measure: approximate, epsilon: 9, delta: 1e-5", visits: granted });
    await expect(plan(text, {}, policy)).rejects.toMatchObject({
      code: "query.option",
      message: expect.stringMatching(message),
      fix: expect.stringMatching(fix),
    });
  });

  it("rows that reach their unit by another table are not bounded before the filter", async () => {
    await expect(plan("SELECT COUNT(*) FROM counts", {})).rejects.toMatchObject({
      code: "query.unsupported",
      message: expect.stringContaining("one table that names its units"),
    });
  });

  it("is one policy's: a question of another is not planned", async () => {
    const question = resolveQuestion(await parseQuestion(visits), policyOf());
    const { visits: _, ...tables } = policyOf().tables;
    expect(() => planQuestion(question, { ...policyOf(), tables }, { epsilon: ratio(1n) }, "hash")).toThrow(
      expect.objectContaining({ code: "query.unknown-table" }),
    );
  });
});

describe("a delta", () => {
  it("is what a zCDP account without one needs to know of an epsilon", async () => {
    const policy = policyOf({ budget: "measure: zcdp, rho: 1" });
    await expect(plan(visits, {}, policy)).rejects.toMatchObject({ code: "query.missing-delta" });
    const stated = await plan(visits, { delta: parseRational("1e-5") }, policy);
    const granted = policyOf({ budget: "measure: zcdp, rho: 1, delta: 1e-5" });
    // The ρ is the same, whoever states the δ.
    expect(stated.price).toEqual((await plan(visits, {}, granted)).price);
  });

  it("is what Gaussian noise needs in an approximate account", async () => {
    const policy = policyOf({ budget: "measure: approximate, epsilon: 9, delta: 1e-5" });
    await expect(plan(visits, { mechanism: "gaussian", delta: ratio(0n) }, policy)).rejects.toMatchObject({
      code: "query.missing-delta",
      message: expect.stringContaining("Gaussian noise"),
    });
  });

  it("does not give Gaussian noise a price in a pure account", async () => {
    await expect(plan(visits, { mechanism: "gaussian" })).rejects.toMatchObject({
      code: "query.option",
      message: expect.stringContaining("a pure account cannot pay"),
    });
  });
});

describe("bounds of a sum", () => {
  it("a group leave what its rows can reach, however wide they are", async () => {
    const policy = policyOf({ visits: "max_rows_contributed_per_group: 4" });
    const ends = async (bounds: string): Promise<readonly bigint[]> => {
      const { sums } = await plan(`SELECT SUM(dose, ${bounds}) FROM visits`, {}, policy);
      return sums.flatMap((sum) => (sum.kind === "sum" ? [BigInt(sum.lo), BigInt(sum.hi)] : []));
    };
    const [lo, hi] = await ends("contribution_bounds_per_row => (-1e-300, 1e-300)");
    // On the grid of such doses 2^50 is beyond the doubles.
    expect(await ends("contribution_bounds_per_group => (-1e15, 1e15)")).toEqual([lo, hi]);
    expect(await ends("contribution_bounds_per_group => (-1e15, 2e-300)")).toEqual([
      lo,
      BigInt(Math.round(2e-300 * 2 ** 1000)),
    ]);
  });
});
