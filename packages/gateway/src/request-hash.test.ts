import { createHash } from "node:crypto";
import { parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import type { Question } from "./question.ts";
import { requestHash, workloadHash } from "./request-hash.ts";
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
      hash({ options: { ...options, everyPublicKey: true } }),
      hash({ options: { ...options, mechanism: "laplace" } }),
      hash({ options: { ...options, confidence: 0.9 } }),
      hash({ options: { ...options, targetError: parseRational("5") } }),
      hash({ options: { ...options, targetErrorRelative: parseRational("5") } }),
      hash({ options: { ...options, targetRows: 5 } }),
      hash({ options: { ...options, targetRelease: "first" } }),
      hash({ options: { ...options, pilotEpsilon: parseRational("5") } }),
      hash({ options: { ...options, maxEpsilon: parseRational("5") } }),
      hash({ options: { ...options, advantage: parseRational("1/10") } }),
      hash({ options: { ...options, advantage: parseRational("1/5") } }),
      requestHash(question, "p", "pilot"),
      hash({ options: { ...options, project: "churn" } }),
      hash({ options: { ...options, project: "other" } }),
      hash({ options: { ...options, parameters: [5] } }),
      hash({ options: { ...options, parameters: ["5"] } }),
      hash({ options: { ...options, parameters: [5, null] } }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
    for (const one of hashes) expect(one).toMatch(/^[0-9a-f]{64}$/);
  });

  it("is that of the words of the first release, where nothing is asked that it did not know", () => {
    const text =
      '{"confidence":0.95,"delta":"1/1000000","epsilon":"1/2","groupSelection":null,"mechanism":null,"policyHash":"p","principal":"owner","text":"SELECT COUNT(*) FROM people"}';
    const due = createHash("sha256").update(text).digest("hex");
    expect(hash()).toBe(due);
    const unsaid = {
      everyPublicKey: null,
      targetError: null,
      targetRelease: null,
      pilotEpsilon: null,
      maxEpsilon: null,
      parameters: [],
    };
    expect(hash({ options: { ...question.options, ...unsaid } })).toBe(due);
    const bare = { ...question.options, epsilon: null, delta: null };
    const said = { targetRows: 40, targetError: parseRational("0.50"), parameters: [1, "a"] };
    const whole =
      '{"confidence":0.95,"delta":null,"epsilon":null,"groupSelection":null,"mechanism":null,"parameters":[1,"a"],"policyHash":"p","principal":"owner","targetError":"1/2","targetRows":40,"text":"SELECT COUNT(*) FROM people"}';
    expect(hash({ options: { ...bare, ...said } })).toBe(createHash("sha256").update(whole).digest("hex"));
  });

  it("does not follow the id it is bound to, nor how a number was written", () => {
    expect(hash({ requestId: "s" })).toBe(hash());
    expect(hash({ options: optionsOf({ epsilon: "0.50", delta: "0.000001" }) })).toBe(hash());
  });
});

it("of a workload follows which public keys it answers, and is as before where it answers all", () => {
  const { principal, requestId, options, text } = question;
  const workload = { title: "t", texts: [text], principal, requestId, options };
  const every = { ...workload, options: { ...options, everyPublicKey: true } as const };
  const due =
    '{"confidence":0.95,"delta":"1/1000000","epsilon":"1/2","groupSelection":null,"mechanism":null,"policyHash":"p","principal":"owner","workload":{"rounds":1,"texts":["SELECT COUNT(*) FROM people"],"title":"t"}}';
  expect(workloadHash(every, "p")).toBe(createHash("sha256").update(due).digest("hex"));
  expect(workloadHash(workload, "p")).not.toBe(workloadHash(every, "p"));
});
