import { entryOf } from "../../policy/entry-of.ts";
import type { ColumnPolicy } from "../../policy/policy.ts";
import type { GroupedRelation, WindowedRelation } from "../../relations/relation.ts";
import type { UnitAggregate } from "../../relations/unit-aggregate.ts";
import { unitAggregateKindOf } from "../../relations/unit-aggregates/registry.ts";
import { mayBeEmpty, mostFrameRows, type WindowFrame } from "../../relations/unit-window.ts";

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
        default: {
          const isNull = mayBeEmpty(frame) && !unitAggregateKindOf(value).isCount;
          return holdsValue(column, value) && holds(column, isNull);
        }
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
  const { isCount, fits } = unitAggregateKindOf(value);
  const mayBeNull = !isCount && value.argument?.domain.nullable === true;
  return holds(column, mayBeNull) && fits(value, column);
}
