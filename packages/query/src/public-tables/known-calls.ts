/** The functions that a question of public tables may call: they read their arguments alone, and none makes a text of a length that a number states. */
export const knownFunctions: ReadonlySet<string> = new Set([
  ...[
    "abs",
    "ceil",
    "ceiling",
    "floor",
    "round",
    "trunc",
    "sign",
    "sqrt",
    "cbrt",
    "exp",
    "ln",
    "log",
    "log10",
  ],
  ...[
    "power",
    "pow",
    "mod",
    "pi",
    "degrees",
    "radians",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
  ],
  ...["upper", "lower", "initcap", "length", "char_length", "character_length", "octet_length", "reverse"],
  ...[
    "substr",
    "substring",
    "left",
    "right",
    "ltrim",
    "rtrim",
    "btrim",
    "trim",
    "replace",
    "split_part",
    "strpos",
  ],
  ...["concat", "concat_ws", "starts_with", "ascii", "chr", "translate", "md5"],
  ...[
    "date_trunc",
    "date_part",
    "extract",
    "age",
    "make_date",
    "to_timestamp",
    "to_char",
    "strftime",
    "timezone",
  ],
  ...[
    "date_diff",
    "datediff",
    "year",
    "quarter",
    "month",
    "week",
    "day",
    "hour",
    "minute",
    "second",
    "last_day",
  ],
  ...["dayname", "monthname", "dayofweek", "dayofyear", "isodow", "width_bucket", "position", "contains"],
]);

/** The aggregates that it may call, over groups and over windows. */
export const knownAggregates: ReadonlySet<string> = new Set([
  ...[
    "count",
    "sum",
    "avg",
    "mean",
    "min",
    "max",
    "median",
    "mode",
    "string_agg",
    "bool_and",
    "bool_or",
    "every",
  ],
  ...[
    "stddev",
    "stddev_samp",
    "stddev_pop",
    "variance",
    "var_samp",
    "var_pop",
    "corr",
    "covar_samp",
    "covar_pop",
  ],
  ...[
    "regr_slope",
    "regr_intercept",
    "regr_r2",
    "regr_count",
    "percentile_cont",
    "percentile_disc",
    "skewness",
  ],
  ...[
    "kurtosis",
    "any_value",
    "arg_max",
    "arg_min",
    "max_by",
    "min_by",
    "approx_count_distinct",
    "quantile_cont",
  ],
]);

/** The functions that it may call over windows alone. */
export const knownWindows: ReadonlySet<string> = new Set([
  ...["row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile", "lag", "lead"],
  ...["first_value", "last_value", "nth_value"],
]);

/** The operators that it may write between values. */
export const knownOperators: ReadonlySet<string> = new Set([
  ...["+", "-", "*", "/", "%", "^", "=", "<>", "!=", "<", "<=", ">", ">=", "||"],
  ...["~~", "!~~", "~~*", "!~~*"],
]);

/** The types to which it may cast, by the grammar's names, as every engine spells them. */
export const knownTypes: Readonly<Record<string, string>> = {
  int2: "SMALLINT",
  int4: "INTEGER",
  int8: "BIGINT",
  float4: "REAL",
  float8: "DOUBLE PRECISION",
  double: "DOUBLE PRECISION",
  integer: "INTEGER",
  bigint: "BIGINT",
  numeric: "NUMERIC",
  decimal: "NUMERIC",
  text: "TEXT",
  string: "TEXT",
  varchar: "VARCHAR",
  bpchar: "VARCHAR",
  bool: "BOOLEAN",
  boolean: "BOOLEAN",
  date: "DATE",
  time: "TIME",
  timestamp: "TIMESTAMP",
  interval: "INTERVAL",
};

/** The fields of a time that EXTRACT reads beside those of private questions. */
export const moreFields: ReadonlySet<string> = new Set([
  ...["century", "decade", "isoyear", "second", "millisecond", "microsecond"],
]);
