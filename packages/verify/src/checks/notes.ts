import type { ReadRelease, Release } from "../format/release.ts";
import { notesOf } from "../notes/notes-of.ts";
import { tellsTooMuch } from "../notes/too-much.ts";
import { notMade, type Verdict, verdict } from "./check.ts";

/** Checks that the notes on the rows are those that follow from the certificate: all of them, in their order, and nothing else. */
export function notesFollow({ release, planVersion }: ReadRelease): Verdict {
  if (planVersion === 1)
    return notMade(
      "the release is from a version that wrote its notes in other words, so they were not compared",
    );
  const due = notesOf(release.certificate);
  return verdict([...amissIn(ofCertificate(release), due)], "the notes are those that follow from the plan");
}

/** The notes but for that which no certificate tells: that the rows over the answer are too many to be shown. */
function ofCertificate({ notes, over, certificate: { plan } }: Release): readonly string[] {
  return plan.over && !over ? notes.filter((note) => !tellsTooMuch(note)) : notes;
}

function* amissIn(notes: readonly string[], due: readonly string[]): Iterable<string> {
  if (due.some((note) => !notes.includes(note))) yield "a note that follows from the plan is missing";
  if (notes.some((note) => !due.includes(note))) yield "a note says what does not follow from the plan";
  if (notes.length !== due.length || notes.some((note, at) => note !== due[at]))
    yield "the notes are not those of the plan, each once and in their order";
}
