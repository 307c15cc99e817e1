import { readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { explain, pilotOfQuestion, planResolved, planText, readQuestion } from "./resolved-question.ts";
import { optionsOf } from "./testing/open-house.ts";
import { rowPolicy } from "./testing/visits.ts";

const policy = readPolicy(rowPolicy("{ measure: pure, epsilon: 10 }"));
const count = "SELECT COUNT(*) AS n FROM visits";
const withOptions = (options: string): string =>
  count.replace("SELECT", `SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(${options})`);

describe("reading a question", () => {
  it("refuses a confidence that is no chance strictly between 0 and 1", async () => {
    for (const confidence of [0, 1, -0.5, 1.5, 95, Number.NaN, Number.POSITIVE_INFINITY])
      await expect(readQuestion(count, optionsOf({ confidence }), policy)).rejects.toMatchObject({
        code: "parameter.invalid",
        message: expect.stringContaining("confidence must be between 0 and 1"),
      });
    for (const confidence of [1e-9, 0.5, 1 - 1e-9])
      expect((await readQuestion(count, optionsOf({ confidence }), policy)).confidence).toBe(confidence);
  });

  it("refuses EXPLAIN PRIVACY at its first letter, unless an explanation is asked for", async () => {
    const text = `EXPLAIN PRIVACY ${count}`;
    await expect(readQuestion(text, optionsOf({}), policy)).rejects.toMatchObject({
      code: "query.unsupported",
      offset: 0,
    });
    await expect(planText(text, optionsOf({}), policy)).rejects.toMatchObject({ code: "query.unsupported" });
    expect((await readQuestion(text, optionsOf({}), policy, true)).query.aggregates).toHaveLength(1);
  });

  it("names the release that a target is a share of, stated in the text or beside it, and else none", async () => {
    const beside = { ...optionsOf({ epsilon: null }), targetRelease: "beside" };
    const inText = withOptions("target_error = '5%', target_release = 'in the text'");
    const named = async (text: string, options: typeof beside | ReturnType<typeof optionsOf>) =>
      (await readQuestion(text, options, policy)).targetRelease;
    expect(await named(inText, optionsOf({ epsilon: null }))).toBe("in the text");
    expect(await named(count, beside)).toBe("beside");
    expect(await named(count, optionsOf({}))).toBeNull();
  });

  it("keeps what was said beside the text, but for what is no option of a plan", async () => {
    const options = { ...optionsOf({ epsilon: "1/3" }), heldRelease: {}, parameters: [5] };
    const { stated } = await readQuestion(`${count} WHERE stay > $1`, options, policy);
    expect(Object.keys(stated).sort()).toEqual(["delta", "epsilon", "groupSelection", "mechanism"]);
  });

  it("finds a pilot where one is asked for alone", async () => {
    const unpriced = optionsOf({ epsilon: null });
    const piloted = withOptions("target_error = '5%', pilot_epsilon = 0.5, max_epsilon = 2");
    expect(pilotOfQuestion(await readQuestion(piloted, unpriced, policy))?.plan.price).toEqual({
      measure: "pure",
      epsilon: "1/2",
    });
    expect(pilotOfQuestion(await readQuestion(count, optionsOf({}), policy))).toBeNull();
  });

  it("plans the price that is stated, and leans on the numbers that are given", async () => {
    const { plan, target } = planResolved(await readQuestion(count, optionsOf({ epsilon: "1/3" }), policy));
    expect([plan.price, target]).toEqual([{ measure: "pure", epsilon: "1/3" }, null]);
    const leaning = await readQuestion(
      withOptions("target_error = '5%', target_release = 'first'"),
      optionsOf({ epsilon: null }),
      policy,
    );
    const numbers = { requestId: "first", columns: new Map([["n", [1000]]]) };
    expect(planResolved(leaning, numbers).target?.halfWidth).toBeCloseTo(50, 9);
    expect(() => planResolved(leaning)).toThrow(expect.objectContaining({ code: "internal.invariant" }));
  });
});

it("an explanation asks for the release that a target is a share of, and is refused without a ledger", async () => {
  const text = withOptions("target_error = '5%', target_release = 'the first'");
  await expect(explain(text, optionsOf({ epsilon: null }), policy)).rejects.toMatchObject({
    code: "query.option",
    message: 'there is no ledger to look for the release "the first"',
  });
  const asked: string[] = [];
  const find = async (id: string) => {
    asked.push(id);
    return {
      columns: [{ name: "n", kind: "aggregate" }],
      rows: [[{ value: 1000, lower: 990, upper: 1010 }]],
      certificate: { requestId: id },
    } as never;
  };
  const { target } = await explain(text, optionsOf({ epsilon: null }), policy, find);
  expect(asked).toEqual(["the first"]);
  expect(target!.halfWidth).toBeCloseTo(50, 9);
  await explain(count, optionsOf({}), policy, find);
  expect(asked).toHaveLength(1);
});
