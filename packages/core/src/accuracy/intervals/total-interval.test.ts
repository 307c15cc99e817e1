import { describe, expect, it } from "vitest";
import type { Noise } from "../../mechanisms/noise.ts";
import { noiseLaw } from "../laws/noise-laws.ts";
import { countInterval, sumInterval, totalIntervals } from "./total-interval.ts";

const noise: Noise = { mechanism: "discrete-laplace@1", scale: "2" };

describe("totalIntervals", () => {
  it("keeps the value, cuts the interval", () => {
    expect(countInterval({ count: 100n, noise, confidence: 0.95 })).toEqual({
      value: 100n,
      lower: 94n,
      upper: 106n,
    });
    expect(countInterval({ count: 3n, noise, confidence: 0.95 })).toEqual({
      value: 3n,
      lower: 0n,
      upper: 9n,
    });
    expect(countInterval({ count: -4n, noise, confidence: 0.95 })).toEqual({
      value: -4n,
      lower: 0n,
      upper: 2n,
    });
    expect(sumInterval({ sum: -4n, noise, confidence: 0.95 })).toEqual({
      value: -4n,
      lower: -10n,
      upper: 2n,
    });
    expect(sumInterval({ sum: -4n, noise, confidence: 0.95, atMost: 0n })).toEqual({
      value: -4n,
      lower: -10n,
      upper: 0n,
    });
  });
  it("never turns bad luck into certainty", () => {
    expect(countInterval({ count: -20n, noise, confidence: 0.95 })).toEqual({
      value: -20n,
      lower: 0n,
      upper: 6n,
    });
    expect(sumInterval({ sum: 20n, noise, confidence: 0.95, atMost: 0n })).toEqual({
      value: 20n,
      lower: -6n,
      upper: 0n,
    });
  });
  it.each(["0.5", "2", "7"])(
    "covers every count with exactly the chance it can at scale %s, and a scale told too small would show",
    (scale) => {
      const drawn: Noise = { mechanism: "discrete-laplace@1", scale };
      const coverage = (count: bigint, told: Noise): number => {
        const interval = totalIntervals({ noise: told, confidence: 0.95, atLeast: 0n });
        const law = noiseLaw(drawn);
        let covered = 0;
        for (let z = -400; z <= 400; z++) {
          const { lower, upper } = interval(count + BigInt(z));
          if (lower <= count && count <= upper) covered += law.mass(Math.abs(z));
        }
        return covered;
      };
      for (const count of [0n, 1n, 5n, 1000n]) expect(coverage(count, drawn)).toBeGreaterThanOrEqual(0.95);
      const tooSmall: Noise = { mechanism: "discrete-laplace@1", scale: String(Number(scale) * 0.5) };
      expect(coverage(1000n, tooSmall)).toBeLessThan(0.95);
    },
  );
});
