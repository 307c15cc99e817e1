import { entryOf } from "../../policy/entry-of.ts";
import type { ColumnPolicy } from "../../policy/policy.ts";
import type { GroupedRelation, WindowedRelation } from "../../relations/relation.ts";
import type { UnitAggregate } from "../../relations/unit-aggregate.ts";
import { mayBeEmpty, mostFrameRows, type WindowFrame } from "../../relations/unit-window.ts";

/** 2^40 integers of this many bits add up to fewer than {@link mostSumBits}. */
const mostBits = 53;

/** Whether each column of a grouping is a key or a value, and can hold what is made for it. */
export function holdsValues({ columns, keys, values }: GroupedRelation): boolean {
  return Object.entries(columns).every(([name, column]) => {
    if (Object.hasOwn(keys, name))
      return !Object.hasOwn(values, name) && holds(column, entryOf(keys, name).domain.nullable);
    return Object.hasOwn(values, name) && holdsValue(column, entryOf(values, name));
  });
}

/** The same of windows, whose frames hold a public number of rows but where they begin with the first. */
export function holdsWindows({ columns, values }: WindowedRelation): boolean {
  return (
    Object.keys(columns).length === Object.keys(values).length &&
    Object.entries(values).every(([name, { value, frame, order }]) => {
      const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
      if (!column || (frame !== null && !isBounded(frame))) return false;
      switch (value.kind) {
        case "row-number":
        case "rank":
        case "dense-rank":
          return column.type === "integer" && order.length > 0;
        case "lag":
        case "lead":
          return column.nullable && order.length > 0;
        case "first":
        case "last":
          return holds(column, value.argument.domain.nullable || mayBeEmpty(frame));
        case "count":
          return holdsValue(column, value);
        default:
          return holdsValue(column, value) && holds(column, mayBeEmpty(frame));
      }
    })
  );
}

function isBounded({ from, to }: WindowFrame): boolean {
  if (from === null) return true;
  return to !== null && from <= to && Math.max(Math.abs(from), Math.abs(to)) <= mostFrameRows;
}

function holds({ nullable }: ColumnPolicy, mayBeNull: boolean): boolean {
  return nullable || !mayBeNull;
}

function holdsValue(column: ColumnPolicy, value: UnitAggregate): boolean {
  if (value.kind === "count" || value.kind === "count-distinct") return column.type === "integer";
  if (!holds(column, value.argument.domain.nullable)) return false;
  if (!("grid" in value)) return true;
  const { lo, hi, exponent } = value.grid;
  const fits = [lo, hi].every((end) => BigInt.asIntN(mostBits + 2, BigInt(end)) === BigInt(end));
  if (!fits || BigInt(lo) > BigInt(hi)) return false;
  return value.kind === "avg"
    ? column.type === "number" && column.bounds !== null
    : column.type === "number" || exponent === 0;
}
