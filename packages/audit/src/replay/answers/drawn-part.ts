import type { CellTree } from "@lethe/core/mechanisms";

/** One part of a release as it was prepared, and what it drew. */
export interface DrawnPart {
  readonly name: string;
  /** Everything but the inputs, as one text. */
  readonly parameters: string;
  /** The draws of each group by its canonical key, in the order in which they were asked for. */
  readonly drawn: Map<string, Draw[]>;
}

export interface Draw {
  /** The mechanism's input, by name: an integer as it is, a tree's counts node by node. */
  readonly input: ReadonlyMap<string, bigint>;
  readonly output: unknown;
}

/** An integer as the only coordinate of its group. */
export function coordinate(exact: bigint): ReadonlyMap<string, bigint> {
  return new Map([["", exact]]);
}

/** Exact counts of all nodes above the cells. */
export function nodes(
  { branching, height }: CellTree,
  cells: ReadonlyMap<number, bigint>,
): ReadonlyMap<string, bigint> {
  const counts = new Map<string, bigint>();
  for (const [cell, count] of cells) {
    if (!(cell >= 0 && cell < branching ** height)) continue;
    for (let level = 1; level <= height; level += 1) {
      const name = `${level} ${Math.floor(cell / branching ** (height - level))}`;
      counts.set(name, (counts.get(name) ?? 0n) + count);
    }
  }
  return counts;
}

/** Returns all inputs of a part as one vector. */
export function inputs({ drawn }: DrawnPart): ReadonlyMap<string, bigint> {
  const all = new Map<string, bigint>();
  for (const [key, draws] of drawn)
    for (const [at, { input }] of draws.entries())
      for (const [name, value] of input) all.set(`${key} ${at} ${name}`, value);
  return all;
}
