import { parseRational } from "@lethe/core";
import { measureJointly, type Plan } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { named } from "../derive/named.ts";
import { samplePlan } from "../testing/sample-release.ts";
import { deriveJointSensitivity } from "./joint-sensitivity.ts";

const policyOf = (adjacency: string, limit: string): string => `
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
tables:
  visits: { file: a.csv, unit: id, max_groups_contributed: 2, max_rows_contributed_per_group: 3, limit: ${limit}, columns: {
    id: { type: text }, x: { type: integer, bounds: [-4, 6] }, y: { type: integer, bounds: [0, 7], default: 1 },
    g: { type: text, categories: [a, b, c, d, e], default: a } } }
`;

async function planOf(text: string, adjacency: string, limit: string): Promise<Plan> {
  return samplePlan(text, policyOf(adjacency, limit), { epsilon: parseRational("1") }, measureJointly);
}

/* A unit has up to 3 rows in each of 2 groups, or 6 in all; x lies in [-4, 6] or is missing, y in [0, 7]. */
describe("the sensitivity of measurements that have one noise together", () => {
  it.each([
    ["COUNT(*), AVG(x)", " GROUP BY g", "add-or-remove-one", "groups-after-filter", 60n, 1800n],
    ["COUNT(*), AVG(x)", " GROUP BY g", "replace-one", "groups-after-filter", 120n, 3600n],
    ["COUNT(*), AVG(x)", " GROUP BY g", "add-or-remove-one", "rows-before-filter", 60n, 3600n],
    ["COUNT(*), AVG(x)", " GROUP BY g", "replace-one", "rows-before-filter", 120n, 7200n],
    ["AVG(x)", " WHERE x > 0", "replace-one", "groups-after-filter", 60n, 1800n],
    ["COUNT(*), SUM(y)", " WHERE x > 0", "add-or-remove-one", "groups-after-filter", 21n, 441n],
    ["AVG(y)", " WHERE x > 0", "replace-one", "groups-after-filter", 42n, 882n],
    ["COUNT(*), SUM(y), AVG(y)", " GROUP BY g", "add-or-remove-one", "rows-before-filter", 42n, 1764n],
  ] as const)("of %s%s, %s, %s", async (select, rest, adjacency, limit, l1, l2Squared) => {
    const plan = await planOf(`SELECT ${select} FROM visits${rest}`, adjacency, limit);
    expect(plan.joint).toHaveLength(1);
    const vector = plan.joint![0]!.map((name) => named(plan.measurements, name));
    expect(deriveJointSensitivity(vector, plan)).toEqual({ l1, l2Squared });
    for (const member of vector) expect(member).toMatchObject({ l1: `${l1}`, l2Squared: `${l2Squared}` });
  });

  /* A unit has up to 3 rows, and as many of each condition unless they are limited before the filter. */
  it.each([
    ["COUNTIF(g = 'a'), COUNTIF(g = 'b')", "add-or-remove-one", "rows-before-filter", 3n, 9n],
    ["COUNTIF(g = 'a'), COUNTIF(g = 'b'), COUNTIF(g = 'c')", "replace-one", "rows-before-filter", 6n, 18n],
    ["COUNTIF(g = 'a'), COUNTIF(g = 'b')", "add-or-remove-one", "groups-after-filter", null, null],
    ["COUNT(*), COUNTIF(g = 'a')", "add-or-remove-one", "groups-after-filter", 3n, 9n],
    ["COUNT(*), COUNTIF(g = 'a')", "add-or-remove-one", "rows-before-filter", 3n, 9n],
    ["COUNT(*), COUNT(DISTINCT id)", "add-or-remove-one", "groups-after-filter", 3n, 9n],
    ["COUNT(*), COUNT(DISTINCT id)", "add-or-remove-one", "rows-before-filter", null, null],
    ["COUNT(DISTINCT id), AVG(y)", "add-or-remove-one", "groups-after-filter", 21n, 441n],
  ] as const)("of %s, %s, %s", async (select, adjacency, limit, l1, l2Squared) => {
    const plan = await planOf(`SELECT ${select} FROM visits WHERE x > 0`, adjacency, limit);
    expect(plan.joint?.length ?? null).toBe(l1 === null ? null : 1);
    const vector = plan.joint?.[0]?.map((name) => named(plan.measurements, name)) ?? [];
    if (l1 !== null) expect(deriveJointSensitivity(vector, plan)).toEqual({ l1, l2Squared });
    for (const member of vector) expect(member).toMatchObject({ l1: `${l1}`, l2Squared: `${l2Squared}` });
  });

  it("grows where the members are not complementary", async () => {
    const plan = await planOf(
      "SELECT COUNT(*), AVG(y) FROM visits GROUP BY g",
      "add-or-remove-one",
      "groups-after-filter",
    );
    const [lowest, highest] = plan.joint![0]!.map((name) => named(plan.measurements, name));
    expect(deriveJointSensitivity([lowest!, lowest!], plan)).toEqual({ l1: 84n, l2Squared: 1764n });
    const larger = {
      ...highest!,
      terms: highest!.terms.map((term) => ({ ...term, coefficient: `${2n * BigInt(term.coefficient)}` })),
    };
    expect(deriveJointSensitivity([lowest!, larger], plan)).toEqual({ l1: 84n, l2Squared: 3528n });
  });
});
