import type { BitSource } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { uniformBelow } from "@lethe/core/samplers";

/**
 * Returns `slots` different numbers in random order: which unit takes which place of a pass; numbers from `units` on stand for nobody. Two data sets that
 * differ in one unit, wherever its rows stand, differ in one place under the same order. Units beyond the slots, chosen by chance, are left out.
 * Source: Fisher & Yates 1938; Durstenfeld 1964.
 */
export function secretOrder(slots: number, units: number, bits: BitSource): Uint32Array {
  const order = Uint32Array.from({ length: Math.max(slots, units) }, (_, i) => i);
  for (let i = 0; i < slots; i += 1) {
    const j = i + Number(uniformBelow(BigInt(order.length - i), bits));
    const [a, b] = [elementAt(order, i), elementAt(order, j)];
    order[i] = b;
    order[j] = a;
  }
  return order.subarray(0, slots);
}
