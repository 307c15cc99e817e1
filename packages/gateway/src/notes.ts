import type { Plan } from "@lethe/query";

/** What a reader must know of the rows beside their intervals: a function of the plan alone. */
export function notesOn(plan: Plan): readonly string[] {
  const { post, contribution, keys } = plan;
  const notes: string[] = [];
  if (contribution.enforced) {
    notes.push(
      `each unit counts in at most ${contribution.groups} groups and with at most ${contribution.rows} rows in each; ` +
        "intervals hold for the answer so bounded, not for what lies beyond the bounds",
    );
  }
  if (post.having !== null || (post.limit !== null && post.orderBy.length > 0)) {
    notes.push(
      "rows were chosen by their noisy values: each interval holds for its group before that choice, not among the chosen",
    );
  }
  if (keys.program.kind === "private") {
    notes.push("group keys are data: small groups may be missing, and none is named that was not released");
  }
  return notes;
}
