import { parseRational } from "@lethe/core";
import type { Plan } from "@lethe/query";
import { expect, it } from "vitest";
import type { Estimate, Release } from "../format/release.ts";
import { newSigner, releaseOf, samplePlan } from "../testing/sample-release.ts";
import { answerFitsThePlan } from "./answer.ts";

const policy = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  people:
    file: people.csv
    unit: row
    columns:
      sector: { type: text, categories: [manufacturing, construction, other], default: other }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
`;

async function genuine(): Promise<Release> {
  const text = "SELECT sector, COUNT(*) AS n FROM people GROUP BY sector";
  const plan = await samplePlan(text, policy, { epsilon: parseRational("0.5") });
  return releaseOf(plan, newSigner(), { measure: "approximate", epsilon: "10", delta: "1/100000" });
}

function withPlan(release: Release, changed: (plan: Plan) => Partial<Plan>): Release {
  const { certificate } = release;
  const plan = { ...certificate.plan, ...changed(certificate.plan) };
  return { ...release, certificate: { ...certificate, plan } };
}

/** A release with another estimate in its first row. */
function withEstimate(release: Release, estimate: Estimate): Release {
  const [first, ...rest] = release.rows;
  return { ...release, rows: [[first![0]!, estimate], ...rest] };
}

type PublicKeys = Extract<Plan["keys"]["program"], { kind: "public" }>;
const declaring = (release: Release, change: (declared: PublicKeys["declared"]) => PublicKeys["declared"]) =>
  withPlan(release, ({ keys }) => {
    const program = keys.program as PublicKeys;
    return { keys: { ...keys, program: { ...program, declared: change(program.declared) } } };
  });

const lies: readonly [string, (release: Release) => Release, RegExp][] = [
  [
    "a column under another name",
    (release) => ({ ...release, columns: release.columns.map((column) => ({ ...column, name: "x" })) }),
    /columns are not those/,
  ],
  [
    "a row too short",
    (release) => ({ ...release, rows: release.rows.map((row) => row.slice(0, 1)) }),
    /row is not made/,
  ],
  [
    "a bare number for an estimate",
    (release) => ({ ...release, rows: release.rows.map(([key]) => [key!, 7]) }),
    /row is not made/,
  ],
  [
    "a row twice",
    (release) => ({ ...release, rows: [...release.rows, release.rows[0]!] }),
    /4 rows where the plan allows 3/,
  ],
  [
    "more rows than the limit",
    (release) => withPlan(release, ({ post }) => ({ post: { ...post, limit: 2 } })),
    /3 rows where the plan allows 2/,
  ],
  [
    "a chance of missing groups that are public",
    (release) => ({ ...release, missing: [{ units: 1, chance: 0.5 }] }),
    /groups may be missing/,
  ],
  [
    "keys without a rule",
    (release) => withPlan(release, ({ keys }) => ({ keys: { ...keys, program: { kind: "none" } } })),
    /rows where the plan allows 1 \(and 1 more\)/,
  ],
  [
    "a declared key of another length",
    (release) => declaring(release, ([first, ...rest]) => [[...first!, "more"], ...rest]),
    /declared key has another length/,
  ],
  [
    "a key declared twice",
    (release) => declaring(release, (declared) => [...declared, declared[0]!]),
    /declared twice/,
  ],
  [
    "a key that nobody declared",
    (release) => ({ ...release, rows: release.rows.map(([, estimate]) => ["mining", estimate!]) }),
    /key in column sector is not among/,
  ],
  [
    "an interval with one end",
    (release) => withEstimate(release, { value: 3, lower: null, upper: 4 }),
    /one end only/,
  ],
  [
    "an interval upside down",
    (release) => withEstimate(release, { value: 3, lower: 4, upper: 2 }),
    /an interval is empty/,
  ],
  [
    "an interval around nothing",
    (release) => withEstimate(release, { value: null, lower: 2, upper: 4 }),
    /belongs to no value/,
  ],
];

it("accepts the genuine answer, also where an estimate has no interval", async () => {
  const release = await genuine();
  expect(answerFitsThePlan(release).outcome).toBe("passed");
  for (const value of [3, null]) {
    const bare = withEstimate(release, { value, lower: null, upper: null });
    expect(answerFitsThePlan(bare).outcome).toBe("passed");
  }
});

it.each(lies)("fails %s", async (_, lie, says) => {
  expect(answerFitsThePlan(lie(await genuine()))).toEqual({
    outcome: "failed",
    says: expect.stringMatching(says),
  });
});

it("an interval of times has its ends in order", async () => {
  const dated = policy.replace(
    "default: other }",
    "default: other }\n      day: { type: date, bounds: [2023-01-01, 2024-12-31] }",
  );
  const plan = await samplePlan("SELECT MEDIAN(day) FROM people", dated, { epsilon: parseRational("0.5") });
  const release = releaseOf(plan, newSigner(), { measure: "approximate", epsilon: "10", delta: "1/100000" });
  const withTimes = (lower: string, upper: string): string =>
    answerFitsThePlan({ ...release, rows: [[{ value: "2024-02-03", lower, upper }]] }).says;
  const empty = /an interval of times is empty/;
  expect(withTimes("2024-02-04", "2024-02-03")).toMatch(empty);
  expect(withTimes("2024-02-03", "2024-02-03")).not.toMatch(empty);
  expect(withTimes("2023-12-31", "2024-03-01")).not.toMatch(empty);
});
