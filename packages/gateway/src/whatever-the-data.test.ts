import { LetheError } from "@lethe/core";
import type { Plan } from "@lethe/query";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Release } from "./release.ts";
import { type Asked, openHouse, type TestHouse } from "./testing/open-house.ts";
import { personPolicy, visitsCsv } from "./testing/visits.ts";

/*
 * One policy, one list of questions, databases that have nothing in common: status, charge, plan, columns, notes, public groups
 * and the account afterwards are the same. Only noisy numbers, the private groups that were kept and the hashes of both may differ.
 */

const header = "person,city,ward,cost,stay";
const databases: Readonly<Record<string, string>> = {
  usual: visitsCsv,
  empty: `${header}\n`,
  "one row": `${header}\np,Ur,north,1,1\n`,
  "one unit with all rows": `${header}\n${Array.from({ length: 300 }, (_, i) => `p,c${i},south,${i * 1e6},${i}`).join("\n")}\n`,
  odd: `${header}\n${[
    ",,,,",
    "p,Ur,east,nan,x",
    "q,,north,inf,99999999999999999999",
    'r,"a, b",south,-inf,-99999999999999999999',
    "s,Ur,north,1e308,0.5",
    "t,é́,NORTH,-1e-320,-4",
  ].join("\n")}\n`,
};

const questions: readonly (readonly [string, Asked?])[] = [
  ["SELECT COUNT(*), SUM(cost), AVG(stay) FROM visits"],
  ["SELECT ward, COUNT(DISTINCT person), VARIANCE(cost) FROM visits GROUP BY ward ORDER BY ward"],
  ["SELECT ward, MEDIAN(cost), MAX(stay) FROM visits WHERE cost > 10 GROUP BY ward"],
  ["SELECT ward, COUNT(*) AS n FROM visits GROUP BY ROLLUP (ward)"],
  ["SELECT CORR(cost, stay), COUNT(DISTINCT stay) FROM visits", { mechanism: "gaussian", delta: "1e-6" }],
  ["SELECT city, COUNT(*), SUM(stay) FROM visits GROUP BY city", { delta: "1e-6" }],
  ["SELECT SUM(SQRT(cost)), SUM(1000000 / (cost + 1)), SUM(NULLIF(stay, 0)) FROM visits"],
  ["SELECT AVG(CAST(city AS double precision)) FROM visits"],
  ["SELECT AVG(n), COUNT(*) FROM (SELECT person, LEAST(COUNT(*), 9) AS n FROM visits GROUP BY person) t"],
  [
    "SELECT ward, SUM(total, contribution_bounds_per_row => (0, 20000)), MEDIAN(mean) FROM (SELECT person, ward, SUM(cost) AS total, AVG(stay) AS mean FROM visits GROUP BY person, ward HAVING COUNT(*) > 1) t GROUP BY ward",
  ],
  [
    "SELECT ward, AVG(cost - before, contribution_bounds_per_row => (-100, 100)), COUNT(*) FROM (SELECT ward, cost, ROW_NUMBER() OVER (PARTITION BY person ORDER BY stay) AS n, LAG(cost) OVER (PARTITION BY person ORDER BY stay) AS before FROM visits) t WHERE n <= 3 GROUP BY ward",
  ],
  ["SELECT ward, city, COUNT(*), SUM(cost) FROM visits GROUP BY CUBE (ward, city)", { delta: "1e-6" }],
  ["SELECT SUM(cost / stay, contribution_bounds_per_row => auto), COUNT(*) FROM visits"],
  [
    "SELECT city, AVG(cost, contribution_bounds_per_row => auto) FROM visits GROUP BY city",
    { delta: "1e-6" },
  ],
  ["SELECT FIRST(cost) FROM visits"],
  ["SELECT COUNT(*) FROM visits", { epsilon: "1000" }],
];

/** Returns the part of a release that must not depend on the data. */
function publicPart({ columns, rows, missing, notes, certificate }: Release): unknown {
  const { rowsHash: _, ledger, ...told } = certificate;
  const isLearned = told.plan.learned !== undefined;
  const stated = isLearned ? { ...told, plan: beforeBounds(told.plan) } : told;
  const { program } = certificate.plan.keys;
  const at = columns.flatMap(({ kind }, i) => (kind === "key" ? [i] : []));
  const groups = program.kind === "private" ? null : rows.map((row) => at.map((i) => row[i]));
  return { columns, missing, ...(isLearned ? {} : { notes }), stated, groups, sequence: ledger.sequence };
}

/** Returns the part of a plan that bounds learned from noisy counts leave unchanged. */
function beforeBounds({ learned, measurements, sums, aggregates, ...plan }: Plan): unknown {
  const { stages, nominal } = learned!;
  return {
    ...plan,
    nominal,
    stages: stages.map(({ counts: _, bounds: __, ...stage }) => stage),
    measured: measurements.map(({ name }) => name),
    sums: sums.map(({ kind }) => kind),
    aggregates: aggregates.map(({ kind }) => kind),
  };
}

async function outcome(house: TestHouse, [text, asked]: (typeof questions)[number]): Promise<unknown> {
  try {
    return publicPart(await house.ask(text, asked));
  } catch (error) {
    if (!(error instanceof LetheError)) throw error;
    return { code: error.code, message: error.message, fix: error.fix };
  }
}

describe("whatever the data", () => {
  const names = Object.keys(databases);
  let houses: readonly TestHouse[] = [];
  const all = new Map<string, readonly unknown[]>();
  beforeAll(async () => {
    const policy = personPolicy("{ measure: approximate, epsilon: 30, delta: 1e-4 }");
    houses = await Promise.all(Object.values(databases).map((csv) => openHouse(policy, csv)));
    for (const [at, house] of houses.entries()) {
      const outcomes: unknown[] = [];
      for (const question of questions) outcomes.push(await outcome(house, question));
      const { granted, spent, left } = await house.report();
      all.set(names[at]!, [...outcomes, { granted, spent, left }]);
    }
  });
  afterAll(async () => {
    for (const house of houses) await house.close();
  });

  it.each(names.slice(1))("a question costs the same and shows the same columns: %s", (name) => {
    expect(all.get(name)).toEqual(all.get("usual"));
  });

  it("of those questions most are answered, and some are refused", () => {
    const codes = all.get("usual")!.map((one) => (one as { code?: string }).code);
    expect(codes.filter((code) => code !== undefined)).toEqual(["query.unsupported", "ledger.budget"]);
  });
});
