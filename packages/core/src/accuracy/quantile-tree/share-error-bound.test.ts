import { describe, expect, it } from "vitest";
import type { Noise } from "../../mechanisms/noise.ts";
import { shareNoise } from "../../mechanisms/quantile-tree/index.ts";
import { laplaceCombinationQuantile } from "../laws/laplace-combination.ts";
import { cellHalfWidths } from "./cell-half-widths.ts";
import { levelReaches, shareErrorBound } from "./share-error-bound.ts";

const tree = { branching: 16, height: 2 } as const;
const laplace: Noise = { mechanism: "discrete-laplace@1", scale: "65536" };
const gaussian: Noise = { mechanism: "rounded-gaussian@1", sigma: "65536" };
const exact: Noise = { mechanism: "discrete-gaussian@1", sigmaSquared: `${65536 ** 2}` };

describe("shareErrorBound", () => {
  it("is the quantile of the weighted noise, and hardly more", () => {
    for (const boundary of [1, 16, 100, 128, 255, 256]) {
      const classes = shareNoise(tree, boundary, 0.5);
      const spread = Math.sqrt(classes.reduce((sum, { weight, count }) => sum + count * weight * weight, 0));
      for (const noise of [gaussian, exact]) {
        const reach = shareErrorBound(tree, noise, 0.5, 0.025).at(boundary);
        expect(reach / (65536 * spread)).toBeGreaterThan(1.95996);
        expect(reach / (65536 * spread)).toBeLessThan(1.961);
      }
      const terms = classes.map(({ weight, count }) => ({ scale: 65536 * Math.abs(weight), count }));
      const due = laplaceCombinationQuantile(terms, 0.025);
      const reach = shareErrorBound(tree, laplace, 0.5, 0.025).at(boundary);
      expect(reach).toBeGreaterThanOrEqual(due);
      expect(reach).toBeLessThan(due * 1.001);
    }
  });

  it("shares its alpha between the levels", () => {
    const [coarse, fine, ...none] = levelReaches(tree, gaussian, 0.5, 0.025).map((reach) => reach.at(128));
    const whole = shareErrorBound(tree, gaussian, 0.5, 0.025).at(128);
    // Normal quantiles at 0.0125 and 0.025.
    expect(coarse! / whole).toBeCloseTo(2.2414 / 1.96, 2);
    expect(fine).toBe(coarse);
    expect(none).toEqual([]);
    const flat = levelReaches({ branching: 16, height: 1 }, gaussian, 0.5, 0.025);
    expect(flat.map((reach) => reach.at(8))).toEqual([
      shareErrorBound({ branching: 16, height: 1 }, gaussian, 0.5, 0.025).at(8),
    ]);
  });

  it("tells what lies beyond it, and nothing below 0 does", () => {
    const reach = shareErrorBound(tree, laplace, 0.25, 0.05);
    const at = reach.at(70);
    expect([-at * 9, 0, at * 0.999, at].map((x) => reach.isBeyond(70, x))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect([at * 1.0001, at * 1.5, at * 9].map((x) => reach.isBeyond(70, x))).toEqual([true, true, true]);
  });

  it("is endless where the noises' couplings may fail more often than alpha, and 0 without noise", () => {
    expect(shareErrorBound(tree, laplace, 0.5, 1e-8).at(128)).toBe(Number.POSITIVE_INFINITY);
    expect(shareErrorBound(tree, { mechanism: "constant@1" }, 0.5, 0.05).at(128)).toBe(0);
  });
});

describe("cellHalfWidths", () => {
  it("falls with the rows, from everything to half a cell", () => {
    const widthAt = cellHalfWidths({ tree, noise: laplace, rowWeight: 65536, share: 0.5, confidence: 0.95 });
    const widths = [1, 30, 300, 3000, 1e6].map((rows) => widthAt(rows).typical);
    expect(widths).toEqual([...widths].sort((a, b) => b - a));
    expect(widths[0]).toBe(128);
    expect(widths.at(-1)).toBeCloseTo(0.5, 2);
    expect(widthAt(1e6).worst).toBe(128);
  });
  it("is the reach of the noise in rows, and half a row, times the cells a row, and half a cell", () => {
    const setting = { tree, noise: laplace, rowWeight: 65536, confidence: 0.9 };
    for (const [share, boundary] of [
      [0.5, 128],
      [0.25, 64],
      [0, 1],
      [1, 255],
    ] as const) {
      const ranks = levelReaches(tree, laplace, share, 0.05).at(-1)!.at(boundary) / 65536;
      const { typical, worst } = cellHalfWidths({ ...setting, share })(1000);
      expect(typical).toBeCloseTo(((ranks + 0.5) * 256) / 1000 + 0.5, 9);
      expect(worst).toBe(128);
    }
    const none = cellHalfWidths({ ...setting, share: 0.5 })(0);
    expect(none).toEqual({ typical: 128, worst: 128 });
  });
});
