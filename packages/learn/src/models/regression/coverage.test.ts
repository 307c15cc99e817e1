import { elementAt } from "@lethe/core/numeric";
import { expect, it } from "vitest";
import { combineMeasured } from "../../moments/noisy-statistics.ts";
import { drawing, gaussian, laplace, measuredOf, uniforms } from "../../testing/measured.ts";
import { type Kind, randomRows, regressionOf } from "../../testing/regressions.ts";
import { fitRegression } from "./fit-regression.ts";

const kinds: readonly Kind[] = ["spread", "correlated", "nearly singular", "singular"];

interface Tally {
  shown: number;
  covered: number;
  missing: number;
}

/** One coefficient of each of many random data sets, whose noise is `factor` times what is declared; sorted by the kind of design. */
function tallies(dataSets: number, seed: number, factor: number): ReadonlyMap<Kind, Tally> {
  const uniform = uniforms(seed);
  const all = new Map(kinds.map((kind): [Kind, Tally] => [kind, { shown: 0, covered: 0, missing: 0 }]));
  for (let each = 0; each < dataSets; each += 1) {
    const kind = elementAt(kinds, Math.floor(uniform() * kinds.length));
    const numbers = kind === "spread" ? 1 + Math.floor(uniform() * 3) : 2 + Math.floor(uniform() * 2);
    const { model, task, layout } = regressionOf(numbers, uniform() < 0.5, {
      intercept: uniform() < 0.8,
      penalty: uniform() < 0.25 ? 5 : 0,
    });
    const rows = randomRows(60 + Math.floor(uniform() * 100), numbers, kind, uniform);
    const scale = 10 ** (-2.7 + 2.2 * uniform());
    const shape = uniform() < 0.5 ? gaussian(scale) : laplace(scale);
    const fit = (noise: number) =>
      fitRegression(
        model,
        task,
        layout,
        combineMeasured(
          measuredOf(layout, rows, () => shape, noise === 0 ? undefined : drawing(uniform, noise)),
        ),
        0.95,
      );
    const [exact, noisy] = [fit(0), fit(factor)];
    const place = each % noisy.coefficients.length;
    const { interval } = elementAt(noisy.coefficients, place);
    const { value } = elementAt(exact.coefficients, place);
    const tally = all.get(kind);
    if (!tally) continue;
    if (!interval) tally.missing += 1;
    else {
      tally.shown += 1;
      // Without a penalty a singular design has no coefficient that could be covered.
      const known = kind !== "singular" || task.penalty > 0;
      if (known && interval.lower <= value && value <= interval.upper) tally.covered += 1;
    }
  }
  return all;
}

const total = (all: ReadonlyMap<Kind, Tally>): Tally =>
  [...all.values()].reduce((sum, { shown, covered, missing }) => ({
    shown: sum.shown + shown,
    covered: sum.covered + covered,
    missing: sum.missing + missing,
  }));

/** The least k with P[X ≤ k] > chance for X binomial: fewer are seen by chance with at most that probability. */
function leastLikely(trials: number, share: number, chance: number): number {
  let logMass = trials * Math.log1p(-share);
  let tail = 0;
  for (let k = 0; ; k += 1) {
    tail += Math.exp(logMass);
    if (tail > chance) return k;
    logMass += Math.log(((trials - k) / (k + 1)) * (share / (1 - share)));
  }
}

it("intervals of 95 % cover at least 93.5 % of the coefficients, and would not if noise were 15 % larger than declared", () => {
  const right = tallies(9700, 20_240_611, 1);
  const wrong = tallies(5000, 20_240_611, 1.15);
  const { shown, covered, missing } = total(right);
  // Intervals that cover 95 % fail this with a probability of at most 1e-6.
  const least = leastLikely(shown, 0.95, 1e-6);
  expect(least).toBeGreaterThanOrEqual(0.935 * shown);
  expect(covered).toBeGreaterThanOrEqual(least);
  const larger = total(wrong);
  expect(larger.covered).toBeLessThan(leastLikely(larger.shown, 0.95, 1e-6));
  // Where noise drowns the data an interval is missing, and never wrong: of a singular design without a penalty none was shown.
  expect(shown).toBeGreaterThan(5300);
  expect(missing).toBeGreaterThan(1500);
  for (const [, tally] of right)
    if (tally.shown > 200) expect(tally.covered / tally.shown).toBeGreaterThan(0.9);
});
