import {
  type AddedNoise,
  linearIntervals,
  mixedNoise,
  mostNoises,
  ratioIntervals,
} from "@lethe/core/accuracy";
import { canonicalJson } from "@lethe/core/canonical";
import { elementAt } from "@lethe/core/numeric";
import { byName, everywhere, missing, type NumberRange, type Plan, possibleSigns } from "@lethe/query";
import { keptTo } from "../intervals/computed-intervals.ts";

/** One noisy integer of a released row: a draw of noise that no other has a part in, in this answer or another one. */
export interface Atom {
  /** The plan that measures it. */
  readonly plan: Plan;
  readonly measurement: string;
  readonly total: bigint;
}

/** constant + Σ weight · atom */
export interface LinearSum {
  readonly constant: number;
  readonly weights: ReadonlyMap<Atom, number>;
}

/** A sum of noisy integers, or a ratio of two. */
export interface NoisyForm {
  readonly above: LinearSum;
  readonly below: LinearSum | null;
}

export function constantForm(constant: number): NoisyForm {
  return { above: { constant, weights: new Map() }, below: null };
}

/** Returns constant · form, of a ratio too. */
export function scaledForm({ above, below }: NoisyForm, factor: number): NoisyForm {
  return { above: scaled(above, factor), below };
}

/** Returns the sum of forms that are no ratios; null where one is. */
export function addedForms(forms: readonly (NoisyForm | null)[]): NoisyForm | null {
  const weights = new Map<Atom, number>();
  let constant = 0;
  for (const form of forms) {
    if (form === null || form.below) return null;
    constant += form.above.constant;
    for (const [atom, weight] of form.above.weights) weights.set(atom, (weights.get(atom) ?? 0) + weight);
  }
  return { above: { constant, weights }, below: null };
}

/** Returns a product where one factor is a constant, else null. */
export function multipliedForms(a: NoisyForm, b: NoisyForm): NoisyForm | null {
  if (isConstant(b)) return scaledForm(a, b.above.constant);
  return isConstant(a) ? scaledForm(b, a.above.constant) : null;
}

/** Returns a ratio of two sums; null where one is a ratio itself. */
export function dividedForms(a: NoisyForm, b: NoisyForm): NoisyForm | null {
  if (isConstant(b)) return b.above.constant === 0 ? null : scaledForm(a, 1 / b.above.constant);
  return a.below || b.below ? null : { above: a.above, below: b.above };
}

function isConstant({ above, below }: NoisyForm): boolean {
  return below === null && above.weights.size === 0;
}

function scaled({ constant, weights }: LinearSum, factor: number): LinearSum {
  return {
    constant: constant * factor,
    weights: new Map([...weights].map(([atom, weight]) => [atom, weight * factor])),
  };
}

/** Atoms of one noise that have one weight above and one below are one total, with so many draws. */
interface Lump {
  readonly plan: Plan;
  readonly measurement: string;
  readonly above: number;
  readonly below: number;
  draws: number;
  total: bigint;
}

type Interval = (totals: readonly bigint[]) => NumberRange;

/**
 * Prepares forms ↦ their range at a confidence, of the noise that the atoms have together; null where there are more kinds of noise and weight than
 * {@link mostNoises}. What atoms cannot be, a range does not hold.
 */
export function formRanges(confidence: number): (form: NoisyForm) => NumberRange | null {
  const known = new Map<string, Interval>();
  const laws = new Map<Plan, ReadonlyMap<string, string>>();
  /** Atoms have one law where this is the same. */
  const lawOf = ({ plan, measurement }: Pick<Atom, "plan" | "measurement">): string => {
    const names =
      laws.get(plan) ??
      new Map(
        plan.measurements.map(({ name, noise }) => [
          name,
          `${possibleName(plan, name)} ${canonicalJson(noise)}`,
        ]),
      );
    laws.set(plan, names);
    return names.get(measurement) ?? missing(measurement);
  };
  const lumpsOf = ({ above, below }: NoisyForm): readonly Lump[] => {
    const lumps = new Map<string, Lump>();
    for (const atom of new Set([...above.weights.keys(), ...(below?.weights.keys() ?? [])])) {
      const [over, under] = [above.weights.get(atom) ?? 0, below?.weights.get(atom) ?? 0];
      if (over === 0 && under === 0) continue;
      const { plan, measurement, total } = atom;
      const name = `${over}/${under} ${lawOf(atom)}`;
      const lump = lumps.get(name);
      if (lump) {
        lump.draws += 1;
        lump.total += total;
      } else lumps.set(name, { plan, measurement, above: over, below: under, draws: 1, total });
    }
    return [...lumps.values()];
  };
  return (form) => {
    const lumps = lumpsOf(form);
    if (lumps.length === 0) {
      const value = form.above.constant / (form.below?.constant ?? 1);
      return Number.isFinite(value) ? { lo: value, hi: value } : null;
    }
    if (lumps.length > mostNoises) return null;
    const setting = { above: form.above.constant, below: form.below?.constant ?? null };
    const shape = canonicalJson([
      setting.above,
      setting.below,
      lumps.map((lump) => [`${lump.above}`, `${lump.below}`, lump.draws, lawOf(lump)]),
    ]);
    const interval = known.get(shape) ?? prepared(setting, lumps, confidence);
    known.set(shape, interval);
    return interval(lumps.map(({ total }) => total));
  };
}

function possibleName(plan: Plan, measurement: string): string {
  return possibleSigns(plan, measurement).atLeast === undefined ? "any" : "positive";
}

function isPositive({ plan, measurement }: Lump): boolean {
  return possibleName(plan, measurement) === "positive";
}

function prepared(
  constants: { readonly above: number; readonly below: number | null },
  lumps: readonly Lump[],
  confidence: number,
): Interval {
  const noises = lumps.map(
    ({ plan, measurement, draws }): AddedNoise =>
      mixedNoise([{ draws, of: byName(plan.measurements, measurement).noise }]),
  );
  const above = lumps.map((lump) => lump.above);
  const below = lumps.map((lump) => lump.below);
  const least = (constant: number, weights: readonly number[]): number =>
    weights.every((weight, at) => weight === 0 || (weight > 0 && isPositive(elementAt(lumps, at))))
      ? constant
      : Number.NEGATIVE_INFINITY;
  if (constants.below === null) {
    const intervals = linearIntervals({
      noises,
      weights: above,
      constant: constants.above,
      confidence,
      atLeast: least(constants.above, above),
    });
    return (totals) => {
      const { lower, upper } = intervals(totals);
      return { lo: lower, hi: upper };
    };
  }
  const intervals = ratioIntervals({
    noises,
    numerator: { constant: constants.above, weights: above },
    denominator: { constant: constants.below, weights: below },
    confidence,
  });
  const isRatioPositive = least(constants.above, above) >= 0 && least(constants.below, below) >= 0;
  const rest = below.map((weight, at) => weight - (above[at] ?? 0));
  const isShare = isRatioPositive && least(constants.below - constants.above, rest) >= 0;
  const possible = { lo: isRatioPositive ? 0 : everywhere.lo, hi: isShare ? 1 : everywhere.hi };
  return (totals) => {
    const range = intervals(totals);
    return range ? keptTo(possible, { lo: range.lower, hi: range.upper }) : everywhere;
  };
}
