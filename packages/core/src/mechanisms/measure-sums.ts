import { invalidParameter } from "../errors/lethe-error.ts";
import type { KeyValue } from "../exact/exact-rows.ts";
import type { Draws } from "./draws.ts";
import { integer } from "./parameters.ts";
import type { MeasurementProgram } from "./release-program.ts";

type Measure = (sums: readonly bigint[], key: readonly KeyValue[]) => bigint;

/** Total: a column that the engine did not fill counts as 0, so that no draw can fail because of the data. */
export function column(sums: readonly bigint[], index: number): bigint {
  const value: unknown = sums[index];
  return typeof value === "bigint" ? value : 0n;
}

/** Prepares a group's exact sums ↦ its noisy integer. Errors: parameter.invalid for a broken program; none that depend on the sums. */
export function measure({ terms, noise }: MeasurementProgram, draws: Draws, part: string): Measure {
  const noisy = draws.noise(noise, part);
  const linear = terms.map((term) => {
    if (!(Number.isInteger(term.column) && term.column >= 0)) {
      throw invalidParameter("column", term.column, "an integer ≥ 0");
    }
    return { column: term.column, coefficient: signed(term.coefficient) };
  });
  return (sums, key) => {
    const exact = linear.reduce((total, term) => total + term.coefficient * column(sums, term.column), 0n);
    return noisy(exact, key);
  };
}

function signed(text: string): bigint {
  return text.startsWith("-") ? -integer(text.slice(1), "coefficient", 0n) : integer(text, "coefficient", 0n);
}
