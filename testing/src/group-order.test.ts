import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { duckdb, groupOrder, keyedNumber, type Plan, placeInOrder } from "@lethe/query";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const declaring = (groups: number): Plan =>
  ({
    keys: { program: { kind: "public", declared: Array.from({ length: groups }, (_, x) => [x]) } },
  }) as unknown as Plan;
const private_ = { keys: { program: { kind: "private" } } } as unknown as Plan;

describe("The order of a unit's groups", () => {
  let connection: DuckDBConnection;
  beforeAll(async () => {
    connection = await (await DuckDBInstance.create(":memory:")).connect();
  });
  afterAll(() => connection.closeSync());

  async function rows(sql: string): Promise<readonly (readonly unknown[])[]> {
    return (await connection.runAndReadAll(sql, ["a seed"])).getRows();
  }
  /** Units 0 … units−1 in the groups of these numbers. */
  function placed(plan: Plan, units: number, groups: readonly number[]): string {
    const name = duckdb.textNumber("CAST(unit.u AS VARCHAR)");
    const place = placeInOrder(groupOrder(plan), "own.n", "own.x", duckdb);
    const own = `SELECT unit.u, ${keyedNumber(name, duckdb)} AS n, x FROM range(${units}) AS unit(u), unnest([${groups.join(", ")}]) AS t(x)`;
    return `SELECT own.u, own.x, ${place} AS place FROM (${own}) AS own`;
  }

  it.each([1, 59, 60, 113, 179, 251])("puts no two of %i public groups in one place", async (groups) => {
    const plan = declaring(groups);
    const { modulus, words, distinct } = groupOrder(plan);
    const all = Array.from({ length: groups }, (_, x) => x);
    const [found] = await rows(
      `SELECT min(places), min(least), max(greatest) FROM (SELECT count(DISTINCT place) AS places, min(place) AS least,
       max(place) AS greatest FROM (${placed(plan, 300, all)}) GROUP BY u)`,
    );
    expect(distinct).toBe(true);
    expect(Number(found![0])).toBe(groups);
    expect(Number(found![1])).toBeGreaterThanOrEqual(0);
    expect(Number(found![2])).toBeLessThan(Math.min(modulus, words * 63));
  });

  it("has no list of places for more", () => {
    expect(groupOrder(declaring(252)).distinct).toBe(false);
    expect(groupOrder(private_).distinct).toBe(false);
  });

  // Neighbouring numbers are the worst case of polynomials of low degree: of three, a straight line keeps the middle one a quarter
  // of the time. Binomial deviations beyond 6 σ of 30 000 units, and 1 % on top that no claim is made of: < 1e-6 in all.
  it.each([
    ["few groups", declaring(100), 1],
    ["few groups", declaring(100), 2],
    ["many groups", private_, 1],
    ["many groups", private_, 2],
  ])("favours none of a unit's groups: %s", async (_, plan, k) => {
    const units = 30_000;
    for (const groups of [
      [0, 1, 2],
      [0, 1, 2, 3, 4, 5],
      [3, 17, 40, 55, 56, 98],
    ]) {
      const ranked = `SELECT x, row_number() OVER (PARTITION BY u ORDER BY place) AS nth FROM (${placed(plan, units, groups)})`;
      const kept = await rows(`SELECT x, count(*) FROM (${ranked}) WHERE nth <= ${k} GROUP BY x`);
      const share = k / groups.length;
      const most = 6 * Math.sqrt(units * share * (1 - share)) + 0.01 * units * share;
      expect(kept.length).toBe(groups.length);
      for (const [x, count] of kept)
        expect(Math.abs(Number(count) - units * share), `${x} of ${groups}`).toBeLessThan(most);
    }
  });
});
