import { refuse } from "../../refusals/refuse.ts";
import type { RowFunction } from "./row-function.ts";

/** Makes a function that is always refused: its answer depends on the time at which it is asked, or differs from engine to engine. */
const refused = (why: string, fix: string): RowFunction => ({
  min: 0,
  max: 4,
  build: (_, __, offset) => refuse("query.unsupported", why, fix, offset),
});
const asOfNow = refused(
  "a question cannot depend on the time at which it is asked",
  "write it out: DATE '2020-02-29'",
);

/** Functions that are known to have no answer, each with a question to ask instead. */
export const refusedFunctions: ReadonlyMap<string, RowFunction> = new Map<string, RowFunction>([
  [
    "age",
    refused(
      "an age in years, months and days has no fixed length",
      "write EXTRACT(year FROM AGE(a, b)) for whole years, or a - b for days between dates",
    ),
  ],
  ["now", asOfNow],
  ["today", asOfNow],
  ["getdate", asOfNow],
]);
