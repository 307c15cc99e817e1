import type { PublicWords } from "../public-words.ts";

export const publicRows: PublicWords = {
  cast: (x, type) => `CAST(${x} AS ${type})`,
  functionName: (name) => name,
  lacks: new Set([
    ...[
      "strftime",
      "date_diff",
      "datediff",
      "last_day",
      "dayname",
      "monthname",
      "dayofweek",
      "dayofyear",
      "isodow",
    ],
    ...["year", "quarter", "month", "week", "day", "hour", "minute", "second", "contains", "mean", "median"],
    ...[
      "skewness",
      "kurtosis",
      "arg_max",
      "arg_min",
      "max_by",
      "min_by",
      "approx_count_distinct",
      "quantile_cont",
    ],
  ]),
  qualifies: false,
  time: (type, number) =>
    type === "date"
      ? `(DATE '1970-01-01' + CAST(${number} AS integer))`
      : `(TIMESTAMP '1970-01-01' + ${number} * INTERVAL '1 microsecond')`,
};
