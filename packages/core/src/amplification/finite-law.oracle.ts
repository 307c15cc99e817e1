/** Laws on finitely many outcomes in exact arithmetic: what the theorems are held against. */
import { add, multiply, one, type Rational, ratio, subtract, zero } from "../numeric/rational.ts";

export type Law = ReadonlyMap<string, Rational>;

export function lawOf(...entries: readonly (readonly [string, Rational])[]): Law {
  return new Map(entries);
}

export function mixture(parts: readonly { readonly weight: Rational; readonly law: Law }[]): Law {
  const total = new Map<string, Rational>();
  for (const { weight, law } of parts) {
    for (const [outcome, mass] of law) {
      total.set(outcome, add(total.get(outcome) ?? zero, multiply(weight, mass)));
    }
  }
  return total;
}

/** Both, one after the other and independent. */
export function product(a: Law, b: Law): Law {
  const total = new Map<string, Rational>();
  for (const [x, p] of a) for (const [y, q] of b) total.set(`${x}|${y}`, multiply(p, q));
  return total;
}

/** max over events of P(E) − γ·Q(E). */
export function hockeyStick(p: Law, q: Law, gamma: Rational): Rational {
  let total = zero;
  for (const [outcome, mass] of p) {
    const gain = subtract(mass, multiply(gamma, q.get(outcome) ?? zero));
    if (gain.num > 0n) total = add(total, gain);
  }
  return total;
}

/** Every subset of the units with its probability in a Poisson sample. */
export function poissonSubsets<T>(
  units: readonly T[],
  rate: Rational,
): { readonly weight: Rational; readonly sample: readonly T[] }[] {
  let all: { weight: Rational; sample: readonly T[] }[] = [{ weight: one, sample: [] }];
  for (const unit of units) {
    all = all.flatMap(({ weight, sample }) => [
      { weight: multiply(weight, rate), sample: [...sample, unit] },
      { weight: multiply(weight, subtract(one, rate)), sample },
    ]);
  }
  return all;
}

/** Every subset of exactly `size` units, equally likely. */
export function fixedSubsets<T>(
  units: readonly T[],
  size: number,
): { readonly weight: Rational; readonly sample: readonly T[] }[] {
  const samples: (readonly T[])[] = [];
  const choose = (from: number, chosen: readonly T[]): void => {
    if (chosen.length === size) samples.push(chosen);
    else for (let i = from; i < units.length; i += 1) choose(i + 1, [...chosen, units[i]!]);
  };
  choose(0, []);
  return samples.map((sample) => ({ weight: ratio(1n, BigInt(samples.length)), sample }));
}

/** Every list of `length` symbols. */
export function lists<T>(symbols: readonly T[], length: number): (readonly T[])[] {
  let all: (readonly T[])[] = [[]];
  for (let i = 0; i < length; i += 1) all = all.flatMap((list) => symbols.map((s) => [...list, s]));
  return all;
}
