import { type BitSource, type Rational, ratio } from "@lethe/core";
import { add, elementAt, multiply, zero } from "@lethe/core/numeric";
import { BitTape, type Enumeration, TapeExhausted } from "@lethe/core/tape";
import { paired } from "../paired.ts";

/** Words of which a program is known to tell nothing but that they are in this cell; some of them stand for all. */
export interface WordCell {
  readonly standIns: readonly number[];
  /** How many of the 2^32 words are in the cell. */
  readonly size: number;
}

/** Cells by the low bits: for programs that draw from uniformBelow(n) with n ≤ 2^count alone. */
export function lowBits(count: number): readonly WordCell[] {
  const step = 2 ** count;
  return Array.from({ length: step }, (_, low) => ({
    standIns: [low, 2 ** 32 - step + low, Math.floor(2 ** 31 / step) * step + low],
    size: 2 ** (32 - count),
  }));
}

/** Cells between rising thresholds: for programs that compare a word's size with them. */
export function between(thresholds: readonly number[]): readonly WordCell[] {
  const ends = [...thresholds, 2 ** 32];
  return paired([0, ...thresholds], ends).flatMap(([start, end]) => {
    if (end <= start) return [];
    return [{ standIns: [start, end - 1, Math.floor((start + end - 1) / 2)], size: end - start }];
  });
}

/**
 * Every tape of at most `depth` words, cell by cell, with exact masses; longer ones are residual. Fails when two words of
 * a cell lead to different outcomes, which shows that the cells were not what the program tells apart.
 */
export function enumerateWords<T>(
  program: (bits: BitSource) => T,
  cells: (read: number) => readonly WordCell[],
  depth: number,
): Enumeration<T> {
  const masses = new Map<T, Rational>();
  let residual = zero;
  const run = (words: readonly number[]): { readonly value: T } | null => {
    try {
      return { value: program(new BitTape(words)) };
    } catch (error) {
      if (error instanceof TapeExhausted) return null;
      throw error;
    }
  };
  const explore = (path: readonly WordCell[], mass: Rational): void => {
    const outcome = run(
      path.map(({ standIns }, i) => elementAt(standIns, (path.length + i) % standIns.length)),
    );
    for (const at of path.keys()) {
      const other = run(
        path.map(({ standIns }, i) => elementAt(standIns, i === at ? standIns.length - 1 : 0)),
      );
      if (other?.value !== outcome?.value) throw new Error("words of one cell lead to different outcomes");
    }
    if (outcome !== null) masses.set(outcome.value, add(masses.get(outcome.value) ?? zero, mass));
    else if (path.length === depth) residual = add(residual, mass);
    else {
      for (const cell of cells(path.length)) {
        explore([...path, cell], multiply(mass, ratio(BigInt(cell.size), 1n << 32n)));
      }
    }
  };
  explore([], ratio(1n));
  return { masses, residual };
}
