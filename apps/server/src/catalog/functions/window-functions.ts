import type { Expr } from "../evaluate/expr.ts";
import type { Window } from "../evaluate/scope.ts";
import type { Value } from "../types/values.ts";
import { aggregateFunctions } from "./aggregate-functions.ts";

/** Returns what a window function does with the rows of a partition; null where it is not known here. Aggregates go from the first row to the peers of each, or over all where nothing orders them. */
export function windowFunction(
  name: string,
  values: readonly Expr[],
  result: number,
): Window["values"] | null {
  const [first, second, third] = values;
  switch (name) {
    case "row_number":
      return (rows) => rows.map((_, at) => BigInt(at + 1));
    case "rank":
      return (_, peers) => peers.map((peer) => BigInt(peers.indexOf(peer) + 1));
    case "dense_rank":
      return (_, peers) => peers.map((peer) => BigInt(peer + 1));
    case "first_value":
      return (rows) => rows.map(() => (rows[0] && first ? first.run(rows[0]) : null));
    case "last_value":
      return (rows, peers) =>
        rows.map((_, at) => {
          const last = rows[peers.lastIndexOf(peers[at] ?? 0)];
          return last && first ? first.run(last) : null;
        });
    case "lag":
    case "lead":
      return (rows) =>
        rows.map((row, at): Value => {
          const by = second ? Number(second.run(row)) : 1;
          const other = rows[name === "lag" ? at - by : at + by];
          return other && first ? first.run(other) : third ? third.run(row) : null;
        });
  }
  const begin = aggregateFunctions[name];
  if (!begin) return null;
  const types = values.map(({ type }) => type);
  return (rows, peers) => {
    const sum = begin(types, result);
    const results: Value[] = [];
    for (let at = 0; at < rows.length; ) {
      const end = peers.lastIndexOf(peers[at] ?? 0) + 1;
      for (const row of rows.slice(at, end)) {
        row.run.budget.step();
        sum.add(
          values.map(({ run }) => run(row)),
          row.run,
        );
      }
      const value = sum.result((rows[at] as (typeof rows)[number]).run);
      for (; at < end; at += 1) results.push(value);
    }
    return results;
  };
}
