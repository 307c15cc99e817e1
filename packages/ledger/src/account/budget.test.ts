import { LetheError, type PrivacyMeasure, parseRational } from "@lethe/core";
import { epsilonFromRho } from "@lethe/core/accounting";
import { compare } from "@lethe/core/numeric";
import { describe, expect, it } from "vitest";
import { type AccountBudget, capOf } from "./budget.ts";

function budget(
  measure: PrivacyMeasure,
  epsilon: string | null,
  delta: string,
  rho: string | null,
): AccountBudget {
  return {
    measure,
    epsilon: epsilon === null ? null : parseRational(epsilon),
    delta: parseRational(delta),
    rho: rho === null ? null : parseRational(rho),
    analysts: {},
  };
}

describe("capOf", () => {
  it("is what a budget states, exactly", () => {
    expect(capOf(budget("pure", "0.1", "0", null))).toEqual({
      measure: "pure",
      epsilon: parseRational("1/10"),
    });
    expect(capOf(budget("approximate", "3", "1e-6", null))).toEqual({
      measure: "approximate",
      epsilon: parseRational("3"),
      delta: parseRational("1/1000000"),
    });
    expect(capOf(budget("zcdp", null, "1e-6", "1/3"))).toEqual({
      measure: "zcdp",
      rho: parseRational("1/3"),
      delta: parseRational("1/1000000"),
    });
  });

  it("derives the ρ that (ε, δ) is worth with half of δ, never more, and hardly less", () => {
    const cap = capOf(budget("zcdp", "1", "1e-6", null));
    if (cap?.measure !== "zcdp") throw new Error("another measure");
    expect(cap.delta).toEqual(parseRational("1/2000000"));
    const worth = (rho = cap.rho) => epsilonFromRho(rho, parseRational("1/2000000"));
    expect(compare(worth(), parseRational("1"))).toBeLessThanOrEqual(0);
    expect(compare(worth(), parseRational("0.999999"))).toBeGreaterThan(0);
  });

  it("refuses a budget that its measure cannot mean", () => {
    const wrong = [
      budget("pure", null, "0", null),
      budget("pure", "1", "1e-6", null),
      budget("pure", "1", "0", "1"),
      budget("pure", "-1", "0", null),
      budget("approximate", null, "1e-6", null),
      budget("approximate", "1", "1", null),
      budget("approximate", "1", "-1e-6", null),
      budget("approximate", "1", "1e-6", "1"),
      budget("zcdp", null, "1e-6", null),
      budget("zcdp", "1", "1e-6", "1"),
      budget("zcdp", "1", "0", null),
      budget("zcdp", null, "0", "-1"),
    ];
    for (const each of wrong) expect(() => capOf(each), JSON.stringify(each.measure)).toThrow(LetheError);
  });
});
