/**
 * A dialect is written with these parts besides its own texts: operators that dialects write alike, values and statements of standard SQL, and which texts
 * are numbers and truths.
 * @module @lethe/query/dialects
 */

export { widthBucket } from "./dialects/buckets.ts";
export { cellAmong as cellAmongText } from "./dialects/cell-among.ts";
export { commonOperators, named as namedOperator } from "./dialects/common-operators.ts";
export { constant } from "./dialects/constant.ts";
export type {
  Call,
  ColumnCleaning,
  Dialect,
  FirstRows,
  LeastOfUnit,
  OperatorText,
  OperatorTexts,
  OwnUnit,
} from "./dialects/dialect.ts";
export { firstOfUnit } from "./dialects/first-of-unit.ts";
export { isCategory } from "./dialects/is-category.ts";
export { missingOnGrid } from "./dialects/missing-on-grid.ts";
export { numberDomain } from "./dialects/number-domain.ts";
export type { QueryWords } from "./dialects/print-query.ts";
export { standardValues } from "./dialects/standard-values.ts";
export { blanks, falsehoods, longestNumber, longestTruth, truths } from "./dialects/text-values.ts";
export { type TimeText, timeOperators } from "./dialects/times.ts";
export { type FullJoin, fullJoin, fullJoinOfEqualities } from "./sql/full-join.ts";
export { type Semijoin, semijoinByExists, semijoinByJoin } from "./sql/semijoin.ts";
export type { Comparison, SqlType, ValueWriter } from "./sql/value-writer.ts";
