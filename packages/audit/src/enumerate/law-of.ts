import type { Rational } from "@lethe/core";
import { add } from "@lethe/core/numeric";
import type { Enumeration } from "@lethe/core/tape";
import { exactly } from "../verify/hockey-stick.ts";
import type { NoisePaths } from "./enumerate-noise.ts";

/**
 * An enumeration as a law of named outcomes: what `name` calls the same is the same outcome.
 * @example lawOf(enumerateCoins((coins) => coins.bit(), 4)).masses.get("1") // => exactly 1/2
 */
export function lawOf<T>(
  { masses, residual }: Enumeration<T>,
  name: (outcome: T) => string = String,
): NoisePaths {
  const named = new Map<string, Rational>();
  for (const [outcome, mass] of masses) {
    const known = named.get(name(outcome));
    named.set(name(outcome), known ? add(known, mass) : mass);
  }
  return { masses: new Map([...named].map(([key, mass]) => [key, exactly(mass)])), residual };
}
