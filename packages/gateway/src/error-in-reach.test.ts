import { LetheError, lossFromJson, type PrivacyLoss } from "@lethe/core";
import { errorWithin, type ReachedTarget, readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { withErrorInReach } from "./error-in-reach.ts";
import { type ResolvedQuestion, readQuestion } from "./resolved-question.ts";
import { optionsOf } from "./testing/open-house.ts";
import { rowPolicy } from "./testing/visits.ts";

const policy = readPolicy(rowPolicy("{ measure: pure, epsilon: 10 }"));
const refused = new LetheError("ledger.budget", "the budget does not cover it", {
  fix: "ask for less",
  fields: { left: "1" },
});
const target: ReachedTarget = {
  halfWidth: 5,
  relative: null,
  released: null,
  rows: null,
  reached: 5,
  epsilon: "1",
  capped: false,
};
const left = (epsilon: string): PrivacyLoss => lossFromJson({ measure: "pure", epsilon });
const asked = (column: string): Promise<ResolvedQuestion> =>
  readQuestion(
    `SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(target_error = 5) ${column} FROM visits`,
    optionsOf({ epsilon: null }),
    policy,
  );

describe("a refusal for want of budget, of a question that stated a target error", () => {
  it.each([
    ["COUNT(*)", "1"],
    ["COUNT(*)", "1/10000"],
    ["COUNT(*)", "7/1000000"],
    ["SUM(cost)", "1"],
    ["SUM(cost)", "3/10"],
    ["SUM(cost)", "17/10000"],
    ["SUM(stay)", "1/333"],
    ["SUM(stay)", "1/77777"],
  ])(
    "says the error that is in reach, of %s with ε %s, in four digits and rounded up",
    async (column, rest) => {
      const question = await asked(column);
      const refusal = withErrorInReach(refused, question, target, left(rest));
      const { query, stated, policyHash, confidence } = question;
      const within = errorWithin(left(rest), query, policy, stated, policyHash, { confidence, rows: null })!;
      const reach = String(refusal.fields.reach);
      const digits = Number(reach);
      expect(String(Number(digits.toPrecision(4)))).toBe(reach);
      expect(digits).toBeGreaterThanOrEqual(within.halfWidth);
      // One in the fourth digit less is too little.
      const place = 10 ** (Math.floor(Math.log10(within.halfWidth)) - 3);
      expect(digits - place).toBeLessThan(within.halfWidth);
      expect(refusal).toMatchObject({
        code: "ledger.budget",
        message: `the budget does not cover it; what is left allows an error of ${reach}`,
        fix: `state target_error = ${reach}; or ask for less`,
        fields: { left: "1", reach },
      });
    },
  );

  it("stays as it is where nothing is left, and where each answer has a width of its own", async () => {
    const question = await asked("COUNT(*)");
    expect(withErrorInReach(refused, question, target, left("0"))).toBe(refused);
    const released = { share: "1/20", requestId: "first", answers: [] };
    expect(withErrorInReach(refused, question, { ...target, released }, left("1"))).toBe(refused);
  });

  it("stays as it is where no error can be named", async () => {
    // How far off an average is hangs on the size of its group, and none is given.
    const question = await asked("AVG(cost)");
    expect(withErrorInReach(refused, question, target, left("1"))).toBe(refused);
    expect(withErrorInReach(refused, question, { ...target, rows: 1000 }, left("1")).message).toMatch(
      /what is left allows an error of \d+(\.\d+)?$/,
    );
  });
});
