import { describe, expect, it } from "vitest";
import { ratio } from "../numeric/rational.ts";
import { discreteGaussian } from "../samplers/discrete-gaussian.ts";
import { discreteLaplace } from "../samplers/discrete-laplace.ts";
import { roundedGaussian } from "../samplers/rounded-gaussian.ts";
import { SeededSource } from "../tape.ts";
import { noiseSampler } from "./registry.ts";

describe("the noise of a mechanism is drawn with the numbers that it is priced with", () => {
  it.each([
    [{ mechanism: "discrete-laplace@1", scale: "70/3" } as const, discreteLaplace(ratio(70n, 3n))],
    [{ mechanism: "rounded-gaussian@1", sigma: "35/2" } as const, roundedGaussian(ratio(35n, 2n))],
    [{ mechanism: "discrete-gaussian@1", sigmaSquared: "900/7" } as const, discreteGaussian(ratio(900n, 7n))],
  ])("%o", (noise, exact) => {
    const [by, coins] = [new SeededSource(7), new SeededSource(7)];
    const sampler = noiseSampler(noise);
    for (let i = 0; i < 200; i += 1) expect(sampler.sample(by)).toBe(exact.sample(coins));
  });
});
