import { valuesAtMost } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import type { Measurer } from "../measurer.ts";

/** Measures the number of rows, or of those where the argument is there. */
export function measureCount(measurer: Measurer, argument: Expression | null, importance: number): string {
  // Every row counts where the argument is never NULL.
  const counted = argument?.domain.nullable ? argument : null;
  const sum = measurer.sum({ kind: "count", argument: counted });
  const describes = counted ? `COUNT(${writeSql(counted)})` : "COUNT(*)";
  return measurer.measure(
    describes,
    [{ sum, coefficient: "1" }],
    { low: 1n, high: measurer.rows },
    counted,
    importance,
  );
}

/** Measures the number of units. */
export function measureUnits(measurer: Measurer): string {
  if (measurer.unitIsRow) return measureCount(measurer, null, 1);
  const sum = measurer.sum({ kind: "units" });
  return measurer.measure(
    "COUNT(DISTINCT unit)",
    [{ sum, coefficient: "1" }],
    { low: 1n, high: 1n },
    null,
    1,
  );
}

/** Measures the number of units with a row where the argument is there. */
export function measureUnitsWith(measurer: Measurer, argument: Expression, written: string): string {
  const sum = measurer.sum({ kind: "units-with", argument });
  const terms = [{ sum, coefficient: "1" }];
  const describes = `COUNT(DISTINCT unit) FILTER (WHERE ${written})`;
  return measurer.measure(describes, terms, { low: 1n, high: 1n }, argument, 1);
}

/** Measures the number of values that are not NULL; a unit adds 0 to r of them, whatever the others hold. */
export function measureDistinct(measurer: Measurer, argument: Expression): string {
  // Rows that are bounded before the filter may bring the same few values to many groups.
  const values = measurer.rowsAreBounded ? Number.POSITIVE_INFINITY : valuesAtMost(argument.domain);
  const most = Math.min(Number(measurer.rows), values);
  const sum = measurer.sum({ kind: "distinct", argument, most });
  const describes = `COUNT(DISTINCT ${writeSql(argument)})`;
  const range = { low: 0n, high: BigInt(most) };
  return measurer.measure(describes, [{ sum, coefficient: "1" }], range, argument, 1);
}
