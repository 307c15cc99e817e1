import { invalidParameter } from "../errors/lethe-error.ts";
import { type Exact, unseal } from "../exact/exact.ts";
import type { ExactRows, KeyValue } from "../exact/exact-rows.ts";
import type { Draws } from "./draws.ts";
import { canonicalKey } from "./key-order.ts";
import { column, measure } from "./measure-sums.ts";
import type { NoisyGroup, ReleaseProgram, TotalsProgram } from "./release-program.ts";

/**
 * The noisy integers of each of a program's coarser groupings, from the exact rows that its groups were released from:
 * of all groups, kept or not, those that agree in a grouping's keys are added up, and every total draws noise of its own.
 * Which totals are answered hangs on declared keys or on the groups that were released, and on nothing else: those in the
 * declared order, these in the order of the released. The released keys themselves must have passed the program's selection.
 * Errors: parameter.invalid for a broken program; none that depend on the rows.
 */
export function releaseTotals(
  rows: Exact<ExactRows>,
  { totals = [] }: ReleaseProgram,
  released: readonly Pick<NoisyGroup, "key">[],
  draws: Draws,
): readonly (readonly NoisyGroup[])[] {
  const prepared = totals.map((total, at) => totalsReleaser(total, draws, `total ${at}`));
  return prepared.map((release) => release(unseal(rows), released));
}

function totalsReleaser(
  { keys, declared, measurements }: TotalsProgram,
  draws: Draws,
  part: string,
): (rows: ExactRows, released: readonly Pick<NoisyGroup, "key">[]) => readonly NoisyGroup[] {
  if (!keys.every((at) => Number.isInteger(at) && at >= 0)) {
    throw invalidParameter("keys", keys.join(", "), "places of keys");
  }
  const measures = measurements.map((one, at) => measure(one, draws, `${part} measurement ${at}`));
  const columns = new Set(measurements.flatMap(({ terms }) => terms.map((term) => term.column)));
  const kept = (key: readonly KeyValue[]): readonly KeyValue[] => keys.map((at) => key[at] ?? null);
  return ({ groups }, released) => {
    const sums = new Map<string, bigint[]>();
    for (const group of groups) {
      const name = canonicalKey(kept(group.key));
      const total = sums.get(name) ?? [];
      sums.set(name, total);
      for (const at of columns) total[at] = (total[at] ?? 0n) + column(group.sums, at);
    }
    const answered = new Map(
      (declared ?? released.map(({ key }) => kept(key))).map((key) => [canonicalKey(key), key] as const),
    );
    return [...answered].map(([name, key]) => ({
      key,
      values: measures.map((one) => one(sums.get(name) ?? [], key)),
      trees: [],
    }));
  };
}
