import type { Plan } from "@lethe/query";
import { plural } from "@lethe/query";
import { notesOn } from "../notes/notes.ts";
import type { Making } from "./making.ts";

/**
 * Returns the notes on an answer that is made of so many releases: those on its question, and how it was made. A function of the plans alone.
 */
export function madeNotes(asked: Plan, released: Plan, making: Making, releases: number): readonly string[] {
  const { contribution } = asked;
  // What limits a unit here is said below, where it is not what the question says.
  const own = making.isSame ? asked : { ...asked, contribution: { ...contribution, enforced: false } };
  return [...notesOn(own), ...howMade(released, making, releases)];
}

function* howMade(released: Plan, { groups, read, isSame }: Making, releases: number): Iterable<string> {
  yield "this answer is made of what was released, and of nothing else: nothing is charged for it";
  if (groups > 1)
    yield `each number adds up those of ${plural(groups, "released group")}, and so has the noise of all of them`;
  if (releases > 1)
    yield `each number is the mean of ${releases} released answers to one question; the confidence of an interval holds where how many were bought was not decided by what they showed`;
  if ([...read.values()].some(({ kind }) => kind === "quotient"))
    yield "an average is the quotient of released sums and counts, and its interval holds all quotients of theirs: it may be wider than that of an average that is paid for";
  if (!isSame) yield limitsNote(released);
}

function limitsNote({ keys, contribution }: Plan): string {
  const { groups, rows } = contribution;
  const by = keys.parts.map(({ name }) => name).join(", ");
  return `each unit counts as the released answer limits it: in at most ${plural(groups, "group")} by ${by}, with at most ${plural(rows, "row")} in each; an answer that is paid for limits it by its own keys, and may be another number`;
}
