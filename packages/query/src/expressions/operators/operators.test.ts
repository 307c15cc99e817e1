import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseQuestion } from "../../parse/parse-question.ts";
import { resolveExpression } from "../../resolve/expressions/resolve-expression.ts";
import { tableScope } from "../../resolve/from/tables/resolve-table.ts";
import { anyExpression, column, expressions, row } from "../../resolve/testing/random-expressions.ts";
import { testPolicy } from "../../resolve/testing/test-policy.ts";
import { expressionBuilder } from "../build/build-expression.ts";
import { type Domain, isTime, type NumberDomain } from "../domain.ts";
import type { Expression } from "../expression.ts";
import type { Operator } from "../operator.ts";
import { evaluate } from "../possible/evaluate.ts";
import { writeSql } from "../write-sql.ts";
import { applyOperator } from "./apply-operator.ts";
import type { Scalar } from "./domains.ts";

/** Equal but for what an engine's library may differ by. */
const nearOne = ([lo, hi]: readonly [number, number]): unknown => [
  expect.closeTo(lo, 10) as unknown,
  expect.closeTo(hi, 10) as unknown,
];

/** Why a value lies outside a domain; null where it lies within. */
function outside(value: Scalar, domain: Domain): string | null {
  if (value === null) return domain.nullable ? null : "NULL";
  const type = isTime(domain) ? "number" : domain.type;
  if ((typeof value === "string" ? "text" : typeof value) !== type) return "type";
  if (isTime(domain)) {
    const [lo, hi] = domain.bounds;
    if (!(Number.isInteger(value) && lo <= (value as number) && (value as number) <= hi)) return "bounds";
    if (domain.values && !domain.values.includes(value as number)) return "values";
  }
  if (domain.type === "number") {
    const x = value as number;
    if (!Number.isFinite(x)) return "not finite";
    if (domain.bounds && !(domain.bounds[0] <= x && x <= domain.bounds[1])) return "bounds";
    if (domain.integer && !(Number.isInteger(x) && Math.abs(x) <= 2 ** 53)) return "integer";
    if (domain.values && !domain.values.includes(x)) return "values";
  }
  if (domain.type === "text") {
    if ([...(value as string)].length > domain.maxLength) return "length";
    if (domain.values && !domain.values.includes(value as string)) return "values";
  }
  return null;
}

test("the domain of a random expression holds its value on every row", () => {
  fc.assert(
    fc.property(anyExpression, row, (expression, values) => {
      const value = evaluate(expression, values);
      expect(outside(value, expression.domain)).toBe(null);
    }),
    { numRuns: 10_000, seed: 1 },
  );
});

test("the check above would notice a rule that is a little too tight", () => {
  const wage = column("wage");
  const sum = expressionBuilder().call("+", [wage, wage]);
  const tight: Domain = { ...(sum.domain as NumberDomain), bounds: [0, 119] };
  const found = fc.check(
    fc.property(row, (values) => outside(evaluate(sum, values), tight) === null),
    { numRuns: 1_000, seed: 1 },
  );
  expect(found.failed).toBe(true);
});

test("finite domains are tight: every public value is taken on some row", () => {
  const build = expressionBuilder();
  const decade = build.call("floor", [build.call("/", [column("age"), build.literal(10)])]);
  const taken = new Set<Scalar>();
  for (let age = 16; age <= 90; age += 1) taken.add(evaluate(decade, { age }));
  taken.delete(null);
  expect(new Set((decade.domain as NumberDomain).values)).toEqual(taken);
  expect(decade.domain.nullable).toBe(true);
});

test("every value of a random expression over one categorical column is public", () => {
  fc.assert(
    fc.property(expressions.text, (expression) => {
      const names = new Set<string>();
      const seen: string[] = JSON.stringify(expression).match(/"kind":"column","name":"[^"]*"/g) ?? [];
      for (const hit of seen) names.add(hit);
      fc.pre([...names].every((hit) => hit.includes('"sector"')));
      fc.pre(!/"(lower|upper)"/.test(JSON.stringify(expression)));
      expect(expression.domain.type === "text" && expression.domain.values).not.toBe(null);
    }),
    { numRuns: 2_000, seed: 2 },
  );
});

test("a random expression written as SQL is read back as itself", async () => {
  const samples = fc.sample(anyExpression, { numRuns: 800, seed: 3 });
  for (const expression of samples) {
    const sql = writeSql(expression);
    const text = `SELECT COUNT(*) FROM people WHERE (${sql}) IS NOT NULL`;
    const { select } = await parseQuestion(text);
    const people = tableScope("people", "people", null, testPolicy, expressionBuilder());
    const where = resolveExpression(select.whereClause!, people) as Expression & { kind: "call" };
    expect(writeSql(where.args[0]!)).toBe(sql);
    expect(where.args[0]!.domain).toEqual(expression.domain);
  }
});

describe("domains, rule by rule", () => {
  const build = expressionBuilder();
  const bounds = (operator: Operator, ...args: (Expression | number)[]): unknown => {
    const made = build.call(
      operator,
      args.map((arg) => (typeof arg === "number" ? build.literal(arg) : arg)),
    );
    const { bounds: interval, integer, nullable } = made.domain as NumberDomain;
    return { bounds: interval, integer, nullable };
  };
  const [wage, born, balance, anything, whole, name] = [
    "wage",
    "born",
    "balance",
    "anything",
    "whole",
    "name",
  ].map(column) as [Expression, Expression, Expression, Expression, Expression, Expression];
  test.each<[string, unknown, unknown]>([
    ["+ keeps integers", bounds("+", born, 1), { bounds: [1901, 2021], integer: true, nullable: false }],
    ["- crosses the ends", bounds("-", balance, wage), { bounds: [-65, 5], integer: false, nullable: true }],
    [
      "* takes the corners",
      bounds("*", balance, balance),
      { bounds: [-25, 25], integer: false, nullable: false },
    ],
    ["* of what is unbounded", bounds("*", anything, 2), { bounds: null, integer: false, nullable: true }],
    [
      "/ by what may be 0 has no bounds",
      bounds("/", 1, balance),
      { bounds: null, integer: false, nullable: true },
    ],
    [
      "/ by an integer that may be 0",
      bounds("/", wage, whole),
      { bounds: [-60, 60], integer: false, nullable: true },
    ],
    ["/ away from 0", bounds("/", born, 10), { bounds: [190, 202], integer: false, nullable: false }],
    ["% stays below the divisor", bounds("%", born, 7), { bounds: [0, 7], integer: true, nullable: false }],
    [
      "% keeps the dividend's sign",
      bounds("%", balance, 2),
      { bounds: [-2, 2], integer: false, nullable: false },
    ],
    ["abs folds", bounds("abs", balance), { bounds: [0, 5], integer: false, nullable: false }],
    [
      "abs of what is unbounded adds no NULL",
      bounds("abs", column("anything")),
      { bounds: null, integer: false, nullable: true },
    ],
    ["floor", bounds("floor", wage), { bounds: [0, 60], integer: true, nullable: true }],
    ["round", bounds("round", balance), { bounds: [-5, 5], integer: true, nullable: false }],
    [
      "sqrt below 0 is NULL",
      bounds("sqrt", balance),
      { bounds: [0, Math.sqrt(5)], integer: false, nullable: true },
    ],
    [
      "sqrt above 0 is not",
      bounds("sqrt", born),
      { bounds: [Math.sqrt(1900), Math.sqrt(2020)], integer: false, nullable: false },
    ],
    ["exp overflows into NULL", bounds("exp", born), { bounds: null, integer: false, nullable: true }],
    ["exp of what is unbounded", bounds("exp", anything), { bounds: null, integer: false, nullable: true }],
    [
      "least is capped by what is never NULL",
      bounds("least", wage, born),
      { bounds: [0, 2020], integer: false, nullable: false },
    ],
    ["greatest", bounds("greatest", wage, balance), { bounds: [-5, 60], integer: false, nullable: false }],
    [
      "power of a negative",
      bounds("power", balance, 0.5),
      { bounds: nearOne([0, Math.sqrt(5)]), integer: false, nullable: true },
    ],
    [
      "power of only negatives",
      bounds("power", build.call("-", [wage, build.literal(100)]), 0.5),
      { bounds: [0, 0], integer: true, nullable: true },
    ],
    [
      "negative power around 0",
      bounds("power", balance, -1),
      { bounds: null, integer: false, nullable: true },
    ],
    [
      "even power",
      bounds("power", balance, 2),
      { bounds: nearOne([0, 25]), integer: false, nullable: false },
    ],
    ["to-integer", bounds("to-integer", wage), { bounds: [0, 60], integer: true, nullable: true }],
    [
      "to-integer of what is unbounded",
      bounds("to-integer", anything),
      { bounds: null, integer: true, nullable: true },
    ],
    [
      "to-integer beyond 2^53",
      bounds("to-integer", build.literal(1e300)),
      { bounds: [0, 0], integer: true, nullable: true },
    ],
    [
      "to-integer around 2^53",
      bounds("to-integer", build.call("*", [wage, build.literal(1e16)])),
      { bounds: [0, 2 ** 53], integer: true, nullable: true },
    ],
    [
      "integers beyond 2^53 are none",
      bounds("*", born, 1e14),
      { bounds: [1.9e17, 2.02e17], integer: false, nullable: false },
    ],
    ["length", bounds("length", name), { bounds: [0, 12], integer: true, nullable: true }],
    ["sign", bounds("sign", wage), { bounds: [0, 1], integer: true, nullable: true }],
    [
      "coalesce is its first argument where that is never NULL",
      bounds("coalesce", born, 0),
      { bounds: [1900, 2020], integer: true, nullable: false },
    ],
    [
      "coalesce ends at what is never NULL",
      bounds("coalesce", wage, 0, born),
      { bounds: [0, 60], integer: false, nullable: false },
    ],
  ])("%s", (_, actual, expected) => expect(actual).toEqual(expected));

  test("ln is bounded even where its argument is not", () => {
    const { bounds: interval, nullable } = build.call("ln", [anything]).domain as NumberDomain;
    expect(nullable).toBe(true);
    expect(interval![0]).toBeLessThan(Math.log(Number.MIN_VALUE));
    expect(interval![1]).toBeGreaterThan(Math.log(Number.MAX_VALUE));
    expect(build.call("ln", [born]).domain.nullable).toBe(false);
    expect((build.call("ln", [whole]).domain as NumberDomain).bounds![0]).toBe(0);
  });

  test("nullif takes a constant out of the values", () => {
    const { domain } = build.call("nullif", [column("sector"), build.literal("other")]);
    expect(domain).toMatchObject({ values: ["manufacturing", "construction"], nullable: true });
    const some = build.call("nullif", [column("member"), column("married")]);
    expect(some.domain).toEqual({ type: "boolean", nullable: true });
    expect(build.call("nullif", [name, build.literal("x")]).domain).toMatchObject({
      nullable: true,
      values: null,
    });
  });

  test("parts of public categories are public, and so are buckets between constants", () => {
    const [sector, some] = [column("sector"), column("wage")];
    const literals = (...values: (string | number)[]): Expression[] =>
      values.map((value) => build.literal(value));
    expect(build.call("substr", [sector, ...literals(1, 3)]).domain).toMatchObject({
      values: ["man", "con", "oth"],
    });
    expect(build.call("strpos", [sector, ...literals("n")]).domain).toMatchObject({ values: [0, 3] });
    expect(build.call("replace", [sector, ...literals("other", "")]).domain).toMatchObject({
      values: ["manufacturing", "construction", ""],
    });
    expect(build.call("width_bucket", [some, ...literals(0, 50, 5)]).domain).toMatchObject({
      values: [1, 2, 3, 4, 5, 6],
      nullable: true,
    });
    expect(build.call("width_bucket", [anything, ...literals(0, 50, 2)]).domain).toMatchObject({
      values: [0, 1, 2, 3],
    });
  });

  test("replacing makes a text longer by as much as it can, and no longer than is read", () => {
    const replaced = build.call("replace", [name, build.literal("a"), build.literal("bcd")]);
    expect(replaced.domain).toMatchObject({ maxLength: 36 });
    let growing: Expression = name;
    expect(() => {
      for (let n = 0; n < 9; n += 1)
        growing = build.call("replace", [growing, build.literal("a"), build.literal("a".repeat(20))]);
    }).toThrow("a text grows beyond");
  });

  test("letters beyond ASCII do not stay public through lower", () => {
    // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
    const accented = build.case([{ when: column("member"), then: build.literal("É") }], build.literal("x"));
    expect(accented.domain).toMatchObject({ values: ["É", "x"] });
    expect(build.call("lower", [accented]).domain).toMatchObject({ values: null });
    expect(build.call("lower", [column("letter")]).domain).toMatchObject({
      values: ["a", "b", " c "],
      nullable: true,
    });
  });

  test("texts that are numbers keep public values through a cast", () => {
    // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
    const grade = build.case([{ when: column("member"), then: build.literal("07") }], build.literal("x"));
    expect(build.call("to-number", [grade]).domain).toMatchObject({ values: [7], nullable: true });
  });
});

describe("meanings", () => {
  test.each<[Operator, Scalar[], Scalar]>([
    ["/", [1, 0], null],
    ["/", [5, 2], 2.5],
    ["%", [-7, 3], -1],
    ["%", [7, 0], null],
    ["round", [2.5], 3],
    ["round", [-2.5], -3],
    ["round", [0.49999999999999994], 0],
    ["round", [1234.5678, 2], 1234.57],
    ["round", [1250, -2], 1300],
    ["round", [1e308, 5], 1e308],
    ["to-integer", [2.5], 2],
    ["to-integer", [3.5], 4],
    ["to-integer", [-2.5], -2],
    ["to-integer", ["12.7"], 13],
    ["to-integer", [1e17], null],
    ["to-number", [" 12"], null],
    ["to-number", ["1e400"], null],
    ["to-number", ["Infinity"], null],
    ["to-number", [".5"], 0.5],
    ["to-number", ["1_000"], null],
    ["to-number", [true], 1],
    ["to-number", [null], null],
    ["ln", [0], null],
    ["log10", [-1], null],
    ["sqrt", [-1], null],
    ["power", [-8, 1 / 3], null],
    ["power", [0, -1], null],
    ["power", [10, 400], null],
    ["exp", [1000], null],
    ["*", [1e200, 1e200], null],
    ["negate", [0], 0],
    ["least", [null, 3, 2], 2],
    ["greatest", [null, null], null],
    ["and", [null, false], false],
    ["and", [null, true], null],
    ["or", [null, true], true],
    ["or", [null, false], null],
    ["not", [null], null],
    ["=", [null, 1], null],
    ["in", [1, 2, null], null],
    ["in", [1, null, 1], true],
    ["in", [null, 1], null],
    ["<", ["\u{1f600}", "\uffff"], false],
    ["<", ["a", "ab"], true],
    ["is-distinct", [null, null], false],
    ["is-not-distinct", [null, 1], false],
    ["like", ["abc", "a%"], true],
    ["like", ["abc", "a_"], false],
    ["like", ["a%", "a\\%"], true],
    ["like", ["ab", "a\\%"], false],
    ["like", ["", "%"], true],
    ["like", [null, "%"], null],
    ["like", ["\u{1f600}b", "_b"], true],
    ["length", ["\u{1f600}é"], 2],
    ["left", ["\u{1f600}éx", 2], "\u{1f600}é"],
    ["left", [null, 2], null],
    ["trim", ["  a \t "], "a \t"],
    ["right", ["\u{1f600}éx", 2], "éx"],
    ["right", ["abc", 0], ""],
    ["right", ["abc", 9], "abc"],
    ["substr", ["\u{1f600}éxyz", 2, 3], "éxy"],
    ["substr", ["abc", 4, 2], ""],
    ["substr", [null, 1, 2], null],
    ["ltrim", ["  a \t "], "a \t "],
    ["rtrim", ["  a \t "], "  a \t"],
    ["replace", ["aaa", "aa", "b"], "ba"],
    ["replace", ["a$&b", "$&", "$1"], "a$1b"],
    ["strpos", ["\u{1f600}éx", "x"], 3],
    ["strpos", ["abc", "z"], 0],
    ["strpos", [null, "z"], null],
    ["trunc", [-2.7], -2],
    ["width_bucket", [-0.1, 0, 60, 6], 0],
    ["width_bucket", [0, 0, 60, 6], 1],
    ["width_bucket", [5e-324, 0, 60, 6], 1],
    ["width_bucket", [59.99, 0, 60, 6], 6],
    ["width_bucket", [60, 0, 60, 6], 7],
    ["width_bucket", [null, 0, 60, 6], null],
    ["concat", ["a", null], null],
    ["concat", ["a", "b"], "ab"],
    ["coalesce", [null, null], null],
    ["nullif", [1, 1], null],
    ["nullif", [null, 1], null],
    ["to-text", [true], "true"],
    ["to-text", [null], null],
    ["to-boolean", [0], false],
    ["to-boolean", [null], null],
  ])("%s %j is %j", (operator, args, expected) => expect(applyOperator(operator, args)).toBe(expected));

  test("LIKE's cost does not explode with runs", () => {
    expect(applyOperator("like", ["a".repeat(3_000), `${"%a".repeat(100)}b`])).toBe(false);
  });
});
