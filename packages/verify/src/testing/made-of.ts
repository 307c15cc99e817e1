import type { OverFrame, OverOrder, OverWindow, PostExpression, PostOperator } from "@lethe/query";
import type { Seen, Value } from "../derive/released/released-value.ts";
import type { MadeRows } from "../over/made-rows.ts";

/** Rows that were made, a column a name. */
export function madeOf(names: readonly string[], rows: readonly (readonly Seen[])[]): MadeRows {
  return {
    columns: names.map((name, at) => ({
      name,
      isNumber: rows.some((row) => typeof row[at] === "number"),
      copied: null,
    })),
    rows: rows.map((row) => row.map((value) => ({ value, cell: null }))),
  };
}

export const valuesOf = ({ rows }: MadeRows): readonly (readonly Seen[])[] =>
  rows.map((row) => row.map(({ value }) => value));

export const key = (name: string): PostExpression => ({ kind: "key", key: name });

export const literal = (value: Exclude<Value, bigint>): PostExpression => ({ kind: "literal", value });

export const call = (operator: PostOperator, ...args: readonly PostExpression[]): PostExpression => ({
  kind: "call",
  operator,
  args,
});

export const ascending = (name: string): OverOrder => ({
  by: key(name),
  descending: false,
  nullsFirst: false,
});

export const descending = (name: string): OverOrder => ({
  by: key(name),
  descending: true,
  nullsFirst: true,
});

/** The frame of a window that has an order and states none: from the start to the last peer. */
export const toPeers: OverFrame = { peers: true, from: null, to: 0 };
export const whole: OverFrame = { peers: true, from: null, to: null };

/** A window over all rows as they stand, but for what is said. */
export function windowOf(
  name: OverWindow["function"],
  args: readonly PostExpression[],
  more: Partial<OverWindow> = {},
): OverWindow {
  return {
    name: "w",
    function: name,
    arguments: args,
    partitionBy: [],
    orderBy: [],
    frame: whole,
    where: null,
    ...more,
  };
}
