import type { OutputColumn, Plan } from "@lethe/query";
import { readsNoise } from "./noisy-choice.ts";

/** Columns that are computed from noisy values: numbers with their intervals, and labels. */
export function* computedColumns({ outputs }: Plan): Iterable<string> {
  const noisy = outputs.filter(isComputed).filter(({ expression }) => readsNoise(expression));
  const names = (isNumber: boolean): string =>
    noisy
      .filter(({ type }) => (type === "number") === isNumber)
      .map(({ name }) => JSON.stringify(name))
      .join(", ");
  const [numbers, labels] = [names(true), names(false)];
  if (numbers !== "")
    yield `computed from released values: ${numbers}; each interval holds for the same computation on the bounded aggregates, where that has a value; none is given where the noise leaves it unbounded`;
  if (labels !== "")
    yield `chosen by noisy values and without an interval: ${labels}; the exact values might say otherwise`;
}

type Computed = Extract<OutputColumn, { readonly kind: "computed" }>;

const isComputed = (output: OutputColumn): output is Computed => output.kind === "computed";
