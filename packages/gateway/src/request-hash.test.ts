import { parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import type { Question } from "./question.ts";
import { requestHash } from "./request-hash.ts";
import { optionsOf } from "./testing/open-house.ts";

const question: Question = {
  text: "SELECT COUNT(*) FROM people",
  principal: "owner",
  requestId: "r",
  options: optionsOf({ epsilon: "1/2", delta: "1e-6" }),
};
const hash = (changed: Partial<Question> = {}, policy = "p"): string =>
  requestHash({ ...question, ...changed }, policy);

describe("requestHash", () => {
  it("follows everything that an answer depends on", () => {
    const { options } = question;
    const hashes = [
      hash(),
      hash({}, "another policy"),
      hash({ text: `${question.text} ` }),
      hash({ principal: "ana" }),
      hash({ options: { ...options, epsilon: parseRational("1/3") } }),
      hash({ options: { ...options, epsilon: null } }),
      hash({ options: { ...options, delta: null } }),
      hash({ options: { ...options, groupSelection: "public" } }),
      hash({ options: { ...options, mechanism: "laplace" } }),
      hash({ options: { ...options, confidence: 0.9 } }),
      hash({ options: { ...options, targetError: parseRational("5") } }),
      hash({ options: { ...options, targetErrorRelative: parseRational("5") } }),
      hash({ options: { ...options, targetRows: 5 } }),
      hash({ options: { ...options, targetRelease: "first" } }),
      hash({ options: { ...options, pilotEpsilon: parseRational("5") } }),
      hash({ options: { ...options, maxEpsilon: parseRational("5") } }),
      requestHash(question, "p", "pilot"),
      hash({ options: { ...options, parameters: [5] } }),
      hash({ options: { ...options, parameters: ["5"] } }),
      hash({ options: { ...options, parameters: [5, null] } }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
    for (const one of hashes) expect(one).toMatch(/^[0-9a-f]{64}$/);
  });

  it("does not follow the id it is bound to, nor how a number was written", () => {
    expect(hash({ requestId: "s" })).toBe(hash());
    expect(hash({ options: optionsOf({ epsilon: "0.50", delta: "0.000001" }) })).toBe(hash());
  });
});
