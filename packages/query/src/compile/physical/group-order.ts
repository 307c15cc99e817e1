import { elementAt } from "@lethe/core/numeric";
import type { Dialect } from "../../dialects/dialect.ts";
import type { Plan } from "../../plan/plan.ts";

/** The order of a unit's groups: see {@link placeInOrder}. */
export interface GroupOrder {
  /** A prime of residue 2 modulo 3, so that cubes of different residues differ. */
  readonly modulus: number;
  /** Whether groups have different numbers below the modulus, so that no two of a unit have the same place. */
  readonly distinct: boolean;
  /**
   * The number of 63-bit integers that together hold a bit for each place or, where there are too many places, for each stretch
   * of places.
   */
  readonly words: number;
}

export const bitsOfWord = 63;
/**
 * The moduli for few groups. More groups than these are numbered by a hash, below the largest prime of residue 2 modulo 3 that 31
 * bits hold.
 */
const fewGroups = [59, 113, 179, 251];
export const manyGroups = 2_147_483_579;

export function groupOrder({ keys: { program } }: Plan): GroupOrder {
  const groups = program.kind === "public" ? program.declared.length : Number.POSITIVE_INFINITY;
  const at = fewGroups.findIndex((modulus) => modulus >= groups);
  if (at < 0) return { modulus: manyGroups, distinct: false, words: 1 };
  return { modulus: elementAt(fewGroups, at), distinct: true, words: at + 1 };
}

/**
 * Returns the place of the group of number x among those of the unit of number n: a(x + b)³ + c modulo a prime, where a, b and c
 * are parts of n and a is never 0. Integers of 64 bits hold every step, so all engines compute the same. Any of three groups of a
 * unit is as likely to come first; n is keyed, so nobody knows which. docs/architecture/bounding-and-index.md
 */
export function placeInOrder(
  { modulus, distinct }: GroupOrder,
  n: string,
  x: string,
  { write }: Dialect,
): string {
  const { enclosed, plus, commonBits, shiftedRight } = write;
  const times = (...factors: readonly string[]): string => factors.reduce(write.times);
  const modulo = (value: string, by: number): string => write.remainder(value, `${by}`);
  const part = (of: string, bits: number): string => enclosed(commonBits(of, `${2 ** bits - 1}`));
  const shifted = (bits: number): string => enclosed(shiftedRight(n, bits));
  if (!distinct) {
    const t = enclosed(modulo(enclosed(plus(x, shifted(30))), modulus));
    const square = modulo(times(t, t), modulus);
    const cube = modulo(times(square, t), modulus);
    return enclosed(modulo(times(cube, enclosed(plus("1", part(n, 30)))), modulus));
  }
  const t = enclosed(modulo(enclosed(plus(x, shifted(40))), modulus));
  const a = enclosed(plus("1", modulo(part(n, 20), modulus - 1)));
  const c = part(shifted(20), 20);
  return enclosed(modulo(enclosed(plus(times(t, t, t, a), c)), modulus));
}

/** Returns the keyed number of a unit, of 60 bits, made of the number of its name. */
export function keyedNumber(n: string, { exclusiveOr, textNumber, seed, write }: Dialect): string {
  return exclusiveOr(n, textNumber(write.cast(seed, "text")));
}

/** Returns the bit that stands for a place in the word it falls into; 0 in the other words. Total for every place. */
export function bitOfPlace(
  { distinct, words }: GroupOrder,
  place: string,
  { write }: Dialect,
): readonly string[] {
  const { compare, remainder, integer } = write;
  const bit = (at: string): string => write.enclosed(write.shiftedLeft(write.cast("1", "integer"), at));
  if (!distinct) return [bit(place)];
  if (words === 1) return [bit(place)];
  return Array.from({ length: words }, (_, word) => {
    const [from, to] = [word * bitsOfWord, (word + 1) * bitsOfWord];
    const isInWord = [compare(place, ">=", integer(from)), compare(place, "<", integer(to))];
    return write.caseOf([[write.every(isInWord), bit(remainder(place, integer(bitsOfWord)))]], integer(0));
  });
}

/** Returns what a bit stands for: the place itself where places are few, else the stretch that the place lies in. */
export function stretchOfPlace({ distinct }: GroupOrder, place: string, { write }: Dialect): string {
  return distinct ? place : write.least(write.shiftedRight(place, 25), write.integer(bitsOfWord - 1));
}
