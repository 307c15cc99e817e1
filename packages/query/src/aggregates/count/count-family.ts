import { writeSql } from "../../expressions/write-sql.ts";
import { type Total, totalEstimator, totalWidths } from "../answers/total.ts";
import type { AggregateFamily } from "../family.ts";
import { countCalls } from "./count-calls.ts";
import type { CountTypes, PlannedCount } from "./count-types.ts";
import { measureCount, measureDistinct, measureUnits, measureUnitsWith } from "./measure-count.ts";

/** COUNT of rows, of units and of distinct values: one measurement each. */
export const countFamily: AggregateFamily<CountTypes> = {
  calls: countCalls,
  bounds: {
    none: null,
    noneForGroups: null,
    noneForRows: "COUNT takes bounds per group: a row counts 1",
    learned: false,
  },
  describe: (_, argument) => `COUNT(${argument})`,
  time: () => undefined,
  isCount: true,
  errorIsBySize: false,
  // A unit, or a value, may be in several groups.
  notAddedUp(asked) {
    if (asked.kind === "count") return null;
    return asked.kind === "count-distinct" ? "counts of distinct values" : "counts of distinct units";
  },
  write(asked, unit) {
    switch (asked.kind) {
      case "count":
        return `COUNT(${asked.argument ? writeSql(asked.argument) : "*"})`;
      case "count-units":
        return `COUNT(DISTINCT ${unit})`;
      case "count-units-with":
        return `COUNT(DISTINCT ${unit}) FILTER (WHERE ${asked.written})`;
      case "count-distinct":
        return `COUNT(DISTINCT ${writeSql(asked.argument)})`;
    }
  },
  measure(asked, measurer) {
    switch (asked.kind) {
      case "count":
        return { kind: "count", count: measureCount(measurer, asked.argument, 1) };
      case "count-units":
        return { kind: "count", count: measureUnits(measurer) };
      case "count-units-with":
        return { kind: "count", count: measureUnitsWith(measurer, asked.argument, asked.written) };
      case "count-distinct":
        return { kind: "count", count: measureDistinct(measurer, asked.argument) };
    }
  },
  measurements: ({ count }) => [count],
  slopes: ({ count }) => [[count, 1]],
  total,
  reading: () => null,
  valuesIn: ({ count }) => count,
  widthIsKnown: true,
  widths: (planned, setting) => totalWidths(total(planned), setting),
  largestTerm: () => 1,
  estimator: (planned, setting) => totalEstimator(total(planned), setting),
  biasNote: (_, name) => `COUNT(DISTINCT ${name}) counts them as that bound`,
};

function total({ count }: PlannedCount): Total {
  return { measurement: count, step: 1 };
}
