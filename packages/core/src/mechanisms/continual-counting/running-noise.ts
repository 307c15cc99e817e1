import { bigintAt } from "../../numeric/elements/element-at.ts";
/** Turns the noise of the measurements, one a step, into the noise of the running totals. Fixed point, ties upward. */
export interface RunningNoise {
  /** The noise of this step's running total, rounded to an integer. */
  next(measurement: bigint): bigint;
}

/** The integer nearest to x·2^−bits; commutes with adding multiples of 2^bits. */
export function roundedShift(x: bigint, bits: bigint): bigint {
  return bits === 0n ? x : (x + (1n << (bits - 1n))) >> bits;
}

/**
 * The tree. At step t = odd·2ʲ one interval is measured, the last 2ʲ steps; the running total adds the intervals that the
 * binary digits of t name. Memory and time O(log t).
 */
export class TreeNoise implements RunningNoise {
  readonly #gridBits: bigint;
  /** The measurements by level; those at zero digits of the step count are not read. */
  readonly #levels: bigint[] = [];
  #step = 0;

  constructor(gridBits: number) {
    this.#gridBits = BigInt(gridBits);
  }

  next(measurement: bigint): bigint {
    this.#step += 1;
    let [level, rest] = [0, this.#step];
    for (; rest % 2 === 0; rest /= 2) level += 1;
    this.#levels[level] = measurement;
    let total = measurement;
    // The digits above the lowest one.
    for (let digits = (rest - 1) / 2; digits > 0; digits = Math.floor(digits / 2)) {
      level += 1;
      if (digits % 2 === 1) total += bigintAt(this.#levels, level);
    }
    return roundedShift(total, this.#gridBits);
  }
}

/** Places kept below the unit of running totals. */
export const runningBits = 40;

/**
 * A Toeplitz matrix with integer coefficients c₀ = 2^gridBits ≥ c₁ ≥ … ≥ 0. With h = 1/((1 − z)·c(z)) the noise of the running
 * total is Σ hₛ·z_{t−s}, and (1 − z)·c(z)·h(z) = 1 reads
 *   eₜ = (zₜ + Σᵢ (cᵢ − cᵢ₊₁)·eₜ₋₁₋ᵢ)/c₀,
 * a mean of the last `bands` running noises plus fresh noise. Rounded to 2^−40 each step: off by at most t·2^−41 at step t.
 * Memory and time O(bands) a step.
 */
export class ToeplitzNoise implements RunningNoise {
  readonly #gridBits: bigint;
  readonly #drops: readonly bigint[];
  /** The last running noises, a ring. */
  readonly #recent: bigint[] = [];
  #next = 0;

  constructor(coefficients: readonly bigint[], gridBits: number) {
    this.#gridBits = BigInt(gridBits);
    this.#drops = coefficients.map((c, i) => c - (coefficients[i + 1] ?? 0n));
  }

  next(measurement: bigint): bigint {
    const [drops, recent] = [this.#drops, this.#recent];
    let sum = measurement << BigInt(runningBits);
    // Newest first: from the place before #next down, then around.
    let at = this.#next;
    for (let i = 0; i < recent.length; i++) {
      at = at === 0 ? recent.length - 1 : at - 1;
      sum += bigintAt(drops, i) * bigintAt(recent, at);
    }
    const running = roundedShift(sum, this.#gridBits);
    recent[this.#next] = running;
    this.#next = (this.#next + 1) % drops.length;
    return roundedShift(running, BigInt(runningBits));
  }
}
