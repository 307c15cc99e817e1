import type { OutputColumn, Plan } from "@lethe/query";
import { readsNoise } from "../noisy-choice.ts";

/** Groups that are shown by their names alone. */
export function* shownKeys({ keys, outputs, post, over }: Plan): Iterable<string> {
  if (keys.program.kind !== "public" || over !== undefined || post.having !== null) return;
  if (post.orderBy.some(({ by }) => readsNoise(by)) || !outputs.every(isKey)) return;
  yield "the groups are all that the policy and the question name: that one is shown does not say that it has rows; ask COUNT(*) beside it";
}

function isKey(output: OutputColumn): boolean {
  return output.kind === "key" || (output.kind === "computed" && !readsNoise(output.expression));
}
