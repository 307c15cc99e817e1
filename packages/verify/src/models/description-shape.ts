import { ownersWords } from "../format/owners-words.ts";
import {
  boolean,
  extended,
  integer,
  list,
  literal,
  nullable,
  number,
  object,
  pair,
  type Read,
  tagged,
  text,
} from "../format/shape.ts";
import { category } from "../procedure/declared-shape.ts";
import type {
  DescribedCategory,
  DescribedColumn,
  DescribedNumber,
  DescribedTask,
  Description,
  KMeansDescription,
  MomentsDescription,
} from "./description.ts";

const named = { name: text, nullable: boolean } as const;

const numberColumn: Read<DescribedNumber> = object({
  ...named,
  ...{ kind: literal("number"), bounds: pair(number) },
});
const categoryColumn: Read<DescribedCategory> = object({
  ...named,
  ...{ kind: literal("category"), categories: list(category) },
});
const column: Read<DescribedColumn> = tagged("kind", { number: numberColumn, category: categoryColumn });

const regression = object({
  ...{ kind: literal("linear-regression", "ridge-regression"), target: numberColumn },
  ...{ features: list(column), intercept: boolean, penalty: number },
});

const task: Read<DescribedTask> = tagged("kind", {
  "linear-regression": regression,
  "ridge-regression": regression,
  covariance: object({ kind: literal("covariance"), features: list(numberColumn) }),
  pca: object({ kind: literal("pca"), features: list(numberColumn), components: integer(1) }),
  "naive-bayes": object({
    kind: literal("naive-bayes"),
    target: categoryColumn,
    features: list(column),
  }),
  marginals: object({ kind: literal("marginals"), marginals: list(list(categoryColumn)) }),
});

const rows = { version: literal(1), source: text, where: nullable(text) } as const;
const moments: Read<MomentsDescription> = extended({ ...rows, task }, ownersWords);
const kMeans: Read<KMeansDescription> = extended(
  {
    ...rows,
    ...{ kind: literal("k-means"), features: list(numberColumn), clusters: integer(2), steps: integer(1) },
  },
  ownersWords,
);

/** Reads the description of a trained model. */
export const description: Read<Description> = (value, path) =>
  typeof value === "object" && value !== null && "kind" in value ? kMeans(value, path) : moments(value, path);
