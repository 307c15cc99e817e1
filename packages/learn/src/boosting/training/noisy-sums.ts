import { type Draws, type Exact, type ExactRows, type Noise, releaseGroups } from "@lethe/core/mechanisms";

/** Writes integers, one a place, as a release opens them. They are private until noise is on them: call it on what is sealed alone. */
export function integerRows(integers: Float64Array): ExactRows {
  return {
    groups: Array.from(integers, (sum, place) => ({
      key: [BigInt(place)],
      units: 0n,
      sums: [BigInt(sum)],
    })),
  };
}

/** Opens as many places of sealed integers, each with noise of its own, and returns them times `step`. */
export function noisySums(
  sealed: Exact<ExactRows>,
  { places, noise, step }: { readonly places: number; readonly noise: Noise; readonly step: number },
  draws: Draws,
): Float64Array {
  const groups = Array.from({ length: places }, (_, place) => [BigInt(place)]);
  const measurements = [{ terms: [{ column: 0, coefficient: "1" }], noise }];
  const released = releaseGroups(sealed, { keys: { kind: "public", groups }, measurements }, draws);
  return Float64Array.from(released, ({ values }) => Number(values[0] ?? 0n) * step);
}
