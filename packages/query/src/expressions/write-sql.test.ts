import { expect, it } from "vitest";
import type { Expression } from "./expression.ts";
import type { Operator } from "./operator.ts";
import { writeSql } from "./write-sql.ts";

const domain = { type: "number", bounds: [0, 1], integer: false, nullable: false, values: null } as const;

/** A column that counts how often it is read, under so many levels of an operator. */
function nested(operator: Operator, levels: number): { expression: Expression; reads: () => number } {
  let reads = 0;
  let expression = {
    kind: "column",
    domain,
    get name() {
      reads += 1;
      return "x";
    },
  } as Expression;
  for (let level = 0; level < levels; level += 1) {
    expression = { kind: "call", operator, args: [expression], domain };
  }
  return { expression, reads: () => reads };
}

it.each<Operator>(["negate", "not", "abs", "in", "is-null", "to-text"])(
  "writes each part once, however deep: %s",
  (operator) => {
    const { expression, reads } = nested(operator, 90);
    writeSql(expression);
    expect(reads()).toBe(1);
  },
);
