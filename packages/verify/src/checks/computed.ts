import { elementAt } from "@lethe/core/numeric";
import { areClose, hidden, seenValue, type Value } from "../derive/released/released-value.ts";
import { seenRows } from "../derive/seen-rows.ts";
import { type Cell, isEstimate, type Release } from "../format/release.ts";
import { notMade, type Verdict, verdict } from "./check.ts";

/** Checks that computed columns follow from the released values. */
export function computedFollows(release: Release): Verdict {
  const { rows, certificate } = release;
  const { outputs } = certificate.plan;
  const seen = seenRows(release);
  const amiss: string[] = [];
  let isHidden = false;
  for (const [column, output] of outputs.entries()) {
    if (output.kind !== "computed") continue;
    const values = rows.map((_, row) => seenValue(output.expression, seen(row)));
    isHidden ||= values.includes(hidden);
    const follows = values.every(
      (value, row) => value === hidden || shows(elementAt(rows, row)[column], value),
    );
    if (!follows) amiss.push(`column ${output.name} is not what follows from the released values`);
  }
  if (amiss.length === 0 && isHidden)
    return notMade("columns are computed from values that the release does not show");
  return verdict(amiss, "what is computed follows from the released values");
}

/** Whether a cell shows a value, a number up to rounding. */
export function shows(cell: Cell | undefined, value: Value): boolean {
  const shown = isEstimate(cell) ? cell.value : cell;
  const due = typeof value === "bigint" ? numberOf(value) : value;
  return shown === due || (typeof shown === "number" && typeof due === "number" && areClose(shown, due));
}

/** Returns a number; integers that no double holds are shown as texts. */
function numberOf(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : `${value}`;
}
