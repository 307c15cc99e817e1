import { type Rational, ratio } from "@lethe/core";
import { divide, elementAt, expBracket, negate, one } from "@lethe/core/numeric";
import { certain, complement, minus, over, plus, times } from "../../verify/enclosures.ts";
import { type Enclosure, exactly } from "../../verify/hockey-stick.ts";
import { discreteLaplaceMass, type Mass } from "../../verify/masses.ts";
import type { Masses } from "./law.ts";

/*
 * Laws of integers plus discrete Laplace noise, from its mass function alone. Where all that neighbours may hold lies in a window, noisy values
 * beyond the window all say the same of them: their masses differ by one factor. So clamping to the window loses nothing, and leaves a
 * finite law.
 */

export interface Window {
  readonly lo: bigint;
  readonly hi: bigint;
}

/** Around what every data set has at each place. */
export function windowsOf(values: readonly (readonly bigint[])[]): readonly Window[] {
  return elementAt(values, 0).map((_, at) => {
    const all = values.map((each) => elementAt(each, at));
    return { lo: all.reduce((a, b) => (a < b ? a : b)), hi: all.reduce((a, b) => (a > b ? a : b)) };
  });
}

export function clampTo(value: bigint, { lo, hi }: Window): bigint {
  return value < lo ? lo : value > hi ? hi : value;
}

const tails = new Map<string, Enclosure>();

/** P[Z ≥ k] = a^k/(1 + a) for k ≥ 1, a = e^(−1/scale); by symmetry for others. */
export function laplaceAtLeast(scale: Rational, k: bigint): Enclosure {
  if (k < 1n) return complement(laplaceAtLeast(scale, 1n - k));
  const key = `${k} ${scale.num}/${scale.den}`;
  const known = tails.get(key);
  if (known !== undefined) return known;
  const a = expBracket(negate(divide(one, scale)), 220);
  const far = expBracket(negate(divide(ratio(k), scale)), 220);
  const found = over(far, plus(certain, a));
  tails.set(key, found);
  return found;
}

/** The law of a value plus noise, clamped to a window: its outcomes are the window's integers. */
export function clampedLaplace(scale: Rational, value: bigint, { lo, hi }: Window): Masses {
  if (lo === hi) return new Map([[lo.toString(), exactly(one)]]);
  const masses = new Map<string, Enclosure>();
  for (let z = lo; z <= hi; z += 1n) {
    const from = z === lo ? certain : laplaceAtLeast(scale, z - value);
    masses.set(z.toString(), z === hi ? from : minus(from, laplaceAtLeast(scale, z + 1n - value)));
  }
  return masses;
}

/** Every multiset of so many independent draws of value + noise, each between value − reach and value + reach. */
export function multisets(mass: Mass, value: bigint, count: number, reach: bigint): Masses {
  const atoms: { readonly noisy: bigint; readonly chance: Enclosure }[] = [];
  for (let z = -reach; z <= reach; z += 1n) atoms.push({ noisy: z + value, chance: mass.at(z) });
  const found = new Map<string, Enclosure>();
  const add = (left: typeof atoms, drawn: readonly bigint[], chance: Enclosure): void => {
    if (drawn.length === count) {
      found.set(drawn.join(","), times(chance, exactly(ratio(orders(drawn)))));
      return;
    }
    for (const [at, next] of left.entries()) {
      add(left.slice(at), [...drawn, next.noisy], times(chance, next.chance));
    }
  };
  add(atoms, [], certain);
  return found;
}

/** In how many orders a list can be drawn. */
function orders(drawn: readonly bigint[]): bigint {
  let [ways, run] = [1n, 0n];
  for (const [at, value] of drawn.entries()) {
    run = at > 0 && value === drawn[at - 1] ? run + 1n : 1n;
    ways = (ways * BigInt(at + 1)) / run;
  }
  return ways;
}

/** Whether noise has any mass at a value, by its definition; remembered. */
export function hasMass(mass: Mass): (z: bigint) => boolean {
  const known = new Map<bigint, boolean>();
  return (z) => {
    const found = known.get(z) ?? mass.at(z).lo.num > 0n;
    known.set(z, found);
    return found;
  };
}

/** {@link hasMass} of discrete Laplace noise. */
export function laplaceHasMass(scale: Rational): (z: bigint) => boolean {
  return hasMass(discreteLaplaceMass(scale));
}
