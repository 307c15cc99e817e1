import type { Expression } from "../expressions/expression.ts";
import type { Relation } from "./relation.ts";

/** Returns the conditions that hold on every row of a relation, over the columns that its rows show. */
export function heldConditions(relation: Relation): readonly Expression[] {
  switch (relation.kind) {
    case "table":
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

/** An unmatched row of an outer join has NULL in the other side's columns, where the other side's conditions say nothing. */
function joined({ type, left, right, on }: Extract<Relation, { kind: "join" }>): readonly Expression[] {
  const [ofLeft, ofRight] = [heldConditions(left), heldConditions(right)];
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
