import { invalidParameter } from "../errors/lethe-error.ts";
import { checkCount, checkEpsilon, checkRate, unsampledEpsilon } from "./subsampled-epsilon.ts";

/** An upper bound of δ(ε) for every ε ≥ 0, nonincreasing. */
export type ProfileBound = (epsilon: number) => number;

const up = 1 + 2 ** -49;

/** A bound of a probability: at most 1; NaN and negative values are a broken caller. */
function probability(delta: number): number {
  if (!(delta >= 0)) throw invalidParameter("delta of the profile", delta, "≥ 0");
  return Math.min(1, delta);
}

/** rate·δ rounded up, at most 1; a product may underflow. */
function share(rate: number, delta: number): number {
  return delta === 0 ? 0 : Math.min(1, rate * delta * up + Number.MIN_VALUE);
}

/**
 * The profile of a mechanism on a sample without replacement, under replace-one, from its own profile under replace-one:
 *   δ′(ε′) = q·δ(ln(1 + (e^ε′ − 1)/q)),  q = sample/population.
 * Proof: ./subsampled-loss.proof.md
 * Source: Balle, Barthe & Gaboardi 2018 (arXiv 1807.01647), Thm 9.
 * Direction: upper.
 * Errors: parameter.invalid unless 0 ≤ sample ≤ population, whole numbers.
 * @example profileWithoutReplacement((e) => Math.exp(-e), 100, 10)(0.5)
 */
export function profileWithoutReplacement(
  profile: ProfileBound,
  population: number,
  sample: number,
): ProfileBound {
  checkCount("population", population, 1);
  checkCount("sample", sample, 0);
  if (!(sample <= population)) throw invalidParameter("sample", sample, "at most the population");
  if (sample === 0) return none;
  if (sample === population) return (epsilon) => probability(profile(checked(epsilon)));
  const rate = (sample / population) * up;
  return (epsilon) =>
    share(rate, probability(profile(unsampledEpsilon(checked(epsilon), Math.min(1, rate)))));
}

/** Both directions of add-or-remove-one, kept apart: "remove" is with the unit against without it. */
export interface DirectedProfile {
  readonly remove: ProfileBound;
  readonly add: ProfileBound;
}

/**
 * The profiles of a mechanism on a Poisson sample under add-or-remove-one, from its own:
 *   remove: q·δ(ln(1 + (e^ε′ − 1)/q));  add: c·δ(ln(e^ε′·q/c)), c = 1 − e^ε′(1 − q), and 0 where c ≤ 0.
 * Source: Zhu, Dong & Wang 2022 (arXiv 2106.08567), Thm 11; Balle, Barthe & Gaboardi 2018, Thm 8.
 * Direction: upper.
 * Errors: parameter.invalid unless 0 ≤ q ≤ 1.
 */
export function profilePoisson(profile: DirectedProfile, rate: number): DirectedProfile {
  checkRate(rate);
  if (rate === 0) return { remove: none, add: none };
  return {
    remove: (epsilon) => share(rate, probability(profile.remove(unsampledEpsilon(checked(epsilon), rate)))),
    add: (epsilon) => {
      // e^ε′(1 − q) < 1 means ε′ < −ln(1 − q) ≤ 745 unless q = 1.
      const c = rate === 1 ? 1 : 1 - Math.exp(checked(epsilon)) * (1 - rate);
      const room = c + 2 ** -49;
      if (!(room > 0)) return 0;
      if (rate === 1) return probability(profile.add(epsilon));
      // Smaller ε and larger c only raise the bound.
      const at = epsilon + Math.log(rate / Math.min(rate, room)) - 1e-14 * (1 + epsilon);
      return share(room, probability(profile.add(Math.max(0, at))));
    },
  };
}

/**
 * The profile of a mechanism on a Poisson sample under replace-one:
 *   δ′(ε′) = q·[(1 − β)·δ₁(ε) + β·δ₂(ε)],  e^ε = 1 + (e^ε′ − 1)/q,  β = e^(ε′−ε),
 * δ₁ with the unit against without it, δ₂ with one unit against with another. Without δ₂ the group bound
 * δ₂(ε) ≤ δ(ε/2)·(1 + e^(ε/2)) stands for it, δ the larger of both directions of δ₁.
 * Proof: ./subsampled-loss.proof.md
 * Source: advanced joint convexity, Balle, Barthe & Gaboardi 2018, Thm 2; by its own proof for this pairing.
 * Direction: upper.
 * Errors: parameter.invalid unless 0 ≤ q ≤ 1.
 */
export function profilePoissonReplaceOne(
  profile: DirectedProfile,
  rate: number,
  replaced: ProfileBound = replacedBound(profile),
): ProfileBound {
  checkRate(rate);
  if (rate === 0) return none;
  return (epsilon) => {
    const inner = unsampledEpsilon(checked(epsilon), rate);
    const [alone, swapped] = [probability(profile.remove(inner)), probability(replaced(inner))];
    // A lower ε than the true one only raises both δ and β, and with them the bound as long as δ₂ ≥ δ₁.
    const beta = Math.min(1, Math.exp(epsilon - inner) * up);
    const mixed = swapped > alone ? alone + beta * (swapped - alone) : alone;
    return share(rate, mixed * up);
  };
}

/** Replace-one from add-or-remove-one: away from one unit and on to the other, each at half the ε. */
export function replacedBound(profile: DirectedProfile): ProfileBound {
  return (epsilon) => {
    const half = checked(epsilon) / 2;
    const [remove, add] = [probability(profile.remove(half)), probability(profile.add(half))];
    return Math.min(1, (remove + Math.exp(half) * up * add) * up);
  };
}

const none: ProfileBound = (epsilon) => 0 * checked(epsilon);

function checked(epsilon: number): number {
  checkEpsilon(epsilon);
  return epsilon;
}
