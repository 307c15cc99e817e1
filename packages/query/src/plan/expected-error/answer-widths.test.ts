import { parseRational } from "@lethe/core";
import { ratioIntervals } from "@lethe/core/accuracy";
import { describe, expect, it } from "vitest";
import { explainAnswers } from "../../explain/explain-answers.ts";
import { parseQuestion } from "../../parse/index.ts";
import { readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import { measureAlone, measureJointly, noiseOf, type Plan, planQuestion } from "../index.ts";
import { type AnswerWidth, answerWidths } from "./answer-widths.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
tables:
  people:
    file: p.parquet
    unit: row
    columns:
      x: { type: integer, bounds: [0, 60], default: 0 }
      y: { type: integer, bounds: [-2, 8], default: 0 }
      z: { type: integer, bounds: [0, 60], default: 0 }
      hired: { type: date, bounds: [2020-01-01, 2020-01-11], default: 2020-01-01 }
      seen: { type: timestamp, bounds: ["2020-01-01 00:00:00", "2020-01-01 00:01:40"], default: "2020-01-01 00:00:00" }
      code: { type: text, categories: [p, q, r], default: p }
      town: { type: text }
`);

const planned = async (select: string, epsilon = "1", measures = measureAlone): Promise<Plan> =>
  planQuestion(
    resolveQuestion(await parseQuestion(`SELECT ${select}`), policy),
    policy,
    { epsilon: parseRational(epsilon) },
    "hash",
    measures,
  );
const widths = async (select: string, epsilon?: string): Promise<readonly AnswerWidth[]> =>
  answerWidths(await planned(select, epsilon), 0.95);
const only = async (select: string): Promise<AnswerWidth> => {
  const [first, ...others] = await widths(`${select} FROM people`);
  expect(others).toEqual([]);
  return first!;
};

/** The least q with P[|Z| > q] at most 0.05, where Z is discrete Laplace noise of this scale: P[|Z| > q] = 2p^(q+1)/(1 + p). */
function halfWidth(scale: number): number {
  const p = Math.exp(-1 / scale);
  let q = 0;
  while ((2 * p ** (q + 1)) / (1 + p) > 0.05) q += 1;
  return q;
}

describe("the width of an answer", () => {
  it("is that of its noise where it counts or sums", async () => {
    const [count, sum] = await widths("COUNT(*) AS n, SUM(x) AS total FROM people");
    // Half the price each: scales 2·1 and 2·60.
    expect(count).toEqual({
      name: "n",
      kind: "count",
      madeOf: [],
      halfWidth: halfWidth(2),
      widthAt: null,
      bounds: null,
      groups: 1,
      column: "n",
    });
    expect(sum).toMatchObject({ name: "total", kind: "sum", halfWidth: halfWidth(120), widthAt: null });
    expect(await only("SUM(y)")).toMatchObject({ halfWidth: halfWidth(8) });
  });

  it("is in the units of the question, whatever the grid", async () => {
    const wide = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 10 }
tables: { people: { file: p.csv, unit: row, columns: { far: { type: number, bounds: [0, 1024], default: 0 } } } }
`);
    const question = resolveQuestion(await parseQuestion("SELECT SUM(far) FROM people"), wide);
    const plan = planQuestion(question, wide, { epsilon: parseRational("1") }, "hash");
    const [sum] = answerWidths(plan, 0.95);
    // Of 2^20 levels to 1024 a step is 2^-10; the noise is nearly continuous: 1024·ln 20.
    expect(sum!.halfWidth).toBeCloseTo(1024 * Math.log(20), 1);
  });

  it("of sums and differences of totals is that of their noises together", async () => {
    const n = halfWidth(1);
    expect(await only("3 * COUNT(*) + 2 AS thrice")).toMatchObject({
      name: "thrice",
      kind: "computed",
      halfWidth: 3 * n,
      widthAt: null,
      bounds: null,
      madeOf: ["COUNT(*)"],
    });
    expect(await only("5 - COUNT(*)")).toMatchObject({ halfWidth: n });
    const both = await only("SUM(x) - COUNT(*) AS d");
    expect(both.madeOf).toEqual(["SUM(x)", "COUNT(*)"]);
    // At least as wide as either noise, at most as wide as both.
    const [total, count] = [halfWidth(120), halfWidth(2)];
    expect(both.halfWidth!).toBeGreaterThanOrEqual(total);
    expect(both.halfWidth!).toBeLessThanOrEqual(total + count);
  });

  it("is not known in advance where nothing but other answers tells", async () => {
    for (const [select, madeOf] of [
      ["SQRT(COUNT(*)) AS c", ["COUNT(*)"]],
      ["COUNT(*) - COUNT(*) AS c", ["COUNT(*)"]],
      ["COUNT(*) * SUM(x) AS c", ["COUNT(*)", "SUM(x)"]],
      ["MEDIAN(x) + COUNT(*) AS c", ["COUNT(*)", "cells of x"]],
    ] as const)
      expect(await only(select)).toMatchObject({
        kind: "computed",
        halfWidth: null,
        widthAt: null,
        bounds: null,
        madeOf,
      });
  });

  it("is none of keys and of conditions", async () => {
    const text = "code, COUNT(*) > 3 AS many, COUNT(*) AS n FROM people GROUP BY code";
    expect((await widths(text)).map(({ name }) => name)).toEqual(["n"]);
  });

  it("is bounded by the values that there can be", async () => {
    const bounds = async (select: string) => (await only(select)).bounds;
    expect(await bounds("AVG(x)")).toEqual([0, 60]);
    expect(await bounds("AVG(y)")).toEqual([-2, 8]);
    // Two values at opposite ends of both: products of distances from the middles, 30 · 5.
    expect(await bounds("COVAR_POP(x, y)")).toEqual([-150, 150]);
    expect(await bounds("COVAR_SAMP(x, y)")).toEqual([-300, 300]);
    expect(await bounds("VAR_POP(x)")).toEqual([0, 900]);
    expect((await bounds("VAR_SAMP(x)"))![1]).toBeCloseTo(1800, 6);
    expect(await bounds("STDDEV_POP(x)")).toEqual([0, 30]);
    expect((await bounds("STDDEV_SAMP(x)"))![1]).toBeCloseTo(30 * Math.SQRT2, 9);
    expect(await bounds("MEDIAN(y)")).toEqual([-2, 8]);
  });

  it("of a time is in days or seconds, and of anything else in no unit", async () => {
    const date = await only("MEDIAN(hired)");
    expect([date.unit, date.bounds]).toEqual(["days", [18_262, 18_272]]);
    const time = await only("MEDIAN(seen)");
    expect(time.unit).toBe("seconds");
    expect(time.bounds![1] - time.bounds![0]).toBeCloseTo(100, 3);
    expect(await only("MEDIAN(x)")).not.toHaveProperty("unit");
    expect(await only("COUNT(*)")).not.toHaveProperty("unit");
  });

  it("of a quantile is half of all that it can be in a small group, and shrinks as 1/rows", async () => {
    const { widthAt } = await only("MEDIAN(x)");
    expect(widthAt!(1)).toEqual({ typical: 30, worst: 30 });
    const [some, more] = [widthAt!(1000)!, widthAt!(10_000)!];
    expect(some.worst).toBe(some.typical);
    expect(some.typical).toBeGreaterThan(more.typical);
  });

  it("of an average falls as 1/rows where rows are many", async () => {
    for (const select of ["AVG(x)", "VAR_POP(x)", "COVAR_POP(x, z)", "SUM(x) / COUNT(*)"]) {
      const { widthAt } = await only(select);
      const [some, more] = [1e5, 1e6].map((rows) => widthAt!(rows)!);
      for (const kind of ["typical", "worst"] as const) {
        expect(some![kind] / more![kind], select).toBeGreaterThan(9);
        expect(some![kind] / more![kind], select).toBeLessThan(11);
        expect(more![kind]).toBeGreaterThan(0);
      }
      expect(some!.worst, select).toBeGreaterThanOrEqual(some!.typical);
    }
  });

  it("of a column's covariance with itself is that of its variance", async () => {
    const widthAt = async (select: string) => (await only(select)).widthAt!(1000)!;
    const variance = await widthAt("VAR_POP(x)");
    const self = await widthAt("COVAR_POP(x, x)");
    // The middle of the bounds is shifted away in a variance alone, which spares noise.
    expect(self.typical).toBeGreaterThan(variance.typical / 2);
    expect(self.typical).toBeLessThan(variance.typical * 4);
    expect((await only("COVAR_POP(x, x)")).bounds).toEqual([-900, 900]);
  });
});

describe("the width of totals over one count", () => {
  /** The half-width that core gives where the noise happens to be 0. */
  const exact = (
    plan: Plan,
    totals: readonly bigint[],
    numerator: readonly number[],
    denominator: readonly number[],
  ): number => {
    const noises = totals.map((_, at) => noiseOf(plan, plan.measurements[at]!.name));
    const weighed = (weights: readonly number[]) => ({ constant: 0, weights });
    const found = ratioIntervals({
      noises,
      numerator: weighed(numerator),
      denominator: weighed(denominator),
      confidence: 0.95,
    })(totals);
    return (found!.upper - found!.lower) / 2;
  };

  it("is stated for rows in the middle of their range, and for the worst of middle and ends", async () => {
    const plan = await planned("SUM(x) / COUNT(*) FROM people");
    expect(plan.measurements.map(({ name }) => name)).toEqual(["SUM(x)", "COUNT(*)"]);
    const at = (value: number) => exact(plan, [BigInt(value * 500), 500n], [1, 0], [0, 1]);
    const [{ widthAt }] = (await widths("SUM(x) / COUNT(*) FROM people")) as readonly [AnswerWidth];
    expect(widthAt!(500)).toEqual({ typical: at(30), worst: Math.max(at(0), at(30), at(60)) });
  });

  it("takes a total that is subtracted to pull the other way", async () => {
    const select = "(SUM(x) - SUM(z)) / COUNT(*) FROM people";
    const plan = await planned(select);
    const at = (x: number, z: number) =>
      exact(plan, [BigInt(x * 500), BigInt(z * 500), 500n], [1, -1, 0], [0, 0, 1]);
    const [{ widthAt }] = (await widths(select)) as readonly [AnswerWidth];
    expect(widthAt!(500)).toEqual({ typical: at(30, 30), worst: Math.max(at(0, 60), at(60, 0)) });
    expect(at(60, 0)).toBeGreaterThan(at(30, 30));
  });

  it("counts rows that are counted too as one each at most", async () => {
    const select = "COUNT(*) FILTER (WHERE x > 3) / COUNT(*) FROM people";
    const plan = await planned(select);
    const at = (part: number) => exact(plan, [BigInt(part), 500n], [1, 0], [0, 1]);
    const [{ widthAt }] = (await widths(select)) as readonly [AnswerWidth];
    expect(widthAt!(500)).toEqual({ typical: at(250), worst: Math.max(at(0), at(250), at(500)) });
  });

  it("is told of a total that stands above and below, too", async () => {
    const [none, one] = [await only("COUNT(*) / COUNT(*)"), await only("(SUM(x) + COUNT(*)) / COUNT(*)")];
    expect(none.widthAt!(500)!.typical).toBeLessThan(1e-3);
    // One more than the mean: as wide but for rounding.
    const mean = await only("SUM(x) / COUNT(*)");
    expect(one.widthAt!(500)!.typical / mean.widthAt!(500)!.typical).toBeCloseTo(1, 1);
  });

  it("is that of measurements that have their noise together", async () => {
    const select = "SUM(x) / COUNT(*) FROM people";
    const plan = await planned(select, "1", measureJointly);
    expect(plan.measurements.map(({ name }) => name)).toEqual(["SUM(x − lowest)", "SUM(highest − x)"]);
    const at = (x: number) =>
      exact(plan, [BigInt(x * 500), BigInt((60 - x) * 500)], [1, 0], [1 / 60, 1 / 60]);
    const [{ widthAt }] = answerWidths(plan, 0.95) as readonly [AnswerWidth];
    expect(widthAt!(500)).toEqual({ typical: at(30), worst: Math.max(at(0), at(30), at(60)) });
    const alone = (await only("SUM(x) / COUNT(*)")).widthAt!(500)!;
    expect(widthAt!(500)!.worst).toBeLessThan(0.8 * alone.worst);
  });

  it.each([
    "SUM(x) / (COUNT(*) + 1)",
    "SUM(x) / SUM(z)",
    "SUM(x) / (COUNT(*) + SUM(z))",
    "2 / COUNT(*)",
    "SUM(x) * COUNT(*)",
    "AVG(x) / COUNT(*)",
  ])("is not told of %s", async (select) => {
    expect(await only(select)).toMatchObject({ halfWidth: null, widthAt: null });
  });

  it("is that of a count in the denominator, weighed or not, and of units that are counted", async () => {
    for (const select of ["SUM(x) / (2 * COUNT(*))", "SUM(x) / COUNT(x)", "(SUM(x) + 3 * SUM(z)) / COUNT(*)"])
      expect((await only(select)).widthAt, select).not.toBeNull();
  });
});

describe("the answers of an explanation", () => {
  it("are shown at usual sizes, where their width depends on it, and at the size that is expected", async () => {
    const plan = await planned("AVG(x) AS mean, COUNT(*) AS n FROM people");
    const [mean, n] = explainAnswers(plan, 0.95, 250);
    expect(mean!.curve.map(({ rows }) => rows)).toEqual([
      10, 30, 100, 300, 1000, 3000, 10_000, 100_000, 1_000_000,
    ]);
    const [{ widthAt }] = answerWidths(plan, 0.95) as readonly [AnswerWidth];
    for (const { rows, ...width } of [...mean!.curve, mean!.expected!]) expect(width).toEqual(widthAt!(rows));
    expect(mean!.expected!.rows).toBe(250);
    expect(n).toMatchObject({ curve: [], expected: null });
    expect(n).not.toHaveProperty("column");
    expect(n).not.toHaveProperty("groups");
    for (const { expected } of explainAnswers(plan, 0.95)) expect(expected).toBeNull();
  });

  it("leave out sizes that the noise drowns", async () => {
    const plan = await planned("SUM(x) / COUNT(*) AS ratio FROM people", "0.1");
    const [ratio] = explainAnswers(plan, 0.95, 1);
    expect(ratio!.expected).toBeNull();
    expect(ratio!.curve.length).toBeGreaterThan(0);
    expect(ratio!.curve[0]!.rows).toBeGreaterThan(10);
  });

  it("name totals by how they are made, and expect the rows of all their groups", async () => {
    const sums = explainAnswers(
      await planned("code, AVG(x) AS mean FROM people GROUP BY ROLLUP (code)"),
      0.95,
      50,
    );
    expect(sums.map(({ name, expected }) => [name, expected!.rows])).toEqual([
      ["mean", 50],
      ["mean, total of 3 groups", 150],
    ]);
    const names = async (select: string): Promise<readonly string[]> =>
      (await widths(select)).map(({ name, column, groups }) => `${name} | ${column} | ${groups}`);
    expect(await names("town, code, COUNT(*) AS n FROM people GROUP BY CUBE (town, code)")).toEqual([
      "n | n | 1",
      "n, total by town | n | 1",
      "n, total by code | n | 1",
      "n, total of 3 groups by code | n | 3",
    ]);
    expect(await names("town, COUNT(*) AS n FROM people GROUP BY ROLLUP (town)")).toEqual([
      "n | n | 1",
      "n, total over all | n | 1",
    ]);
  });
});

it("names what an aggregate of distinct values is computed from, since nobody says how many there are", async () => {
  const alone = { halfWidth: null, widthAt: null, bounds: [0, 60] };
  expect(await only("AVG(DISTINCT x)")).toMatchObject({
    ...alone,
    madeOf: ["SUM(DISTINCT x − middle)", "COUNT(DISTINCT x on its grid)"],
  });
  expect((await only("VARIANCE(DISTINCT x)")).madeOf).toHaveLength(3);
  const total = await only("SUM(DISTINCT x)");
  expect(total).toMatchObject({ widthAt: null, madeOf: [] });
  expect(total.halfWidth).toBeGreaterThan(60);
});
