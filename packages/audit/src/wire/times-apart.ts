import type { AuditRow } from "../audits/audit-row.ts";
import { wireRow } from "./wire-row.ts";

/** Something that took so many milliseconds. */
interface Timed {
  readonly took: number;
}

/** Medians that are closer than this are not told apart on a machine that does other things too. A check that is left out is a larger factor. */
const factor = 2;

/** Replies under a name that there is, and under names that nobody has, as many of each. */
interface TimedReplies {
  readonly known: readonly Timed[];
  readonly unknown: readonly Timed[];
}

/**
 * Returns the row of an attack that compares replies: with what their contents showed, or else with times that are apart.
 * @param tries what the replies are, such as "medians of 5 tries each"
 */
export function timesRow(
  subject: string,
  claim: string,
  { known, unknown }: TimedReplies,
  { shown, tries }: { readonly shown: string | null; readonly tries: string },
): AuditRow {
  const apart = areApart(known, unknown) ? "every time of one kind is below every time of the other" : null;
  const measured = `${medianOf(known).toFixed(0)} ms against ${medianOf(unknown).toFixed(0)} ms`;
  return wireRow(subject, claim, measured, {
    finding: shown ?? apart,
    how: `${tries}; times are apart where they do not overlap and one median is twice the other`,
  });
}

/** Whether two kinds of times do not overlap, and one median is twice the other at least. Of n and n alike, 2 pairs in C(2n, n) do not overlap by chance: 1 in 126 of five and five. */
export function areApart(one: readonly Timed[], other: readonly Timed[]): boolean {
  const isBelow = (low: readonly Timed[], high: readonly Timed[]): boolean =>
    Math.max(...low.map(({ took }) => took)) < Math.min(...high.map(({ took }) => took)) &&
    medianOf(high) > factor * medianOf(low);
  return isBelow(one, other) || isBelow(other, one);
}

/** The median of times, in milliseconds; the upper one of two. */
function medianOf(replies: readonly Timed[]): number {
  const times = replies.map(({ took }) => took).sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)] ?? 0;
}
