import { applyOperator, type PostExpression, type PostOperator } from "@lethe/query";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  areClose,
  hidden,
  orderOf,
  type Seen,
  type SeenRow,
  seenValue,
  type Value,
} from "./released-value.ts";

const literal = (value: Value): PostExpression => ({ kind: "literal", value: value as string });
const call = (operator: PostOperator, ...args: readonly PostExpression[]): PostExpression => ({
  kind: "call",
  operator,
  args,
});
const unseen: PostExpression = { kind: "aggregate", aggregate: "hidden" };
const row: SeenRow = {
  key: ({ kind, key }) =>
    kind === "key" ? (new Map<string, Value>([["ward", "north"]]).get(key) ?? 3n) : kind,
  aggregate: (name) => (name === "hidden" ? hidden : name),
};
const value = (operator: PostOperator, ...args: readonly Seen[]): Seen =>
  seenValue(call(operator, ...args.map((arg) => (arg === hidden ? unseen : literal(arg)))), row);

describe("an expression over released values", () => {
  it.each<[PostOperator, Seen[], Seen]>([
    ["+", [1, null], null],
    ["+", ["1", 1], null],
    ["/", [3, 0], null],
    ["%", [3, 0], null],
    ["%", [-7, 3], -1],
    ["exp", [1000], null],
    ["ln", [0], null],
    ["sqrt", [-1], null],
    ["round", [-2.5], -3],
    ["round", [2.45, 1], 2.5],
    ["round", [1250, -2], 1300],
    ["to-integer", [2.5], 2],
    ["to-integer", [3.5], 4],
    ["to-integer", [2.6], 3],
    ["to-integer", [2 ** 53], 2 ** 53],
    ["to-integer", [2 ** 60], null],
    ["least", [3, null, 2], 2],
    ["greatest", [3, null, 2], 3],
    ["greatest", [null], null],
    ["coalesce", [null, 4, 5], 4],
    ["coalesce", [null, hidden, 5], hidden],
    ["coalesce", [4, hidden], 4],
    ["nullif", [4, 4], null],
    ["nullif", [4, 5], 4],
    ["nullif", [hidden, 5], hidden],
    ["=", [1, 1], true],
    ["=", [1n, 1], true],
    ["=", ["1", 1], false],
    ["=", [null, 1], null],
    ["=", [hidden, 1], hidden],
    ["<>", [1, 2], true],
    ["<", [1, 2], true],
    ["<", [2, 2], false],
    ["<", [true, 0], true],
    ["<", [5, "a"], true],
    ["<", ["b", "a"], false],
    ["<=", [2, 2], true],
    ["<=", [3, 2], false],
    [">", [2, 2], false],
    [">", [3, 2], true],
    [">=", [2, 2], true],
    [">=", [1, 2], false],
    // Rounding may have decided.
    [">", [1 + 2 ** -45, 1], hidden],
    ["and", [true, hidden, false], false],
    ["and", [true, hidden, null], hidden],
    ["and", [true, null], null],
    ["and", [true, true], true],
    ["or", [false, hidden, true], true],
    ["or", [false, hidden], hidden],
    ["or", [false, null], null],
    ["or", [false, false], false],
    ["not", [true], false],
    ["not", [null], null],
    ["not", [hidden], hidden],
    ["is-null", [null], true],
    ["is-null", [0], false],
    ["is-not-null", [null], false],
    ["is-not-null", [hidden], hidden],
    ["in", [1, 2, 1], true],
    ["in", [1, 2, null], null],
    ["in", [1, 2, 3], false],
    ["in", [1, hidden, 1], true],
    ["in", [1, hidden, 2], hidden],
    ["in", [hidden, 2], hidden],
  ])("%s, case %#", (operator, args, expected) => {
    expect(value(operator, ...args)).toBe(expected);
  });

  it("takes the first branch that holds, and is hidden where a condition before it is", () => {
    const branches = (...conditions: readonly PostExpression[]): PostExpression => ({
      kind: "case",
      branches: conditions.map((when, at) => ({
        when,
        // biome-ignore lint/suspicious/noThenProperty: the plan's own name for a branch; it is never awaited
        then: literal(at),
      })),
      otherwise: literal("else"),
    });
    const [yes, no, unknown] = [literal(true), literal(false), literal(null)];
    expect(seenValue(branches(no, unknown, yes), row)).toBe(2);
    expect(seenValue(branches(no, unknown), row)).toBe("else");
    expect(seenValue(branches(yes, unseen), row)).toBe(0);
    expect(seenValue(branches(unseen, yes), row)).toBe(hidden);
  });

  it("reads keys and aggregates", () => {
    expect(seenValue({ kind: "key", key: "ward" }, row)).toBe("north");
    expect(seenValue({ kind: "key", key: "age" }, row)).toBe(3n);
    for (const kind of ["grouped-away", "other"] as const)
      expect(seenValue({ kind, key: "ward" }, row)).toBe(kind);
    expect(seenValue({ kind: "aggregate", aggregate: "COUNT(*)" }, row)).toBe("COUNT(*)");
  });

  const unary = [
    "negate",
    "abs",
    "sign",
    "floor",
    "ceil",
    "round",
    "sqrt",
    "ln",
    "log10",
    "exp",
    "to-integer",
  ] as const;
  const binary = ["+", "-", "*", "/", "%", "power", "least", "greatest"] as const;
  const number = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer({ min: -9, max: 9 }).map((x) => x / 2),
  );

  it("means what it means to the service", () => {
    const same = (operator: PostOperator, args: readonly number[]): void => {
      const due = applyOperator(operator, args);
      const ours = value(operator, ...args);
      if (typeof due === "number" && typeof ours === "number")
        expect(ours === due || areClose(ours, due)).toBe(true);
      else expect(ours).toBe(due);
    };
    fc.assert(
      fc.property(fc.constantFrom(...unary), number, (operator, x) => same(operator, [x])),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...binary), number, number, (operator, x, y) => same(operator, [x, y])),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(number, fc.integer({ min: -4, max: 6 }), (x, digits) => same("round", [x, digits])),
    );
  });

  it("orders booleans, numbers and texts", () => {
    const inOrder: Value[] = [false, true, -1, 0n, 0.5, 2n, "", "a", "b"];
    for (const [at, a] of inOrder.entries())
      for (const [to, b] of inOrder.entries()) {
        const order = orderOf(a, b);
        expect(Math.sign(order as number), `${String(a)} ${String(b)}`).toBe(Math.sign(at - to));
      }
    expect(orderOf(null, 1)).toBe(null);
    expect(orderOf(1, null)).toBe(null);
    expect(orderOf(null, hidden)).toBe(hidden);
  });
});
