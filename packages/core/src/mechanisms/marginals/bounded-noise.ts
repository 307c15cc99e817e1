import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Event } from "../../events/event.ts";
import { elementAt } from "../../numeric/elements/element-at.ts";
import { type Sampler, uniformBelow } from "../../samplers/index.ts";

/** Integer noise that never exceeds its reach: P[Z = z] ∝ ((reach + 1)² − z²)^power for |z| ≤ reach, 0 beyond. */
export interface BoundedNoise {
  readonly mechanism: "bounded@1";
  readonly reach: number;
  /** Larger: closer to a normal law of variance reach²/(2·power + 3), and rarer at the ends. */
  readonly power: number;
}

/** An event lists the whole law, and an event's lists are bounded. */
const mostReach = 4900;
const mostPower = 64;

/** ((reach + 1)² − z²)^power for z = −reach … reach: integers, symmetric, and log-concave since ln(c² − z²) is concave. */
export function boundedWeights({ reach, power }: BoundedNoise): readonly bigint[] {
  checkInteger("reach", reach, mostReach);
  checkInteger("power", power, mostPower);
  const edge = BigInt(reach + 1) ** 2n;
  return Array.from({ length: 2 * reach + 1 }, (_, i) => (edge - BigInt(i - reach) ** 2n) ** BigInt(power));
}

/**
 * The record of adding this noise, drawn afresh, to each of `coordinates` integers that move by at most `shift` each, all at once: as
 * many finite pairs (Z, Z + shift) as coordinates. A calculator reads its price from the very law that is drawn.
 * Source: Dagan & Kur 2022 (arXiv 2012.03817) for noise of bounded support; proof: ./marginals.proof.md
 * Direction: exact for the largest shift of every coordinate.
 * Errors: parameter.invalid unless 1 ≤ reach ≤ 4900, 1 ≤ power ≤ 64, coordinates ≥ 1, 0 ≤ shift ≤ 2·reach.
 */
export function boundedNoiseEvent(
  noise: BoundedNoise,
  { coordinates, shift }: { readonly coordinates: number; readonly shift: number },
): Event {
  checkInteger("coordinates", coordinates, Number.MAX_SAFE_INTEGER);
  if (shift === 0) return { kind: "constant", version: 1 };
  checkInteger("shift", shift, 2 * noise.reach);
  const weights = boundedWeights(noise);
  const total = weights.reduce((a, b) => a + b, 0n);
  const masses = weights.map((weight) => `${weight}/${total}`);
  const beyond = new Array<string>(shift).fill("0");
  return {
    kind: "repeat",
    version: 1,
    count: coordinates.toString(),
    event: {
      kind: "finite-pair",
      version: 1,
      p: [...masses, ...beyond],
      q: [...beyond, ...masses],
      of: "bounded-noise",
    },
  };
}

/** Draws exactly from the law: one uniform integer below the total weight, found among the running sums. */
export function boundedSampler(noise: BoundedNoise): Pick<Sampler, "sample"> {
  const weights = boundedWeights(noise);
  let total = 0n;
  const sums = weights.map((weight) => {
    total += weight;
    return total;
  });
  return {
    sample(bits: BitSource): bigint {
      const drawn = uniformBelow(total, bits);
      // The first running sum above what was drawn.
      let [low, high] = [0, sums.length - 1];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (elementAt(sums, middle) > drawn) high = middle;
        else low = middle + 1;
      }
      return BigInt(low - noise.reach);
    },
  };
}

/** The powers that are tried, from the middle outward: small ones have the shortest reach, large ones the rarest ends. */
const powers = { start: 4, upward: [5, 6, 8, 10, 13, 16, 20, 25, 32], downward: [3, 2] };

/**
 * The bounded noise of least reach whose event fits: `fits` asks an accountant, such as
 * `(event) => account(event).delta(1).upper <= 1e-6`, and is asked some tens of times.
 * Source: Dagan & Kur 2022 (arXiv 2012.03817); proof: ./marginals.proof.md
 * Direction: upper (the reach that is found was let pass).
 * Errors: parameter.invalid where even a reach of 4900 does not fit.
 */
export function boundedNoiseFor(request: {
  readonly coordinates: number;
  readonly shift: number;
  readonly fits: (event: Event) => boolean;
}): BoundedNoise {
  const { fits, ...moves } = request;
  checkInteger("coordinates", moves.coordinates, Number.MAX_SAFE_INTEGER);
  checkInteger("shift", moves.shift, mostReach);
  const least = Math.ceil(moves.shift / 2);
  const reachAt = (power: number, first: number, most: number): number | null =>
    shortest((reach) => fits(boundedNoiseEvent({ mechanism: "bounded@1", reach, power }, moves)), {
      least,
      first,
      most,
    });
  let best: BoundedNoise | null = null;
  const guess = Math.ceil(16 * moves.shift * Math.sqrt(moves.coordinates));
  for (const power of [powers.start, ...powers.upward]) {
    best = better(best, power, reachAt, guess);
    // Past the best power reaches only grow.
    if (best !== null && best.power !== power) break;
  }
  for (const power of best?.power === powers.start ? powers.downward : []) {
    best = better(best, power, reachAt, guess);
    if (best?.power !== power) break;
  }
  if (best === null) {
    throw invalidParameter("budget", "too small", `large enough for noise of at most ${mostReach}`);
  }
  return best;
}

/** Only a shorter reach than the best is of interest. */
function better(
  best: BoundedNoise | null,
  power: number,
  reachAt: (power: number, first: number, most: number) => number | null,
  guess: number,
): BoundedNoise | null {
  const most = best === null ? mostReach : best.reach - 1;
  const reach = reachAt(power, Math.min(guess, most), most);
  return reach === null ? best : { mechanism: "bounded@1", reach, power };
}

/** The least reach in [least, most] that fits, where longer ones fit too; null for none. Steps away from `first`, then halves. */
function shortest(
  fits: (reach: number) => boolean,
  { least, first, most }: { readonly least: number; readonly first: number; readonly most: number },
): number | null {
  if (least > most) return null;
  let [low, high] = [least - 1, Math.max(least, first)];
  let step = Math.ceil(high / 32);
  if (fits(high)) {
    for (; high - step > low; step *= 2) {
      if (!fits(high - step)) {
        low = high - step;
        break;
      }
      high -= step;
    }
  } else {
    for (; ; step *= 2) {
      if (high >= most) return null;
      [low, high] = [high, Math.min(most, high + step)];
      if (fits(high)) break;
    }
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function checkInteger(name: string, value: number, most: number): void {
  if (!(Number.isSafeInteger(value) && value >= 1 && value <= most)) {
    throw invalidParameter(name, value, `an integer from 1 to ${most}`);
  }
}
