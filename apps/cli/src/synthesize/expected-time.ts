import { type SynthesisPlan, sampleWork, sizesOf, synthesisWork } from "@lethe/learn/synthesis";
import { duration } from "../duration.ts";

/** How long a synthetic table may take, from public numbers alone, at the speed of this machine. */
export interface ExpectedTime {
  /** The time to measure, to fit and to draw: that of usual data, and one that is hardly exceeded whatever the answers are. */
  readonly seconds: { readonly expected: number; readonly most: number };
  /** The rows that are taken to be drawn: those that the policy expects, or 100,000. */
  readonly rows: number;
  /** How many tables the database counts at most, whose time is not told. */
  readonly tables: number;
}

const usualRows = 100_000;
/** The seconds of the processor that the speed is measured for. */
const longEnough = 0.15;
/** How many times slower a long run may be than the sample at its best, which is small enough for the processor's caches: up to 1.8 was measured. */
const slower = 3;

/** Tells the time of a planned table. Its work follows from the plan; the speed is measured on invented tables, for a fraction of a second. */
export function expectedTime({
  plan,
  expectedRows,
}: {
  readonly plan: SynthesisPlan;
  readonly expectedRows: number | null;
}): ExpectedTime {
  const rows = expectedRows ?? usualRows;
  const { expected, most } = synthesisWork(plan, rows);
  const speed = visitsInASecond();
  const columns = sizesOf(plan.domain).length;
  return {
    seconds: { expected: expected / speed, most: (slower * most) / speed },
    rows,
    // A single column may be counted once more, over merged values.
    tables: 2 * columns + (columns * (columns - 1)) / 2,
  };
}

/**
 * Measures the speed by the processor's own clock, so that whoever else is at work does not count. It makes at least four runs, since new code is slow
 * at first.
 */
function visitsInASecond(): number {
  const processor = (): number => process.cpuUsage().user / 1e6;
  const started = performance.now();
  const first = processor();
  let [best, before, runs] = [0, first, 0];
  while (runs < 4 || (before - first < longEnough && performance.now() - started < 10_000 * longEnough)) {
    const visits = sampleWork();
    const now = processor();
    best = Math.max(best, visits / Math.max(1e-4, now - before));
    [before, runs] = [now, runs + 1];
  }
  return best;
}

/** Tells the time in words: what is likely, and what it hardly exceeds. */
export function timeInWords({ seconds, tables }: ExpectedTime): string {
  const [about, most] = [duration(seconds.expected), duration(seconds.most)];
  const likely = about === most ? `up to ${most}` : `about ${about}, hardly more than ${most},`;
  return `${likely} of this machine's processor, beside the database's, which counts at most ${tables} tables`;
}
