import type { SelectStmt } from "@pgsql/types";
import type { QualifiedSelect } from "./place-qualify.ts";

/** Marks the SELECT whose list begins first behind a place: WITH DIFFERENTIAL_PRIVACY was cut out there. Changes the tree in place. */
export function placePrivacy(tree: SelectStmt, offset: number): void {
  let nearest: QualifiedSelect | null = null;
  let start = Number.POSITIVE_INFINITY;
  const open: unknown[] = [tree];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part !== "object" || part === null) continue;
    open.push(...Object.values(part));
    const [first] = "targetList" in part ? ((part as SelectStmt).targetList ?? []) : [];
    const at = first && "ResTarget" in first ? (first.ResTarget.location ?? -1) : -1;
    if (at > offset && at < start) [nearest, start] = [part as QualifiedSelect, at];
  }
  if (nearest) nearest.privacyClause = true;
}
