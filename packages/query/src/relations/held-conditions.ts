import type { Expression } from "../expressions/expression.ts";
import type { Relation } from "./relation.ts";

/** Returns the conditions that hold on every row of a relation, over the columns that its rows show. */
export function heldConditions(relation: Relation): readonly Expression[] {
  switch (relation.kind) {
    case "table":
    case "list":
    case "union":
    case "grouped":
      return [];
    case "filter":
      return [...heldConditions(relation.of), relation.where];
    case "semijoin":
    case "windowed":
    case "marked":
      return heldConditions(relation.of);
    case "join":
      return joined(relation);
  }
}

/** Returns the conditions by which private rows meet public ones whose groups are all answered: a group that they exclude is empty. */
export function meetingConditions(relation: Relation): readonly Expression[] {
  if (relation.kind === "filter" || relation.kind === "marked") return meetingConditions(relation.of);
  if (relation.kind !== "join") return [];
  const { left, right, keeps, on } = relation;
  if (keeps !== undefined) return on === null ? [] : [on];
  return [...meetingConditions(left), ...meetingConditions(right)];
}

/** An unmatched row of an outer join has NULL in the other side's columns, where the other side's conditions say nothing. */
function joined({
  type,
  left,
  right,
  on,
  keeps,
}: Extract<Relation, { kind: "join" }>): readonly Expression[] {
  const [ofLeft, ofRight] = [heldConditions(left), heldConditions(right)];
  // A group that no row meets is answered all the same.
  if (keeps !== undefined) return keeps === "left" ? ofLeft : ofRight;
  switch (type) {
    case "inner":
      return [...ofLeft, ...ofRight, ...(on === null ? [] : [on])];
    case "left":
      return ofLeft;
    case "right":
      return ofRight;
    case "full":
      return [];
  }
}
