import { parseRational, type Rational, ratio } from "@lethe/core";
import { rhoFromEpsilon } from "@lethe/core/accounting";
import { compare, zero } from "@lethe/core/numeric";
import { describe, expect, it } from "vitest";
import { type Policy, readPolicy } from "../policy/index.ts";
import type { QuestionOptions } from "../resolve/names/resolved-query.ts";
import { deltaOf, questionBudget } from "./question-budget.ts";

const policyOf = (budget: string, defaults = ""): Policy =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { ${budget} }
${defaults === "" ? "" : `defaults: { ${defaults} }`}
tables: { people: { file: a.csv, unit: row, columns: { x: { type: text } } } }
`);
const approximate = policyOf("measure: approximate, epsilon: 10, delta: 1e-5");
const pure = policyOf("measure: pure, epsilon: 10");
const zcdp = policyOf("measure: zcdp, rho: 1, delta: 1e-5");
const asking = (epsilon: Rational | null, delta: Rational | null = null): QuestionOptions =>
  ({ epsilon, delta }) as QuestionOptions;
const one = ratio(1n);
const refused = (code: string, says: RegExp): object =>
  expect.objectContaining({ code, message: expect.stringMatching(says) });

describe("what a question may cost", () => {
  it("is what it states, in the measure of the account", () => {
    const delta = parseRational("1e-9");
    expect(questionBudget(approximate, asking(one, delta))).toEqual({
      measure: "approximate",
      epsilon: one,
      delta,
    });
    expect(questionBudget(pure, asking(one))).toEqual({ measure: "pure", epsilon: one });
    expect(questionBudget(pure, asking(one, zero))).toEqual({ measure: "pure", epsilon: one });
    // ε stands for the ρ that gives it at the account's δ, whatever δ the question has for its own.
    const rho = rhoFromEpsilon(one, parseRational("1e-5"));
    expect(questionBudget(zcdp, asking(one, delta))).toEqual({ measure: "zcdp", rho, delta });
  });

  it("is the policy's default where it states none, and of δ else a hundredth of the budget's", () => {
    const given = policyOf("measure: approximate, epsilon: 10, delta: 1e-5", "epsilon: 0.5, delta: 1e-8");
    expect(questionBudget(given, asking(null))).toEqual({
      ...{ measure: "approximate", epsilon: ratio(1n, 2n), delta: parseRational("1e-8") },
    });
    expect(deltaOf(questionBudget(approximate, asking(one)))).toEqual(parseRational("1e-7"));
    expect(deltaOf(questionBudget(zcdp, asking(one)))).toEqual(parseRational("1e-7"));
    expect(deltaOf(questionBudget(pure, asking(one)))).toEqual(zero);
  });

  it("is an ε from 0.000001 to 1000000", () => {
    for (const epsilon of ["1e-6", "1e6", "1"].map((text) => parseRational(text)))
      expect(questionBudget(approximate, asking(epsilon))).toMatchObject({ epsilon });
    for (const text of ["0.9999999e-6", "1000000.1", "0", "-1"])
      expect(() => questionBudget(approximate, asking(parseRational(text)))).toThrow(
        refused("query.option", /^epsilon must be between 0\.000001 and 1000000/),
      );
    expect(() => questionBudget(approximate, asking(null))).toThrow(
      refused("query.option", /states no price/),
    );
  });

  it("is a δ from 0, below 1", () => {
    for (const delta of [zero, parseRational("0.999999")])
      expect(deltaOf(questionBudget(approximate, asking(one, delta)))).toEqual(delta);
    for (const delta of [parseRational("-1e-30"), one, ratio(2n)])
      expect(() => questionBudget(approximate, asking(one, delta))).toThrow(
        refused("query.option", /^delta must be at least 0 and below 1/),
      );
    expect(() => questionBudget(pure, asking(one, parseRational("1e-30")))).toThrow(
      refused("query.option", /kept in pure DP/),
    );
  });

  it("is a ρ at some δ: the account's, else the question's, else none", () => {
    const bare = policyOf("measure: zcdp, rho: 1");
    const delta = parseRational("1e-6");
    expect(questionBudget(bare, asking(one, delta))).toEqual({
      ...{ measure: "zcdp", rho: rhoFromEpsilon(one, delta), delta },
    });
    expect(() => questionBudget(bare, asking(one))).toThrow(
      refused("query.missing-delta", /needs a delta to become/),
    );
    expect(() => questionBudget(bare, asking(one, zero))).toThrow(
      refused("query.missing-delta", /needs a delta to become/),
    );
  });

  it("remembers each ρ for its own ε and δ, however many were asked", () => {
    const rho = (epsilon: Rational): Rational =>
      (questionBudget(zcdp, asking(epsilon)) as { rho: Rational }).rho;
    const many = Array.from({ length: 70 }, (_, i) => ratio(BigInt(i + 1), 8n));
    const first = many.map(rho);
    expect(many.map(rho)).toEqual(first);
    expect(first.every((each, i) => i === 0 || compare(first[i - 1]!, each) < 0)).toBe(true);
    expect(rho(many.at(-1)!)).toBe(rho(many.at(-1)!));
  });
});
