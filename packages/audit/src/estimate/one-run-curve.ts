import { toDouble } from "@lethe/core";
import { addDown, divideDown, multiplyDown, multiplyUp, subtractDown, subtractUp } from "@lethe/core/numeric";
import type { Point } from "../verify/claim.ts";
import { growthUp } from "./growth-up.ts";
import type { Guesses } from "./guesses.ts";

/**
 * Whether training that keeps to a whole curve, for adding or removing one canary, is right so often with chance below `falseAlarm`: the
 * least mass that the curve asks of fewer right guesses, if as many as were made have that chance, is then more than there is.
 * Source: Mahloujifar, Melis & Chaudhuri 2025, Thm 3.2 and Alg. 3 (arXiv 2410.22235), for two worlds of each canary; proved for a fixed
 * number of guesses in one-run.proof.md.
 * Direction: upper: rounded toward not refuting.
 */
export function isRefutedByCurve(
  { canaries, guesses, correct }: Guesses,
  points: readonly Point[],
  falseAlarm: number,
): boolean {
  if (correct === 0) return false;
  const wrongAtLeast = leastWrong(points);
  const spared = divideDown(falseAlarm, guesses - correct + 1);
  let right = multiplyDown(correct, falseAlarm);
  let wrong = multiplyDown(guesses - correct, falseAlarm);
  let mass = spared;
  for (let fewer = correct - 1; fewer >= 0; fewer -= 1) {
    // Canaries that are guessed right where more than so many are, a share of all; then those guessed wrong where so many are or more.
    wrong = Math.max(wrong, multiplyDown(canaries, wrongAtLeast(divideDown(right, canaries))));
    if (fewer === 0) break;
    const others = guesses - fewer;
    right = addDown(multiplyDown(guesses, mass), divideDown(multiplyDown(fewer, wrong), others));
    mass = addDown(mass, divideDown(wrong, others * (others + 1)));
  }
  return addDown(mass, divideDown(wrong, guesses)) > 1;
}

/** Returns a function that bounds from below the probability of an event under one neighbour, given its probability under the other. */
function leastWrong(points: readonly Point[]): (chance: number) => number {
  const pieces = points.map(({ epsilon, delta }) => {
    const above = toDouble(delta, "up");
    return { growth: growthUp(epsilon), delta: above, rest: subtractDown(1, above) };
  });
  return (chance) => {
    const missing = subtractUp(1, chance);
    let least = 0;
    for (const { growth, delta, rest } of pieces) {
      const near = divideDown(subtractDown(chance, delta), growth);
      const far = subtractDown(rest, missing > 0 ? multiplyUp(growth, missing) : 0);
      least = Math.max(least, near, far);
    }
    return least;
  };
}
