import { LetheError } from "../errors/lethe-error.ts";
import { expFixed } from "../numeric/fixed-functions.ts";
import { type FixedInterval, shiftUp } from "../numeric/fixed-point.ts";
import { acceptanceBits, cellsPerUnit, type Decay, slots } from "./decay.ts";

/** The tables of the fast path; built once a process and shared by every scale. */
export interface DecayCells {
  /** Slot → cell; the tail is cell number {@link Decay.cells}. */
  readonly cellOfSlot: Uint8Array;
  /** M·e^{−g(j/16)}/weight, in units of 2^−{@link acceptanceBits}, within a relative 2^−50. */
  readonly height: Float64Array;
  /** g(j/16 + v/16) − g(j/16) = v·(slope[j] + bend·v), exactly. */
  readonly slope: Float64Array;
  readonly bend: number;
  /** g(x) = linear·x + quadratic·x². */
  readonly linear: number;
  readonly quadratic: number;
}

const precision = 112;

function product(a: FixedInterval, b: FixedInterval): FixedInterval {
  return { lo: (a.lo * b.lo) >> BigInt(precision), hi: shiftUp(a.hi * b.hi, precision) };
}

/**
 * Tables for g(x) = linear·x + quadratic·x²: e^{−g} from cell to cell by two running products, rounded outward.
 */
export function decayCells(decay: Decay, linear: number, quadratic: number): DecayCells {
  const unit = 1n << BigInt(precision);
  const h = 1 / cellsPerUnit;
  const bend = quadratic * h * h;
  const power = (gamma: number): FixedInterval => {
    const exact = -BigInt(gamma * 2 ** 30) << BigInt(precision - 30); // gamma is a multiple of 2^−10
    return expFixed({ lo: exact, hi: exact }, precision);
  };
  let value: FixedInterval = { lo: unit, hi: unit };
  let step = power(linear * h + bend); // e^{−(g(h(j+1)) − g(hj))}
  const stepRatio = power(2 * bend);

  const cellOfSlot = new Uint8Array(slots);
  const height = new Float64Array(decay.cells);
  const slope = new Float64Array(decay.cells);
  let slot = 0;
  for (let j = 0; j < decay.cells; j++) {
    const denominator = decay.mass.den << BigInt(precision);
    const [weight, above] = [value.lo, value.hi].map(
      (x) => (decay.mass.num * x + denominator - 1n) / denominator,
    ) as [bigint, bigint];
    if (weight !== above) {
      throw new LetheError("internal.invariant", "a sampler's table needs more bits", {
        fix: "report this as a defect",
      });
    }
    cellOfSlot.fill(j, slot, slot + Number(weight));
    slot += Number(weight);
    height[j] =
      Number((decay.mass.num * value.lo) / (decay.mass.den * weight)) /
      Number(1n << BigInt(precision - acceptanceBits));
    slope[j] = h * (linear + 2 * quadratic * h * j);
    value = product(value, step);
    step = product(step, stepRatio);
  }
  if (slot !== slots - 1) {
    throw new LetheError("internal.invariant", "a sampler's weights do not fill its slots", {
      fix: "report this as a defect",
    });
  }
  cellOfSlot[slot] = decay.cells;
  return { cellOfSlot, height, slope, bend, linear, quadratic };
}
