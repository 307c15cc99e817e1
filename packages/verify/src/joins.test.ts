import { lossToJson, parseRational, ratio } from "@lethe/core";
import { one } from "@lethe/core/numeric";
import type {
  FilterRelation,
  JoinRelation,
  Plan,
  RowLimit,
  SemijoinRelation,
  TableRelation,
  UnionRelation,
} from "@lethe/query";
import { describe, expect, it } from "vitest";
import { newSigner, releaseOf, samplePlan } from "./testing/sample-release.ts";
import { type Verification, verifyRelease } from "./verify-release.ts";

const policyText = (adjacency: string): string => `
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: { measure: approximate, epsilon: 100, delta: 1e-3 }
tables:
  people: { file: a.duckdb, unit: id, key: id, columns: {
    id: { type: integer }, town: { type: text, categories: [a, b], default: a }, age: { type: integer, bounds: [0, 9], default: 3 } } }
  visits: { file: a.duckdb, unit: { through: person_id, references: people.id }, key: visit_id,
    max_groups_contributed: 2, max_rows_contributed_per_group: 3, columns: {
    visit_id: { type: text }, person_id: { type: integer }, cost: { type: number, bounds: [0, 9] }, ward: { type: text } } }
  loaned: { file: a.duckdb, unit: { through: person_id, references: people.id }, max_rows_before_join: 5, columns: {
    person_id: { type: integer } } }
  items: { file: a.duckdb, unit: { through: visit_id, references: visits.visit_id }, columns: {
    visit_id: { type: text }, price: { type: integer, bounds: [1, 6] }, code: { type: text } } }
  codes: { file: a.duckdb, public: true, key: code, rows_per_key: { kind: 3 }, columns: { code: { type: text }, kind: { type: text, categories: [x, y] } } }
  guests: { file: a.duckdb, unit: row, columns: { code: { type: text }, fee: { type: number, bounds: [0, 3] } } }
  loans: { file: a.duckdb, unit: borrower, columns: { borrower: { type: integer }, sum: { type: number, bounds: [0, 3] } } }
`;

const signer = newSigner();
const granted = lossToJson({ measure: "approximate", epsilon: ratio(100n), delta: parseRational("1e-3") });
const options = { epsilon: one, delta: parseRational("1e-6") };

async function verified(plan: Plan, policy: string): Promise<Verification> {
  const release = releaseOf(plan, signer, granted);
  return verifyRelease(JSON.stringify(release), { policyText: policy, publicKeyPem: signer.publicKey });
}
const failed = ({ checks }: Verification): string[] =>
  checks.filter(({ outcome }) => outcome === "failed").map(({ name }) => name);

const checkOf = ({ checks }: Verification, name: string) => checks.find((each) => each.name === name);

const chain = "SELECT town, COUNT(*), AVG(cost) FROM people JOIN visits ON id = person_id GROUP BY town";

/** Pairs of kinds, of things of one visit. */
const fenced =
  "SELECT c.kind, d.kind, COUNT(*) FROM items a JOIN items b ON a.visit_id = b.visit_id JOIN codes c ON c.code = a.code JOIN codes d ON d.code = b.code WHERE c.kind < d.kind AND a.price > 2 GROUP BY 1, 2";

describe("a genuine release over several tables", () => {
  it.each([
    [chain],
    [fenced],
    ["SELECT COUNT(DISTINCT id) FROM people"],
    ["SELECT COUNT(*), SUM(price) FROM items"],
    ["SELECT COUNT(*), AVG(price) FROM visits v LEFT JOIN items i ON v.visit_id = i.visit_id WHERE cost > 1"],
    ["SELECT COUNT(town), COUNT(*) FROM people FULL JOIN visits ON id = person_id"],
    ["SELECT kind, COUNT(*) FROM items JOIN codes USING (code) GROUP BY kind"],
    [
      "SELECT kind, SUM(x) FROM (SELECT 'visit' AS kind, cost AS x FROM visits UNION ALL SELECT town, age FROM people) u GROUP BY kind",
    ],
    [
      "SELECT COUNT(DISTINCT id), AVG(age) FROM (SELECT id, age FROM people UNION ALL SELECT person_id, NULL FROM visits) u WHERE age > 3",
    ],
    ["SELECT COUNT(*) FROM items WHERE code IN (SELECT code FROM codes WHERE kind = 'x') AND price > 2"],
    ["SELECT SUM(fee) FROM guests g WHERE NOT EXISTS (SELECT 1 FROM codes c WHERE c.code = g.code)"],
    ["SELECT kind, SUM(fee) FROM guests LEFT JOIN codes USING (code) GROUP BY kind"],
    [
      "WITH dear AS (SELECT * FROM visits WHERE cost > 3) SELECT COUNT(DISTINCT id) FROM people JOIN dear ON id = person_id",
    ],
  ])("%s", async (text) => {
    for (const adjacency of ["add-or-remove-one", "replace-one"]) {
      const policy = policyText(adjacency);
      const verification = await verified(await samplePlan(text, policy, options), policy);
      expect(verification.checks.filter(({ outcome }) => outcome === "failed")).toEqual([]);
      expect(verification.checks.find(({ name }) => name === "units")?.outcome).toBe("passed");
    }
  });
});

describe("that every unit has rows in what is read", () => {
  const lone = `
version: 1
privacy_unit: { name: person, adjacency: replace-one }
budget: { measure: approximate, epsilon: 100, delta: 1e-3 }
tables:
  guests: { file: a.duckdb, unit: row, columns: { fee: { type: integer, bounds: [50, 60], default: 55 } } }
  codes: { file: a.duckdb, public: true, key: code, columns: { code: { type: text } } }
`;
  const two = `${lone}  people: { file: b.duckdb, unit: id, columns: { id: { type: text } } }\n`;
  const texts = ["SELECT COUNT(*) FROM guests", "SELECT SUM(fee) FROM guests"];

  it.each(texts)("is certain of a policy's one private table: %s", async (text) => {
    const plan = await samplePlan(text, lone, options);
    const verification = await verified(plan, lone);
    expect(failed(verification)).toEqual([]);
    expect(checkOf(verification, "presence")?.says).toContain("the policy's one private table");
  });

  it.each(texts)("is the policy's word where no policy is given: %s", async (text) => {
    const of = async (policy: string) => {
      const release = releaseOf(await samplePlan(text, policy, options), signer, granted);
      return checkOf(await verifyRelease(JSON.stringify(release)), "presence")?.outcome;
    };
    expect(await of(lone)).toBe("not-made");
    expect(await of(two)).toBe("passed");
  });

  it.each(texts)("does not hold beside another private table: %s", async (text) => {
    const { policyHash } = await samplePlan(text, two, options);
    const forged = { ...(await samplePlan(text, lone, options)), policyHash };
    expect(failed(await verified(forged, two))).toContain("presence");
    const beside = "SELECT SUM(fee) FROM guests WHERE fee > 52";
    const old = { ...(await samplePlan(beside, lone, options)), policyHash };
    expect(failed(await verified(old, two))).toEqual([]);
  });

  it.each(texts)("does not hold of what a database computes: %s", async (text) => {
    const server = lone
      .replace("tables:", "database: { kind: postgres }\ntables:")
      .replaceAll("file: a.duckdb, ", "");
    const computed = server.replace("guests: { ", "guests: { trusted: true, ");
    const { policyHash } = await samplePlan(text, computed, options);
    const forged = { ...(await samplePlan(text, server, options)), policyHash };
    expect(failed(await verified(forged, computed))).toContain("presence");
    expect(failed(await verified(await samplePlan(text, computed, options), computed))).toEqual([]);
  });

  it("bears on no price where units come and go", async () => {
    const [one, both] = [lone, two].map((policy) => policy.replace("replace-one", "add-or-remove-one"));
    const { policyHash } = await samplePlan(texts[0]!, both!, options);
    const old = { ...(await samplePlan(texts[0]!, one!, options)), policyHash };
    expect(failed(await verified(old, both!))).toEqual([]);
  });
});

describe("a release that was signed all the same fails", () => {
  type Joined = Plan & { readonly from: JoinRelation };
  const table = (side: JoinRelation["left"]): TableRelation => side as TableRelation;
  const union = "SELECT SUM(x) FROM (SELECT cost AS x FROM visits UNION ALL SELECT age FROM people) u";
  const parts = (plan: Plan, change: (all: UnionRelation["parts"]) => UnionRelation["parts"]): Plan => {
    const { from } = plan as Plan & { readonly from: UnionRelation };
    return { ...plan, from: { ...from, parts: change(from.parts) } } as Plan;
  };
  const relation = (plan: Plan, change: (from: JoinRelation) => object): Plan =>
    ({ ...plan, from: { ...(plan as Joined).from, ...change((plan as Joined).from) } }) as Plan;

  /** Returns the plan of a planner that takes each table for the only one. */
  const exactly = (plan: Plan, unit: Plan["unit"]): Plan => ({
    ...plan,
    unit,
    measurements: plan.measurements.map((each) => ({
      ...each,
      l1: "0",
      l2Squared: "0",
      noise: { mechanism: "constant@1" },
    })),
  });

  const many = "SELECT COUNT(*) FROM visits JOIN codes ON ward = kind";
  const keyed =
    "SELECT COUNT(*) FROM people JOIN visits ON id = person_id JOIN items ON items.visit_id = visits.visit_id";
  const limited = (side: JoinRelation["left"], limit: RowLimit): TableRelation => ({
    ...table(side),
    limits: [limit],
  });

  it.each<[string, string, string, (plan: Plan) => Plan]>([
    [
      "units",
      "public rows kept that nobody meets",
      "SELECT kind, COUNT(*) FROM items JOIN codes USING (code) GROUP BY kind",
      (plan) => relation(plan, () => ({ type: "right" })),
    ],
    [
      "units",
      "a union of rows of different units",
      union,
      (plan) =>
        parts(plan, ([first, second]) => [
          first!,
          { ...second!, of: { ...table(second!.of), unit: { kind: "row" } } },
        ]),
    ],
    [
      "units",
      "a union whose parts may be NULL where it says they are not",
      union,
      (plan) => {
        const { from } = plan as Plan & { readonly from: UnionRelation };
        const columns = { x: { ...from.columns.x!, nullable: false } };
        return { ...plan, from: { ...from, columns } } as Plan;
      },
    ],
    [
      "columns",
      "a union whose column may hold more than its reader says",
      union,
      (plan) => {
        const { from } = plan as Plan & { readonly from: UnionRelation };
        const columns = { x: { ...from.columns.x!, bounds: [-1e9, 1e9] } };
        return { ...plan, from: { ...from, columns } } as Plan;
      },
    ],
    ["question", "a union with a part twice", union, (plan) => parts(plan, ([first]) => [first!, first!])],
    [
      "units",
      "rows kept by what another unit's rows hold",
      "SELECT COUNT(*) FROM items WHERE code IN (SELECT code FROM codes)",
      (plan) => {
        const { from } = plan as Plan & { readonly from: SemijoinRelation };
        const owned: TableRelation = { ...(from.of as TableRelation), source: "others", columns: {} };
        return { ...plan, from: { ...from, among: owned } } as Plan;
      },
    ],
    [
      "question",
      "rows kept that were to be left out",
      "SELECT COUNT(*) FROM items WHERE code IN (SELECT code FROM codes)",
      (plan) => ({ ...plan, from: { ...(plan as Joined).from, not: true } }) as unknown as Plan,
    ],
    [
      "units",
      "a unit's row that meets many public rows",
      "SELECT kind, SUM(fee) FROM guests JOIN codes USING (code) GROUP BY kind",
      (plan) => relation(plan, ({ right }) => ({ right: { ...right, oncePer: null } })),
    ],
    [
      "units",
      "a public row found by another column than the one it is read once for",
      "SELECT kind, SUM(fee) FROM guests JOIN codes USING (code) GROUP BY kind",
      (plan) => relation(plan, ({ right }) => ({ right: { ...right, oncePer: "kind" } })),
    ],
    [
      "units",
      "units that two tables name in two ways",
      chain,
      (plan) =>
        relation(plan, ({ right }) => ({
          right: {
            ...right,
            unit: { ...table(right).unit, names: { table: "visits", column: "person_id" } },
          },
        })),
    ],
    [
      "unit",
      "a foreign key that is not the policy's",
      chain,
      (plan) =>
        relation(plan, ({ right }) => ({
          right: { ...right, unit: { ...table(right).unit, column: "visit_id" } },
        })),
    ],
    [
      "unit",
      "a private table said to be public",
      chain,
      (plan) => relation(plan, ({ right }) => ({ right: { ...right, unit: { kind: "public" } } })),
    ],
    [
      "units",
      "two tables of one name",
      chain,
      (plan) => relation(plan, ({ right }) => ({ right: { ...right, source: "people" } })),
    ],
    [
      "columns",
      "a side that may be missing said to be there",
      "SELECT COUNT(*), SUM(age) FROM people JOIN visits ON id = person_id",
      (plan) => relation(plan, () => ({ type: "right" })),
    ],
    [
      "columns",
      "bounds that are not the policy's",
      "SELECT SUM(cost) FROM people JOIN visits ON id = person_id",
      (plan) =>
        relation(plan, ({ right }) => ({
          right: {
            ...right,
            columns: { cost: { type: "number", nullable: true, bounds: [0, 1], default: null } },
          },
        })),
    ],
    [
      "sensitivity",
      "the number of units of a shared table said to be public",
      "SELECT COUNT(DISTINCT id) FROM people",
      (plan) => {
        const [first] = plan.measurements;
        return {
          ...plan,
          measurements: [{ ...first!, l1: "0", l2Squared: "0", noise: { mechanism: "constant@1" } }],
        };
      },
    ],
    [
      "unit",
      "a table said to hold all units there are",
      "SELECT COUNT(DISTINCT id) FROM people",
      (plan) => ({ ...plan, unit: { kind: "column", column: "id" } }),
    ],
    [
      "presence",
      "the number of rows of one of several tables said to be public",
      "SELECT COUNT(*) FROM guests",
      (plan) => exactly(plan, { kind: "row" }),
    ],
    [
      "presence",
      "the number of people with loans said to be public",
      "SELECT COUNT(DISTINCT borrower) FROM loans",
      (plan) => exactly(plan, { kind: "column", column: "borrower" }),
    ],
    [
      "presence",
      "a sum that moves as if each unit were in each table",
      "SELECT SUM(age) FROM people",
      (plan) => {
        const [first] = plan.measurements;
        return {
          ...plan,
          unit: { kind: "column", column: "id" },
          measurements: [{ ...first!, l1: "7", l2Squared: "49" }],
        };
      },
    ],
    [
      "unit",
      "more rows than any table grants",
      chain,
      (plan) => ({ ...plan, contribution: { ...plan.contribution, rows: 4 } }),
    ],
    [
      "joined-rows",
      "a cap on a unit's rows taken away",
      chain,
      (plan) => relation(plan, ({ right }) => ({ right: { ...table(right), limits: [] } })),
    ],
    [
      "joined-rows",
      "a cap on a unit's rows raised, and said",
      chain,
      (plan) => ({
        ...relation(plan, ({ right }) => ({ right: limited(right, { per: "unit", rows: 1001 }) })),
        joinedRows: 1001,
      }),
    ],
    [
      "joined-rows",
      "fewer joined rows stated than there may be",
      chain,
      (plan) => ({ ...plan, joinedRows: 999 }),
    ],
    [
      "joined-rows",
      "more joined rows stated than there may be",
      many,
      (plan) => ({ ...plan, joinedRows: 4 }),
    ],
    [
      "joined-rows",
      "a condition on two public tables without its fence",
      fenced,
      (plan) => {
        const { fenced: _, ...filter } = plan.from as FilterRelation;
        return { ...plan, from: filter };
      },
    ],
    [
      "joined-rows",
      "no word of how many joined rows there may be",
      chain,
      ({ joinedRows: _, ...plan }) => plan as Plan,
    ],
    [
      "joined-rows",
      "joined rows where nothing is joined",
      "SELECT COUNT(*) FROM people",
      (plan) => ({ ...plan, joinedRows: 1 }),
    ],
    [
      "joined-rows",
      "rows of units chosen by all units' rows",
      chain,
      (plan) => relation(plan, ({ right }) => ({ right: limited(right, { per: "table", rows: 5 }) })),
    ],
    [
      "joined-rows",
      "public rows of a value that are as many as there are",
      many,
      (plan) => relation(plan, ({ right }) => ({ right: { ...table(right), limits: [] } })),
    ],
    [
      "limits",
      "more rows of a value than the policy says",
      many,
      (plan) => ({
        ...relation(plan, ({ right }) => ({
          right: limited(right, { per: "value", column: "kind", rows: 4 }),
        })),
        joinedRows: 4,
      }),
    ],
    [
      "limits",
      "a public table read once for each value of what is no key",
      many,
      (plan) => ({
        ...relation(plan, ({ right }) => ({ right: { ...table(right), limits: [], oncePer: "kind" } })),
        joinedRows: 1,
      }),
    ],
    [
      "limits",
      "a public table cut where the policy says nothing of its size",
      many,
      (plan) => ({
        ...relation(plan, ({ right }) => ({ right: limited(right, { per: "table", rows: 3 }) })),
        joinedRows: 3,
      }),
    ],
    [
      "limits",
      "one row of each unit and of what is no key",
      chain,
      (plan) =>
        relation(plan, ({ right }) => ({
          right: {
            ...table(right),
            limits: [...table(right).limits!, { per: "unit-and-key", column: "cost", rows: 1 }],
          },
        })),
    ],
    [
      "limits",
      "two rows of each key",
      keyed,
      (plan) =>
        relation(plan, ({ left }) => ({
          left: {
            ...(left as JoinRelation),
            right: limited((left as JoinRelation).right, {
              per: "unit-and-key",
              column: "visit_id",
              rows: 2,
            }),
          },
        })),
    ],
    [
      "limits",
      "more rows of a unit than the policy says",
      "SELECT COUNT(*) FROM people JOIN loaned ON id = person_id",
      (plan) => ({
        ...relation(plan, ({ right }) => ({ right: limited(right, { per: "unit", rows: 6 }) })),
      }),
    ],
    [
      "question",
      "fewer rows of a unit than its question asks for",
      chain,
      (plan) => relation(plan, ({ right }) => ({ right: limited(right, { per: "unit", rows: 999 }) })),
    ],
    [
      "question",
      "another condition of the join",
      "SELECT COUNT(*) FROM people JOIN visits ON id = person_id AND cost > 3",
      (plan) => relation(plan, () => ({ on: null })),
    ],
  ])("%s: %s", async (check, _, text, tamper) => {
    const policy = policyText("replace-one");
    const plan = await samplePlan(text, policy, options);
    expect(failed(await verified(plan, policy))).toEqual([]);
    expect(failed(await verified(tamper(plan), policy))).toContain(check);
  });
});
