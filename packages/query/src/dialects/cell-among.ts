import { elementAt } from "@lethe/core/numeric";
import { type CellTest, cellTests } from "../expressions/operators/bound-cells.ts";
import { constant } from "./constant.ts";
import type { OperatorText } from "./dialect.ts";

interface CellText {
  readonly double: (value: number) => string;
  /** A body that names its operand several times. */
  readonly once: (operand: string, body: (name: string) => string) => string;
}

/** The number of tests that a value passes, found by halving them: some seven comparisons a row. */
export function cellAmong({ double, once }: CellText): OperatorText<"some"> {
  return ([x], { args: [value, ...ends] }) => {
    const tests = cellTests(ends.map((arg) => Number(constant(arg))));
    const cells = (v: string): string => {
      const passed = ({ end, beyond }: CellTest): string => `${v} ${beyond ? ">" : ">="} ${double(end)}`;
      const among = (first: number, last: number): string => {
        if (first === last) return double(first);
        const middle = Math.floor((first + last) / 2);
        return `CASE WHEN ${passed(elementAt(tests, middle))} THEN ${among(middle + 1, last)} ELSE ${among(first, middle)} END`;
      };
      return `CASE WHEN ${v} IS NOT NULL THEN ${among(0, tests.length)} END`;
    };
    // A column read seven times is several times faster than an operand that is computed once by a subquery or a lambda.
    return value.kind === "column" ? `(${cells(x)})` : once(x, cells);
  };
}
