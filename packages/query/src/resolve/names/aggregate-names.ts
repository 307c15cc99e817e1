/** The aggregates that are answered, by the names people call them. */
export const aggregateKinds: ReadonlyMap<
  string,
  {
    readonly kind: "count" | "sum" | "avg" | "variance" | "stddev" | "covariance";
    readonly population: boolean;
  }
> = new Map([
  ["count", { kind: "count", population: false }],
  ["count_if", { kind: "count", population: false }],
  ["countif", { kind: "count", population: false }],
  ["approx_count_distinct", { kind: "count", population: false }],
  ["sum", { kind: "sum", population: false }],
  ["avg", { kind: "avg", population: false }],
  ["variance", { kind: "variance", population: false }],
  ["var_samp", { kind: "variance", population: false }],
  ["var_pop", { kind: "variance", population: true }],
  ["stddev", { kind: "stddev", population: false }],
  ["stddev_samp", { kind: "stddev", population: false }],
  ["stddev_pop", { kind: "stddev", population: true }],
  ["covar_samp", { kind: "covariance", population: false }],
  ["covar_pop", { kind: "covariance", population: true }],
] as const);

/** Aggregates that are computed from other ones, by the names people call them. */
export const derivedAggregates = [
  "corr",
  "regr_slope",
  "regr_intercept",
  "regr_r2",
  "regr_count",
  "regr_avgx",
  "regr_avgy",
  "regr_sxx",
  "regr_syy",
  "regr_sxy",
] as const;
export type DerivedAggregate = (typeof derivedAggregates)[number];

/** Whether a function is called like an aggregate, answered or not. */
export function isAggregateName(name: string): boolean {
  return (
    aggregateKinds.has(name) || isDerivedName(name) || quantileNames.has(name) || otherAggregates.has(name)
  );
}

export function isDerivedName(name: string): name is DerivedAggregate {
  return (derivedAggregates as readonly string[]).includes(name);
}

/** How a name asks for quantiles: of one share, at a share that is stated, or at several. */
export type QuantileForm =
  | { readonly form: "fixed"; readonly share: number; readonly standsFor: "min" | "max" | null }
  | { readonly form: "stated" }
  | { readonly form: "several" };

/** MIN and MAX would show one row's value: these shares stand for them. */
export const extremeShares: Readonly<Record<"min" | "max", number>> = { min: 0.01, max: 0.99 };

export const quantileNames: ReadonlyMap<string, QuantileForm> = new Map<string, QuantileForm>([
  ["median", { form: "fixed", share: 0.5, standsFor: null }],
  ["min", { form: "fixed", share: extremeShares.min, standsFor: "min" }],
  ["max", { form: "fixed", share: extremeShares.max, standsFor: "max" }],
  ["percentile_cont", { form: "stated" }],
  ["percentile_disc", { form: "stated" }],
  ["quantile", { form: "stated" }],
  ["quantile_cont", { form: "stated" }],
  ["quantile_disc", { form: "stated" }],
  ["quantiles", { form: "several" }],
  ["approx_quantiles", { form: "several" }],
]);

/** Known elsewhere, and refused with a reason rather than as unknown. */
export const otherAggregates: ReadonlyMap<string, string> = new Map([
  ["mode", "MODE is not answered"],
  ["histogram", "HISTOGRAM would put several numbers into one column"],
  ["array_agg", "ARRAY_AGG shows single rows"],
  ["string_agg", "STRING_AGG shows single rows"],
  ["json_agg", "JSON_AGG shows single rows"],
  ["jsonb_agg", "JSONB_AGG shows single rows"],
  ["list", "LIST shows single rows"],
  ["first", "FIRST shows one row's value"],
  ["last", "LAST shows one row's value"],
  ["any_value", "ANY_VALUE shows one row's value"],
  ["arg_min", "ARG_MIN shows one row's value"],
  ["arg_max", "ARG_MAX shows one row's value"],
  ["bool_and", "BOOL_AND depends on a single row"],
  ["bool_or", "BOOL_OR depends on a single row"],
  ["every", "EVERY depends on a single row"],
  ["bit_and", "BIT_AND depends on a single row"],
  ["bit_or", "BIT_OR depends on a single row"],
  ["bit_xor", "BIT_XOR depends on a single row"],
]);
