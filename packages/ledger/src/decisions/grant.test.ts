import { parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { type Grant, requireGrant } from "./grant.ts";

const [one, none, less] = [parseRational("1"), parseRational("0"), parseRational("-1")];
const reason = "second quarter";

describe("a grant", () => {
  it.each<[string, Omit<Grant, "reason">]>([
    ["ε", { epsilon: one }],
    ["ρ", { rho: one }],
    ["δ", { delta: one }],
    ["an analyst's ε", { epsilon: one, analyst: "ana" }],
    ["an analyst's ρ", { rho: one, analyst: "ana" }],
    ["an analyst's δ", { delta: one, analyst: "ana" }],
    ["one more failure of an analyst", { failures: 1, analyst: "ana" }],
    ["one more failure", { failures: 1 }],
    ["another policy's hash", { policyHash: "ab" }],
    ["all at once", { epsilon: one, delta: one, failures: 7, policyHash: "ab" }],
  ])("may add %s", (_, added) => {
    expect(() => requireGrant({ ...added, reason })).not.toThrow();
  });

  it.each<[string, Grant, RegExp]>([
    ["nothing", { reason }, /^the grant must be something to add/],
    ["no ε", { epsilon: none, reason }, /^the ε to add must be > 0/],
    ["less ε", { epsilon: less, reason }, /^the ε to add must be ≥ 0/],
    ["no ρ", { rho: none, reason }, /^the ρ to add must be > 0/],
    ["no δ", { delta: none, reason }, /^the δ to add must be > 0/],
    ["no failure", { failures: 0, reason }, /^the failures to add must be a whole number ≥ 1/],
    ["half a failure", { failures: 1.5, reason }, /^the failures to add must be a whole number/],
    ["nothing to an analyst", { policyHash: "ab", analyst: "ana", reason }, /^a grant to an analyst must be/],
    ["ε to nobody's name", { epsilon: one, analyst: "", reason }, /^the analyst must be a text/],
    ["ε for no reason", { epsilon: one, reason: "" }, /^the reason must be a text/],
  ])("may not add %s", (_, grant, says) => {
    expect(() => requireGrant(grant)).toThrow(
      expect.objectContaining({ code: "parameter.invalid", message: expect.stringMatching(says) }),
    );
  });
});
