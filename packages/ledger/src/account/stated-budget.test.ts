import { type PrivacyLoss, parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { pureBudget, pureLoss } from "../testing/temporary-ledger.ts";
import { deltaOf, mainOf, symbolOf, withDelta, withMain } from "./main-number.ts";
import { sameBudget, statedAtFirst, statedBudget } from "./stated-budget.ts";

describe("a stated budget", () => {
  it("has its analysts by name and is open, unless it is said to be closed", () => {
    const budget = pureBudget("1", { zoe: "1/8", ana: "1/2", mia: "1/4" });
    const stated = {
      cap: { measure: "pure", epsilon: "1" },
      analysts: [
        { name: "ana", cap: "1/2" },
        { name: "mia", cap: "1/4" },
        { name: "zoe", cap: "1/8" },
      ],
      closed: false,
    };
    expect(statedBudget(budget)).toEqual(stated);
    expect(statedBudget({ ...budget, closed: false })).toEqual(stated);
    expect(statedBudget({ ...budget, closed: true })).toEqual({ ...stated, closed: true });
  });

  it("refuses names and shares that cannot stand in a ledger", () => {
    for (const analysts of [{ "": "1" }, { "a\nb": "1" }, { ana: "-1" }])
      expect(() => statedBudget(pureBudget("1", analysts as Record<string, string>))).toThrow(
        expect.objectContaining({ code: "parameter.invalid" }),
      );
  });

  it("of a first record is open", () => {
    const granted = {
      cap: { measure: "pure", epsilon: "1" },
      analysts: [],
      failureCap: 9,
      policyHash: "ab",
    } as const;
    expect(statedAtFirst(granted)).toEqual({ cap: granted.cap, analysts: [], closed: false });
  });

  it("is another one where a number, a name or its closing differs, and the same however it was written", () => {
    const one = statedBudget(pureBudget("0.5", { ana: "0.25" }));
    expect(sameBudget(one, statedBudget(pureBudget("1/2", { ana: "1/4" })))).toBe(true);
    for (const other of [
      pureBudget("0.6", { ana: "0.25" }),
      pureBudget("0.5", { ana: "0.2" }),
      pureBudget("0.5", { bob: "0.25" }),
      pureBudget("0.5"),
      { ...pureBudget("0.5", { ana: "0.25" }), closed: true },
    ])
      expect(sameBudget(one, statedBudget(other))).toBe(false);
  });
});

describe("the main number of a loss", () => {
  const [half, third, small] = [parseRational("1/2"), parseRational("1/3"), parseRational("1/1000")];
  const approximate: PrivacyLoss = { measure: "approximate", epsilon: half, delta: small };
  const zcdp: PrivacyLoss = { measure: "zcdp", rho: half, delta: small };

  it("is ε, or ρ of a zCDP loss, and can be replaced", () => {
    expect(["pure", "approximate", "zcdp"].map((measure) => symbolOf(measure as "pure"))).toEqual([
      "ε",
      "ε",
      "ρ",
    ]);
    expect([pureLoss("1/2"), approximate, zcdp].map(mainOf)).toEqual([half, half, half]);
    expect(withMain(pureLoss("1/2"), third)).toEqual(pureLoss("1/3"));
    expect(withMain(approximate, third)).toEqual({ ...approximate, epsilon: third });
    expect(withMain(zcdp, third)).toEqual({ ...zcdp, rho: third });
  });

  it("has a δ beside it, but for pure losses, which have none to replace", () => {
    expect([pureLoss("1/2"), approximate, zcdp].map(deltaOf)).toEqual([null, small, small]);
    expect(withDelta(pureLoss("1/2"), third)).toEqual(pureLoss("1/2"));
    expect(withDelta(approximate, third)).toEqual({ ...approximate, delta: third });
    expect(withDelta(zcdp, third)).toEqual({ ...zcdp, delta: third });
  });
});
