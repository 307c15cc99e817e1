import type { Category, Model, ModelColumn } from "./model.ts";

/** Returns every column that a model uses, once, the target first. */
export function columnsOf({ task }: Model): readonly ModelColumn[] {
  const used: readonly ModelColumn[] =
    task.kind === "marginals"
      ? task.marginals.flat()
      : "target" in task
        ? [task.target, ...task.features]
        : task.features;
  return [...new Map(used.map((column) => [column.name, column])).values()];
}

/**
 * Says which rows a model is about: all its sums are over the rows that have a value in every column it uses, since moments of different
 * rows fit no model together. For its card.
 */
export function rowsOfModel(model: Model): readonly string[] {
  const nullable = columnsOf(model).filter((column) => column.nullable);
  const listed = (names: readonly (string | Category)[]): string => names.map(String).join(", ");
  return [
    ...(nullable.length === 0
      ? []
      : [`rows where ${listed(nullable.map(({ name }) => name))} is NULL are left out`]),
    ...columnsOf(model).map((column) =>
      column.kind === "number"
        ? `${column.name} is clamped between ${column.bounds[0]} and ${column.bounds[1]}`
        : `${column.name} is one of ${listed(column.categories)}; any other value counts as ${column.nullable ? "NULL" : "the policy's default"}`,
    ),
  ];
}
