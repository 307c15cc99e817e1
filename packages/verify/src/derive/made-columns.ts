import type { ColumnPolicy, GroupedRelation, UnitAggregate } from "@lethe/query";

/** Whether each column of a grouping holds one key or one value, of its type, and NULL where that may be NULL. */
export function valuesFitColumns({ columns, keys, values }: GroupedRelation): boolean {
  const made = [...Object.keys(keys), ...Object.keys(values)];
  if (new Set(made).size !== made.length || made.length !== Object.keys(columns).length) return false;
  return made.every((name) => {
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if (!column) return false;
    const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
    return key ? column.nullable || !key.domain.nullable : valueFits(values[name]!, column);
  });
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
