import { invalidParameter } from "../../errors/lethe-error.ts";
import { bigintAt } from "../../numeric/elements/element-at.ts";
import type { Sensitivity } from "../mechanism.ts";
import type { Participation } from "./counting-plan.ts";

/** k·bands above which the overlap of columns is not summed. */
const mostOverlap = 2 ** 22;

/** The participations that can really happen: steps at least b apart number at most ⌈T/b⌉. */
function possible(steps: number, { participations, separation }: Participation): number {
  return Math.min(participations, Math.ceil(steps / separation));
}

/**
 * Returns the sensitivity of the sums over the dyadic intervals that a tree of `steps` steps measures, when each of at most k steps
 * at least b apart moves by at most 1. An interval of 2ʲ steps holds at most m = min(k, ⌈2ʲ/b⌉) of them, and those of one length are
 * disjoint: level j adds at most k to ℓ1, and ⌊k/m⌋·m² + (k mod m)² to ℓ2².
 * Source: Dwork, Naor, Pitassi & Rothblum 2010; Chan, Shi & Song 2011: one participation gives ⌊log₂ T⌋ + 1.
 * Direction: exact for one participation, upper for more.
 * @example treeSensitivity(1000, { participations: 1, separation: 1 }) // => { l1: 10n, l2Squared: 10n }
 */
export function treeSensitivity(steps: number, participation: Participation): Sensitivity {
  const k = possible(steps, participation);
  let [l1, l2Squared] = [0n, 0n];
  for (let length = 1; length <= steps; length *= 2) {
    // Of the intervals of one length only the first, third, … are measured: the others end where a longer one does.
    const intervals = Math.floor((Math.floor(steps / length) + 1) / 2);
    const each = Math.min(k, Math.ceil(length / participation.separation));
    const level = BigInt(Math.min(k, intervals * each));
    const most = BigInt(each);
    l1 += level;
    l2Squared += (level / most) * most * most + (level % most) ** 2n;
  }
  return { l1, l2Squared };
}

/**
 * Returns the sensitivity of C·x for the lower triangular Toeplitz matrix C of these coefficients, which are ≥ 0 and never increase,
 * when each of at most k steps at least b apart moves by at most 1: ‖Σⱼ C[·, 1 + jb]‖ over j < min(k, ⌈T/b⌉), for ℓ1 and for ℓ2.
 * Source: Kalinin & Lampert 2024 (arXiv 2405.13763), Thm 2; derived in ./continual-counting.proof.md.
 * Direction: exact. Errors: parameter.invalid where bands × participations passes 2^22 and the columns overlap.
 */
export function toeplitzSensitivity(
  coefficients: readonly bigint[],
  steps: number,
  participation: Participation,
): Sensitivity {
  const k = possible(steps, participation);
  const { separation } = participation;
  const rows = coefficients.slice(0, steps);
  if (k === 1 || rows.length <= separation) return apart(rows, steps, k, separation);
  if (k * rows.length > mostOverlap) {
    throw invalidParameter("bands × participations", k * rows.length, `at most ${mostOverlap}`);
  }
  let [l1, l2Squared] = [0n, 0n];
  const end = Math.min(steps, (k - 1) * separation + rows.length);
  for (let t = 0; t < end; t++) {
    let sum = 0n;
    const last = Math.min(k - 1, Math.floor(t / separation));
    for (let j = last; j >= 0 && t - j * separation < rows.length; j--)
      sum += bigintAt(rows, t - j * separation);
    l1 += sum;
    l2Squared += sum * sum;
  }
  return { l1, l2Squared };
}

/** Columns that share no row: only the last can be cut off by the end of the stream. */
function apart(rows: readonly bigint[], steps: number, k: number, separation: number): Sensitivity {
  const column = (length: number): Sensitivity =>
    rows.slice(0, length).reduce(({ l1, l2Squared }, c) => ({ l1: l1 + c, l2Squared: l2Squared + c * c }), {
      l1: 0n,
      l2Squared: 0n,
    });
  const full = column(rows.length);
  const last = column(steps - (k - 1) * separation);
  const others = BigInt(k - 1);
  return { l1: others * full.l1 + last.l1, l2Squared: others * full.l2Squared + last.l2Squared };
}
