import { parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../parse/index.ts";
import { readPolicy } from "../policy/index.ts";
import { resolveQuestion } from "../resolve/index.ts";
import { groupingsOf } from "./groupings.ts";
import type { PlanOptions } from "./merge-options.ts";
import type { Plan } from "./plan.ts";
import { planQuestion } from "./question/plan-question.ts";
import { oneGroup, rowNoiseName } from "./row-noise.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 9, delta: 1e-5 }
tables:
  t: { file: t.csv, unit: row, columns: { a: { type: text, categories: [x, y], default: x }, b: { type: integer, categories: [1, 2, 3], default: 1 },
    c: { type: boolean }, h: { type: text }, j: { type: text } } }
`);
const planned = async (groupBy: string, options: PlanOptions = {}): Promise<Plan> =>
  planQuestion(
    resolveQuestion(await parseQuestion(`SELECT COUNT(*) FROM t GROUP BY ${groupBy}`), policy),
    policy,
    { epsilon: parseRational("1"), ...options },
    "hash",
  );
/** keys: level × draws, and the groupings around. */
const found = async (...asked: Parameters<typeof planned>): Promise<readonly string[]> =>
  groupingsOf(await planned(...asked)).map(
    ({ keys, level, draws, within }) =>
      `[${keys}]: ${level} × ${draws}${within.length === 0 ? "" : ` in ${within}`}`,
  );

describe("the groupings that a plan answers", () => {
  it("are the one by all keys, where no others are named", async () => {
    expect(await found("a, b")).toEqual(["[a,b]: 0 × 1"]);
    expect(await found("h")).toEqual(["[h]: 0 × 1"]);
    expect(groupingsOf({ keys: { parts: [], program: { kind: "none" } } })).toEqual([
      { keys: [], level: 0, draws: 1, within: [] },
    ]);
  });

  it("of listed keys are sums of the groups, as many as agree in the keys", async () => {
    expect(await found("CUBE (a, b)")).toEqual(["[a,b]: 0 × 1", "[a]: 0 × 3", "[b]: 0 × 2", "[]: 0 × 6"]);
    // NULL is a third value of a boolean.
    expect(await found("ROLLUP (a, c)")).toEqual(["[a,c]: 0 × 1", "[a]: 0 × 3", "[]: 0 × 6"]);
    expect(await found("GROUPING SETS ((b), (a))")).toEqual(["[b]: 0 × 2", "[a]: 0 × 3"]);
  });

  it("of keys that are data are measured each, and hold the rest of the next finer ones", async () => {
    expect(await found("ROLLUP (h, j)")).toEqual(["[h,j]: 0 × 1 in 1", "[h]: 1 × 1 in 2", "[]: 2 × 1"]);
    expect(await found("CUBE (h, j)")).toEqual([
      "[h,j]: 0 × 1 in 1,2",
      "[h]: 1 × 1 in 3",
      "[j]: 2 × 1 in 3",
      "[]: 3 × 1",
    ]);
  });

  it("of listed keys among others share one measurement", async () => {
    // Those by a and over all are read from totals by a, which are both listed.
    expect(await found("CUBE (h, a)")).toEqual([
      "[h,a]: 0 × 1 in 1,2",
      "[h]: 1 × 1 in 3",
      "[a]: 2 × 1",
      "[]: 2 × 2",
    ]);
    // Where groups are chosen though they are listed, totals are measured apart.
    expect(await found("CUBE (h, a)", { groupSelection: "private" })).toEqual([
      "[h,a]: 0 × 1 in 1,2",
      "[h]: 1 × 1 in 3",
      "[a]: 2 × 1 in 3",
      "[]: 3 × 1",
    ]);
  });

  it("that are named twice are answered twice, and hold a rest once", async () => {
    expect(await found("GROUPING SETS ((h, j), (h), (h), ())")).toEqual([
      "[h,j]: 0 × 1 in 1",
      "[h]: 1 × 1 in 3",
      "[h]: 1 × 1 in 3",
      "[]: 2 × 1",
    ]);
  });

  it("have rows whose noise is named by its draws", () => {
    expect(rowNoiseName(oneGroup)).toBe("0:1");
    expect(
      rowNoiseName([
        { level: 2, draws: 1 },
        { level: 0, draws: 31 },
      ]),
    ).toBe("2:1 0:31");
  });
});
