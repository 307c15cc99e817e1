import { paired } from "../paired.ts";
import type { MechanismCall } from "./recorded-call.ts";

const size = (x: bigint): bigint => (x < 0n ? -x : x);

/** Returns the distances by which two neighbours' inputs of the same call exceed what was declared: "ℓ1 20 > 10". Empty where none does. */
export function movedBeyond({ inputs, limits }: MechanismCall, other: readonly bigint[]): string[] {
  if (limits.rows !== undefined) return rowsBeyond(inputs, other, limits.rows);
  if (inputs.length !== other.length) return [`${other.length} inputs in place of ${inputs.length}`];
  const moves = paired(inputs, other).map(([input, moved]) => moved - input);
  const top = moves.reduce((a, b) => (a > b ? a : b), 0n);
  const bottom = moves.reduce((a, b) => (a < b ? a : b), 0n);
  const distances = {
    l1: ["ℓ1", moves.reduce((total, move) => total + size(move), 0n)],
    l2Squared: ["ℓ2²", moves.reduce((total, move) => total + move * move, 0n)],
    max: ["the most that one input moves", size(top) > size(bottom) ? size(top) : size(bottom)],
    range: ["the most that a difference of inputs moves", rangeOf(moves)],
  } as const;
  return (Object.keys(distances) as (keyof typeof distances)[]).flatMap((norm) => {
    const [name, distance] = distances[norm];
    const limit = limits[norm];
    return limit !== undefined && distance > limit ? [`${name} ${distance} > ${limit}`] : [];
  });
}

function rangeOf(moves: readonly bigint[]): bigint {
  if (moves.length === 0) return 0n;
  const [first, ...rest] = moves as [bigint, ...bigint[]];
  const top = rest.reduce((a, b) => (a > b ? a : b), first);
  const bottom = rest.reduce((a, b) => (a < b ? a : b), first);
  return top - bottom;
}

/**
 * Returns the rows by which two inputs differ, where they exceed the limit: rows that came and went together, or rows that were replaced where their
 * number is public.
 */
function rowsBeyond(
  rows: readonly bigint[],
  other: readonly bigint[],
  { most, adjacency }: NonNullable<MechanismCall["limits"]["rows"]>,
): string[] {
  const counts = new Map<bigint, number>();
  for (const row of rows) counts.set(row, (counts.get(row) ?? 0) + 1);
  for (const row of other) counts.set(row, (counts.get(row) ?? 0) - 1);
  let [gone, come] = [0, 0];
  for (const count of counts.values()) {
    if (count > 0) gone += count;
    else come -= count;
  }
  const replaced = adjacency === "replace-one";
  if (replaced && gone !== come) return [`${other.length} rows in place of ${rows.length}`];
  const moved = replaced ? gone : gone + come;
  return BigInt(moved) > most ? [`rows that differ ${moved} > ${most}`] : [];
}
