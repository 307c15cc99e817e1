import { type Expression, type Plan, writeLiteral, writeSql } from "@lethe/query";
import { type ColumnLeaf, leaves } from "../derive/leaves.ts";
import { tables } from "../derive/rows-of-units.ts";
import { counted } from "./words.ts";

/** Times of filters that the policy rounds. */
export function* roundedFilters({ from, where, keys, sums, trees }: Plan): Iterable<string> {
  const told = new Map<string, string[]>();
  for (const { operator, args } of comparisonsIn([from, where, keys, sums, trees])) {
    const constant = args.find((arg) => arg.kind === "literal");
    const column = args.map(columnOf).find((leaf) => leaf !== null);
    if (!/^[<>]=?$/.test(operator) || constant?.kind !== "literal" || !column) continue;
    const length = lengthOf(column, from);
    if (length === null) continue;
    const note = `times that ${writeSql(column)} is compared with are rounded down to ${length}, as the policy says: `;
    told.set(note, [...(told.get(note) ?? []), writeLiteral(constant.value, constant.domain)]);
  }
  const notes = [...told].map(([note, times]) => note + [...new Set(times)].sort().join(", "));
  yield* notes.sort();
}

type Call = Extract<Expression, { readonly kind: "call" }>;

function* comparisonsIn(part: unknown): Iterable<Call> {
  if (typeof part !== "object" || part === null) return;
  if ("kind" in part && part.kind === "call" && "operator" in part && "args" in part) yield part as Call;
  for (const inner of Object.values(part)) yield* comparisonsIn(inner);
}

/** The column that a side is, or the day of which it is the first moment. */
function columnOf(side: Expression): ColumnLeaf | null {
  const isMoment = side.kind === "call" && side.operator === "to-timestamp";
  if (side.kind !== "column" && !isMoment) return null;
  const [leaf, ...others] = [...leaves(side)];
  return leaf && others.length === 0 ? leaf : null;
}

/** The length to which the policy rounds what a column is compared with, in words; null where it rounds nothing. */
function lengthOf({ source, name }: ColumnLeaf, from: Plan["from"]): string | null {
  const table = [...tables(from)].find((each) => each.source === (source ?? null));
  const column = table?.columns[name];
  if ((column?.type !== "date" && column?.type !== "timestamp") || column.rounding === undefined) return null;
  const minutes = column.rounding / (column.type === "date" ? 1 / 1440 : 60e6);
  if (minutes % 1440 === 0) return counted(minutes / 1440, "day");
  return minutes % 60 === 0 ? counted(minutes / 60, "hour") : counted(minutes, "minute");
}
