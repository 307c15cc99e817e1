import { type LossStep, lawStep, listedStep, type Outcome } from "./loss-step.ts";
import { above, between } from "./normal.ts";

/** Deviations beyond which a normal law has no mass that matters: 1e-17. */
const farthest = 8.5;

/** N(μ, 1) against N(0, 1): the loss at x is μx − μ²/2. */
export function gaussianStep(mu: number): LossStep {
  const half = mu / 2;
  return lawStep(
    (low, high) => ({
      p: between(low / mu - half, high / mu - half),
      q: between(low / mu + half, high / mu + half),
    }),
    { reach: mu * (half + farthest), square: mu * mu, pure: null, symmetric: true },
  );
}

/** (1 − rate)·N(0, 1) + rate·N(μ, 1) against N(0, 1): a Gaussian on a sample that a unit is in by this chance. */
export function sampledGaussianStep(rate: number, mu: number): LossStep {
  // The x at which the loss is so large; the loss rises with x from ln(1 − rate) on.
  const place = (loss: number): number => {
    const weight = (Math.expm1(loss) + rate) / rate;
    return weight > 0 ? Math.log(weight) / mu + mu / 2 : Number.NEGATIVE_INFINITY;
  };
  const highest = Math.log1p(rate * Math.expm1(mu * (mu / 2 + farthest)));
  const reach = Math.max(highest, -Math.log1p(-rate));
  return lawStep(
    (low, high) => {
      const [from, to] = [place(low), place(high)];
      const q = between(from, to);
      return { p: (1 - rate) * q + rate * between(from - mu, to - mu), q };
    },
    {
      reach,
      square: Math.min(reach * reach, rate * rate * Math.expm1(Math.min(600, mu * mu))),
      pure: null,
      symmetric: false,
    },
  );
}

/**
 * Integer noise with masses (1 − b)/(1 + b)·b^|z|, b = e^(−1/scale), moved by `shift` against not moved. The loss at z is (2z − shift)/scale for 0 < z < shift; all z ≤ 0 have the lowest,
 * all z ≥ shift the highest. Sums of its masses are geometric, so that any shift is exact.
 */
export function laplaceStep(scale: number, shift: number): LossStep {
  const reach = shift / scale;
  const b = Math.exp(-1 / scale);
  const power = (n: number): number => Math.exp(-n / scale);
  // Σ b^n·(1 − b)/(1 + b) from n = least to most
  const sum = (least: number, most: number): number =>
    most < least ? 0 : (power(least) * -Math.expm1(-(most - least + 1) / scale)) / (1 + b);
  return lawStep(
    (low, high) => {
      // z of the losses in (low, high]
      const after = (loss: number): number => Math.floor((loss * scale + shift) / 2) + 1;
      const [from, to] = [Math.max(0, after(low)), Math.min(shift, after(high) - 1)];
      if (!(from <= to)) return { p: 0, q: 0 };
      const [inner, last] = [Math.max(1, from), Math.min(shift - 1, to)];
      const ends = (near: boolean, far: boolean): number =>
        (near ? 1 / (1 + b) : 0) + (far ? power(shift) / (1 + b) : 0);
      return {
        p: sum(shift - last, shift - inner) + ends(to === shift, from === 0),
        q: sum(inner, last) + ends(from === 0, to === shift),
      };
    },
    { reach, square: reach * reach, pure: reach, symmetric: true },
  );
}

/** Integer noise of the rounding of N(0, σ²), moved by one, on a sample that a unit is in by this chance. */
export function sampledRoundedStep(rate: number, sigma: number): LossStep {
  const far = Math.ceil((farthest + 1) * sigma) + 2;
  const mass = (z: number): number => between((z - 0.5) / sigma, (z + 0.5) / sigma);
  const outcomes: Outcome[] = [{ p: above(far / sigma), q: 0 }];
  for (let z = -far; z <= far; z += 1) {
    const q = mass(z);
    outcomes.push({ p: (1 - rate) * q + rate * mass(z - 1), q });
  }
  return listedStep(outcomes, false);
}

/** The most outcomes of discrete Gaussian noise that are listed. */
const mostOutcomes = 200_000;

/** Integer noise with masses ∝ e^(−z²/2σ²), moved by one; null where its outcomes are too many. */
export function latticeGaussianStep(variance: number): LossStep | null {
  const far = Math.ceil(12 * Math.sqrt(variance)) + 2;
  if (!(2 * far <= mostOutcomes)) return null;
  const masses = Array.from({ length: 2 * far + 1 }, (_, at) =>
    Math.exp(-((at - far) ** 2) / (2 * variance)),
  );
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  const outcomes: Outcome[] = masses
    .slice(1)
    .map((mass, at) => ({ p: (masses[at] ?? 0) / total, q: mass / total }));
  // What is left out has losses of any size.
  return { ...listedStep(outcomes, true), pure: null };
}

/** The worst of all (ε, δ)-DP mechanisms: with chance δ it tells all, else it is randomized response. */
export function worstStep(epsilon: number, delta: number): LossStep {
  const [likely, unlikely] = [(1 - delta) / (1 + Math.exp(-epsilon)), (1 - delta) / (1 + Math.exp(epsilon))];
  return listedStep(
    [
      { p: likely, q: unlikely },
      { p: unlikely, q: likely },
      { p: delta, q: 0 },
      { p: 0, q: delta },
    ],
    true,
  );
}

/** Keeping a group of one unit, whose chance the noise must reach a threshold for: 1 + Z ≥ threshold. */
export const keptAlone = {
  /** Z as in {@link laplaceStep}. */
  laplace: (scale: number, threshold: number): number =>
    Math.exp(-(threshold - 1) / scale) / (1 + Math.exp(-1 / scale)),
  /** Z the rounding of N(0, σ²). */
  gaussian: (sigma: number, threshold: number): number => above((threshold - 1.5) / sigma),
} as const;
