import { lossToJson, parseRational, ratio } from "@lethe/core";
import { one } from "@lethe/core/numeric";
import type { GroupedRelation, Plan, WindowedRelation } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { newSigner, releaseOf, samplePlan } from "./testing/sample-release.ts";
import { verifyRelease } from "./verify-release.ts";

const policyText = (adjacency: string, bound = "groups-after-filter"): string => `
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: { measure: approximate, epsilon: 100, delta: 1e-3 }
tables:
  people: { file: a.duckdb, unit: id, columns: { id: { type: integer }, town: { type: text, categories: [a, b] } } }
  visits: { file: a.duckdb, unit: { through: person_id, references: people.id }, bound: ${bound},
    max_groups_contributed: 2, max_rows_contributed_per_group: 3, columns: {
    person_id: { type: integer }, cost: { type: number, bounds: [0, 9] }, ward: { type: text } } }
`;

const signer = newSigner();
const granted = lossToJson({ measure: "approximate", epsilon: ratio(100n), delta: parseRational("1e-3") });
const options = { epsilon: one, delta: parseRational("1e-6") };

async function failed(plan: Plan, policy: string): Promise<readonly string[]> {
  const release = releaseOf(plan, signer, granted);
  const { checks } = await verifyRelease(JSON.stringify(release), {
    policyText: policy,
    publicKeyPem: signer.publicKey,
  });
  return checks.filter(({ outcome }) => outcome === "failed").map(({ name }) => name);
}

const once =
  "SELECT COUNT(*), AVG(most) FROM (SELECT person_id, MAX(cost) AS most FROM visits GROUP BY person_id) t";
const byWard =
  "SELECT SUM(LEAST(n, 4)) FROM (SELECT person_id, ward, COUNT(*) AS n FROM visits GROUP BY person_id, ward) t";
const summed =
  "SELECT SUM(s) FROM (SELECT person_id, SUM(cost, contribution_bounds_per_group => (0, 20)) AS s FROM visits GROUP BY 1) t";

const placed =
  "SELECT COUNT(*), SUM(cost - before) FROM (SELECT cost, ROW_NUMBER() OVER (PARTITION BY person_id ORDER BY cost) AS n, LAG(cost) OVER (PARTITION BY person_id, ward ORDER BY cost) AS before FROM visits) t WHERE n <= 3";

describe("a genuine release over values of units", () => {
  it.each([
    [once],
    [byWard],
    [summed],
    [placed],
    [
      "SELECT town, AVG(l.cost), COUNT(*) FROM people LEFT JOIN LATERAL (SELECT cost FROM visits WHERE person_id = id ORDER BY cost DESC, ward LIMIT 1) l ON TRUE GROUP BY town",
    ],
    [
      "SELECT COUNT(*) FROM visits v WHERE cost > (SELECT AVG(w.cost) FROM visits w WHERE w.person_id = v.person_id)",
    ],
    [
      "SELECT town, SUM(LEAST(r, 3)), AVG(m) FROM people LEFT JOIN (SELECT person_id, RANK() OVER (PARTITION BY person_id ORDER BY ward) AS r, AVG(cost) OVER (PARTITION BY person_id ORDER BY ward ROWS 2 PRECEDING) AS m FROM visits) t ON t.person_id = id GROUP BY town",
    ],
    [
      "SELECT town, AVG(mean), SUM(LEAST(n, 3)) FROM people LEFT JOIN (SELECT person_id, AVG(cost) AS mean, COUNT(DISTINCT ward) AS n FROM visits GROUP BY person_id HAVING COUNT(*) > 1) t ON t.person_id = id GROUP BY town",
    ],
    [
      "SELECT COUNT(*) FROM (SELECT id FROM people GROUP BY id) a JOIN (SELECT person_id, SUM(cost) AS s FROM visits GROUP BY 1) b ON a.id = b.person_id WHERE s > 3",
    ],
  ])("%s", async (text) => {
    for (const adjacency of ["add-or-remove-one", "replace-one"]) {
      const policy = policyText(adjacency);
      expect(await failed(await samplePlan(text, policy, options), policy)).toEqual([]);
    }
  });
});

describe("a release that was signed all the same fails", () => {
  type Grouped = Plan & { readonly from: GroupedRelation };
  const grouped = (plan: Plan, change: (from: GroupedRelation) => object): Plan => {
    const { from } = plan as Grouped;
    return { ...plan, from: { ...from, ...change(from) } } as Plan;
  };

  const windowed = (plan: Plan, change: (from: WindowedRelation) => object): Plan => {
    const { from } = plan as Plan & { readonly from: WindowedRelation };
    return { ...plan, from: { ...from, ...change(from) } } as Plan;
  };

  it.each<[string, string, string, (plan: Plan) => Plan]>([
    [
      "units",
      "several rows a unit where the plan says there is one",
      once,
      (plan) =>
        grouped(plan, ({ columns }) => ({
          columns: { ...columns, ward: { type: "boolean", nullable: true, default: null } },
          keys: { ward: { kind: "literal", value: true, domain: { type: "boolean", nullable: false } } },
        })),
    ],
    [
      "units",
      "one row a unit said where there may be several",
      byWard,
      (plan) => ({
        ...plan,
        unit: { kind: "row" },
        contribution: { ...plan.contribution, groups: 1, rows: 1, enforced: false },
      }),
    ],
    [
      "units",
      "rows grouped that name no unit",
      once,
      (plan) => grouped(plan, ({ of }) => ({ of: { ...of, unit: { kind: "row" } } })),
    ],
    ["units", "a value that no column holds", once, (plan) => grouped(plan, () => ({ columns: {} }))],
    [
      "units",
      "a value that may be NULL in a column that may not",
      once,
      (plan) => grouped(plan, ({ columns }) => ({ columns: { most: { ...columns.most, nullable: false } } })),
    ],
    [
      "columns",
      "a sum whose column may hold more than its reader says",
      summed,
      (plan) => grouped(plan, ({ columns }) => ({ columns: { s: { ...columns.s, bounds: [0, 1e6] } } })),
    ],
    [
      "units",
      "a sum of integers that no engine holds",
      summed,
      (plan) =>
        grouped(plan, ({ values }) => ({
          values: { s: { ...values.s, grid: { exponent: 0, lo: "0", hi: `${2n ** 80n}` } } },
        })),
    ],
    [
      "units",
      "windows over rows that name no unit",
      placed,
      (plan) => windowed(plan, ({ of }) => ({ of: { ...of, unit: { kind: "public" } } })),
    ],
    [
      "units",
      "a row before another that is said to be there always",
      placed,
      (plan) =>
        windowed(plan, ({ columns }) => ({
          columns: { ...columns, before: { ...columns.before, nullable: false } },
        })),
    ],
    [
      "units",
      "a frame that grows with the data",
      placed,
      (plan) =>
        windowed(plan, ({ values }) => ({
          values: { ...values, n: { ...values.n, frame: { from: 0, to: null } } },
        })),
    ],
    [
      "question",
      "another order of rows",
      placed,
      (plan) =>
        windowed(plan, ({ values }) => ({
          values: {
            ...values,
            n: { ...values.n, order: values.before!.order.map((each) => ({ ...each, descending: true })) },
          },
        })),
    ],
    [
      "question",
      "another value than was asked for",
      once,
      (plan) => grouped(plan, ({ values }) => ({ values: { most: { ...values.most, kind: "min" } } })),
    ],
  ])("%s: %s", async (check, _, text, tamper) => {
    const policy = policyText("add-or-remove-one");
    const plan = await samplePlan(text, policy, options);
    expect(await failed(plan, policy)).toEqual([]);
    expect(await failed(tamper(plan), policy)).toContain(check);
  });

  it("unit: values of all of a unit's rows, where the policy bounds rows before the filter", async () => {
    const plan = await samplePlan(once, policyText("add-or-remove-one"), options);
    expect(await failed(plan, policyText("add-or-remove-one", "rows-before-filter"))).toContain("unit");
  });
});
