import type { OutputColumn, Plan } from "@lethe/query";
import { readsNoise } from "./noisy-choice.ts";

/** Columns that are computed from noisy values: numbers with their intervals, and labels. */
export function* computedColumns({ outputs }: Plan): Iterable<string> {
  const noisy = outputs.filter(isComputed).filter(({ expression }) => readsNoise(expression));
  const [numbers, labels] = [true, false].map((isNumber) =>
    noisy.filter(({ type }) => (type === "number") === isNumber).map(({ name }) => JSON.stringify(name)),
  ) as [string[], string[]];
  if (numbers.length > 0)
    yield `${withVerb(numbers)} computed from released values; an interval is for the same computation on the exact aggregates within limits and bounds, and is missing where the noise leaves it unbounded`;
  if (labels.length > 0)
    yield `${withVerb(labels)} computed from noisy values and without an interval; the exact values might give another result`;
}

const withVerb = (names: readonly string[]): string =>
  `${names.join(", ")} ${names.length === 1 ? "is" : "are"}`;

type Computed = Extract<OutputColumn, { readonly kind: "computed" }>;

const isComputed = (output: OutputColumn): output is Computed => output.kind === "computed";
