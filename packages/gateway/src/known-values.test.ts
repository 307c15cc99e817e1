import { parseRational } from "@lethe/core";
import { planAsked, readPolicy } from "@lethe/query";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactText } from "./known-values.ts";
import { planResolved, readQuestion } from "./resolved-question.ts";
import { optionsOf } from "./testing/open-house.ts";
import { rowPolicy } from "./testing/visits.ts";

const policyText = rowPolicy("{ measure: approximate, epsilon: 10, delta: 1e-5 }").replace(
  "stay: {",
  "seen: { type: date, bounds: [2020-01-01, 2030-12-31] }\n      stay: {",
);
const policy = readPolicy(policyText);
const count = "SELECT COUNT(*) AS n FROM visits";

describe("a question that is asked again", () => {
  it("is read and planned once under one policy", async () => {
    const first = await readQuestion(count, optionsOf({}), policy);
    const again = await readQuestion(count, optionsOf({}), policy);
    expect(again).toBe(first);
    expect(planResolved(again)).toBe(planResolved(first));
    expect(await readQuestion(count, optionsOf({}), readPolicy(policyText))).not.toBe(first);
  });

  it("has the plan that it would have anew, whatever was asked before", async () => {
    const options = fc.record({
      epsilon: fc.constantFrom("1", "1/2", "0.25").map(parseRational),
      delta: fc.constantFrom(null, parseRational("1e-7"), parseRational("1e-6")),
      mechanism: fc.constantFrom(undefined, "laplace" as const, "gaussian" as const),
      confidence: fc.constantFrom(0.9, 0.95),
      parameters: fc.constantFrom([1], [2], ["1"], [-0], [0.5]),
      today: fc.constantFrom(undefined, "2026-01-01", "2026-01-02"),
    });
    const texts = [
      count,
      `${count} WHERE seen < CURRENT_DATE`,
      `${count} WHERE cost > $1`,
      `EXPLAIN PRIVACY ${count}`,
    ];
    const read = (text: string, said: object, explains: boolean, under: typeof policy) =>
      readQuestion(text, { ...optionsOf({}), ...said } as never, under, explains).then(
        (question) =>
          planAsked(question.query, under, question.stated, question.policyHash, question.confidence).plan,
        (error) => `${error.code} ${error.message}`,
      );
    let planned = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...texts),
        options,
        fc.boolean(),
        async (text, { parameters, ...others }, explains) => {
          const said = text.includes("$1") ? { ...others, parameters } : others;
          const anew = await read(text, said, explains, readPolicy(policyText));
          const known = await readQuestion(
            text,
            { ...optionsOf({}), ...said } as never,
            policy,
            explains,
          ).then(
            (question) => planResolved(question).plan,
            (error) => `${error.code} ${error.message}`,
          );
          expect(known).toEqual(anew);
          if (typeof known !== "string") planned += 1;
        },
      ),
      { seed: 7, numRuns: 300 },
    );
    expect(planned).toBeGreaterThan(100);
  });

  it("is forgotten when many others were asked since", async () => {
    const own = readPolicy(policyText);
    const first = await readQuestion(count, optionsOf({}), own);
    for (let at = 0; at < 127; at += 1) await readQuestion(`${count} LIMIT ${at + 1}`, optionsOf({}), own);
    expect(await readQuestion(count, optionsOf({}), own)).toBe(first);
    for (let at = 0; at < 128; at += 1) await readQuestion(`${count} LIMIT ${at + 200}`, optionsOf({}), own);
    expect(await readQuestion(count, optionsOf({}), own)).not.toBe(first);
  });
});

describe("the text of a value", () => {
  it("is the same for the same values alone", () => {
    const different = [
      1,
      "1",
      1n,
      -1,
      0,
      -0,
      null,
      true,
      "true",
      Number.NaN,
      1 / 0,
      -1 / 0,
      [1],
      ["1"],
      { a: 1 },
      { b: 1 },
    ];
    expect(new Set(different.map(exactText)).size).toBe(different.length);
    expect(exactText({ a: 1, b: undefined })).toBe(exactText({ a: 1 }));
  });
});
