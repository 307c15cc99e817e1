import { expect, it } from "vitest";
import type { Expression } from "../expressions/expression.ts";
import { duckdb } from "./duckdb/index.ts";
import { postgres } from "./postgres/index.ts";
import { call, unbounded } from "./testing/ends.ts";
import { writeCall } from "./write-call.ts";

const x: Expression = { kind: "column", name: "x", domain: unbounded };

it.each([duckdb, postgres])(
  "operands are counted before an operator of $name is written",
  ({ operators }) => {
    const wrong = expect.objectContaining({ code: "internal.invariant" });
    expect(writeCall(operators, call("=", x, x), ["a", "b"])).toBe("(a = b)");
    expect(() => writeCall(operators, call("=", x, x), ["a"])).toThrow(wrong);
    expect(() => writeCall(operators, call("=", x), ["a", "b"])).toThrow(wrong);
    expect(() => writeCall(operators, call("width_bucket", x, x, x), ["a", "b", "c"])).toThrow(wrong);
  },
);
