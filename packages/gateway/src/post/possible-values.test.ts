import type { PostExpression, PostOperator } from "@lethe/query";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rowKeys } from "../testing/row-keys.ts";
import { evaluate } from "./evaluate.ts";
import { type Possible, within } from "./possible.ts";
import { possibleValues } from "./possible-values.ts";

const literal = (value: string | number | boolean | null): PostExpression => ({ kind: "literal", value });
const call = (operator: PostOperator, ...args: PostExpression[]): PostExpression => ({
  kind: "call",
  operator,
  args,
});
const x: PostExpression = { kind: "aggregate", aggregate: "x" };
const y: PostExpression = { kind: "aggregate", aggregate: "y" };
const keys = rowKeys({ k: "k", m: 3n });

function rangeOf(expression: PostExpression, ranges: readonly (readonly [number, number])[]): Possible {
  return possibleValues(expression, keys, (part) => {
    if (part.kind !== "aggregate") return null;
    const [lo, hi] = ranges[part.aggregate === "x" ? 0 : 1]!;
    return within({ lo, hi });
  });
}

type Kinds = { number: PostExpression; truth: PostExpression; text: PostExpression };
const { number, truth, text } = fc.letrec<Kinds>((tie) => ({
  text: fc.oneof(
    { maxDepth: 3, depthSize: "medium", depthIdentifier: "expression" },
    fc.constantFrom({ kind: "key", key: "k" } as const, literal("k"), literal("a"), literal(null)),
    fc
      .tuple(fc.constantFrom<PostOperator>("coalesce", "nullif", "concat"), tie("text"), tie("text"))
      .map(([operator, a, b]) => call(operator, a, b)),
    fc
      .tuple(fc.constantFrom<PostOperator>("upper", "initcap", "to-text"), tie("text"))
      .map(([operator, a]) => call(operator, a)),
    tie("number").map((a) => call("to-text", a)),
    fc.tuple(tie("truth"), tie("text"), tie("text")).map(
      ([when, then, otherwise]): PostExpression => ({
        kind: "case",
        branches: [{ when, then }],
        otherwise,
      }),
    ),
  ),
  number: fc.oneof(
    { maxDepth: 5, depthSize: "medium", depthIdentifier: "expression" },
    fc.constantFrom(x, y, { kind: "key", key: "m" } as const),
    fc.constantFrom(0, 1, -2, 0.5, 3, 40, null).map(literal),
    tie("text").map((a) => call("length", a)),
    tie("text").map((a) => call("strpos", a, literal("k"))),
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
    { maxDepth: 4, depthSize: "medium", depthIdentifier: "expression" },
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

/** Whether nothing is known of the values, as of texts that are made of a noisy number. */
const isUnlisted = ({ numbers }: Possible): boolean =>
  numbers?.lo === Number.NEGATIVE_INFINITY && numbers.hi === Number.POSITIVE_INFINITY;

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
          const value = evaluate(expression, {
            ...keys,
            aggregates: new Map([
              ["x", point(a, s)],
              ["y", point(b, t)],
            ]),
          });
          if (value === null) expect(possible.nullable).toBe(true);
          else if (typeof value === "boolean" || typeof value === "string")
            expect(possible.others.has(value) || isUnlisted(possible)).toBe(true);
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

const range = (lo: number, hi: number): Possible => within({ lo, hi });
const orNull = (possible: Possible): Possible => ({ ...possible, nullable: true });
const onlyNull: Possible = { numbers: null, others: new Set(), nullable: true };
const oneOf = (...others: readonly (string | boolean)[]): Possible => ({
  numbers: null,
  others: new Set(others),
  nullable: false,
});
const [yes, no, either] = [oneOf(true), oneOf(false), oneOf(true, false)];
const anything: Possible = orNull(range(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY));
const { POSITIVE_INFINITY: infinity } = Number;

/** The possible values of an operator over arguments of which so much is known. */
function over(operator: PostOperator, ...args: readonly Possible[]): Possible {
  const parts = args.map((_, at): PostExpression => ({ kind: "aggregate", aggregate: `${at}` }));
  return possibleValues(call(operator, ...parts), keys, (part) =>
    part.kind === "aggregate" ? args[Number(part.aggregate)]! : null,
  );
}

describe("a number made of texts", () => {
  const words: PostExpression = {
    kind: "case",
    // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
    branches: [{ when: call(">", x, literal(10)), then: literal("many") }],
    otherwise: literal("a few"),
  };

  it("is one of those that the texts make, where these are known", () => {
    expect(rangeOf(call("length", words), [[0, 20]])).toMatchObject({ numbers: { lo: 4, hi: 5 } });
    expect(rangeOf(call("length", words), [[0, 5]])).toMatchObject({ numbers: { lo: 5, hi: 5 } });
    const both = call("length", call("concat", words, call("upper", words)));
    expect(rangeOf(both, [[0, 20]])).toMatchObject({ numbers: { lo: 8, hi: 10 } });
  });

  it("may be any, where a text is made of a noisy number, or there are too many", () => {
    const all = { lo: Number.NEGATIVE_INFINITY, hi: Number.POSITIVE_INFINITY };
    const digits = call("length", call("to-text", x));
    for (const expression of [digits, call("+", literal(1), digits)])
      expect(rangeOf(expression, [[0, 20]])).toMatchObject({ numbers: all, nullable: true });
    expect(rangeOf(digits, [[12, 12]])).toMatchObject({ numbers: { lo: 2, hi: 2 } });
    const nine = call("length", call("concat", ...Array.from({ length: 9 }, () => words)));
    expect(rangeOf(nine, [[0, 20]])).toMatchObject({ numbers: all });
  });
});

describe("the possible values of one operator", () => {
  it.each<[PostOperator, readonly Possible[], Possible]>([
    ["+", [range(1, 2), range(10, 20)], range(11, 22)],
    ["-", [range(1, 2), range(10, 20)], range(-19, -8)],
    ["*", [range(-2, 3), range(-5, 7)], range(-15, 21)],
    ["*", [range(-2, 3), range(-7, 5)], range(-21, 15)],
    ["*", [range(0, 0), anything], orNull(range(0, 0))],
    ["*", [anything, range(0, 0)], orNull(range(0, 0))],
    ["*", [range(1, 1e300), range(1, 1e300)], orNull(range(1, infinity))],
    ["/", [range(1, 2), range(4, 8)], range(1 / 8, 1 / 2)],
    ["/", [range(1, 2), range(-8, -4)], range(-1 / 2, -1 / 8)],
    ["/", [range(-1, 2), range(4, 8)], range(-1 / 4, 1 / 2)],
    ["/", [range(-2, 1), range(4, 8)], range(-1 / 2, 1 / 4)],
    ["/", [range(1, 2), range(0, 0)], onlyNull],
    ["/", [range(1, 2), range(0, 4)], orNull(range(1 / 4, infinity))],
    ["/", [range(1, 2), range(-4, 0)], orNull(range(-infinity, -1 / 4))],
    ["/", [range(1, 2), range(-4, 4)], anything],
    // Ends between 0 and 1 lie on the same side of 0 as they do further out.
    ["/", [range(1, 2), range(-1 / 2, 4)], anything],
    ["/", [range(1, 2), range(-4, 1 / 2)], anything],
    ["/", [range(1, 2), range(1 / 2, 4)], range(1 / 4, 4)],
    ["/", [range(1, 2), range(-4, -1 / 2)], range(-4, -1 / 4)],
    ["/", [range(1, 2), range(0, 1 / 2)], orNull(range(2, infinity))],
    ["/", [range(1, 2), range(-1 / 2, 0)], orNull(range(-infinity, -2))],
    ["/", [range(0, 0), range(0, 0)], onlyNull],
    ["%", [range(1 / 2, 3), range(4, 4)], range(0, 3)],
    ["%", [range(-1 / 2, 3), range(4, 4)], range(-3, 3)],
    ["%", [range(-3, -1 / 2), range(4, 4)], range(-3, 0)],
    ["%", [range(-3, 1 / 2), range(4, 4)], range(-3, 3)],
    ["%", [range(1, 9), range(1 / 2, 4)], range(0, 4)],
    ["%", [range(1, 9), range(-1 / 2, 4)], orNull(range(0, 4))],
    ["%", [range(7, 7), range(1, 1)], range(0, 0)],
    ["%", [range(7, 7), range(-1, -1)], range(0, 0)],
    ["abs", [range(-1 / 2, 5)], range(0, 5)],
    ["abs", [range(1 / 2, 5)], range(1 / 2, 5)],
    ["abs", [range(-5, -1 / 2)], range(1 / 2, 5)],
    ["sqrt", [range(1 / 4, 9)], range(1 / 2, 3)],
    ["sqrt", [range(-1 / 2, 1 / 4)], orNull(range(0, 1 / 2))],
    ["sqrt", [range(-4, -1 / 2)], onlyNull],
    ["ln", [range(1 / 2, 1)], range(Math.log(1 / 2), 0)],
    ["ln", [range(0, 1 / 2)], orNull(range(-infinity, Math.log(1 / 2)))],
    ["power", [range(1 / 4, 4), range(0.5, 0.5)], range(1 / 2, 2)],
    ["power", [range(-1 / 2, 4), range(0.5, 0.5)], orNull(range(0, 2))],
    ["power", [range(1 / 2, 4), range(-1, -1)], range(1 / 4, 2)],
    ["power", [range(-4, -1 / 2), range(-1, -1)], range(-2, -1 / 4)],
    ["power", [range(-1 / 2, 1 / 2), range(2, 2)], range(0, 1 / 4)],
    ["power", [range(1 / 2, 3), range(2, 2)], range(1 / 4, 9)],
    ["power", [range(-3, -1 / 2), range(2, 2)], range(1 / 4, 9)],
    ["power", [range(-1 / 2, 4), range(-1 / 2, -1 / 2)], anything],
    ["%", [range(7, 7), range(4, 4)], range(3, 3)],
    ["%", [range(-7, -7), range(4, 4)], range(-3, -3)],
    ["%", [range(-9, 0), range(4, 4)], range(-4, 0)],
    ["%", [range(0, 3), range(4, 4)], range(0, 3)],
    ["%", [range(-3, 9), range(-4, -4)], range(-4, 4)],
    ["%", [range(1, 9), range(-4, 2)], orNull(range(0, 4))],
    ["%", [range(7, 7), range(3, 4)], range(0, 4)],
    ["%", [range(7, 8), range(4, 4)], range(0, 4)],
    ["%", [range(7, 7), range(0, 0)], orNull(range(0, 0))],
    ["negate", [range(-2, 3)], range(-3, 2)],
    ["abs", [range(-5, -3)], range(3, 5)],
    ["abs", [range(3, 5)], range(3, 5)],
    ["abs", [range(-5, 3)], range(0, 5)],
    ["sign", [range(-2, 3)], range(-1, 1)],
    ["sign", [range(2, 3)], range(1, 1)],
    ["floor", [range(1.2, 3.7)], range(1, 3)],
    ["ceil", [range(1.2, 3.7)], range(2, 4)],
    ["round", [range(1.2, 3.7)], range(1, 4)],
    ["to-integer", [range(1.2, 3.7)], range(1, 4)],
    ["floor", [range(-infinity, 3.5)], orNull(range(-infinity, 3))],
    ["ceil", [range(1.5, infinity)], orNull(range(2, infinity))],
    ["sqrt", [range(4, 9)], range(2, 3)],
    ["sqrt", [range(0, 9)], range(0, 3)],
    ["sqrt", [range(-1, 9)], orNull(range(0, 3))],
    ["sqrt", [orNull(range(0, 9))], orNull(range(0, 3))],
    ["sqrt", [range(-4, -1)], onlyNull],
    ["ln", [range(1, Math.E)], range(0, 1)],
    ["ln", [range(0, 1)], orNull(range(-infinity, 0))],
    ["ln", [range(-1, 1)], orNull(range(-infinity, 0))],
    ["ln", [range(-1, 0)], onlyNull],
    ["log10", [range(10, 100)], range(1, 2)],
    ["log10", [range(0, 100)], orNull(range(-infinity, 2))],
    ["exp", [range(0, 1)], range(1, Math.E)],
    ["exp", [range(0, 1000)], orNull(range(1, infinity))],
    ["exp", [range(900, 1000)], orNull(range(0, infinity))],
    ["power", [range(2, 3), range(2, 2)], range(4, 9)],
    ["power", [range(-3, 2), range(2, 2)], range(0, 9)],
    ["power", [range(-3, -2), range(2, 2)], range(4, 9)],
    ["power", [range(-2, 3), range(3, 3)], range(-8, 27)],
    ["power", [range(0, 4), range(0.5, 0.5)], range(0, 2)],
    ["power", [range(1, 4), range(0.5, 0.5)], range(1, 2)],
    ["power", [range(-2, 9), range(0.5, 0.5)], orNull(range(0, 3))],
    ["power", [range(-9, -4), range(0.5, 0.5)], onlyNull],
    ["power", [range(2, 4), range(-1, -1)], range(1 / 4, 1 / 2)],
    ["power", [range(-4, -2), range(-1, -1)], range(-1 / 2, -1 / 4)],
    ["power", [range(-1, 2), range(-1, -1)], anything],
    ["power", [range(0, 2), range(-1, -1)], anything],
    ["power", [range(-2, 0), range(-1, -1)], anything],
    ["power", [range(-2, 3), range(0, 0)], range(1, 1)],
    ["least", [range(1, 5), orNull(range(2, 3))], range(1, 5)],
    ["least", [range(2, 5), range(1, 6)], range(1, 5)],
    ["least", [orNull(range(1, 5)), orNull(range(2, 7))], orNull(range(1, 7))],
    ["least", [range(1, 5), onlyNull], range(1, 5)],
    ["least", [onlyNull, onlyNull], onlyNull],
    ["greatest", [range(1, 5), orNull(range(2, 3))], range(1, 5)],
    ["greatest", [range(2, 5), range(1, 6)], range(2, 6)],
    ["greatest", [orNull(range(1, 5)), orNull(range(2, 7))], orNull(range(1, 7))],
    ["coalesce", [range(1, 2), range(5, 6)], range(1, 2)],
    ["coalesce", [orNull(range(1, 2)), range(5, 6)], range(1, 6)],
    ["coalesce", [orNull(range(5, 6)), range(1, 2), range(9, 9)], range(1, 6)],
    ["coalesce", [orNull(range(1, 2)), orNull(range(5, 6))], orNull(range(1, 6))],
    ["coalesce", [onlyNull, oneOf("a")], oneOf("a")],
    ["coalesce", [], onlyNull],
    ["nullif", [range(1, 2), range(5, 5)], range(1, 2)],
    ["nullif", [range(1, 5), range(5, 5)], orNull(range(1, 5))],
    ["nullif", [range(5, 5), range(5, 5)], onlyNull],
    ["nullif", [range(5, 5), orNull(range(5, 5))], orNull(range(5, 5))],
    ["+", [oneOf("a"), range(1, 2)], onlyNull],
    ["+", [orNull(range(1, 2)), range(1, 2)], orNull(range(2, 4))],
    ["+", [], onlyNull],
  ])("%s gives the image of its arguments (case %#)", (operator, args, due) => {
    expect(over(operator, ...args)).toEqual(due);
  });

  it.each<[PostOperator, readonly Possible[], Possible]>([
    ["<", [range(1, 2), range(3, 4)], yes],
    ["<", [range(1, 2), range(2, 3)], either],
    ["<", [range(2, 3), range(1, 2)], no],
    ["<", [range(2, 2), range(2, 2)], no],
    ["<=", [range(1, 2), range(2, 3)], yes],
    ["<=", [range(2, 3), range(1, 2)], either],
    ["<=", [range(3, 4), range(1, 2)], no],
    [">", [range(3, 4), range(1, 2)], yes],
    [">", [range(2, 3), range(1, 2)], either],
    [">", [range(1, 2), range(2, 3)], no],
    [">=", [range(2, 3), range(1, 2)], yes],
    [">=", [range(1, 2), range(2, 3)], either],
    [">=", [range(1, 2), range(3, 4)], no],
    ["=", [range(2, 2), range(2, 2)], yes],
    ["=", [range(1, 2), range(2, 3)], either],
    ["=", [range(2, 3), range(1, 2)], either],
    ["=", [range(1, 2), range(3, 4)], no],
    ["=", [range(3, 4), range(1, 2)], no],
    ["<>", [range(2, 2), range(2, 2)], no],
    ["<>", [range(1, 2), range(3, 4)], yes],
    ["=", [oneOf("a", "b"), oneOf("a")], either],
    ["<", [oneOf("a"), oneOf("b", "c")], yes],
    ["=", [range(1, 2), oneOf("1")], no],
    ["=", [oneOf("1"), range(1, 2)], no],
    ["<>", [range(1, 2), oneOf("1")], yes],
    ["<>", [oneOf("1"), range(1, 2)], yes],
    ["=", [orNull(range(1, 1)), range(1, 1)], orNull(yes)],
    ["=", [range(1, 1), orNull(range(1, 1))], orNull(yes)],
    ["=", [onlyNull, range(1, 1)], onlyNull],
    ["=", [], onlyNull],
    ["not", [yes], no],
    ["not", [no], yes],
    ["not", [orNull(either)], orNull(either)],
    ["not", [], onlyNull],
    ["is-null", [range(1, 2)], no],
    ["is-null", [orNull(range(1, 2))], either],
    ["is-null", [oneOf("a")], no],
    ["is-null", [onlyNull], yes],
    ["is-null", [], yes],
    ["is-not-null", [range(1, 2)], yes],
    ["is-not-null", [orNull(oneOf("a"))], either],
    ["is-not-null", [onlyNull], no],
    ["in", [range(1, 1), range(1, 1), range(2, 2)], yes],
    ["in", [range(3, 3), range(1, 1), range(2, 2)], no],
    ["in", [range(1, 3), range(1, 1), range(5, 5)], either],
    ["in", [range(3, 3), range(1, 1), onlyNull], onlyNull],
    ["in", [range(1, 1), range(1, 1), onlyNull], yes],
    ["and", [yes, yes], yes],
    ["and", [yes, no], no],
    ["and", [either, yes], either],
    ["and", [yes, onlyNull], onlyNull],
    ["and", [no, onlyNull], no],
    ["and", [either, onlyNull], orNull(no)],
    ["and", [orNull(no), yes], orNull(no)],
    ["and", [orNull(no), orNull(yes)], orNull(no)],
    ["and", [orNull(either), no], no],
    ["or", [no, no], no],
    ["or", [yes, no], yes],
    ["or", [either, no], either],
    ["or", [no, onlyNull], onlyNull],
    ["or", [yes, onlyNull], yes],
    ["or", [either, onlyNull], orNull(yes)],
    ["or", [orNull(either), yes], yes],
  ])("%s keeps to what three-valued logic allows (case %#)", (operator, args, due) => {
    expect(over(operator, ...args)).toEqual(due);
  });

  it("a number stands before every text, whichever comes first", () => {
    expect(over("<", range(1, 2), oneOf("1")).others.has(true)).toBe(true);
    expect(over(">", oneOf("1"), range(1, 2)).others.has(true)).toBe(true);
  });
});

describe("the possible values of CASE", () => {
  const chosen = (first: Possible, second: Possible): Possible =>
    possibleValues(
      {
        kind: "case",
        branches: [
          // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
          { when: x, then: literal(1) },
          // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
          { when: y, then: literal(5) },
        ],
        otherwise: literal(9),
      },
      keys,
      (part) => (part.kind === "aggregate" ? (part.aggregate === "x" ? first : second) : null),
    );

  it.each<[Possible, Possible, Possible]>([
    [yes, either, range(1, 1)],
    [no, yes, range(5, 5)],
    [no, no, range(9, 9)],
    [either, yes, range(1, 5)],
    [either, no, range(1, 9)],
    [no, either, range(5, 9)],
    [onlyNull, yes, range(5, 5)],
    [onlyNull, onlyNull, range(9, 9)],
    [orNull(yes), no, range(1, 9)],
    [orNull(yes), yes, range(1, 5)],
  ])("holds the branches that may be taken, and no other (case %#)", (first, second, due) => {
    expect(chosen(first, second)).toEqual(due);
  });

  it("is NULL at times where a branch that may be taken is NULL", () => {
    const choice = (then: PostExpression, otherwise: PostExpression): Possible =>
      possibleValues(
        { kind: "case", branches: [{ when: x, then }], otherwise },
        rowKeys({ k: "k", none: null }),
        (part) => (part.kind === "aggregate" ? either : null),
      );
    expect(choice(literal(null), literal(2))).toEqual(orNull(range(2, 2)));
    expect(choice(literal(2), literal(null))).toEqual(orNull(range(2, 2)));
    expect(choice(literal("a"), literal(true))).toEqual(oneOf("a", true));
    expect(choice({ kind: "key", key: "k" }, { kind: "key", key: "none" })).toEqual(orNull(oneOf("k")));
  });
});

it("an aggregate of which nothing is known may be any number, and NULL", () => {
  expect(possibleValues(x, keys, () => null)).toEqual(anything);
});
