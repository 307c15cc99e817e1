import type { Plan } from "@lethe/query";
import { expect, it } from "vitest";
import type { Cell, Release } from "../format/release.ts";
import { type Sample, sample } from "../testing/people.ts";
import { computedFollows } from "./computed.ts";
import { rowsAreThePlans } from "./groups.ts";

const released = async (given: Sample): Promise<Release> => (await sample(given)).release;
type Rows = Release["rows"];
const withRows = (release: Release, change: (rows: Rows) => Rows): Release => ({
  ...release,
  rows: change(release.rows),
});
const says = (release: Release): string => {
  const { outcome, says } = rowsAreThePlans(release);
  return `${outcome}: ${says}`;
};

const bySector = "SELECT sector, COUNT(*) AS n FROM people GROUP BY sector";
const byCity = "SELECT city, COUNT(*) AS n FROM people GROUP BY city";
const estimate = (value: number): Cell => ({ value, lower: value, upper: value });
/** Rows of sectors, with their counts. */
const sectors = (...rows: readonly [string, number][]): Rows => rows.map(([key, n]) => [key, estimate(n)]);

it.each<[string, string, Rows]>([
  [
    "a dropped group",
    "a group that is due is not answered",
    sectors(["manufacturing", 9], ["construction", 8]),
  ],
  [
    "a row doubled in another's place",
    "a group is answered twice (and 1 more)",
    sectors(["manufacturing", 9], ["construction", 8], ["construction", 8]),
  ],
  [
    "another order",
    "the rows are not in the order that is asked",
    sectors(["construction", 9], ["manufacturing", 8], ["other", 7]),
  ],
  [
    "a group of no declared key",
    "a group is answered that is not due",
    sectors(["manufacturing", 9], ["construction", 8], ["mining", 7]),
  ],
])("public keys: %s is seen through", async (_, due, rows) => {
  const release = await released({ text: bySector });
  expect(says(release)).toMatch(/^passed/);
  expect(says(withRows(release, () => rows))).toContain(`failed: ${due}`);
});

it("a question without groups has one row", async () => {
  const release = await released({ text: "SELECT COUNT(*) FROM people" });
  expect(says(release)).toMatch(/^passed/);
  expect(says(withRows(release, () => []))).toBe("failed: a group that is due is not answered");
  expect(says(withRows(release, (rows) => [...rows, ...rows]))).toMatch(/^failed: a group is answered twice/);
});

it("groups that are data come once each, by their keys", async () => {
  const release = await released({ text: byCity, unit: "id" });
  expect(says(release)).toMatch(/^passed/);
  expect(says(withRows(release, (rows) => rows.slice(1)))).toMatch(/^passed/);
  expect(says(withRows(release, (rows) => [...rows, rows[2]!]))).toMatch(
    /^failed: a group is answered twice/,
  );
  expect(says(withRows(release, ([a, b, c]) => [b!, a!, c!]))).toMatch(/^failed: .*not in the order/);
});

const withPost = (release: Release, post: Partial<Plan["post"]>): Release => {
  const { certificate } = release;
  const plan = { ...certificate.plan, post: { ...certificate.plan.post, ...post } };
  return { ...release, certificate: { ...certificate, plan } };
};

it("groups that are data and cut off come once each, in their order", async () => {
  const genuine = await released({ text: byCity, unit: "id" });
  const release = withPost(genuine, { limit: 3 });
  expect(says(release)).toMatch(/^passed/);
  expect(says(withRows(release, ([a]) => [a!, a!]))).toMatch(/^failed: a group is answered twice/);
  expect(says(withRows(release, ([a, b]) => [b!, a!]))).toMatch(/^failed: .*not in the order/);
  const isNull = withRows(release, (rows) => [
    [null, rows[1]![1]!],
    ["a", rows[1]![1]!],
  ]);
  expect(says(isNull)).toMatch(/^passed/);
});

it("ORDER BY is followed, and rows that it does not tell apart come as the plan has them", async () => {
  const release = await released({ text: `${bySector} ORDER BY n DESC` });
  expect(says(release)).toMatch(/^passed/);
  const rows = (...given: readonly [string, number][]): string =>
    says(withRows(release, () => sectors(...given)));
  expect(rows(["other", 9], ["construction", 8], ["manufacturing", 7])).toMatch(/^passed/);
  expect(rows(["other", 7], ["construction", 8], ["manufacturing", 9])).toMatch(
    /^failed: .*not in the order/,
  );
  expect(rows(["construction", 9], ["other", 9], ["manufacturing", 7])).toMatch(/^passed/);
  expect(rows(["other", 9], ["construction", 9], ["manufacturing", 7])).toMatch(
    /^failed: .*not in the order/,
  );
  const ascending = await released({ text: `${bySector} ORDER BY n` });
  const rising = sectors(["other", 7], ["construction", 8], ["manufacturing", 9]);
  expect(says(withRows(ascending, () => rising))).toMatch(/^passed/);
  expect(says(withRows(ascending, () => [...rising].reverse()))).toMatch(/^failed: .*not in the order/);
});

it("NULL comes where ORDER BY puts it", async () => {
  const release = await released({
    text: `${bySector} ORDER BY NULLIF(sector, 'construction') DESC NULLS LAST`,
  });
  const first = await released({ text: `${bySector} ORDER BY NULLIF(sector, 'construction') NULLS FIRST` });
  const last = sectors(["other", 1], ["manufacturing", 1], ["construction", 1]);
  const before = sectors(["construction", 1], ["manufacturing", 1], ["other", 1]);
  expect(says(withRows(release, () => last))).toMatch(/^passed/);
  expect(says(withRows(release, () => before))).toMatch(/^failed: .*not in the order/);
  expect(says(withRows(first, () => before))).toMatch(/^passed/);
  expect(says(withRows(first, () => last))).toMatch(/^failed: .*not in the order/);
});

it("which rows LIMIT leaves is seen where keys alone decide", async () => {
  const release = await released({ text: `${bySector} ORDER BY sector DESC LIMIT 1 OFFSET 1` });
  const rows = (...given: readonly [string, number][]): string =>
    says(withRows(release, () => sectors(...given)));
  expect(rows(["manufacturing", 1])).toMatch(/^passed/);
  expect(rows(["other", 1])).toBe("failed: a group is answered that is not due");
  expect(rows()).toBe("failed: a group that is due is not answered");
  expect(rows(["manufacturing", 1], ["construction", 1])).toMatch(/more groups are answered|and 1 more/);
});

it("how many rows LIMIT leaves is seen where noise decides which", async () => {
  const release = await released({ text: `${bySector} ORDER BY n DESC LIMIT 2` });
  const rows = (...given: readonly [string, number][]): string =>
    says(withRows(release, () => sectors(...given)));
  expect(rows(["other", 9], ["construction", 8])).toMatch(/^passed/);
  expect(rows(["other", 9])).toBe("failed: a group that is due is not answered");
  expect(rows(["other", 9], ["construction", 8], ["manufacturing", 7])).toBe(
    "failed: more groups are answered than OFFSET and LIMIT leave",
  );
  expect(rows(["other", 9], ["other", 9])).toMatch(/^failed: a group is answered twice/);
});

it("HAVING is met by every row that is answered, and where keys alone decide by every other", async () => {
  const noisy = await released({ text: `${bySector} HAVING COUNT(*) > 5 AND sector <> 'other'` });
  const rows = (release: Release, ...given: readonly [string, number][]): string =>
    says(withRows(release, () => sectors(...given)));
  expect(rows(noisy, ["manufacturing", 9], ["construction", 6])).toMatch(/^passed/);
  expect(rows(noisy)).toMatch(/^passed/);
  expect(rows(noisy, ["manufacturing", 9], ["construction", 5])).toBe(
    "failed: a row is answered that HAVING leaves out",
  );
  expect(rows(noisy, ["other", 9])).toMatch(/^failed: a group is answered that is not due/);
  const hiding = await released({ text: `${bySector} HAVING SUM(wage) > 5` });
  expect(rows(hiding, ["manufacturing", 9])).toMatch(/^passed/);
  const certain = await released({ text: `${bySector} HAVING sector <> 'other'` });
  expect(rows(certain, ["manufacturing", 9], ["construction", 6])).toMatch(/^passed/);
  expect(rows(certain, ["manufacturing", 9])).toBe("failed: a group that is due is not answered");
});

it("keys that are not shown still number the rows", async () => {
  const release = await released({ text: "SELECT COUNT(*) AS n FROM people GROUP BY sector" });
  expect(says(release)).toMatch(/^passed/);
  expect(says(withRows(release, (rows) => rows.slice(1)))).toBe(
    "failed: a group that is due is not answered",
  );
  const cities = await released({ text: "SELECT COUNT(*) AS n FROM people GROUP BY city", unit: "id" });
  expect(says(withRows(cities, ([a]) => [a!, a!]))).toMatch(/^passed/);
});

it("every grouping has its rows", async () => {
  const text = "SELECT sector, COVAR_POP(wage, change) AS c FROM people GROUP BY ROLLUP (sector)";
  const release = await released({ text });
  expect(release.rows).toHaveLength(4);
  expect(says(release)).toMatch(/^passed/);
  const only = (places: readonly number[]): Release => ({
    ...release,
    rows: places.map((at) => release.rows[at]!),
    groupings: places.map((at) => release.groupings![at]!),
  });
  expect(says(only([0, 1, 2]))).toBe("failed: a group that is due is not answered");
  expect(says(only([0, 1, 3]))).toBe("failed: a group that is due is not answered");
  expect(says(only([0, 1, 2, 2]))).toMatch(/^failed: a group is answered twice/);
  expect(says(only([3, 0, 1, 2]))).toMatch(/^failed: .*not in the order/);
  const filtered = await released({ text: `${text} HAVING GROUPING(sector) = 1` });
  expect(says({ ...filtered, rows: [release.rows[3]!], groupings: [release.groupings![3]!] })).toMatch(
    /^passed/,
  );
  expect(says({ ...filtered, rows: [release.rows[0]!], groupings: [release.groupings![0]!] })).toMatch(
    /^failed/,
  );
});

it("what is computed follows from what is released", async () => {
  const text =
    "SELECT sector, COUNT(*) AS n, COUNT(*) * 2 + 1 AS more, COUNT(*) > 5 AS many, CASE WHEN COUNT(*) > 5 THEN 'many' ELSE sector END AS name, NULLIF(COUNT(*), COUNT(*)) AS none FROM people GROUP BY sector";
  const release = await released({ text });
  const rows = (...cells: readonly Cell[]): Release =>
    withRows(release, ([first]) => [[first![0]!, ...cells]]);
  const known = (value: number | null): Cell => ({ value, lower: null, upper: null });
  const honest = [estimate(9), known(19), true, "many", known(null)] as const;
  expect(computedFollows(rows(...honest)).outcome).toBe("passed");
  expect(computedFollows(rows(estimate(3), known(7), false, "manufacturing", known(null))).outcome).toBe(
    "passed",
  );
  for (const [at, lie] of [
    [1, known(20)],
    [1, known(null)],
    [2, false],
    [3, "manufacturing"],
    [4, known(0)],
  ] as [number, Cell][]) {
    const cells: Cell[] = [...honest];
    cells[at] = lie;
    expect(computedFollows(rows(...cells)), `${at}`).toMatchObject({
      outcome: "failed",
      says: expect.stringContaining("is not what follows from the released values"),
    });
  }
});

it("what is computed from values that are not shown is not taken to be checked", async () => {
  const release = await released({
    text: "SELECT sector, SUM(wage) / 2 AS half FROM people GROUP BY sector",
  });
  expect(computedFollows(release).outcome).toBe("not-made");
});

it("OFFSET beyond the last group leaves none", async () => {
  const release = await released({ text: `${bySector} ORDER BY sector OFFSET 5` });
  expect(says(withRows(release, () => []))).toMatch(/^passed/);
  expect(says(withRows(release, () => sectors(["manufacturing", 9])))).toMatch(/^failed/);
  const two = await released({ text: `${bySector} ORDER BY sector OFFSET 1` });
  expect(says(withRows(two, () => sectors(["manufacturing", 9], ["other", 8])))).toMatch(/^passed/);
  expect(says(withRows(two, () => sectors(["construction", 9])))).toMatch(/^failed/);
});
