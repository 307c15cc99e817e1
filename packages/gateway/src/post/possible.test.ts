import type { PostExpression, PostOperator } from "@lethe/query";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluate } from "./evaluate.ts";
import { type Possible, possibleValues, within } from "./possible.ts";

const literal = (value: string | number | boolean | null): PostExpression => ({ kind: "literal", value });
const call = (operator: PostOperator, ...args: PostExpression[]): PostExpression => ({
  kind: "call",
  operator,
  args,
});
const x: PostExpression = { kind: "aggregate", aggregate: 0 };
const y: PostExpression = { kind: "aggregate", aggregate: 1 };

function rangeOf(expression: PostExpression, ranges: readonly (readonly [number, number])[]): Possible {
  return possibleValues(expression, ["k", 3n], (part) =>
    part.kind === "aggregate"
      ? within({ lo: ranges[part.aggregate]![0], hi: ranges[part.aggregate]![1] })
      : null,
  );
}

type Kinds = { number: PostExpression; truth: PostExpression; text: PostExpression };
const { number, truth, text } = fc.letrec<Kinds>((tie) => ({
  text: fc.oneof(
    { maxDepth: 3, depthSize: "medium" },
    fc.constantFrom({ kind: "key", key: 0 } as const, literal("k"), literal("a"), literal(null)),
    fc
      .tuple(fc.constantFrom<PostOperator>("coalesce", "nullif"), tie("text"), tie("text"))
      .map(([operator, a, b]) => call(operator, a, b)),
    fc.tuple(tie("truth"), tie("text"), tie("text")).map(
      ([when, then, otherwise]): PostExpression => ({
        kind: "case",
        branches: [{ when, then }],
        otherwise,
      }),
    ),
  ),
  number: fc.oneof(
    { maxDepth: 5, depthSize: "medium" },
    fc.constantFrom(x, y, { kind: "key", key: 1 } as const),
    fc.constantFrom(0, 1, -2, 0.5, 3, 40, null).map(literal),
    fc
      .tuple(
        fc.constantFrom<PostOperator>("+", "-", "*", "/", "%", "least", "greatest", "coalesce", "nullif"),
        tie("number"),
        tie("number"),
      )
      .map(([operator, a, b]) => call(operator, a, b)),
    fc
      .tuple(
        fc.constantFrom<PostOperator>(
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
        ),
        tie("number"),
      )
      .map(([operator, a]) => call(operator, a)),
    fc
      .tuple(fc.constantFrom(2, 3, -1, 0.5, 0, -0.5), tie("number"))
      .map(([power, a]) => call("power", a, literal(power))),
    fc
      .tuple(fc.constantFrom(-1, 0, 2), tie("number"))
      .map(([digits, a]) => call("round", a, literal(digits))),
    fc.tuple(tie("truth"), tie("number"), tie("number")).map(
      ([when, then, otherwise]): PostExpression => ({
        kind: "case",
        branches: [{ when, then }],
        otherwise,
      }),
    ),
  ),
  truth: fc.oneof(
    { maxDepth: 4, depthSize: "medium" },
    fc
      .tuple(
        fc.constantFrom<PostOperator>("=", "<>", "<", "<=", ">", ">=", "in"),
        tie("number"),
        tie("number"),
      )
      .map(([operator, a, b]) => call(operator, a, b)),
    ...(["text", "truth"] as const).map((kind) =>
      fc
        .tuple(fc.constantFrom<PostOperator>("=", "<>", "<", ">=", "in"), tie(kind), tie(kind))
        .map(([operator, a, b]) => call(operator, a, b)),
    ),
    fc
      .tuple(fc.constantFrom<PostOperator>("and", "or"), tie("truth"), tie("truth"))
      .map(([operator, a, b]) => call(operator, a, b)),
    tie("truth").map((a) => call("not", a)),
    fc
      .tuple(fc.constantFrom<PostOperator>("is-null", "is-not-null"), tie("number"))
      .map(([o, a]) => call(o, a)),
  ),
}));

const end = fc.oneof(
  fc.constantFrom(0, 1, -1, 0.5, 1e300, -1e300),
  fc.double({ min: -20, max: 50, noNaN: true }),
);
const box = fc.tuple(end, end).map(([a, b]): readonly [number, number] => [Math.min(a, b), Math.max(a, b)]);

describe("what an expression may be", () => {
  it("holds its value at every point of the box, and NULL where it is NULL", () => {
    const shares = fc.array(fc.tuple(fc.constantFrom(0, 1, 0.5, 0.3), fc.constantFrom(0, 1, 0.7)), {
      minLength: 3,
      maxLength: 6,
    });
    let known = 0;
    fc.assert(
      fc.property(fc.oneof(number, number, truth, text), box, box, shares, (expression, a, b, at) => {
        const possible = rangeOf(expression, [a, b]);
        for (const [s, t] of at) {
          const point = ([lo, hi]: readonly [number, number], share: number): number =>
            Math.min(hi, Math.max(lo, lo + (hi - lo) * share));
          const value = evaluate(expression, { key: ["k", 3n], aggregates: [point(a, s), point(b, t)] });
          if (value === null) expect(possible.nullable).toBe(true);
          else if (typeof value === "boolean" || typeof value === "string")
            expect(possible.others.has(value)).toBe(true);
          else {
            const { lo, hi } = possible.numbers!;
            const slack = 1e-9 * (1 + Math.abs(Number(value)));
            expect(lo - slack <= Number(value) && Number(value) <= hi + slack).toBe(true);
            if (Number.isFinite(hi - lo)) known += 1;
          }
        }
      }),
      { numRuns: 6000, seed: 11 },
    );
    expect(known).toBeGreaterThan(3000);
  });

  it.each<[string, PostExpression, readonly [number, number], readonly [number, number]]>([
    ["12x", call("*", x, literal(12)), [3, 5], [36, 60]],
    ["-x", call("negate", x), [3, 5], [-5, -3]],
    ["|x|", call("abs", x), [-3, 5], [0, 5]],
    ["x²", call("power", x, literal(2)), [-3, 2], [0, 9]],
    ["round(x, 1)", call("round", x, literal(1)), [1.23, 4.56], [1.2, 4.6]],
    ["√x", call("sqrt", x), [-1, 9], [0, 3]],
    ["1/x", call("/", literal(1), x), [2, 4], [0.25, 0.5]],
    ["x % 4 from 0 up", call("%", x, literal(4)), [0, 9], [0, 4]],
    ["x % 4 from below 0", call("%", x, literal(4)), [-1, 9], [-4, 4]],
    ["greatest(x, 0)", call("greatest", x, literal(0)), [-3, 5], [0, 5]],
    ["coalesce(1/x, 7) off 0", call("coalesce", call("/", literal(1), x), literal(7)), [2, 4], [0.25, 0.5]],
    ["least(1, 1/x)", call("least", literal(1), call("/", literal(1), x)), [0.5, 4], [0.25, 1]],
  ])("%s is the image of the interval", (_, expression, from, to) => {
    const { numbers } = rangeOf(expression, [from, [0, 0]]);
    expect(numbers!.lo).toBeCloseTo(to[0], 12);
    expect(numbers!.hi).toBeCloseTo(to[1], 12);
  });

  it("takes a branch that is certain alone, and both where the condition may go either way", () => {
    const choice: PostExpression = {
      kind: "case",
      // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
      branches: [{ when: call(">", x, literal(10)), then: literal(1) }],
      otherwise: literal(2),
    };
    expect(rangeOf(choice, [[11, 12]]).numbers).toEqual({ lo: 1, hi: 1 });
    expect(rangeOf(choice, [[8, 10]]).numbers).toEqual({ lo: 2, hi: 2 });
    expect(rangeOf(choice, [[8, 11]]).numbers).toEqual({ lo: 1, hi: 2 });
  });

  it("may be anything beyond the doubles", () => {
    const square = call("*", x, x);
    for (const expression of [
      call("-", square, square),
      call("+", square, call("negate", square)),
      call("/", square, square),
    ])
      expect(rangeOf(expression, [[1e300, 1e300]])).toMatchObject({
        numbers: { lo: Number.NEGATIVE_INFINITY, hi: Number.POSITIVE_INFINITY },
        nullable: true,
      });
  });

  it("is unbounded where a divisor may be 0, on the side where the divisor lies", () => {
    expect(rangeOf(call("/", literal(1), x), [[0, 8]])).toMatchObject({
      numbers: { lo: 1 / 8, hi: Number.POSITIVE_INFINITY },
      nullable: true,
    });
    expect(rangeOf(call("/", literal(1), x), [[-8, 0]])).toMatchObject({
      numbers: { lo: Number.NEGATIVE_INFINITY, hi: -1 / 8 },
      nullable: true,
    });
  });
});
