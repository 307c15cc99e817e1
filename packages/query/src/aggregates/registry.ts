import { averageFamily } from "./average/average-family.ts";
import { centredSum } from "./average/centred-sum.ts";
import { countFamily } from "./count/count-family.ts";
import { distinctSum, rowsSum, unitsSum, unitsWithSum } from "./count/count-sums.ts";
import { covarianceFamily } from "./covariance/covariance-family.ts";
import { productsSum } from "./covariance/products-sum.ts";
import { distinctPowersSum } from "./distinct/distinct-powers-sum.ts";
import type { AggregateFamily } from "./family.ts";
import type { AggregateKind, KnownTypes, SumColumn } from "./kinds.ts";
import { quantileFamily } from "./quantile/quantile-family.ts";
import { cubesSum } from "./skewness/cubes-sum.ts";
import { skewnessFamily } from "./skewness/skewness-family.ts";
import { spreadFamily } from "./spread/spread-family.ts";
import { squaresSum } from "./spread/squares-sum.ts";
import { clampedSum } from "./sum/clamped-sum.ts";
import { sumFamily } from "./sum/sum-family.ts";
import type { SumKind } from "./sum-kind.ts";

/** The types of the family that a kind belongs to. */
type TypesOf<K extends AggregateKind, T = KnownTypes> = T extends KnownTypes
  ? K extends T["asked"]["kind"]
    ? T
    : never
  : never;

/** Every kind of aggregate with its family. A kind without one does not compile. */
export const families: { readonly [K in AggregateKind]: AggregateFamily<TypesOf<K>> } = {
  count: countFamily,
  "count-units": countFamily,
  "count-units-with": countFamily,
  "count-distinct": countFamily,
  sum: sumFamily,
  avg: averageFamily,
  variance: spreadFamily,
  stddev: spreadFamily,
  skewness: skewnessFamily,
  covariance: covarianceFamily,
  quantile: quantileFamily,
};

/** Every kind of integer that the engine sums. A kind that is not here does not compile. */
export const sumKinds: {
  readonly [K in SumColumn["kind"]]: SumKind<SumColumn & { readonly kind: K }>;
} = {
  units: unitsSum,
  "units-with": unitsWithSum,
  distinct: distinctSum,
  "distinct-powers": distinctPowersSum,
  count: rowsSum,
  sum: clampedSum,
  "scaled-sum": centredSum,
  "scaled-squares": squaresSum,
  "scaled-cubes": cubesSum,
  "scaled-products": productsSum,
};
