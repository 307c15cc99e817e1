import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseRational, secureEntropy } from "@lethe/core";
import { importTable, openDuckDb } from "@lethe/engine-duckdb";
import { answer, type House, type Release as Signed } from "@lethe/gateway";
import { createLedger } from "@lethe/ledger";
import { policyHash, readPolicy } from "@lethe/query";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Release } from "./format/release.ts";
import { verifyRelease } from "./verify-release.ts";

const policyOf = (adjacency: string, bound: string): string => `
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
tables:
  visits:
    file: visits.csv
    unit: person
    bound: ${bound}
    max_groups_contributed: 2
    max_rows_contributed_per_group: 3
    columns:
      person: { type: text }
      city: { type: text }
      ward: { type: text, categories: [north, south], default: south }
      cost: { type: number, bounds: [0, 100] }
      change: { type: integer, bounds: [-4, 9] }
      day: { type: date, bounds: [2024-01-01, 2024-03-31] }
      at: { type: timestamp, bounds: ["2023-12-31 22:30:00", "2024-03-31 23:59:59"], round_filters: 6h }
budget: { measure: approximate, epsilon: 200, delta: 1e-3 }
`;

/** 600 visits of 150 people, made up. */
function visits(): string {
  const rows = Array.from({ length: 600 }, (_, i) => {
    const cost = ((i * 37) % 120) - 5;
    return `p${i % 150},${["Ur", "Uruk", "Kish"][i % 3]},${i % 2 ? "north" : "south"},${i % 50 === 0 ? "" : cost},${(i % 14) - 4},2024-0${1 + (i % 3)}-1${i % 10},2024-0${1 + (i % 3)}-1${i % 10}T0${i % 10}:30:00.5`;
  });
  return `person,city,ward,cost,change,day,at\n${rows.join("\n")}\n`;
}

const questions = [
  "SELECT ward, COUNT(*) AS n, SUM(change) AS total, AVG(cost) AS mean FROM visits GROUP BY ward",
  "SELECT ward, SUM(cost) / COUNT(*) AS mean, CASE WHEN COUNT(*) > 9 THEN 'many' ELSE ward END AS size, COUNT(*) > 5 FROM visits GROUP BY ward ORDER BY mean LIMIT 1",
  "SELECT COUNT(DISTINCT person), SUM(cost), VARIANCE(cost), STDDEV_POP(change) FROM visits WHERE cost > 10",
  "SELECT city, COUNT(*), COUNT(DISTINCT change), COUNT(DISTINCT ward) FILTER (WHERE cost > 10) FROM visits GROUP BY city",
  "SELECT SUM(DISTINCT cost), AVG(DISTINCT cost), COUNT(*), STDDEV_POP(DISTINCT change, contribution_bounds_per_row => (0, 3)) FROM visits",
  "SELECT city, VARIANCE(DISTINCT cost), SUM(DISTINCT change) FILTER (WHERE cost > 10) FROM visits GROUP BY city",
  "SELECT COVAR_SAMP(change, cost), CORR(cost, change), COUNT(DISTINCT person) FILTER (WHERE cost > 10) FROM visits",
  "SELECT change, COUNT(*) FROM visits GROUP BY change ORDER BY change",
  "SELECT day, COUNT(*) FROM visits WHERE day >= '2024-01-05' GROUP BY day HAVING day > '2024-02-01' ORDER BY day DESC",
  "SELECT DATE_TRUNC('month', day) AS month, EXTRACT(dow FROM day), COUNT(*), AVG(EXTRACT(hour FROM at)), COALESCE(DATE_TRUNC('month', day), DATE '2024-01-01') FROM visits GROUP BY 1, 2",
  "SELECT DATE_TRUNC('week', at), COUNT(*) FROM visits WHERE at + INTERVAL '1 day' > day GROUP BY 1",
  "SELECT COUNT(*), SUM(cost) FILTER (WHERE at < '2024-02-10 05:07:09') FROM visits WHERE at BETWEEN '2024-01-05 14:05:03' AND '2024-03-02 01:02:03'",
  "SELECT DATE_TRUNC('minute', at), COUNT(*) FROM visits GROUP BY 1",
  "SELECT ward, SUM(cost, contribution_bounds_per_row => auto), STDDEV(change * 2, contribution_bounds_per_row => auto) FROM visits GROUP BY ward",
  "SELECT city, MEDIAN(cost), MIN(change), MEDIAN(cost) / 2 AS half FROM visits GROUP BY city",
  "SELECT PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY cost) FROM visits WHERE change > 0",
  "SELECT city, COUNT(*) AS n, SUM(cost) FROM visits GROUP BY city HAVING COUNT(*) > 5 ORDER BY n DESC LIMIT 2",
  "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 2, max_groups_contributed = 1) cost > 50 AS dear, AVG(change) FROM visits GROUP BY 1",
  "SELECT ward, city, COUNT(*), SUM(change) AS moved, AVG(cost) FROM visits GROUP BY CUBE (ward, city)",
  "SELECT city, COUNT(*), SUM(0) FROM visits GROUP BY ROLLUP (city)",
  "SELECT ward, COUNT(*), SUM(cost) FROM visits GROUP BY ROLLUP (ward)",
  "SELECT COUNT(*), SUM(change) FROM visits",
  "SELECT ward, MIN(day), MAX(cost) FILTER (WHERE change > 0), SUM(cost, contribution_bounds_per_row => (0, 50)) FROM visits GROUP BY ward ORDER BY 1 DESC",
  "SELECT ward, COUNT(*), AVG(CASE WHEN cost IS NOT NULL THEN change END), COUNT(DISTINCT cost) FROM visits GROUP BY ward HAVING AVG(cost) > 9",
  "SELECT COUNT(*) AS n FROM visits GROUP BY city, ward ORDER BY n DESC LIMIT 3 OFFSET 1",
  "SELECT ward, COUNT(*) AS nothing FROM visits GROUP BY ward LIMIT 0",
  "SELECT ward, change > 0 AS up, COUNT(*) AS n, GROUPING(ward) FROM visits GROUP BY CUBE (ward, 2) HAVING GROUPING(ward) = 0 ORDER BY GROUPING(ward), n",
];
/** What is selected over an answer. */
const selected = [
  "SELECT MODE(city), APPROX_TOP_COUNT(ward, 2) AS top FROM visits WHERE cost > 10",
  "SELECT ward, COUNT(*) AS n, MODE() WITHIN GROUP (ORDER BY change DESC) AS change, approx_top_k(city, 2) AS cities FROM visits GROUP BY ward ORDER BY n LIMIT 1",
  "SELECT ward, n, n / SUM(n) OVER () AS share, RANK() OVER (ORDER BY n DESC) AS place FROM (SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward) t ORDER BY n DESC",
  "SELECT day, n, LAG(n) OVER (ORDER BY day) AS before, SUM(n) OVER (ORDER BY day ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS moved FROM (SELECT DATE_TRUNC('month', day) AS day, COUNT(*) AS n FROM visits GROUP BY 1) t WHERE n > 3",
  "SELECT AVG(n) AS mean, MAX(n) AS most, COUNT(*) AS wards FROM (SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward) t",
  "WITH t AS (SELECT ward, COUNT(*) AS n, MIN(day) AS first FROM visits GROUP BY ward) SELECT a.ward, b.ward AS other, a.n - b.n AS more, b.first FROM t a LEFT JOIN t b ON a.ward < b.ward",
  "WITH t AS (SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward) SELECT ward, n FROM t UNION ALL SELECT 'all', SUM(n) FROM t",
  "SELECT city, ward, n, NTILE(3) OVER (ORDER BY n) AS third, NTH_VALUE(n, 2) OVER (PARTITION BY city ORDER BY n DESC ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS second, PERCENT_RANK() OVER (ORDER BY ward) AS place FROM (SELECT city, ward, COUNT(*) AS n FROM visits GROUP BY CUBE (city, ward)) t",
  "SELECT DISTINCT n > 100 AS many FROM (SELECT city, COUNT(*) AS n FROM visits GROUP BY city) t",
  "SELECT up, SUM(n) AS n, MIN(ward) AS ward, STDDEV(n) FROM (SELECT ward, change > 0 AS up, COUNT(*) AS n FROM visits GROUP BY 1, 2) t GROUP BY up HAVING SUM(n) > 5",
  "SELECT ward, n, FIRST_VALUE(n) OVER (ORDER BY change ROWS BETWEEN 3 PRECEDING AND 2 PRECEDING) AS back FROM (SELECT ward, change, COUNT(*) AS n FROM visits GROUP BY ward, change) t",
  "SELECT ward, middle, LEAD(middle) OVER (ORDER BY ward) AS next FROM (SELECT ward, MEDIAN(day) AS middle FROM visits GROUP BY ward) t",
];
/** Rows of subqueries are bounded after the filter alone. */
const ofUnits = [
  "SELECT AVG(LEAST(n, 9)), SUM(total, contribution_bounds_per_row => (0, 90)) FROM (SELECT person, COUNT(*) AS n, SUM(cost) AS total FROM visits GROUP BY person) t",
];

describe.each([
  ["add-or-remove-one", "groups-after-filter"],
  ["replace-one", "groups-after-filter"],
  ["add-or-remove-one", "rows-before-filter"],
  ["replace-one", "rows-before-filter"],
])("a release of the gateway, %s, %s", (adjacency, bound) => {
  const policyText = policyOf(adjacency, bound);
  const folder = mkdtempSync(join(tmpdir(), "lethe-verify-"));
  let house: House;
  const open: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    writeFileSync(join(folder, "visits.csv"), visits());
    const policy = readPolicy(policyText);
    const clock = (): number => 1_718_100_000_000;
    const log = (): void => {};
    const directories = { baseDirectory: folder, stateDirectory: join(folder, ".lethe") };
    await importTable({ policy, table: "visits", ...directories, clock, log });
    const engine = await openDuckDb({ policy, ...directories, seed: "seed of this test", log });
    const ledger = await createLedger(join(folder, "ledger"), {
      budget: policy.budget,
      policyHash: policyHash(policy),
      source: "visits",
      clock,
    });
    open.push(
      () => engine.close(),
      () => ledger.close(),
    );
    house = { policy, engine, ledger, entropy: secureEntropy(), clock };
  });

  afterAll(async () => {
    for (const close of open) await close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(
    bound === "groups-after-filter" ? [...questions, ...selected, ...ofUnits] : [...questions, ...selected],
  )("passes every check: %s", async (text) => {
    const stated = text.includes("OPTIONS");
    const released = await answer(
      {
        text,
        principal: "owner",
        requestId: text.slice(0, 60),
        options: {
          epsilon: stated ? null : parseRational("3"),
          delta: null,
          groupSelection: null,
          mechanism: null,
          confidence: 0.9,
        },
      },
      house,
    );
    const { checks } = await verifyRelease(JSON.stringify(released), {
      policyText,
      publicKeyPem: house.ledger.publicKey,
    });
    expect(checks.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    expect(checks.filter(({ outcome }) => outcome === "not-made").map(({ name }) => name)).not.toContain(
      "question",
    );
  });
});

describe("the format", () => {
  it("is declared alike by who writes it and by who reads it", () => {
    // Compiled, not run: each declaration can stand for the other.
    const written: (release: Release) => Signed = (release) => release;
    const read: (release: Signed) => Release = (release) => release;
    expect([written, read]).toHaveLength(2);
  });
});
