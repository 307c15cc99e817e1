/*
 * What a dialect is made of besides its own texts: operators that dialects write alike, values and statements of standard SQL, and
 * which texts are numbers and truths.
 */
export { widthBucket } from "./buckets.ts";
export { cellAmong as cellAmongText } from "./cell-among.ts";
export { commonOperators, named as namedOperator } from "./common-operators.ts";
export { constant } from "./constant.ts";
export type { Call, FirstRows, LeastOfUnit, OperatorText, OwnUnit } from "./dialect.ts";
export { firstOfUnit } from "./first-of-unit.ts";
export { isCategory } from "./is-category.ts";
export { missingOnGrid } from "./missing-on-grid.ts";
export { numberDomain } from "./number-domain.ts";
export { printQuery, type QueryWords } from "./print-query.ts";
export { standardValues } from "./standard-values.ts";
export { blanks, falsehoods, longestNumber, longestTruth, truths } from "./text-values.ts";
export { type TimeText, timeOperators } from "./times.ts";
