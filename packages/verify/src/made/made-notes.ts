import type { Plan } from "@lethe/query";
import type { Certificate } from "../format/release.ts";
import { notesOf } from "../notes/notes-of.ts";
import { counted } from "../notes/words.ts";
import { groupsARow, isWhatIsAsked } from "./made-of.ts";

/** The notes that an answer must bear which is made of so many releases, and no others. */
export function madeNotes(asked: Plan, certificate: Certificate, releases: number): readonly string[] {
  const { plan: released } = certificate;
  const isSame = isWhatIsAsked(released, asked);
  const { target: _, pilot: __, ...own } = certificate;
  const plan = isSame ? asked : { ...asked, contribution: { ...asked.contribution, enforced: false } };
  const groups = groupsARow(asked, released);
  const { contribution, keys } = released;
  return [
    ...notesOf({ ...own, plan }),
    "this answer is made of what was released, and of nothing else: nothing is charged for it",
    ...(groups > 1
      ? [
          `each number adds up those of ${counted(groups, "released group")}, and so has the noise of all of them`,
        ]
      : []),
    ...(releases > 1
      ? [
          `each number is the mean of ${releases} released answers to one question; the confidence of an interval holds where how many were bought was not decided by what they showed`,
        ]
      : []),
    ...(asked.aggregates.some(({ kind }) => kind === "avg")
      ? [
          "an average is the quotient of released sums and counts, and its interval holds all quotients of theirs: it may be wider than that of an average that is paid for",
        ]
      : []),
    ...(isSame
      ? []
      : [
          `each unit counts as the released answer limits it: in at most ${counted(contribution.groups, "group")} by ${keys.parts.map(({ name }) => name).join(", ")}, with at most ${counted(contribution.rows, "row")} in each; an answer that is paid for limits it by its own keys, and may be another number`,
        ]),
  ];
}
