import { elementAt } from "@lethe/core/numeric";

/** A residual that a round may measure. */
export interface Payable {
  /** How much of the table's variance one unit of the residual's variance makes. */
  readonly weight: number;
  /** 1/variance of what is known of it. */
  readonly precision: number;
  /** What a precision of 1 takes: the residual's squared sensitivity. */
  readonly cost: number;
}

/** Shares of a round are whole multiples of one part in so many. */
export const shareGrid = 1024;
/** A share is at least so many of them, or none: an eighth, so that no residual is noisier by more than √8 than a round says. */
const least = 128;

/**
 * Returns which 1,024ths of a round's part each residual gets, so that the cells of the table have the least variance in all: Σ weight/(precision + xᵢ) at Σ cost·xᵢ within the part.
 * What is known well gets nothing, and what would come to be known twice as well an eighth or more; smaller parts go to the largest.
 * Source: Lagrange; Xiao, He, Zhang & Kifer 2023 (arXiv 2305.08175), Sec. 5, from no earlier answers; by rounds: Fuentes et al. 2026 (arXiv 2602.05674).
 * @example shareOut([{ weight: 4, precision: 0, cost: 1 }, { weight: 1, precision: 0, cost: 1 }], 1) // => [683, 341]
 */
export function shareOut(residuals: readonly Payable[], part: number): readonly number[] {
  // xᵢ = t·√(weight/cost) − precision where that is above 0: t rises until the part is spent.
  const slopes = residuals.map(({ weight, cost }) => Math.sqrt(weight / cost));
  const starts = residuals.map(({ precision }, at) => precision / elementAt(slopes, at));
  let [level, chosen] = [0, new Set<number>()];
  for (const at of [...residuals.keys()].sort((a, b) => elementAt(starts, a) - elementAt(starts, b))) {
    if (chosen.size > 0 && level <= elementAt(starts, at)) break;
    chosen = new Set([...chosen, at]);
    const taken = [...chosen].map((each) => elementAt(residuals, each));
    const spent = taken.reduce((sum, { cost, precision }) => sum + cost * precision, part);
    level =
      spent /
      [...chosen].reduce((sum, each) => sum + elementAt(residuals, each).cost * elementAt(slopes, each), 0);
  }
  const shares = residuals.map(({ precision, cost }, at) => {
    if (!chosen.has(at)) return 0;
    const more = level * elementAt(slopes, at) - precision;
    const whole = Math.floor((shareGrid * cost * more) / part);
    if (whole >= least) return whole;
    return more > precision ? least : 0;
  });
  const largest = shares.indexOf(Math.max(...shares));
  return shares.map((share, at) =>
    at === largest ? share + shareGrid - shares.reduce((a, b) => a + b, 0) : share,
  );
}
