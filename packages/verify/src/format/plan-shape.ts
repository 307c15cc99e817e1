import type { Noise } from "@lethe/core";
import type {
  ColumnPolicy,
  Expression,
  Grid,
  LearnedBounds,
  Measurement,
  OutputColumn,
  Plan,
  PlanBody,
  PlannedAggregate,
  PlannedContribution,
  PlannedKeyProgram,
  PlannedKeyValue,
  PlannedTotals,
  PlannedUnit,
  PlanRows,
  PostProcessing,
  Relation,
  SumColumn,
  TableRelation,
  TimeColumn,
  TreeMeasurement,
  UnitAggregate,
  UnitWindow,
  WindowValue,
} from "@lethe/query";
import { event, loss, positiveText, selectionRule } from "./core-texts.ts";
import { expression, postExpression } from "./expression-shape.ts";
import {
  boolean,
  extended,
  fraction,
  integer,
  integerText,
  list,
  literal,
  Misshapen,
  map,
  nullable,
  number,
  object,
  pair,
  type Read,
  scalar,
  sha256Text,
  tagged,
  text,
} from "./shape.ts";

const time = <T extends "date" | "timestamp">(type: T): Read<TimeColumn & { readonly type: T }> =>
  object({ type: literal(type), nullable: boolean, bounds: pair(integer()), default: nullable(integer()) });

const column: Read<ColumnPolicy> = tagged("type", {
  number: object({
    type: literal("number"),
    nullable: boolean,
    bounds: nullable(pair(number)),
    default: nullable(number),
  }),
  integer: object({
    type: literal("integer"),
    nullable: boolean,
    bounds: nullable(pair(number)),
    categories: nullable(list(number)),
    default: nullable(number),
  }),
  text: object({
    type: literal("text"),
    nullable: boolean,
    categories: nullable(list(text)),
    default: nullable(text),
    maxLength: integer(0),
  }),
  boolean: object({ type: literal("boolean"), nullable: boolean, default: nullable(boolean) }),
  date: time("date"),
  timestamp: time("timestamp"),
});

const keyValue: Read<PlannedKeyValue> = scalar;

const keyProgram: Read<PlannedKeyProgram> = tagged("kind", {
  none: object({ kind: literal("none") }),
  public: object({ kind: literal("public"), declared: list(list(keyValue)) }),
  private: object({ kind: literal("private"), rule: selectionRule }),
});

const grid: Read<Grid> = object({ exponent: integer(), lo: integerText, hi: integerText });

const scaled = <K extends "scaled-sum" | "scaled-squares">(
  kind: K,
): Read<Extract<SumColumn, { readonly mid: string }> & { readonly kind: K }> =>
  object({ kind: literal(kind), argument: expression, grid, mid: integerText, half: integerText });

const centredColumn = { argument: expression, grid, mid: integerText, half: integerText } as const;

const sum: Read<SumColumn> = tagged("kind", {
  units: object({ kind: literal("units") }),
  "units-with": object({ kind: literal("units-with"), argument: expression }),
  distinct: object({ kind: literal("distinct"), argument: expression, most: integer(1) }),
  "scaled-products": object({
    kind: literal("scaled-products"),
    ...centredColumn,
    other: object(centredColumn),
  }),
  count: object({ kind: literal("count"), argument: nullable(expression) }),
  sum: object({ kind: literal("sum"), argument: expression, grid, lo: integerText, hi: integerText }),
  "scaled-sum": scaled("scaled-sum"),
  "scaled-squares": scaled("scaled-squares"),
});

const noise: Read<Noise> = tagged("mechanism", {
  "discrete-laplace@1": object({ mechanism: literal("discrete-laplace@1"), scale: positiveText }),
  "rounded-gaussian@1": object({ mechanism: literal("rounded-gaussian@1"), sigma: positiveText }),
  "discrete-gaussian@1": object({ mechanism: literal("discrete-gaussian@1"), sigmaSquared: positiveText }),
  "constant@1": object({ mechanism: literal("constant@1") }),
});

const measurement: Read<Measurement> = object({
  id: text,
  describes: text,
  terms: list(object({ column: integer(0), coefficient: integerText })),
  l1: integerText,
  l2Squared: integerText,
  noise,
});

const tree: Read<TreeMeasurement> = object({
  id: text,
  describes: text,
  argument: expression,
  grid,
  cellWidth: integerText,
  branching: integer(2),
  height: integer(1),
  rowWeight: integer(1),
  l1: integerText,
  l2Squared: integerText,
  noise,
});

/** Of a release, whose bounds were learned: with the noisy counts that they follow from. */
const learned: Read<LearnedBounds> = object({
  stages: list(
    object({
      id: text,
      argument: expression,
      ends: list(number),
      l1: integerText,
      l2Squared: integerText,
      noise,
      counts: list(number),
      bounds: pair(number),
    }),
  ),
  nominal: list(object({ noise, l1: integerText, l2Squared: integerText })),
});

const spread = <K extends "variance" | "stddev">(
  kind: K,
): Read<Extract<PlannedAggregate, { readonly population: boolean }> & { readonly kind: K }> =>
  object({
    kind: literal(kind),
    population: boolean,
    squares: integer(0),
    sum: integer(0),
    count: integer(0),
    half: integerText,
    offset: integerText,
    exponent: integer(),
  });

const aggregate: Read<PlannedAggregate> = tagged("kind", {
  count: object({ kind: literal("count"), count: integer(0) }),
  sum: object({ kind: literal("sum"), sum: integer(0), exponent: integer() }),
  avg: object({
    kind: literal("avg"),
    sum: integer(0),
    count: integer(0),
    mid: integerText,
    half: integerText,
    exponent: integer(),
  }),
  covariance: object({
    kind: literal("covariance"),
    population: boolean,
    products: integer(0),
    sum: integer(0),
    otherSum: integer(0),
    count: integer(0),
    half: integerText,
    otherHalf: integerText,
    exponent: integer(),
  }),
  variance: spread("variance"),
  stddev: spread("stddev"),
  quantile: extended(
    {
      kind: literal("quantile"),
      tree: integer(0),
      share: fraction,
      standsFor: nullable(literal("min", "max")),
    },
    { time: literal("date", "timestamp") },
  ),
});

const output: Read<OutputColumn> = tagged("kind", {
  key: object({ name: text, kind: literal("key"), key: integer(0) }),
  aggregate: object({ name: text, kind: literal("aggregate"), aggregate: integer(0) }),
  computed: object({
    name: text,
    kind: literal("computed"),
    type: literal("number", "text", "boolean", "date", "timestamp"),
    expression: postExpression,
  }),
  "interval-end": object({
    name: text,
    kind: literal("interval-end"),
    end: literal("lower", "upper"),
    output: integer(0),
  }),
});

const post: Read<PostProcessing> = object({
  having: nullable(postExpression),
  orderBy: list(object({ by: postExpression, descending: boolean, nullsFirst: boolean })),
  limit: nullable(integer(0)),
  offset: integer(0),
});

const plannedUnit: Read<PlannedUnit> = tagged("kind", {
  row: object({ kind: literal("row") }),
  column: (value, path) =>
    typeof value === "object" && value !== null && Object.hasOwn(value, "shared")
      ? object({ kind: literal("column"), column: text, shared: yes })(value, path)
      : object({ kind: literal("column"), column: text })(value, path),
});

const bounds = {
  bound: literal("groups-after-filter", "rows-before-filter"),
  groups: integer(0),
  rows: integer(1),
  enforced: boolean,
};

/** Certificates from before the second order say nothing of it, nor do those whose units cannot be in more groups. */
const contribution: Read<PlannedContribution> = (value, path) =>
  typeof value === "object" && value !== null && Object.hasOwn(value, "order")
    ? object({ ...bounds, order: literal(2) })(value, path)
    : object(bounds)(value, path);

const yes: Read<true> = (value, path) => {
  if (value !== true) throw new Misshapen(path, "true, or not be there");
  return value;
};

const tableRelation: Read<TableRelation> = object({
  kind: literal("table"),
  table: text,
  source: nullable(text),
  unit: tagged("kind", {
    row: object({ kind: literal("row") }),
    public: object({ kind: literal("public") }),
    column: object({
      kind: literal("column"),
      column: text,
      path: list(object({ table: text, key: text, column: text })),
      names: object({ table: text, column: text }),
    }),
  }),
  oncePer: nullable(text),
  columns: map(column),
});

const joinedKey = object({ source: text, column: text });

const overUnit = <K extends "count-distinct" | "min" | "max">(
  kind: K,
): Read<{ readonly kind: K; readonly argument: Expression }> =>
  object({ kind: literal(kind), argument: expression });

const summedOverUnit = <K extends "sum" | "avg">(
  kind: K,
): Read<Extract<UnitAggregate, { readonly grid: Grid }> & { readonly kind: K }> =>
  object({ kind: literal(kind), argument: expression, grid });

const unitAggregate: Read<UnitAggregate> = tagged("kind", {
  count: object({ kind: literal("count"), argument: nullable(expression) }),
  "count-distinct": overUnit("count-distinct"),
  min: overUnit("min"),
  max: overUnit("max"),
  sum: summedOverUnit("sum"),
  avg: summedOverUnit("avg"),
});

const placed = <K extends "row-number" | "rank" | "dense-rank">(
  kind: K,
): Read<{ readonly kind: K; readonly argument: null }> => object({ kind: literal(kind), argument: none });

const none: Read<null> = (value, path) => {
  if (value !== null) throw new Misshapen(path, "null");
  return value;
};

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

const unitWindow: Read<UnitWindow> = object({
  value: windowValue,
  partition: list(expression),
  order: list(object({ by: expression, descending: boolean, nullsFirst: boolean })),
  frame: nullable(object({ from: nullable(integer()), to: nullable(integer()) })),
});

const relation: Read<Relation> = (value, path) => relations(value, path);
const relations: Read<Relation> = tagged("kind", {
  table: tableRelation,
  filter: object({ kind: literal("filter"), of: relation, where: expression }),
  union: object({
    kind: literal("union"),
    source: text,
    columns: map(column),
    parts: list(object({ of: relation, values: map(expression) })),
  }),
  grouped: object({
    kind: literal("grouped"),
    source: text,
    columns: map(column),
    of: relation,
    keys: map(expression),
    values: map(unitAggregate),
  }),
  windowed: object({
    kind: literal("windowed"),
    source: text,
    columns: map(column),
    of: relation,
    values: map(unitWindow),
  }),
  semijoin: object({
    kind: literal("semijoin"),
    of: relation,
    among: relation,
    on: expression,
    not: boolean,
  }),
  join: object({
    kind: literal("join"),
    type: literal("inner", "left", "right", "full"),
    left: relation,
    right: relation,
    keys: list(object({ left: joinedKey, right: joinedKey })),
    on: nullable(expression),
  }),
});

const body = {
  version: literal(1),
  text,
  policyHash: sha256Text,
  unit: plannedUnit,
  adjacency: literal("add-or-remove-one", "replace-one"),
  contribution,
  where: nullable(expression),
  keys: object({ expressions: list(expression), program: keyProgram }),
  sums: list(sum),
  measurements: list(measurement),
  aggregates: list(aggregate),
  outputs: list(output),
  post,
  event,
  price: loss,
} as const;

const totals: Read<PlannedTotals> = extended(
  { keys: list(integer(0)), share: text, measurements: list(measurement) },
  { declared: list(list(keyValue)) },
);

/** There where the question has parameters, several groupings, such by keys that are data, quantiles, or bounds to be learned. */
const sometimes = {
  parameters: list(scalar),
  groupings: list(list(integer(0))),
  totals: list(totals),
  trees: list(tree),
  learned,
} as const;

const ofTable: Read<PlanBody & Extract<PlanRows, { table: string }>> = extended(
  { ...body, table: text, columns: map(column) },
  sometimes,
);
const ofRelation: Read<PlanBody & Extract<PlanRows, { from: Relation }>> = extended(
  { ...body, from: relation },
  sometimes,
);

/** The plan of a certificate: every member known, of its type, and no other. */
export const plan: Read<Plan> = (value, path) => (has(value, "from") ? ofRelation : ofTable)(value, path);

function has(value: unknown, member: string): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, member);
}
