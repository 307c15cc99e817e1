import type {
  ColumnPolicy,
  GroupedRelation,
  UnitAggregate,
  UnitWindow,
  WindowedRelation,
} from "@lethe/query";

/** Whether each column of a grouping holds one key or one value, of its type, and NULL where that may be NULL. */
export function valuesFitColumns({ columns, keys, values }: GroupedRelation): boolean {
  const made = [...Object.keys(keys), ...Object.keys(values)];
  if (new Set(made).size !== made.length || made.length !== Object.keys(columns).length) return false;
  return made.every((name) => {
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if (!column) return false;
    const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
    if (key) return column.nullable || !key.domain.nullable;
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value !== undefined && valueFits(value, column);
  });
}

/** The same of windows: each value in a column of its own, each frame of a public number of rows unless it begins with the first. */
export function windowsFitColumns({ columns, values }: WindowedRelation): boolean {
  if (Object.keys(columns).length !== Object.keys(values).length) return false;
  return Object.entries(values).every(([name, window]) => {
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
    return column !== undefined && frameHolds(window.frame) && windowFits(window, column);
  });
}

const mostRows = 1000;

function frameHolds(frame: UnitWindow["frame"]): boolean {
  if (frame === null || frame.from === null) return true;
  const { from, to } = frame;
  return to !== null && -mostRows <= from && from <= to && to <= mostRows;
}

function windowFits({ value, order, frame }: UnitWindow, column: ColumnPolicy): boolean {
  const hasRows = frame === null || ((frame.from ?? 0) <= 0 && (frame.to ?? 0) >= 0);
  switch (value.kind) {
    case "row-number":
    case "rank":
    case "dense-rank":
      return order.length > 0 && column.type === "integer";
    case "lag":
    case "lead":
      return (
        order.length > 0 && Number.isInteger(value.by) && Math.abs(value.by) <= mostRows && column.nullable
      );
    case "first":
    case "last":
      return order.length > 0 && (column.nullable || (hasRows && !value.argument.domain.nullable));
    case "count":
      return valueFits(value, column);
    default:
      return valueFits(value, column) && (column.nullable || hasRows);
  }
}

function valueFits(value: UnitAggregate, column: ColumnPolicy): boolean {
  switch (value.kind) {
    case "count":
    case "count-distinct":
      return column.type === "integer";
    case "min":
    case "max": {
      const { type, nullable } = value.argument.domain;
      return (column.type === "integer" ? "number" : column.type) === type && (column.nullable || !nullable);
    }
    case "sum":
      return (
        sumFits(value, column) &&
        (column.type === "number" || (column.type === "integer" && value.grid.exponent === 0))
      );
    case "avg":
      return sumFits(value, column) && column.type === "number" && column.bounds !== null;
  }
}

/** The engines' integers hold sums of 2^40 integers of the grid, and of their distances from its low end. */
function sumFits(
  { argument, grid }: Extract<UnitAggregate, { readonly grid: unknown }>,
  column: ColumnPolicy,
): boolean {
  const [lo, hi] = [BigInt(grid.lo), BigInt(grid.hi)];
  const most = 2n ** 53n;
  return (
    lo <= hi &&
    -most <= lo &&
    hi <= most &&
    argument.domain.type === "number" &&
    (column.nullable || !argument.domain.nullable)
  );
}
