import { type Rational, toDouble } from "@lethe/core";
import { epsilonAt, lastPlace, placeOf } from "./four-digits.ts";

const guesses = 3;
const firstStep = 4;

/**
 * The least ε of four significant digits from 0.000001 to 1000000 whose error is at most `target`; null where none is.
 * The error falls as ε grows, and about as 1/ε, which makes good guesses; at a place where it does not quite (an integer
 * noise, a change of its family) the ε found still reaches the target and the one before it does not.
 * @example leastEpsilon((epsilon) => 3 / toDouble(epsilon, "down"), 50) // => 0.06
 */
export function leastEpsilon(errorAt: (epsilon: Rational) => number, target: number): Rational | null {
  const known = new Map<number, number>();
  const error = (place: number): number => {
    const found = known.get(place) ?? errorAt(epsilonAt(place));
    known.set(place, found);
    return found;
  };
  const meets = (place: number): boolean => error(place) <= target;
  let guess = placeOf(1);
  for (let round = 0; round < guesses; round += 1) {
    const scaled = (toDouble(epsilonAt(guess), "down") * error(guess)) / target;
    guess = Number.isNaN(scaled) ? guess : placeOf(scaled);
  }
  const bracket = bracketAround(guess, meets);
  if (bracket === null) return null;
  let { missed, met } = bracket;
  while (met - missed > 1) {
    const middle = Math.floor((missed + met) / 2);
    if (meets(middle)) met = middle;
    else missed = middle;
  }
  return epsilonAt(met);
}

/** A place that meets the target, and one below it that does not (−1: there is none); null where the last does not. */
function bracketAround(
  guess: number,
  meets: (place: number) => boolean,
): { readonly missed: number; readonly met: number } | null {
  let step = firstStep;
  if (meets(guess)) {
    let met = guess;
    while (met - step >= 0 && meets(met - step)) {
      met -= step;
      step *= 4;
    }
    return { missed: Math.max(-1, met - step), met };
  }
  let missed = guess;
  while (missed + step < lastPlace && !meets(missed + step)) {
    missed += step;
    step *= 4;
  }
  const met = Math.min(lastPlace, missed + step);
  return meets(met) ? { missed, met } : null;
}
