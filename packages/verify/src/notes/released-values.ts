import type { Plan } from "@lethe/query";
import { releasedTexts } from "../derive/released-in.ts";

/** Values of other answers, which have noise, in the place of constants. */
export function* releasedValues({ others: _, ...question }: Plan): Iterable<string> {
  for (const sql of releasedTexts(question))
    yield `the released value of ${sql} stands in its place; intervals do not cover the noise that it has`;
}
