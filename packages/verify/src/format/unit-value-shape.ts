import type { Expression, Grid, UnitAggregate, UnitWindow, WindowValue } from "@lethe/query";
import { expression } from "./expression-shape.ts";
import { grid } from "./measurement-shape.ts";
import { boolean, integer, list, literal, Misshapen, nullable, object, type Read, tagged } from "./shape.ts";

const overUnit = <K extends "count-distinct" | "min" | "max">(
  kind: K,
): Read<{ readonly kind: K; readonly argument: Expression }> =>
  object({ kind: literal(kind), argument: expression });

const summedOverUnit = <K extends "sum" | "avg">(
  kind: K,
): Read<Extract<UnitAggregate, { readonly grid: Grid }> & { readonly kind: K }> =>
  object({ kind: literal(kind), argument: expression, grid });

/** The aggregate that a subquery grouped by the unit computes for each unit. */
export const unitAggregate: Read<UnitAggregate> = tagged("kind", {
  count: object({ kind: literal("count"), argument: nullable(expression) }),
  "count-distinct": overUnit("count-distinct"),
  min: overUnit("min"),
  max: overUnit("max"),
  sum: summedOverUnit("sum"),
  avg: summedOverUnit("avg"),
});

const none: Read<null> = (value, path) => {
  if (value !== null) throw new Misshapen(path, "null");
  return value;
};

const placed = <K extends "row-number" | "rank" | "dense-rank">(
  kind: K,
): Read<{ readonly kind: K; readonly argument: null }> => object({ kind: literal(kind), argument: none });

const moved = <K extends "lag" | "lead">(
  kind: K,
): Read<{ readonly kind: K; readonly argument: Expression; readonly by: number }> =>
  object({ kind: literal(kind), argument: expression, by: integer(0) });

const ofFrame = <K extends "first" | "last">(
  kind: K,
): Read<{ readonly kind: K; readonly argument: Expression }> =>
  object({ kind: literal(kind), argument: expression });

const windowValue: Read<WindowValue> = tagged("kind", {
  "row-number": placed("row-number"),
  rank: placed("rank"),
  "dense-rank": placed("dense-rank"),
  lag: moved("lag"),
  lead: moved("lead"),
  first: ofFrame("first"),
  last: ofFrame("last"),
  count: object({ kind: literal("count"), argument: nullable(expression) }),
  min: overUnit("min"),
  max: overUnit("max"),
  sum: summedOverUnit("sum"),
  avg: summedOverUnit("avg"),
});

/** The value that a window over a unit's own rows computes. */
export const unitWindow: Read<UnitWindow> = object({
  value: windowValue,
  partition: list(expression),
  order: list(object({ by: expression, descending: boolean, nullsFirst: boolean })),
  frame: nullable(object({ from: nullable(integer()), to: nullable(integer()) })),
});
