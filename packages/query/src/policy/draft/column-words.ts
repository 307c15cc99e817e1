import type { ColumnPolicy } from "../policy.ts";
import { flow, scalar } from "../yaml-words.ts";
import type { DeclaredBounds } from "./draft-words.ts";

/** A column's declaration as a policy writes it. Categories that hold "other" send every other value there. */
export function columnWords(column: {
  readonly type: ColumnPolicy["type"];
  readonly bounds?: DeclaredBounds | undefined;
  readonly categories?: readonly string[] | undefined;
}): string {
  const { type, bounds, categories } = column;
  const whole = type === "integer";
  return flow([
    ["type", type],
    ["bounds", bounds && boundsOf(bounds)],
    [
      "categories",
      categories && `[${categories.map((value) => (whole ? value : scalar(value))).join(", ")}]`,
    ],
    ["default", categories?.includes("other") && !whole ? "other" : undefined],
  ]);
}

function boundsOf({ lo, hi, time }: DeclaredBounds): string {
  const written = (bound: string): string => (time === "timestamp" ? JSON.stringify(bound) : bound);
  return `[${written(lo)}, ${written(hi)}]`;
}
