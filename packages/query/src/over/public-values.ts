import type { OverRelation } from "./over-relation.ts";

/** Columns of a public table that stand beside an answer. */
export interface PublicValues extends Extract<OverRelation, { readonly kind: "values" }> {
  readonly table: string;
}

/** Returns what a relation reads of public tables, in the order of the question. */
export function publicValues(over: OverRelation): readonly PublicValues[] {
  const found: PublicValues[] = [];
  withPublicRows(over, (values) => {
    found.push(values);
    return values.rows;
  });
  return found;
}

/** Returns a relation whose public tables have these rows. */
export function withPublicRows(
  over: OverRelation,
  rowsOf: (values: PublicValues) => PublicValues["rows"],
): OverRelation {
  const within = (part: OverRelation): OverRelation => withPublicRows(part, rowsOf);
  switch (over.kind) {
    case "answer":
      return over;
    case "values": {
      const { table } = over;
      return table === undefined ? over : { ...over, rows: rowsOf({ ...over, table }) };
    }
    case "joined":
      return { ...over, left: within(over.left), right: within(over.right) };
    case "union":
      return { ...over, parts: over.parts.map(within) };
    default:
      return { ...over, of: within(over.of) };
  }
}
