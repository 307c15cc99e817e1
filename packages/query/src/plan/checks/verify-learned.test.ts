import { describe, expect, it } from "vitest";
import type { Measurement, NominalNoise } from "../plan.ts";
import { coversAll } from "./verify-learned.ts";

const none: NominalNoise = { name: "m", noise: { mechanism: "constant@1" }, l1: "0", l2Squared: "0" };
const laplace = (l1: string, scale: string): NominalNoise => ({
  name: "m",
  noise: { mechanism: "discrete-laplace@1", scale },
  l1,
  l2Squared: l1,
});
const gaussian = (l2Squared: string, sigma: string): NominalNoise => ({
  name: "m",
  noise: { mechanism: "rounded-gaussian@1", sigma },
  l1: l2Squared,
  l2Squared,
});

describe("nominal noise", () => {
  it.each<[string, boolean, NominalNoise[], NominalNoise[]]>([
    ["Laplace of the same ε", true, [laplace("1", "2")], [laplace("10", "20")]],
    ["Laplace of less", true, [laplace("1", "2")], [laplace("10", "20.5")]],
    ["Laplace of more", false, [laplace("1", "2")], [laplace("10", "19.5")]],
    ["a Gaussian of the same Δ₂/σ", true, [gaussian("4", "6")], [gaussian("9", "9")]],
    ["a Gaussian of more", false, [gaussian("4", "6")], [gaussian("9", "8.9")]],
    ["noise of another kind", false, [laplace("1", "2")], [gaussian("1", "1000")]],
    ["a constant", true, [none], [none]],
    ["a constant that moves", false, [none], [{ ...none, l1: "1" }]],
    ["fewer than are drawn", false, [laplace("1", "2")], [laplace("1", "2"), none]],
    // At other sensitivities core prices the masses, which cost less.
    [
      "Laplace that is priced at another sensitivity than 1",
      false,
      [laplace("2", "4")],
      [laplace("10", "20")],
    ],
    ["a Gaussian that is priced at sensitivity 1", false, [gaussian("1", "3")], [gaussian("9", "9")]],
  ])("%s is covered: %s", (_, covered, nominal, drawn) => {
    expect(coversAll(nominal, drawn as Measurement[])).toBe(covered);
  });
});
