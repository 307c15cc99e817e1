import { elementAt } from "@lethe/core/numeric";
import { columnsOf } from "../model/missing-rows.ts";
import type { Model, ModelColumn } from "../model/model.ts";
import type { Layout } from "../statistics/layout.ts";
import { type Grouping, groupingsOf, layoutOfColumns } from "../statistics/layout-of.ts";

/** Models whose sums are over the same rows, and the questions that measure all their sums together. */
export interface JointLayout {
  readonly models: readonly Model[];
  readonly layout: Layout;
}

/**
 * Groups models by the rows that they are about, and lists the questions of each group: a sum that several models need is measured once.
 * Models are about the same rows where source and condition are the same text, and the same columns must not be NULL.
 * Errors: model.invalid for too many sums.
 */
export function jointLayouts(models: readonly Model[]): readonly JointLayout[] {
  const groups = new Map<string, Model[]>();
  for (const model of models) groups.set(rowsKey(model), [...(groups.get(rowsKey(model)) ?? []), model]);
  return [...groups.values()].map((group) => ({ models: group, layout: layoutOfAll(group) }));
}

function rowsKey(model: Model): string {
  const nullable = columnsOf(model).filter((column) => column.nullable);
  return JSON.stringify([model.source, model.where, nullable.map(({ name }) => name).sort()]);
}

function layoutOfAll(models: readonly Model[]): Layout {
  const columns = [...new Map(models.flatMap(columnsOf).map((column) => [column.name, column])).values()];
  const merged = new Map<string, { keys: readonly number[]; values: Map<string, readonly number[]> }>();
  for (const model of models) {
    for (const { keys, values } of groupingsOf(model)) {
      const own = columnsOf(model);
      const place = placeAmong(own, columns);
      const grouping = { keys: keys.map((key) => place("category", key)), values: new Map() };
      const name = grouping.keys.toSorted((a, b) => a - b).join();
      const known = merged.get(name) ?? grouping;
      for (const factors of values) {
        const places = factors.map((factor) => place("number", factor)).toSorted((a, b) => a - b);
        known.values.set(places.join(), places);
      }
      merged.set(name, known);
    }
  }
  const groupings = [...merged.values()].map(
    ({ keys, values }): Grouping => ({ keys, values: [...values.values()] }),
  );
  const [first] = models;
  return layoutOfColumns(columns, groupings, { source: first?.source ?? "", where: first?.where ?? null });
}

/** Returns a function from a place among a model's numbers or blocks to that among those of all models. */
export function placeAmong(
  own: readonly ModelColumn[],
  all: readonly ModelColumn[],
): (kind: ModelColumn["kind"], place: number) => number {
  const names = (columns: readonly ModelColumn[], kind: ModelColumn["kind"]): readonly string[] =>
    columns.filter((column) => column.kind === kind).map(({ name }) => name);
  return (kind, place) => names(all, kind).indexOf(elementAt(names(own, kind), place));
}
