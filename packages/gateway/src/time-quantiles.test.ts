import { verifyRelease } from "@lethe/verify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isTimeEstimate, type Release, type TimeEstimate } from "./release.ts";
import { openHouse, type TestHouse } from "./testing/open-house.ts";

const days = Array.from({ length: 600 }, (_, i) => (i * i * 7 + i) % 366);
const dayText = (day: number): string => new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10);
const clock = (i: number): string => `${String(i % 24).padStart(2, "0")}:30:00`;
const csv = `ward,day,at\n${days.map((day, i) => `${i % 2 ? "north" : "south"},${i % 40 === 7 ? "" : dayText(day)},${dayText(day)} ${clock(i)}`).join("\n")}\n`;

let house: TestHouse;
beforeAll(async () => {
  house = await openHouse(
    `
version: 1
privacy_unit: { name: visit, adjacency: add-or-remove-one }
tables:
  visits:
    file: visits.csv
    unit: row
    columns:
      ward: { type: text, categories: [north, south], default: south }
      day: { type: date, bounds: [2024-01-01, 2024-12-31] }
      at: { type: timestamp, bounds: ["2024-01-01 00:00:00", "2024-12-31 23:59:59"] }
budget: { measure: approximate, epsilon: 1e9, delta: 1e-5 }
`,
    csv,
  );
});
afterAll(() => house.close());

const times = ({ rows }: Release, row = 0): readonly TimeEstimate[] => rows[row]!.filter(isTimeEstimate);
const known = days.filter((_, i) => i % 40 !== 7).sort((a, b) => a - b);
const disc = (share: number): string => dayText(known[Math.max(1, Math.ceil(share * known.length)) - 1]!);

const failed = async (release: Release): Promise<unknown> => {
  const { checks } = await verifyRelease(JSON.stringify(release), {
    policyText: house.policyText,
    publicKeyPem: house.house.ledger.publicKey,
  });
  return checks.filter(({ outcome }) => outcome === "failed");
};

it("are dates, with dates for ends, and those of the data where there is no noise", async () => {
  const release = await house.ask(
    "SELECT MEDIAN(day) AS half, MIN(day), MAX(day), PERCENTILE_DISC(0.25) WITHIN GROUP (ORDER BY day), DP_INTERVAL_LOW(half), MEDIAN(at), MAX(at) FILTER (WHERE ward = 'north') FROM visits",
    { epsilon: "100000" },
  );
  const found = times(release);
  expect(found.slice(0, 4).map(({ value }) => value)).toEqual([0.5, 0.01, 0.99, 0.25].map(disc));
  for (const { lower, value, upper } of found) expect(lower <= value && value <= upper).toBe(true);
  expect(release.rows[0]![4]).toBe(found[0]!.lower);
  const moments = days.map((day, i) => `${dayText(day)} ${clock(i)}`).sort();
  const [at, half] = [found[4]!, moments[299]!];
  expect(at.value).toMatch(/^2024-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(at.lower <= half && half <= at.upper).toBe(true);
  expect(
    Date.parse(`${at.upper.replace(" ", "T")}Z`) - Date.parse(`${at.lower.replace(" ", "T")}Z`),
  ).toBeLessThan(2 * 86_400_000);
  expect(release.notes.join()).toContain("MIN(day) is answered by the 0.01 quantile");
  const filtered =
    "(at) FILTER (WHERE ward = 'north') is answered by the 0.99 quantile, PERCENTILE_CONT(at, 0.99) FILTER (WHERE ward = 'north')";
  expect(release.notes.join()).toContain(`MAX${filtered}`);
  expect(await failed(release)).toEqual([]);
});

it("HAVING, ORDER BY and labels see the dates; a number made of them has no interval", async () => {
  const ask = (text: string): Promise<Release> => house.ask(text, { epsilon: "100000" });
  const by = "FROM visits GROUP BY ward HAVING MEDIAN(day) > '2024-02-01' ORDER BY MEDIAN(day) DESC";
  const release = await ask(
    `SELECT ward, MEDIAN(day), CASE WHEN MEDIAN(day) >= DATE '2024-01-02' THEN 'late' ELSE 'early' END, CASE WHEN MEDIAN(day) > '2024-02-01' THEN 1 ELSE 0 END ${by}`,
  );
  const [first, second] = [times(release, 0)[0]!, times(release, 1)[0]!];
  expect(first.value >= second.value).toBe(true);
  expect(release.rows.map((row) => row.slice(2))).toEqual([
    ["late", { value: 1, lower: null, upper: null }],
    ["late", { value: 1, lower: null, upper: null }],
  ]);
  expect((await ask("SELECT MEDIAN(day) AS d FROM visits HAVING d > DATE '2024-12-30'")).rows).toEqual([]);
  expect(await failed(release)).toEqual([]);
});

// At 95 % nominal, fewer than 36 of 50 answers that hold have a chance below 1e-7.
it("hold the true date as often as they say", async () => {
  const truth = disc(0.5);
  let held = 0;
  for (let run = 0; run < 50; run += 1) {
    const [half] = times(await house.ask("SELECT MEDIAN(day) FROM visits", { epsilon: "1" }));
    if (half!.lower <= truth && truth <= half!.upper) held += 1;
  }
  expect(held).toBeGreaterThanOrEqual(36);
});

it("cannot be forged into what is no date", async () => {
  const release = structuredClone(await house.ask("SELECT MEDIAN(day) AS d FROM visits", { epsilon: "1" }));
  for (const value of ["2024-02-30", "soon", "2024-02-01 00:00:00"]) {
    const forged = JSON.parse(JSON.stringify(release)) as { rows: TimeEstimate[][] };
    forged.rows[0]![0] = { ...forged.rows[0]![0]!, value };
    expect(JSON.stringify(await failed(forged as unknown as Release))).toContain("a row is not made of");
  }
});
