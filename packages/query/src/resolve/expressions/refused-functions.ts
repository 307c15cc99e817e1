import { refuse } from "../../refusals/refuse.ts";
import type { RowFunction } from "./row-function.ts";

/** Makes a function that is always refused: its answer depends on the day of asking, or differs from engine to engine. */
const refused = (why: string, fix: string): RowFunction => ({
  min: 0,
  max: 4,
  build: (_, __, offset) => refuse("query.unsupported", why, fix, offset),
});
const asOfNow = refused("the day of asking is no part of a question", "write it out: DATE '2020-02-29'");
const formatted = refused(
  "engines write times in formats of their own",
  "write DATE_TRUNC('month', t), EXTRACT(year FROM t), or CAST(d AS text)",
);

/** Functions that are known to have no answer, each with a question to ask instead. */
export const refusedFunctions: ReadonlyMap<string, RowFunction> = new Map<string, RowFunction>([
  [
    "age",
    refused(
      "an age in years, months and days has no one length",
      "write a - b for days between dates, or EXTRACT(year FROM a) - EXTRACT(year FROM b)",
    ),
  ],
  ["now", asOfNow],
  ["today", asOfNow],
  ["getdate", asOfNow],
  ["to_char", formatted],
  ["strftime", formatted],
  ["format_date", formatted],
  ["date_format", formatted],
  [
    "timezone",
    refused("times are UTC, and no other zone is known", "add its distance: t + INTERVAL '1 hour'"),
  ],
]);
