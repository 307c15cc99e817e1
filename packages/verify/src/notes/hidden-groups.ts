import type { Plan } from "@lethe/query";

/** Private keys. */
export function* hiddenGroups({ keys }: Plan): Iterable<string> {
  if (keys.program.kind === "private")
    yield "group keys are data: small groups may be missing, and a missing group is never named";
}
