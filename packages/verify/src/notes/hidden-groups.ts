import type { Plan } from "@lethe/query";

/** Private keys. */
export function* hiddenGroups({ keys }: Plan): Iterable<string> {
  if (keys.program.kind === "private")
    yield "group keys are data: small groups may be missing, and none is named that was not released";
}
