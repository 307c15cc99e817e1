import type { Plan } from "@lethe/query";

/** Private keys, of the plan's own question or of another one that its text asks. */
export function* hiddenGroups({ keys, over, others = [] }: Plan): Iterable<string> {
  const isPrivate = keys.program.kind === "private";
  if (isPrivate) yield "group keys are data: small groups may be missing, and a missing group is never named";
  if (over && (isPrivate || others.some(({ plan }) => plan.keys.program.kind === "private")))
    yield "what is shown is made of released groups alone: its totals and counts leave out those that are missing";
}
