import type { PostExpression } from "@lethe/query";
import { expect, it } from "vitest";
import { call, key, literal, madeOf } from "../testing/made-of.ts";
import { isNumberExpression } from "./number-expression.ts";

const { columns } = madeOf(["t", "x"], [["a", 1]]);
const either = (yes: PostExpression, no: PostExpression): PostExpression => ({
  kind: "case",
  // biome-ignore lint/suspicious/noThenProperty: the plan's own name for a branch; it is never awaited
  branches: [{ when: literal(true), then: yes }],
  otherwise: no,
});

it.each<[PostExpression, boolean]>([
  [key("x"), true],
  [key("t"), false],
  [literal(3), true],
  [literal("3"), false],
  [literal(true), false],
  [literal(null), false],
  [call("+", key("x"), literal(1)), true],
  [call("least", key("x")), true],
  [call(">", key("x"), literal(1)), false],
  [call("not", literal(true)), false],
  [call("in", key("x"), literal(1)), false],
  [call("is-null", key("x")), false],
  [call("coalesce", literal(null), key("x")), true],
  [call("coalesce", key("t"), literal("none")), false],
  [call("nullif", key("x"), literal(0)), true],
  [either(literal(null), key("x")), true],
  [either(literal("many"), literal("few")), false],
])("whether an expression is a number (case %#)", (expression, due) => {
  expect(isNumberExpression(expression, columns)).toBe(due);
});
