import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Estimate, isGroupedAway, type Release } from "./release.ts";
import { estimated } from "./testing/estimated.ts";
import { failedChecks } from "./testing/failed-checks.ts";
import { openHouse, type TestHouse } from "./testing/open-house.ts";

/** 1,200 people of three sectors and two states, some without a sector's state; wages of their own. */
const people = Array.from({ length: 1200 }, (_, i) => ({
  id: i % 600,
  sector: ["farm", "mill", "shop"][(i * 7) % 3]!,
  married: (i * 13) % 5 < 2,
  wage: (i * 7919) % 61,
}));
const csv = `id,sector,married,wage,town\n${people
  .map(({ id, sector, married, wage }) => `${id},${sector},${married},${wage},t${id % 4}`)
  .join("\n")}\n`;
const policyText = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 100000000, delta: 1e-5 }
tables:
  people:
    file: people.csv
    unit: id
    max_groups_contributed: 2
    max_rows_contributed_per_group: 2
    columns:
      id: { type: integer }
      sector: { type: text, categories: [farm, mill, shop], default: shop }
      married: { type: boolean, default: false }
      wage: { type: number, bounds: [0, 60], default: 0 }
      town: { type: text }
`;

let house: TestHouse;
beforeAll(async () => {
  house = await openHouse(policyText, csv);
});
afterAll(() => house.close());

const failed = (release: Release): Promise<readonly string[]> => failedChecks(house, release);

describe("several groupings at once", () => {
  const cube = `SELECT sector, married, COUNT(*) AS n, SUM(wage) AS s, AVG(wage) AS a, VAR_POP(wage) AS v,
    GROUPING(sector, married) AS g, SUM(wage) / COUNT(*) AS ratio FROM people`;

  it("are answered together: NULL where grouped away, in SQL's order, totals that add up, one price, verified", async () => {
    const release = await house.ask(`${cube} GROUP BY CUBE (sector, married)`, { epsilon: "5" });
    const of = (g: number) => release.rows.filter((row) => estimated(row[6]) === g);
    expect([0, 1, 2, 3].map((g) => of(g).length)).toEqual([6, 3, 2, 1]);
    expect(release.rows.map((row) => estimated(row[6]))).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3]);
    expect(of(1).map((row) => row.slice(0, 2))).toEqual([
      ["farm", null],
      ["mill", null],
      ["shop", null],
    ]);
    expect(of(2).map((row) => row.slice(0, 2))).toEqual([
      [null, false],
      [null, true],
    ]);
    expect(of(3)[0]!.slice(0, 2)).toEqual([null, null]);
    for (const column of [2, 3]) {
      for (const total of [...of(1), ...of(2), ...of(3)]) {
        const [sector, married] = total;
        const parts = of(0).filter(
          (row) => (sector === null || row[0] === sector) && (married === null || row[1] === married),
        );
        expect(estimated(total[column])).toBe(parts.reduce((sum, row) => sum + estimated(row[column]), 0));
      }
    }
    expect(release.certificate.charge).toMatchObject({ epsilon: "5" });
    expect(release.certificate.plan.measurements).toHaveLength(4);
    expect(release.notes.join("\n")).toContain("noisy groups by sector, married, and count only");
    expect(await failed(release)).toEqual([]);
  });

  it("a total that does not add up, or whose interval is another's, is found out", async () => {
    const release = await house.ask("SELECT sector, COUNT(*) AS n FROM people GROUP BY ROLLUP (sector)");
    expect(await failed(release)).toEqual([]);
    const last = release.rows.at(-1)!;
    const moved = (change: Partial<Estimate>): Release => ({
      ...release,
      rows: [...release.rows.slice(0, -1), [last[0]!, { ...(last[1] as Estimate), ...change }]],
    });
    const value = estimated(last[1]) + 3;
    const { lower, upper } = last[1] as Estimate;
    expect(await failed(moved({ value, lower: lower! + 3, upper: upper! + 3 }))).toContain(
      "answer: the totals of n are not the sums of its groups",
    );
    expect(await failed(moved({ lower: lower! - 1 }))).toContain(
      "intervals: the intervals of n are not those of its noise",
    );
  });

  it("each row says its grouping, so that a key that is NULL and one that is grouped away are told apart", async () => {
    const release = await house.ask(
      `SELECT NULLIF(sector, 'shop') AS s, married, COUNT(*) AS n FROM people GROUP BY CUBE (NULLIF(sector, 'shop'), married)
       ORDER BY GROUPING(NULLIF(sector, 'shop')) DESC, n LIMIT 8`,
      { epsilon: "50" },
    );
    const { rows, groupings } = release;
    expect(rows).toHaveLength(8);
    expect(groupings).toHaveLength(8);
    const shown = rows.map((row, at) =>
      [0, 1].map((column) => (isGroupedAway(release, at, column) ? "all" : row[column])),
    );
    expect(shown).toContainEqual(["all", "all"]);
    expect(shown).toContainEqual(["all", false]);
    expect(shown.slice(3).map(([s]) => s)).not.toContain("all");
    expect(rows.every((_, at) => !isGroupedAway(release, at, 2))).toBe(true);
    expect(await failed(release)).toEqual([]);
  });

  it("of a missing key the row is no total, and marks that say so are found out", async () => {
    const release = await house.ask(
      "SELECT NULLIF(sector, 'shop') AS s, COUNT(*) AS n FROM people GROUP BY ROLLUP (NULLIF(sector, 'shop'))",
    );
    expect(release.rows.map(([key]) => key)).toEqual(["farm", "mill", null, null]);
    expect([0, 1, 2, 3].map((row) => isGroupedAway(release, row, 0))).toEqual([false, false, false, true]);
    expect(await failed(release)).toEqual([]);
    const marks = release.groupings!;
    const marked = (groupings: Release["groupings"]): Promise<readonly string[]> =>
      failed({ ...release, groupings } as Release);
    // The total as a group, or the group as the total: its interval is not that of so much noise.
    expect((await marked([...marks.slice(0, 3), marks[0]!])).join()).toContain("not those of its noise");
    expect((await marked([...marks.slice(0, 2), marks[3]!, marks[3]!])).join()).toContain(
      "not those of its noise",
    );
    // A value where the key is grouped away; a row that is not marked.
    expect((await marked([marks[3]!, ...marks.slice(1)])).join()).toContain("not of the grouping");
    expect(await marked(marks.slice(1))).not.toEqual([]);
    expect((await marked(undefined)).join()).toContain("do not say which grouping");
  });

  it("groupings that the question does not ask for, or that cannot add up, are found out", async () => {
    const release = await house.ask(
      "SELECT sector, COUNT(*) AS n FROM people GROUP BY GROUPING SETS ((sector), ()) LIMIT 1",
    );
    const { certificate } = release;
    const { groupings: _, ...plain } = certificate.plan;
    const withPlan = (plan: typeof certificate.plan): Release => ({
      ...release,
      certificate: { ...certificate, plan },
    });
    expect((await failed(withPlan(plain as typeof certificate.plan))).join()).toContain(
      "has other groupings",
    );
    await expect(
      failed(withPlan({ ...certificate.plan, groupings: [["sector"], ["town"]] })),
    ).rejects.toMatchObject({ code: "release.invalid" });
    const units = {
      ...certificate.plan,
      sums: certificate.plan.sums.map(({ name }) => ({ name, kind: "units" as const })),
    };
    expect((await failed(withPlan(units))).join()).toContain("totals are made of what does not add up");
  });

  it("HAVING, ORDER BY and LIMIT work on all rows", async () => {
    const release = await house.ask(
      `SELECT married, sector, COUNT(*) AS n FROM people GROUP BY GROUPING SETS ((sector), (married), ())
       HAVING GROUPING(sector) = 1 ORDER BY GROUPING(married) DESC, n DESC LIMIT 2`,
      { epsilon: "50" },
    );
    expect(release.rows.map((row) => row.slice(0, 2))).toEqual([
      [null, null],
      [false, null],
    ]);
    expect(await failed(release)).toEqual([]);
  });

  it("GROUP BY a, ROLLUP (b) is (a, b) and (a); GROUPING of one grouping is 0", async () => {
    const { rows } = await house.ask(
      "SELECT sector, married, COUNT(*) FROM people GROUP BY sector, ROLLUP (married)",
    );
    expect(rows).toHaveLength(9);
    const plain = await house.ask("SELECT sector, GROUPING(sector), COUNT(*) FROM people GROUP BY sector");
    expect(plain.rows.map((row) => estimated(row[1]))).toEqual([0, 0, 0]);
    expect(plain.certificate.plan.groupings).toBeUndefined();
    const all = await house.ask("SELECT COUNT(*) FROM people GROUP BY ()");
    expect(all.rows).toHaveLength(1);
  });

  it.each([
    [
      "SELECT town, sector, COUNT(*) FROM people GROUP BY GROUPING SETS ((town), (sector), ())",
      /chosen by all keys together, \(town, sector\), and the question does not ask for that grouping/,
    ],
    ["SELECT IS_OTHER(wage), COUNT(*) FROM people GROUP BY ROLLUP (town)", /IS_OTHER takes a key/],
    ["SELECT town, COUNT(DISTINCT wage) FROM people GROUP BY ROLLUP (town)", /distinct values do not/],
    [
      "SELECT sector, COUNT(DISTINCT id) FROM people GROUP BY ROLLUP (sector)",
      /distinct units do not add up/,
    ],
    ["SELECT sector, COUNT(DISTINCT wage) FROM people GROUP BY ROLLUP (sector)", /distinct values do not/],
    ["SELECT sector, MEDIAN(wage) FROM people GROUP BY CUBE (sector)", /quantiles do not add up/],
    ["SELECT GROUPING(wage), COUNT(*) FROM people GROUP BY ROLLUP (sector)", /GROUPING takes a key/],
  ])("%s is refused before anything is charged, with what would be accepted", async (sql, says) => {
    const { spent } = (await house.report()) as unknown as { spent: unknown };
    const error = (await house.ask(sql).catch((reason) => reason)) as Error & {
      fields: { rewrite?: string };
    };
    expect(error.message).toMatch(says);
    expect(((await house.report()) as unknown as { spent: unknown }).spent).toEqual(spent);
    expect(error.fields.rewrite).toBeDefined();
    await expect(house.ask(error.fields.rewrite!, { delta: "1e-9" })).resolves.toBeDefined();
  });
  it("more than 64 groupings are refused", async () => {
    await expect(
      house.ask(
        "SELECT COUNT(*) FROM people GROUP BY CUBE (sector, sector, sector, sector, sector, sector, sector)",
      ),
    ).rejects.toThrow(/more than 64 groupings/);
  });
});
