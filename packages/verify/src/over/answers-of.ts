import type { Release } from "../format/release.ts";
import { otherReleases } from "../others/other-answers.ts";
import { answerRows } from "./answer-rows.ts";
import type { AnswerOf } from "./over-rows.ts";

/** The rows of all answers of a release, by their names. */
export function answersOf(release: Release): AnswerOf {
  const others = new Map(otherReleases(release).map(({ name, release: each }) => [name, answerRows(each)]));
  const own = answerRows(release);
  return (name) => (name === undefined ? own : (others.get(name) ?? own));
}
