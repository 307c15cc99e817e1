import { SeededSource } from "@lethe/core/tape";
import type { Row, Unit } from "./reference-gradients.ts";

/** Units of one to three rows each, of two classes. Reproducible. */
export function people(count: number, parameters: number, seed: number): Unit[] {
  const coins = new SeededSource(seed);
  const uniform = (): number => coins.word() / 2 ** 31 - 1;
  const row = (): Row => {
    const features = Array.from({ length: parameters }, uniform);
    return { features, label: (features[0] ?? 0) + 0.3 * uniform() > 0 ? 1 : 0 };
  };
  return Array.from({ length: count }, () => Array.from({ length: 1 + (coins.word() % 3) }, row));
}

const rowsOf = (count: number, features: readonly number[]): Unit =>
  Array.from({ length: count }, () => ({ features, label: 0 }));

/** Units that are hard on a clip: huge, broken, of many rows, just as long as the clip of 1, small and none. */
export const oddUnits: readonly Unit[] = [
  rowsOf(1, [1e9, -1e9, 1e9]),
  rowsOf(1, [Number.NaN, 0, 1]),
  rowsOf(1, [Number.POSITIVE_INFINITY, 0, 0]),
  rowsOf(40, [1.5, 0.5, 0.2]),
  rowsOf(1, [1.99999, 0, 0]),
  rowsOf(1, [0, -1.99999, 0]),
  rowsOf(1, [1e-3, 0, 0]),
  [],
];
