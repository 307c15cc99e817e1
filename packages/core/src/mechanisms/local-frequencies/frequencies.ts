import { invalidParameter } from "../../errors/lethe-error.ts";
import { divideDown, divideUp } from "../../numeric/directed.ts";
import { divide, multiply, one, type Rational, ratio, subtract, toDouble } from "../../numeric/rational.ts";
import { populationShare, type SupportTest } from "./population-share.ts";
import { reportersWith } from "./reporters-with.ts";
import type { Chance } from "./support-tail.ts";

/** The options of the estimates from the collected reports. */
export interface AggregateRequest {
  /** The chance with which an interval holds, at least; above 0 and at most 1 − 1e-12. Unless stated 0.95. */
  readonly confidence?: number;
  /**
   * The units whose shares are estimated: those that reported (unless stated), or the population that they were drawn from
   * independently. The intervals of the latter are wider by the error of sampling.
   */
  readonly about?: "reporters" | "population";
  /** Whether the confidence is of all intervals at once (a union bound) instead of each by itself. */
  readonly together?: boolean;
}

/** The share of every option, by option. All numbers are shares of the units: 0.25 is a quarter. */
export interface Frequencies {
  /** The number of units that reported. */
  readonly reports: number;
  /** Unbiased; may lie below 0 or above 1. */
  readonly estimates: readonly number[];
  /** Standard deviation of each estimate, taken at the estimate moved into [0, 1]. */
  readonly standardErrors: readonly number[];
  /** Each holds the true share with probability at least the confidence, for every data set. Within [0, 1]. */
  readonly intervals: readonly { readonly low: number; readonly high: number }[];
}

/** The chances that a report supports an option: of a unit that has it, and of one that has not. p > q. */
export interface Support {
  readonly p: Rational;
  readonly q: Rational;
}

const mostReports = 2 ** 40;
const leastChance = 1e-12;

/**
 * Shares from support counts: E[count] = m·p + (n − m)·q when m of n units have the option, so (count − n·q)/(p − q) is
 * unbiased. Intervals by inverting exact tests, so they hold with at least the stated chance for every data set.
 * Proof: ./local-frequencies.proof.md
 *
 * Source: Warner 1965; Wang, Blocki, Li & Jha 2017, Eq. (1); Clopper & Pearson 1934
 * Direction: upper
 *
 * Errors: parameter.invalid for no reports, more than 2^40, a count or a confidence out of range.
 * @example frequencies({ p: ratio(3n, 4n), q: ratio(1n, 4n) }, [500], 1000).estimates // => [0.5]
 */
export function frequencies(
  support: Support,
  supporting: readonly number[],
  reports: number,
  { confidence = 0.95, about = "reporters", together = false }: AggregateRequest = {},
): Frequencies {
  if (!(Number.isInteger(reports) && reports >= 1 && reports <= mostReports)) {
    throw invalidParameter("reports", reports, `an integer from 1 to ${mostReports}`);
  }
  if (!supporting.every((count) => Number.isInteger(count) && count >= 0 && count <= reports)) {
    throw invalidParameter("supporting", "a count out of range", "integers from 0 to the number of reports");
  }
  if (!(confidence > 0 && 1 - confidence >= leastChance)) {
    throw invalidParameter("confidence", confidence, `above 0 and at most 1 − ${leastChance}`);
  }
  if (about !== "reporters" && about !== "population") {
    throw invalidParameter("about", about, '"reporters" or "population"');
  }
  const miss = (1 - confidence) / (together ? supporting.length : 1);
  const known: SupportTest = {
    trials: reports,
    p: chanceOf(support.p),
    q: chanceOf(support.q),
    gap: toDouble(subtract(support.p, support.q), "up"),
    eachSide: miss / 2,
  };
  const [n, gap] = [ratio(BigInt(reports)), subtract(support.p, support.q)];
  const estimates = supporting.map((count) =>
    toDouble(divide(subtract(ratio(BigInt(count)), multiply(n, support.q)), multiply(n, gap)), "down"),
  );
  return {
    reports,
    estimates,
    standardErrors: estimates.map((share) => standardError(share, known, about)),
    intervals: supporting.map((count) => {
      const likely = likelyCount(count, known);
      if (about === "population") return populationShare(likely, known);
      const { least, most } = reportersWith(likely, known);
      return { low: divideDown(least, reports), high: most === reports ? 1 : divideUp(most, reports) };
    }),
  };
}

/**
 * A count beyond what all units or none would give on average tells nothing more for them: it is moved there, which only
 * widens the interval. So an unlucky draw never looks like certainty, and no interval is empty.
 */
function likelyCount(count: number, { trials, p, q }: SupportTest): number {
  return Math.min(Math.ceil(trials * p.yes), Math.max(Math.floor(trials * q.yes), count));
}

function standardError(
  estimate: number,
  { trials, p, q, gap }: SupportTest,
  about: "reporters" | "population",
): number {
  const share = Math.min(1, Math.max(0, estimate));
  const variance =
    about === "population"
      ? (share * p.yes + (1 - share) * q.yes) * (share * p.no + (1 - share) * q.no)
      : share * p.yes * p.no + (1 - share) * q.yes * q.no;
  return Math.sqrt(variance / trials) / gap;
}

function chanceOf(p: Rational): Chance {
  return { yes: toDouble(p, "down"), no: toDouble(subtract(one, p), "down") };
}
