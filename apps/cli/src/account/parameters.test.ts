import { parseRational } from "@lethe/core";
import { expect, it } from "vitest";
import { accuracyOf, deltaOf, epsilonOf, needed, positive, rateOf, wholeNumber } from "./parameters.ts";

it("numbers are read exactly within their domains", () => {
  expect(positive("sigma", "1.1")).toEqual(parseRational("11/10"));
  expect(positive("sigma", "1e-400")).toEqual(parseRational("1e-400"));
  expect(rateOf("rate", "1/3")).toEqual(parseRational("1/3"));
  expect(rateOf("rate", "1")).toEqual(parseRational("1"));
  expect(wholeNumber("n", "1")).toBe(1n);
  expect(wholeNumber("n", "6e4")).toBe(60_000n);
});

it.each<[() => unknown, string]>([
  [() => positive("sigma", "0"), "sigma must be > 0, got 0"],
  [() => positive("sigma", "-1"), "sigma must be > 0, got -1"],
  [() => positive("sigma", "x"), "sigma must be"],
  [() => rateOf("rate", "0"), "rate must be above 0 and at most 1, got 0"],
  [() => rateOf("rate", "1.0001"), "rate must be above 0 and at most 1, got 1.0001"],
  [() => wholeNumber("n", "0"), "n must be an integer ≥ 1, got 0"],
  [() => wholeNumber("n", "-3"), "n must be an integer ≥ 1, got -3"],
  [() => wholeNumber("n", "3/2"), "n must be an integer ≥ 1, got 3/2"],
  [() => deltaOf("1"), "delta must be at least 0 and below 1, got 1"],
  [() => deltaOf("-1e-9"), "delta must be at least 0 and below 1"],
  [() => deltaOf("1e-301"), "delta must be 0 or at least 1e-300"],
  [() => deltaOf("1e-400"), "delta must be 0 or at least 1e-300"],
  [() => epsilonOf("-1"), "epsilon must be at least 0 and finite"],
  [() => epsilonOf("1e400"), "epsilon must be at least 0 and finite"],
  [() => accuracyOf("0"), "accuracy must be > 0, got 0"],
])("a number outside its domain is refused by its name: %s %s", (read, message) => {
  expect(read).toThrowError(
    expect.objectContaining({ code: "parameter.invalid", message: expect.stringContaining(message) }),
  );
});

it("a claim's δ and ε, and an accuracy, are the greatest doubles that do not exceed what was said", () => {
  // A third lies between doubles; the double that is written 0.1 lies above a tenth, so the one below it is the greatest.
  const third = 6004799503160661 / 2 ** 54;
  const tenth = 7205759403792793 / 2 ** 56;
  for (const read of [deltaOf, epsilonOf, accuracyOf]) {
    expect(read("1/3")).toBe(third);
    expect(read("0.1")).toBe(tenth);
    expect(read("1/4")).toBe(0.25);
  }
  expect(deltaOf("0")).toBe(0);
  expect(epsilonOf("0")).toBe(0);
  expect(deltaOf("1.1e-300")).toBeGreaterThan(1e-300);
  expect(deltaOf("0.9999999999999999999999")).toBe(1 - 2 ** -53);
});

it("an option that a command cannot do without is asked for by name", () => {
  expect(needed("sigma", "", "DP-SGD")).toBe("");
  expect(() => needed("sigma", undefined, "DP-SGD")).toThrowError(
    expect.objectContaining({
      code: "cli.usage",
      message: "DP-SGD needs --sigma",
      fix: "add --sigma NUMBER",
    }),
  );
});
