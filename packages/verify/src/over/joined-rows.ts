import type { OverRelation, PostExpression } from "@lethe/query";
import { hidden, type Seen, seenValue } from "../derive/released/released-value.ts";
import {
  type MadeCell,
  type MadeColumn,
  type MadeRow,
  type MadeRows,
  madeCell,
  seenBy,
} from "./made-rows.ts";
import { demandFew, type Spend, undecided } from "./unmade.ts";
import { valueTexts } from "./value-texts.ts";

type Joined = Extract<OverRelation, { readonly kind: "joined" }>;

/** Joins rows: the pairs where the condition is true, and those that meet none as far as the join keeps them. Errors: Unmade. */
export function joinedRows(
  left: MadeRows,
  right: MadeRows,
  { type, on }: Pick<Joined, "type" | "on">,
  spend: Spend,
): MadeRows {
  const columns = [...left.columns, ...right.columns];
  const seen = seenBy(columns);
  const candidates = candidatesOf(left, right, on);
  const met = new Set<MadeRow>();
  const rows: MadeRow[] = [];
  for (const [at, row] of left.rows.entries()) {
    const others = candidates(at);
    spend(others.length * columns.length);
    const before = rows.length;
    for (const other of others) {
      const pair = [...row, ...other];
      const holds = on === null ? true : seenValue(on, seen(pair));
      if (holds === hidden) undecided();
      if (holds !== true) continue;
      rows.push(pair);
      met.add(other);
    }
    if (rows.length === before && (type === "left" || type === "full"))
      rows.push([...row, ...right.columns.map(nullCell)]);
    demandFew(rows.length);
  }
  if (type === "right" || type === "full")
    for (const other of right.rows) if (!met.has(other)) rows.push([...left.columns.map(nullCell), ...other]);
  return { columns, rows };
}

/** NULL as a column shows it. */
function nullCell({ copied }: MadeColumn): MadeCell {
  if (copied !== "aggregate" && copied !== "computed") return madeCell(null);
  return { value: null, cell: { value: null, lower: null, upper: null } };
}

/** Prepares a row of the left, by its place, ↦ the rows of the right that it may meet: those that agree where the condition demands two columns to be equal. */
function candidatesOf(
  left: MadeRows,
  right: MadeRows,
  on: PostExpression | null,
): (place: number) => readonly MadeRow[] {
  const equal = on === null ? null : equalColumns(on, left, right);
  if (equal === null) return () => right.rows;
  const valuesOf = ({ rows }: MadeRows, place: number): readonly Seen[] =>
    rows.map((row) => row[place]?.value ?? null);
  const [ofLeft, ofRight] = [valuesOf(left, equal.left), valuesOf(right, equal.right)];
  const texts = valueTexts([...ofLeft, ...ofRight].map((value) => [value]));
  const known = new Map<string, MadeRow[]>();
  for (const [at, row] of right.rows.entries()) {
    const text = texts[ofLeft.length + at] ?? "";
    const found = known.get(text);
    if (found) found.push(row);
    else known.set(text, [row]);
  }
  return (place) => known.get(texts[place] ?? "") ?? [];
}

interface EqualColumns {
  readonly left: number;
  readonly right: number;
}

/** Finds a column of each side that a condition demands to be equal. */
function equalColumns(on: PostExpression, left: MadeRows, right: MadeRows): EqualColumns | null {
  if (on.kind !== "call") return null;
  if (on.operator === "and")
    return on.args.map((part) => equalColumns(part, left, right)).find((found) => found !== null) ?? null;
  if (on.operator !== "=") return null;
  const placesIn = ({ columns }: MadeRows): readonly number[] =>
    on.args.flatMap((part) =>
      part.kind === "key" ? columns.flatMap(({ name }, at) => (name === part.key ? [at] : [])) : [],
    );
  const [ofLeft, ofRight] = [placesIn(left), placesIn(right)];
  const [l, r] = [ofLeft[0], ofRight[0]];
  return l === undefined || r === undefined ? null : { left: l, right: r };
}
