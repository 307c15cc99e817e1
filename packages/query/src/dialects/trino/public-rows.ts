import type { PublicWords } from "../public-words.ts";

/** Functions of the same meaning under other names. */
const names: Readonly<Record<string, string>> = {
  trunc: "truncate",
  char_length: "length",
  character_length: "length",
  btrim: "trim",
  last_day: "last_day_of_month",
  dayofyear: "day_of_year",
  isodow: "day_of_week",
};

/** Trino has no TEXT, and a DECIMAL without digits has no fraction. */
const types: Readonly<Record<string, string>> = { TEXT: "VARCHAR", NUMERIC: "DECIMAL(38, 9)" };

export const publicRows: PublicWords = {
  // As questions of private tables read a CAST: NULL where the value is none of the type.
  cast: (x, type) => `TRY_CAST(${x} AS ${types[type] ?? type})`,
  functionName: (name) => names[name] ?? name,
  lacks: new Set([
    ...["initcap", "octet_length", "left", "right", "ascii", "md5", "contains", "log"],
    // Of these names Trino has other functions: DATE_DIFF counts whole units, not the ends of units between two times.
    ...["age", "make_date", "to_timestamp", "to_char", "strftime", "timezone", "date_diff", "datediff"],
    ...["dayname", "monthname", "dayofweek"],
    ...["mean", "median", "mode", "string_agg", "percentile_cont", "percentile_disc", "quantile_cont"],
    // Trino's skewness is that of the rows themselves, not of a sample.
    ...["skewness", "kurtosis", "arg_max", "arg_min", "approx_count_distinct"],
    ...["regr_r2", "regr_count"],
  ]),
  qualifies: false,
  time: (type, number) =>
    type === "date"
      ? `date_add('day', ${number}, DATE '1970-01-01')`
      : `CAST(from_unixtime_nanos(CAST(${number} AS bigint) * 1000) AT TIME ZONE 'UTC' AS timestamp(6))`,
};
