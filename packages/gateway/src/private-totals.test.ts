import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Estimate, isOther, type Release, type ReleasedCell } from "./release.ts";
import { estimated } from "./testing/estimated.ts";
import { failedChecks } from "./testing/failed-checks.ts";
import { openHouse, type TestHouse } from "./testing/open-house.ts";

/** 2,400 visits of 800 people: towns of three sizes and some of a handful, one called "(other)", one missing. */
const towns = ["north", "north", "north", "south", "south", "(other)", "", "small1", "small2"];
const rows = Array.from({ length: 2400 }, (_, i) => ({
  id: i % 800,
  town: i % 97 === 0 ? `tiny${i % 29}` : towns[(i * 7 + (i >> 4)) % 7]!,
  shop: `s${(i * 13) % 5}`,
  sector: ["farm", "mill"][(i * 5) % 2]!,
  spent: (i * 7919) % 61,
}));
const csv = `id,town,shop,sector,spent\n${rows
  .map(({ id, town, shop, sector, spent }) => `${id},${town},${shop},${sector},${spent}`)
  .join("\n")}\n`;
const policyText = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 100000000, delta: 1e-2 }
defaults: { delta: 1e-8 }
tables:
  visits:
    file: visits.csv
    unit: id
    max_groups_contributed: 3
    max_rows_contributed_per_group: 3
    columns:
      id: { type: integer }
      town: { type: text }
      shop: { type: text }
      sector: { type: text, categories: [farm, mill, mine], default: farm }
      spent: { type: number, bounds: [0, 60], default: 0 }
`;

let house: TestHouse;
beforeAll(async () => {
  house = await openHouse(policyText, csv);
});
afterAll(() => house.close());

const failed = (release: Release): Promise<readonly string[]> => failedChecks(house, release);

const sumOf = (all: readonly (readonly ReleasedCell[])[], column: number): number =>
  all.reduce((sum, row) => sum + estimated(row[column]), 0);
const keyOf = (row: readonly ReleasedCell[], columns: readonly number[]): string =>
  JSON.stringify(columns.map((column) => row[column]));

describe("totals of keys that are data", () => {
  it("ROLLUP: groups and (other) add up to their totals, each row says what it is, all is verified", async () => {
    const release = await house.ask(
      "SELECT town, shop, COUNT(*) AS n, SUM(spent) AS s, AVG(spent) AS a, GROUPING(town, shop) AS g, IS_OTHER(shop) AS o FROM visits GROUP BY ROLLUP (town, shop)",
      { epsilon: "40" },
    );
    const { rows: all, groupings, certificate } = release;
    expect(groupings).toHaveLength(all.length);
    const of = (grouping: number, over: number | null) =>
      all.filter((_, at) => groupings![at]!.grouping === grouping && groupings![at]!.over === over);
    const [groups, leftOfTowns, byTown, leftOfAll, total] = [
      of(0, null),
      of(0, 1),
      of(1, null),
      of(1, 2),
      of(2, null),
    ];
    expect(groups.length).toBeGreaterThan(10);
    expect(byTown.length).toBeGreaterThan(3);
    expect([leftOfTowns.length, leftOfAll.length, total.length]).toEqual([byTown.length, 1, 1]);
    expect(all.length).toBe(groups.length + 2 * byTown.length + 2);
    for (const column of [2, 3]) {
      for (const row of byTown) {
        const same = (other: readonly ReleasedCell[]) => keyOf(other, [0]) === keyOf(row, [0]);
        const parts = sumOf(groups.filter(same), column) + sumOf(leftOfTowns.filter(same), column);
        expect(parts).toBeCloseTo(estimated(row[column]), 6);
      }
      expect(sumOf(byTown, column) + sumOf(leftOfAll, column)).toBeCloseTo(estimated(total[0]![column]), 6);
    }
    // A town is listed where one of its groups is.
    expect(new Set(byTown.map((row) => keyOf(row, [0])))).toEqual(
      new Set(groups.map((row) => keyOf(row, [0]))),
    );
    expect(leftOfTowns.every((row) => isOther(row[1]!) && !isOther(row[0]!))).toBe(true);
    expect(leftOfAll[0]!.slice(0, 2)).toEqual([{ other: true }, null]);
    expect(total[0]!.slice(0, 2)).toEqual([null, null]);
    // A town of that name is a text, and IS_OTHER and GROUPING tell apart what looks alike.
    expect(byTown.map((row) => row[0])).toContain("(other)");
    expect(all.map((row) => row[6])).toEqual(all.map((row) => isOther(row[1]!)));
    expect(groups.concat(leftOfTowns).every((row) => estimated(row[5]) === 0)).toBe(true);
    expect(byTown.concat(leftOfAll).every((row) => estimated(row[5]) === 1)).toBe(true);
    expect(certificate.charge).toMatchObject({ epsilon: "40" });
    expect(certificate.plan.totals!.map(({ keys, share }) => [keys, share])).toEqual([
      [["town"], "1/4"],
      [[], "1/4"],
    ]);
    expect(release.notes.join("\n")).toContain("(other) is the total minus its released groups");
    expect(await failed(release)).toEqual([]);
  });

  it("CUBE has a remainder beside each coarser grouping; public keys alone add up without one", async () => {
    const release = await house.ask(
      "SELECT sector, town, COUNT(*) AS n FROM visits GROUP BY CUBE (sector, town)",
      { epsilon: "20" },
    );
    const { rows: all, groupings } = release;
    const of = (grouping: number, over: number | null) =>
      all.filter((_, at) => groupings![at]!.grouping === grouping && groupings![at]!.over === over);
    // (sector, town), (sector), (town), ()
    expect(of(1, null).map((row) => row[0])).toEqual(["farm", "mill", "mine"]);
    expect(of(0, 1).map((row) => row.slice(0, 2))).toEqual(
      ["farm", "mill", "mine"].map((sector) => [sector, { other: true }]),
    );
    expect(of(0, 2).every((row) => isOther(row[0]!) && !isOther(row[1]!))).toBe(true);
    expect(of(1, 3)).toEqual([]);
    expect(of(2, 3)).toHaveLength(1);
    expect(sumOf(of(1, null), 2)).toBe(estimated(of(3, null)[0]![2]));
    expect(sumOf(of(0, null), 2) + sumOf(of(0, 1), 2)).toBe(sumOf(of(1, null), 2));
    expect(sumOf(of(0, null), 2) + sumOf(of(0, 2), 2)).toBe(sumOf(of(2, null), 2));
    expect(sumOf(of(2, null), 2) + sumOf(of(2, 3), 2)).toBe(estimated(of(3, null)[0]![2]));
    expect(release.certificate.plan.totals!.map(({ keys, declared }) => [keys, declared?.length])).toEqual([
      [["town"], undefined],
      [["sector"], 3],
    ]);
    expect(await failed(release)).toEqual([]);
  });

  it("HAVING, ORDER BY and LIMIT work on all rows, Gaussian noise and zCDP too, without the keys being shown", async () => {
    const kept = await house.ask(
      `SELECT town, COUNT(*) AS n FROM visits GROUP BY ROLLUP (town, shop)
       HAVING GROUPING(shop) = 1 AND NOT IS_OTHER(town) ORDER BY n DESC LIMIT 3`,
      { epsilon: "9", mechanism: "gaussian" },
    );
    expect(kept.rows[0]![0]).toBeNull();
    expect(kept.groupings!.map(({ grouping }) => grouping)).toEqual([2, 1, 1]);
    expect(await failed(kept)).toEqual([]);
    const plain = await house.ask(
      "SELECT SUM(spent) FROM visits GROUP BY GROUPING SETS ((town), (town), ())",
      {
        epsilon: "9",
      },
    );
    expect(plain.groupings!.filter(({ over }) => over !== null)).toHaveLength(2);
    expect(await failed(plain)).toEqual([]);
  });

  it("public keys that are chosen privately are listed where one of their groups is", async () => {
    const release = await house.ask("SELECT sector, COUNT(*) FROM visits GROUP BY ROLLUP (sector)", {
      keys: "private",
    });
    expect(release.rows.map((row) => row[0])).toEqual(["farm", "mill", { other: true }, null]);
    expect(await failed(release)).toEqual([]);
  });

  it("a remainder that does not add up, a mark or an interval that is another's, is found out", async () => {
    const release = await house.ask("SELECT town, COUNT(*) AS n FROM visits GROUP BY ROLLUP (town)", {
      epsilon: "3",
    });
    expect(await failed(release)).toEqual([]);
    const at = release.groupings!.findIndex(({ over }) => over !== null);
    const cell = release.rows[at]![1] as Estimate;
    const withRow = (row: readonly ReleasedCell[]): Release => ({
      ...release,
      rows: release.rows.map((before, place) => (place === at ? row : before)),
    });
    const moved = { value: cell.value! + 3, lower: cell.lower!, upper: cell.upper! };
    expect((await failed(withRow([{ other: true }, moved]))).join()).toContain(
      "the totals of n are not the sums of their groups and of what is left",
    );
    expect((await failed(withRow([{ other: true }, { ...cell, upper: cell.upper! - 1 }]))).join()).toContain(
      "the intervals of n are not those of its noise",
    );
    expect((await failed(withRow(["(other)", cell]))).join()).toContain(
      "a row is not of the grouping that it is said to be of",
    );
    const { groupings: _, ...unmarked } = release;
    expect((await failed(unmarked as Release)).join()).toContain(
      "rows do not say which grouping they are of",
    );
    const { certificate } = release;
    const [totals] = certificate.plan.totals!;
    const withTotals = (changed: Partial<NonNullable<typeof totals>>): Release => ({
      ...release,
      certificate: {
        ...certificate,
        plan: { ...certificate.plan, totals: [{ ...totals!, ...changed }] },
      },
    });
    expect((await failed(withTotals({ share: "1/2" }))).join()).toContain("the share of the loss");
    const [measured] = totals!.measurements;
    expect(
      (await failed(withTotals({ measurements: [{ ...measured!, l1: "1", l2Squared: "1" }] }))).join(),
    ).toContain("COUNT(*) states ℓ1 sensitivity 1; it is 9");
    expect((await failed(withTotals({ measurements: [] }))).join()).toContain(
      "totals are not of what the groups",
    );
    const { totals: __, ...without } = certificate.plan;
    expect((await failed({ ...release, certificate: { ...certificate, plan: without } })).join()).toContain(
      "totals are made of groups that may be missing",
    );
  });
});
