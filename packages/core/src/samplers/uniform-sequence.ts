import type { BitSource } from "../entropy/bit-source.ts";
import { invalidParameter } from "../errors/lethe-error.ts";
import { uniformBelow } from "./uniform-below.ts";

/**
 * `length` different integers of [0, n), every sequence alike: the first steps of a Fisher–Yates shuffle that holds only
 * the places it has touched. Its first j terms are such a sequence of length j. O(length) time and memory.
 * Errors: parameter.invalid unless length and n are integers, 0 ≤ length ≤ n ≤ 2^53.
 */
export function uniformSequence(length: number, n: number, bits: BitSource): number[] {
  if (!(Number.isInteger(n) && n >= 0 && n <= 2 ** 53))
    throw invalidParameter("n", n, "an integer from 0 to 2^53");
  if (!(Number.isInteger(length) && length >= 0 && length <= n)) {
    throw invalidParameter("length", length, "an integer from 0 to n");
  }
  const moved = new Map<number, number>();
  const sequence: number[] = [];
  for (let i = 0; i < length; i++) {
    const at = i + Number(uniformBelow(BigInt(n - i), bits));
    sequence.push(moved.get(at) ?? at);
    moved.set(at, moved.get(i) ?? i);
  }
  return sequence;
}
