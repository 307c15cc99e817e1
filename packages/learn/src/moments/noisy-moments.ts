import { LetheError } from "@lethe/core";
import { addAt, doubleAt } from "@lethe/core/numeric";
import { type Matrix, matrixOf } from "../linear/matrix.ts";
import type { Layout } from "../statistics/layout.ts";
import type { NoiseShape } from "../statistics/noise-shape.ts";
import type { Statistic } from "../statistics/statistic.ts";
import type { NoisyStatistics } from "./noisy-statistics.ts";

/** Noisy Σ x·xᵀ over the rows, where x = (1, scaled numbers, indicators of categories). */
export interface NoisyMoments {
  readonly features: readonly Feature[];
  /** Symmetric; with noise it may have negative eigenvalues. */
  readonly matrix: Matrix;
  /** The independent noises that were drawn. */
  readonly noises: readonly NoiseShape[];
  /** Returns what each independent noise is multiplied by in the error of uᵀ·M·v. */
  noiseIn(u: Float64Array, v: Float64Array): Float64Array;
}

/** What an entry of x stands for: 1, a number, or a category of a block, by their places in the layout. */
export type Feature =
  | { readonly kind: "one" }
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "category"; readonly block: number; readonly category: number };

/** Arranges the sums of regression, covariance or PCA as a matrix. Errors: release.invalid where one was not measured. */
export function momentsOf({ numbers, blocks }: Layout, statistics: NoisyStatistics): NoisyMoments {
  const features: readonly Feature[] = [
    { kind: "one" },
    ...numbers.map((_, number): Feature => ({ kind: "number", number })),
    ...blocks.flatMap(({ categories }, block) =>
      categories.map((_none, category): Feature => ({ kind: "category", block, category })),
    ),
  ];
  const places = features.map((one) => features.map((other) => placeOf(one, other, statistics)));
  const size = features.length;
  const matrix = matrixOf(size, size, (i, j) => {
    const place = places[i]?.[j] ?? null;
    return place === null ? 0 : doubleAt(statistics.values, place);
  });
  return {
    features,
    matrix,
    noises: statistics.noises,
    noiseIn(u, v) {
      const gradient = new Float64Array(statistics.values.length);
      for (const [i, row] of places.entries())
        for (const [j, place] of row.entries())
          if (place !== null) addAt(gradient, place, doubleAt(u, i) * doubleAt(v, j));
      return statistics.noiseIn(gradient);
    },
  };
}

/** The place of Σ xᵢ·xⱼ; null where it is 0 in all data, as for two categories of one block. */
function placeOf(one: Feature, other: Feature, statistics: NoisyStatistics): number | null {
  const both = [one, other];
  const categories = both.filter((feature) => feature.kind === "category");
  const [first, second] = categories;
  const sameBlock = first && second && first.block === second.block;
  if (sameBlock && first.category !== second.category) return null;
  const cells = sameBlock ? [first] : categories;
  const factors = both.flatMap((feature) => (feature.kind === "number" ? [feature.number] : []));
  return demand(statistics, { cells, factors });
}

function demand(statistics: NoisyStatistics, statistic: Statistic): number {
  const place = statistics.place(statistic);
  if (place !== null) return place;
  throw new LetheError("release.invalid", "a sum that the model needs was not measured", {
    fix: "give the answers to the questions of this model's own layout",
  });
}

/** Returns the variance of what the independent noises add up to with these weights. */
export function varianceIn({ noises }: Pick<NoisyMoments, "noises">, weights: Float64Array): number {
  return noises.reduce((total, { variance }, place) => total + variance * doubleAt(weights, place) ** 2, 0);
}
