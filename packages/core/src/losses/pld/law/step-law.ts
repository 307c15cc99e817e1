import { doubleAt } from "../../../numeric/elements/element-at.ts";
import type { DominatingPair, LossCells } from "../pairs/index.ts";
import { largestLoss } from "./largest-loss.ts";

/** One direction of a pair as weighted losses under P: enough to plan with, not to claim from. */
export interface StepLaw {
  readonly losses: Float64Array;
  readonly logMasses: Float64Array;
}

/** K(λ) = ln E[e^{λL}] and the mean and variance of L under the tilted law ∝ e^{λL}·P. */
export interface Cumulants {
  readonly log: number;
  readonly mean: number;
  readonly variance: number;
}

const oneCell: LossCells = {
  edge: (k) => (k <= 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY),
  cell: () => 0,
  atom: () => 0,
};

export interface StepAtoms {
  readonly losses: Float64Array;
  readonly p: Float64Array;
  readonly q: Float64Array;
}

/** The atoms of an emission that is not cut along any grid, in increasing loss. For a discrete pair, its atoms. */
export function stepAtoms(pair: DominatingPair): StepAtoms {
  const rows: [number, number, number][] = [];
  pair.emit(oneCell, 1e-290, (_cell, p, q) => {
    const loss = Math.log(p / q);
    if (Math.abs(loss) <= largestLoss * (1 + 1e-12)) rows.push([loss, p, q]);
  });
  rows.sort((a, b) => a[0] - b[0]);
  return {
    losses: Float64Array.from(rows, (row) => row[0]),
    p: Float64Array.from(rows, (row) => row[1]),
    q: Float64Array.from(rows, (row) => row[2]),
  };
}

const mostPlanned = 4096;

/** The law of L under P, thinned to a few thousand points. */
export function forwardLaw(atoms: StepAtoms): StepLaw {
  return lawOfFew(atoms.losses, atoms.p, mostPlanned);
}

/** The law of −L under Q. */
export function mirroredLaw(atoms: StepAtoms): StepLaw {
  return lawOfFew(atoms.losses.map((loss) => -loss).reverse(), atoms.q.slice().reverse(), mostPlanned);
}

/** About that law with at most `most` points. */
export function thinned(law: StepLaw, most: number): StepLaw {
  return law.losses.length <= most ? law : lawOfFew(law.losses, law.logMasses.map(Math.exp), most);
}

/** Losses up to the cut, and those above. */
export function splitStepLaw(
  { losses, logMasses }: StepLaw,
  cut: number,
): { readonly below: StepLaw; readonly above: StepLaw } {
  let at = 0;
  while (at < losses.length && doubleAt(losses, at) <= cut) at++;
  return {
    below: { losses: losses.subarray(0, at), logMasses: logMasses.subarray(0, at) },
    above: { losses: losses.subarray(at), logMasses: logMasses.subarray(at) },
  };
}

/** ln of the mass of a law. */
export function logMassOf(law: StepLaw): number {
  return cumulants(law, 0).log;
}

function lawOfFew(losses: Float64Array, masses: Float64Array, most: number): StepLaw {
  if (losses.length <= most) return { losses, logMasses: masses.map(Math.log) };
  const each = Math.ceil(losses.length / most);
  const means: number[] = [];
  const sums: number[] = [];
  for (let from = 0; from < losses.length; from += each) {
    let [mass, moment] = [0, 0];
    for (let i = from; i < Math.min(losses.length, from + each); i++) {
      mass += doubleAt(masses, i);
      moment += doubleAt(masses, i) * doubleAt(losses, i);
    }
    if (mass > 0) {
      means.push(moment / mass);
      sums.push(mass);
    }
  }
  return { losses: Float64Array.from(means), logMasses: Float64Array.from(sums, Math.log) };
}

export function cumulants({ losses, logMasses }: StepLaw, tilt: number): Cumulants {
  let peak = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < losses.length; i++) {
    peak = Math.max(peak, tilt * doubleAt(losses, i) + doubleAt(logMasses, i));
  }
  const center = losses[losses.length >> 1] ?? 0;
  let [total, first, second] = [0, 0, 0];
  for (let i = 0; i < losses.length; i++) {
    const weight = Math.exp(tilt * doubleAt(losses, i) + doubleAt(logMasses, i) - peak);
    const loss = doubleAt(losses, i) - center;
    total += weight;
    first += weight * loss;
    second += weight * loss * loss;
  }
  if (!(total > 0)) return { log: Number.NEGATIVE_INFINITY, mean: 0, variance: 0 };
  const mean = first / total;
  return {
    log: peak + Math.log(total),
    mean: center + mean,
    variance: Math.max(0, second / total - mean * mean),
  };
}

/**
 * How far a sum of tilted losses is from normal: the greater of its squared skewness and its excess kurtosis. Near 0 for many losses,
 * about 1 over their number for rare jumps.
 */
export function peakedness(
  steps: readonly { readonly law: StepLaw; readonly count: number }[],
  tilt: number,
): number {
  let [second, third, fourth] = [0, 0, 0];
  for (const { law, count } of steps) {
    const { log, mean, variance } = cumulants(law, tilt);
    let [cubes, powers] = [0, 0];
    for (let i = 0; i < law.losses.length; i++) {
      const distance = doubleAt(law.losses, i) - mean;
      const weighted =
        Math.exp(tilt * doubleAt(law.losses, i) + doubleAt(law.logMasses, i) - log) * distance ** 3;
      cubes += weighted;
      powers += weighted * distance;
    }
    second += count * variance;
    third += count * cubes;
    fourth += count * (powers - 3 * variance * variance);
  }
  return second > 0 ? Math.max(third ** 2 / second ** 3, Math.abs(fourth) / second ** 2) : 0;
}
