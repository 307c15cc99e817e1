import { ratio } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../parse/index.ts";
import { resolveQuestion } from "../resolve/index.ts";
import { testPolicy } from "../resolve/testing/test-policy.ts";
import { linearForm } from "./linear-form.ts";
import { measureAlone, measureJointly } from "./passes/measure-jointly.ts";
import { planQuestion } from "./question/plan-question.ts";

/** Returns the form of the second column, beside a count of rows and a sum of ages. */
async function formOf(written: string, measures = measureAlone) {
  const question = resolveQuestion(
    await parseQuestion(`SELECT COUNT(*), SUM(age), ${written} AS asked FROM people`),
    testPolicy,
  );
  const plan = planQuestion(question, testPolicy, { epsilon: ratio(1n) }, "hash", measures);
  const output = question.outputs[2]!;
  if (!("expression" in output)) throw new Error("a computed column is due");
  const form = linearForm(plan, output.expression);
  return form && [form.constant, Object.fromEntries(form.weights)];
}

describe("a linear form", () => {
  it.each<[string, number, Record<string, number>]>([
    ["COUNT(*) + 0", 0, { "COUNT(*)": 1 }],
    ["2 - COUNT(*)", 2, { "COUNT(*)": -1 }],
    ["-(COUNT(*) - 2)", 2, { "COUNT(*)": -1 }],
    ["3 * COUNT(*) + 2", 2, { "COUNT(*)": 3 }],
    ["SUM(age) * 2 - COUNT(*) * 0.5 + 1", 1, { "COUNT(*)": -0.5, "SUM(age)": 2 }],
    ["(COUNT(*) - SUM(age)) / 4", 0, { "COUNT(*)": 0.25, "SUM(age)": -0.25 }],
    ["COUNT(*) - COUNT(*)", 0, {}],
  ])("is %s", async (written, constant, weights) => {
    expect(await formOf(written)).toEqual([constant, weights]);
  });

  it("is one of measurements that have their noise together, where totals are read from those", async () => {
    const form = await formOf("2 * (COUNT(*) - SUM(age))", measureJointly);
    const [constant, weights] = form as [number, Record<string, number>];
    expect(constant).toBe(0);
    expect(Object.keys(weights)).toEqual(expect.arrayContaining(["SUM(age − lowest)", "SUM(highest − age)"]));
    // With lo the least age and w the distance between bounds, B is (2 − 2·lo)/w of it, and a row without an age 2/w.
    const [lo, w] = [16, 74];
    expect(weights["rows without age"]).toBeCloseTo(2 / w, 12);
    expect(weights["SUM(highest − age)"]).toBeCloseTo((2 - 2 * lo) / w, 12);
    expect(weights["SUM(age − lowest)"]).toBeCloseTo((2 - 2 * (lo + w)) / w, 12);
  });

  it.each([
    ["-AVG(age)"],
    ["AVG(age) + COUNT(*)"],
    ["COUNT(*) - AVG(age)"],
    ["COUNT(*) * SUM(age)"],
    ["2 * AVG(age)"],
    ["COUNT(*) / 0"],
    ["COUNT(*) / SUM(age)"],
    ["2 / COUNT(*)"],
    ["AVG(age) / 2"],
    ["ABS(COUNT(*))"],
    ["CASE WHEN COUNT(*) > 1 THEN COUNT(*) END"],
    ["COUNT(*) + NULL"],
    // These are beyond the doubles.
    ["COUNT(*) * 1e300 * 1e300"],
    ["COUNT(*) + 1e300 * 1e300"],
  ])("is not %s", async (written) => {
    expect(await formOf(written)).toBeNull();
  });
});
