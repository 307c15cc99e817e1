import { type Rational, toText } from "@lethe/core";
import {
  type CellCounts,
  distanceFrom,
  type Exact,
  type TableCandidate,
  type TableDistance,
  type TableSession,
} from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import { type MergedValues, unmerged } from "../domain/index.ts";
import { cellsOf } from "../graph/index.ts";
import type { CandidateTable, ExactTables, MarginalSource } from "./marginal-source.ts";

/** A source over a paid session and sealed tables, each of which is counted once. */
export function sessionSource(
  session: TableSession,
  tables: ExactTables,
  sizes: readonly number[],
): MarginalSource {
  return over(session, tables, sizes.map(unmerged));
}

function over(session: TableSession, tables: ExactTables, merged: readonly MergedValues[]): MarginalSource {
  const sizes = merged.map(({ size }) => size);
  const counted = new Map<string, Promise<Exact<CellCounts>>>();
  const tableOf = (attributes: readonly number[]): Promise<Exact<CellCounts>> => {
    const key = attributes.join(",");
    const table =
      counted.get(key) ?? tables({ attributes, merged: attributes.map((at) => elementAt(merged, at)) });
    counted.set(key, table);
    return table;
  };
  const distances = new WeakMap<CandidateTable, Exact<TableDistance>>();
  return {
    sizes,
    get left(): Rational {
      return session.left;
    },
    async measure(attributes, sigma) {
      const cells = cellsOf(sizes, attributes);
      return session.measure(await tableOf(attributes), { sigma: toText(sigma), cells });
    },
    async measureResidual(attributes, sigma) {
      const shape = attributes.map((attribute) => elementAt(sizes, attribute));
      return session.measureResidual(await tableOf(attributes), { sigma: toText(sigma), shape });
    },
    async choose(candidates, epsilon) {
      // One at a time: a database counts each, and none waits in memory for another.
      const scored: TableCandidate[] = [];
      for (const candidate of candidates) {
        const { attributes, estimate, weight, allowance } = candidate;
        const distance = distances.get(candidate) ?? distanceFrom(await tableOf(attributes), estimate);
        distances.set(candidate, distance);
        scored.push({ distance, weight, allowance });
      }
      return session.choose(scored, { epsilon: toText(epsilon) });
    },
    merging: (values) => over(session, tables, values),
  };
}
