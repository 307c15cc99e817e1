import type { Adjacency } from "@lethe/core";
import { hiddenBy, type Plan, type Policy } from "@lethe/query";
import { counted } from "./figures.ts";
import { code, plain } from "./markdown.ts";
import type { UnitRows } from "./model-part.ts";

/** Says in sentences who is protected by a workload, whose plans limit the rows of a unit. */
export function planProtection(plan: Plan, policy: Policy): readonly string[] {
  const { unit, contribution, adjacency } = plan;
  const name = plain(policy.privacyUnit.name);
  const rows = contribution.groups * contribution.rows;
  return [
    unit.kind === "row"
      ? `One ${name} is protected: each row is one.`
      : `One ${name} is protected, with all rows that name the same ${code(unit.column)}.`,
    hiddenSentence(adjacency, unit.shared === true),
    unit.kind === "row"
      ? "A unit is one row, and counts as one in every sum."
      : `At most ${counted(rows, "row")} of a unit are kept, chosen by a keyed hash before any question is asked; its other rows count nowhere.`,
  ];
}

/** Says the same of a procedure, whose plan states how many rows of a unit count. */
export function procedureProtection(
  { adjacency, rows, limits }: UnitRows,
  policy: Policy,
): readonly string[] {
  const name = plain(policy.privacyUnit.name);
  const isShared = Object.values(policy.tables).filter(({ unit }) => unit.kind !== "public").length > 1;
  return [
    `One ${name} is protected, with all its rows.`,
    hiddenSentence(adjacency, isShared),
    ...(rows === null ? [] : [`A unit counts as ${counted(rows, "row")} at most.`]),
    ...limits,
  ];
}

function hiddenSentence(adjacency: Adjacency, isShared: boolean): string {
  const hidden = hiddenBy(adjacency, isShared);
  return `${hidden.charAt(0).toUpperCase()}${hidden.slice(1)}. Neighbouring data: ${code(adjacency)}.`;
}
