export {
  fieldOf,
  isTimeField,
  isTimeUnit,
  type TimeField,
  type TimeUnit,
  truncateTime,
} from "./calendar/parts.ts";
export { lengthWords } from "./calendar/rounding.ts";
export { readTime, type TimeType, timeLimits, timePattern, writeTime } from "./calendar/times.ts";
export * from "./domain.ts";
export * from "./expression.ts";
export * from "./operator.ts";
export { applyOperator } from "./operators/apply-operator.ts";
export { boundEnds, cellAmong, cellInterval, cellTests } from "./operators/bound-cells.ts";
export { fillReleased, releasedDomain, releasedIn, valueWithin } from "./operators/released.ts";
export { evaluate } from "./possible/evaluate.ts";
export { listedWords, namesValues } from "./possible/listed-words.ts";
export { writeLiteral, writeName, writeSql } from "./write-sql.ts";
