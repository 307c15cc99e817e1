import { doubleAt } from "../../../numeric/elements/element-at.ts";
import type { GridLaw } from "../law/grid-law.ts";

/** t_i = mass_i·e^{λ·loss_i − shift}: about a probability, whatever the scale of the masses. */
export interface TiltedLaw {
  readonly pitch: number;
  readonly offset: number;
  readonly first: number;
  readonly mass: Float64Array;
  /** A double near ln Σ mass·e^{λ·loss}; the tilted masses are those of exactly this shift. */
  readonly shift: number;
  /** Relative error of each tilted mass from the rounding of its exponent. */
  readonly massError: number;
}

const unit = Number.EPSILON / 2;

export function tiltLaw(law: GridLaw, tilt: number): TiltedLaw {
  const { pitch, offset, first, mass } = law;
  const lossOf = (i: number): number => offset + (first + i) * pitch;
  let peak = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < mass.length; i++) {
    const m = doubleAt(mass, i);
    // A log for each mass would cost more than all the rest: the exponent alone finds the scale of bounded ones.
    if (m > 0) peak = Math.max(peak, tilt * lossOf(i) + (m < 1e-3 ? Math.log(m) : 0));
  }
  if (peak === Number.NEGATIVE_INFINITY) return { pitch, offset, first, mass, shift: 0, massError: 0 };
  const tilted = new Float64Array(mass.length);
  let total = 0;
  let largest = 0;
  for (let i = 0; i < mass.length; i++) {
    if (!(doubleAt(mass, i) > 0)) continue;
    const exponent = tilt * lossOf(i) - peak;
    largest = Math.max(largest, Math.abs(tilt * lossOf(i)));
    tilted[i] =
      exponent > 700
        ? doubleAt(mass, i) * Math.exp(exponent - 350) * Math.exp(350)
        : doubleAt(mass, i) * Math.exp(exponent);
    total += doubleAt(tilted, i);
  }
  const shift = peak + Math.log(total);
  // Rescaled by the rounded shift's own factor, so that mass, tilt and shift agree to a few ulp.
  const rescale = Math.exp(peak - shift);
  for (let i = 0; i < tilted.length; i++) tilted[i] = doubleAt(tilted, i) * rescale;
  return {
    pitch,
    offset,
    first,
    mass: tilted,
    shift,
    massError: (16 + 4 * (largest + Math.abs(peak) + Math.abs(shift))) * unit,
  };
}

/** A double above ln Σ t_i·e^{θ·(loss_i − center)}: the cumulant of Chernoff's bound about `center`. */
export function logMoment({ pitch, offset, first, mass }: TiltedLaw, theta: number, center: number): number {
  const from = offset + first * pitch - center;
  const top = from + (mass.length - 1) * pitch;
  const peak = Math.max(theta * from, theta * top);
  const ratio = Math.exp(theta * pitch);
  let total = 0;
  for (let block = 0; block < mass.length; block += 64) {
    let factor = Math.exp(theta * (from + block * pitch) - peak);
    const end = Math.min(mass.length, block + 64);
    for (let i = block; i < end; i++) {
      total += doubleAt(mass, i) * factor;
      factor *= ratio;
    }
  }
  return peak + Math.log(total) + 1e-12 * (1 + Math.abs(peak));
}

/** Mean and variance of the loss under the tilted law. */
export function tiltedMoments({ pitch, offset, first, mass }: TiltedLaw): { mean: number; variance: number } {
  let [total, one, two] = [0, 0, 0];
  const middle = mass.length / 2;
  for (let i = 0; i < mass.length; i++) {
    const x = i - middle;
    total += doubleAt(mass, i);
    one += doubleAt(mass, i) * x;
    two += doubleAt(mass, i) * x * x;
  }
  if (!(total > 0)) return { mean: 0, variance: 0 };
  const mean = one / total;
  return {
    mean: offset + (first + middle + mean) * pitch,
    variance: Math.max(0, two / total - mean * mean) * pitch * pitch,
  };
}
