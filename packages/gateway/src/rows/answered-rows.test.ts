import type { KeyValue, NoisyGroup } from "@lethe/core/mechanisms";
import { missingChances, noisyNumbers, type Plan, readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { estimators } from "../intervals/estimators.ts";
import { notesOn } from "../notes/notes.ts";
import { planText } from "../resolved-question.ts";
import { optionsOf } from "../testing/open-house.ts";
import { answeredRows } from "./answered-rows.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: visit, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-3 }
tables:
  visits:
    file: visits.csv
    unit: row
    columns:
      number: { type: integer }
      ward: { type: text, categories: [north, south], default: south }
      stay: { type: integer, bounds: [0, 9] }
      day: { type: date, bounds: [2024-01-01, 2024-12-31] }
`);
const planOf = (text: string): Promise<Plan> => planText(text, optionsOf({ delta: "1e-6" }), policy);
const group = (key: readonly KeyValue[], ...values: readonly bigint[]): NoisyGroup =>
  ({ key, values, trees: [] }) as unknown as NoisyGroup;

interface Ends {
  readonly lower: number;
  readonly upper: number;
}

describe("the answer made of noisy groups", () => {
  it("holds a key's value, an estimate with its interval, a computed number and a label, each in its column", async () => {
    const plan = await planOf(
      "SELECT ward, COUNT(*) AS n, DP_INTERVAL_HIGH(n) AS most, -COUNT(*) AS less, COUNT(*) > 50 AS many FROM visits GROUP BY ward",
    );
    const answered = answeredRows(plan, 0.9)([group(["north"], 40n), group(["south"], 60n)]);
    expect(answered.columns).toEqual([
      { name: "ward", kind: "key" },
      { name: "n", kind: "aggregate" },
      { name: "most", kind: "label" },
      { name: "less", kind: "computed" },
      { name: "many", kind: "label" },
    ]);
    const count = estimators(plan, 0.9).get("COUNT(*)");
    const numbers = noisyNumbers(plan);
    const [north, south] = [count!(numbers([40n])), count!(numbers([60n]))];
    const turned = ({ value, lower, upper }: typeof north) => ({
      value: -value!,
      lower: -upper!,
      upper: -lower!,
    });
    expect(north.upper! - north.lower!).toBeGreaterThan(0);
    expect(answered.rows).toEqual([
      ["north", north, north.upper, turned(north), false],
      ["south", south, south.upper, turned(south), true],
    ]);
    expect(answered.missing).toEqual([]);
    expect(answered.notes).toEqual(notesOn(plan));
    expect(Object.keys(answered)).not.toContain("groupings");
  });

  it("is at the stated confidence", async () => {
    const plan = await planOf("SELECT COUNT(*), -COUNT(*), DP_INTERVAL_LOW(count) FROM visits");
    const widths = (confidence: number): readonly number[] => {
      const [row] = answeredRows(plan, confidence)([group([], 500n)]).rows;
      const [count, negative, low] = row as unknown as [Ends, Ends, number];
      const width = ({ lower, upper }: Ends): number => upper - lower;
      return [width(count), width(negative), 2 * (500 - low)];
    };
    const [narrow, wide] = [widths(0.5), widths(0.999)];
    expect(new Set(narrow).size).toBe(1);
    expect(new Set(wide).size).toBe(1);
    expect(wide[0]).toBeGreaterThan(narrow[0]!);
  });

  it("writes whole numbers of a key that a double cannot hold as text, and others as numbers", async () => {
    const plan = await planOf("SELECT number, COUNT(*) FROM visits GROUP BY number");
    const keys = [0n, -7n, 2n ** 53n - 1n, 2n ** 53n, -(2n ** 53n), 2n ** 63n - 1n, null];
    const { rows, missing } = answeredRows(plan, 0.9)(keys.map((key) => group([key], 90n)));
    expect(rows.map(([key]) => key)).toEqual([
      0,
      -7,
      2 ** 53 - 1,
      "9007199254740992",
      "-9007199254740992",
      "9223372036854775807",
      null,
    ]);
    expect(missing).toEqual(missingChances(plan));
    expect(missing.length).toBeGreaterThan(0);
  });

  it("keeps, orders and cuts rows by what was asked of noisy values", async () => {
    const plan = await planOf(
      "SELECT number, COUNT(*) AS n FROM visits GROUP BY number HAVING COUNT(*) > 10 ORDER BY n DESC LIMIT 2 OFFSET 1",
    );
    const groups = [20n, 50n, 5n, 30n, 40n].map((value, at) => group([BigInt(at)], value));
    expect(answeredRows(plan, 0.9)(groups).rows.map(([key]) => key)).toEqual([4, 3]);
    expect(answeredRows(plan, 0.9)([]).rows).toEqual([]);
  });

  it("marks each row with its grouping, the sum of groups among them", async () => {
    const plan = await planOf(
      "SELECT ward, COUNT(*) AS n, GROUPING(ward) FROM visits GROUP BY ROLLUP (ward)",
    );
    const { rows, groupings } = answeredRows(plan, 0.9)([group(["north"], 40n), group(["south"], 60n)]);
    expect(groupings).toEqual([
      { grouping: 0, over: null },
      { grouping: 0, over: null },
      { grouping: 1, over: null },
    ]);
    const values = rows.map(([ward, n, away]) => [
      ward,
      (n as { value: number }).value,
      (away as { value: number }).value,
    ]);
    expect(values).toEqual([
      ["north", 40, 0],
      ["south", 60, 0],
      [null, 100, 1],
    ]);
    const width = (row: number): number => {
      const { lower, upper } = rows[row]![1] as Ends;
      return upper - lower;
    };
    // The noise of two draws: wider than one, and less than twice as wide.
    expect(width(2)).toBeGreaterThan(width(0));
    expect(width(2)).toBeLessThan(2 * width(0));
  });

  it("marks what stands for all groups that are not released, in the column of its key alone", async () => {
    const plan = await planOf(
      "SELECT stay, number, ward, COUNT(*) AS n FROM visits GROUP BY ROLLUP (number, ward, stay)",
    );
    const groups = [group([7n, "north", 1n], 40n)];
    const totals = [[group([7n, "north"], 50n)], [group([7n], 70n)], [group([], 90n)]];
    const { rows } = answeredRows(plan, 0.9)(groups, totals);
    const other = { other: true };
    expect(rows.map((row) => row.slice(0, 3))).toEqual([
      [1, 7, "north"],
      [other, 7, "north"],
      [null, 7, "north"],
      [null, 7, other],
      [null, 7, null],
      [null, other, null],
      [null, null, null],
    ]);
    expect(rows.map((row) => (row[3] as { value: number }).value)).toEqual([40, 10, 50, 20, 70, 20, 90]);
  });
});
