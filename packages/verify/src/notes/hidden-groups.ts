import type { Plan } from "@lethe/query";

/** Private keys. */
export function* hiddenGroups({ keys, over }: Plan): Iterable<string> {
  if (keys.program.kind !== "private") return;
  yield "group keys are data: small groups may be missing, and a missing group is never named";
  if (over)
    yield "what is shown is made of released groups alone: its totals and counts leave out those that are missing";
}
