import type { Plan, PostExpression } from "@lethe/query";
import { leaves } from "../derive/leaves.ts";

/** Rows that are kept, or cut off, by noisy values. */
export function* noisyChoice({ post: { having, orderBy, limit, offset } }: Plan): Iterable<string> {
  const isCut = limit !== null || offset > 0;
  if ((having && readsNoise(having)) || (isCut && orderBy.some(({ by }) => readsNoise(by))))
    yield "rows were chosen by their noisy values; the confidence of an interval holds for a group named beforehand, not for one that was chosen by its value";
}

/** Keys have no noise. */
export function readsNoise(expression: PostExpression): boolean {
  return [...leaves(expression)].some(({ kind }) => kind === "aggregate");
}
