import { writeSql } from "../../expressions/write-sql.ts";
import { rowGrid } from "../bounds/row-grid.ts";
import { writeBounds } from "../bounds/write-arguments.ts";
import type { AggregateFamily } from "../family.ts";
import { askedOf } from "./asked-of.ts";
import { quantileEstimator, quantileWidths } from "./quantile-answer.ts";
import { quantileCalls } from "./quantile-calls.ts";
import type { QuantileTypes } from "./quantile-types.ts";

/** MEDIAN, PERCENTILE_CONT, and MIN and MAX as quantiles near the ends: each is read from a tree of cells. */
export const quantileFamily: AggregateFamily<QuantileTypes> = {
  calls: quantileCalls,
  bounds: { none: null, noneForGroups: "quantiles take bounds per row", learned: false },
  describe: (_, argument) => `the quantile of ${argument}`,
  time: ({ time }) => time,
  isCount: false,
  errorIsBySize: false,
  notAddedUp: () => "quantiles",
  write(asked) {
    const { share, standsFor } = asked;
    const [value, bounds] = [writeSql(askedOf(asked)), writeBounds(asked.bounds)];
    if (standsFor !== null) return `${standsFor.toUpperCase()}(${value}${bounds})`;
    return share === 0.5 ? `MEDIAN(${value}${bounds})` : `PERCENTILE_CONT(${value}, ${share}${bounds})`;
  },
  measure({ share, standsFor, time, argument, bounds }, measurer) {
    const name = standsFor?.toUpperCase() ?? (share === 0.5 ? "MEDIAN" : "PERCENTILE_CONT");
    const grid = rowGrid(name, argument, bounds, {
      further: name === "PERCENTILE_CONT" ? `, ${share}` : "",
    });
    const tree = measurer.tree(argument, grid);
    return { kind: "quantile", tree, share, standsFor, ...(time === undefined ? {} : { time }) };
  },
  measurements: () => [],
  total: () => null,
  reading: (planned) => planned,
  valuesIn: () => null,
  widthIsKnown: false,
  widths: quantileWidths,
  largestTerm: () => null,
  estimator: quantileEstimator,
  biasNote: (_, name) => `a quantile of ${name} is off only if it lies beyond the bounds itself`,
};
