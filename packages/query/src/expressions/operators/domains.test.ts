import { describe, expect, it, test } from "vitest";
import { readPolicy } from "../../policy/file/read-policy.ts";
import { freeName, policyOfDomain, storedDomain } from "../../resolve/from/tables/made-column.ts";
import { columnDomain, resolveName } from "../../resolve/names/scope.ts";
import { column } from "../../resolve/testing/random-expressions.ts";
import { expressionBuilder } from "../build/build-expression.ts";
import { microsecondsPerDay, timeLimits } from "../calendar/times.ts";
import { type Domain, isIntegral, publicKeys, valuesAtMost } from "../domain.ts";
import type { Expression } from "../expression.ts";
import type { Operator } from "../operator.ts";
import { applyOperator } from "./apply-operator.ts";
import {
  alwaysNull,
  booleanDomain,
  finiteDomain,
  joinDomains,
  numberDomain,
  type Scalar,
  scalarsOf,
  textDomain,
  timeDomain,
} from "./domains.ts";
import { compareValues } from "./logic.ts";

const most = 2 ** 53;

describe("domains", () => {
  it("numbers are whole only as far as doubles hold every one of them, and unbounded ones may have overflowed", () => {
    expect(numberDomain([-most, most], true, false)).toMatchObject({ integer: true, nullable: false });
    expect(numberDomain([-most - 2, 0], true, false)).toMatchObject({ integer: false });
    expect(numberDomain([0, most + 2], true, false)).toMatchObject({ integer: false });
    expect(numberDomain(null, true, false)).toMatchObject({ integer: false, nullable: true });
    expect(numberDomain([0, 1], false, true)).toMatchObject({ integer: false, nullable: true, values: null });
  });

  it.each(["date", "timestamp"] as const)("%ss beyond the calendar are NULL", (type) => {
    const [first, last] = timeLimits[type];
    const cut = (lo: number, hi: number): unknown => {
      const { bounds, nullable, values } = timeDomain(type, [lo, hi], false);
      return [bounds, nullable, values];
    };
    expect(cut(first, last)).toEqual([[first, last], false, null]);
    expect(cut(first - 1, last)).toEqual([[first, last], true, null]);
    expect(cut(first, last + 1)).toEqual([[first, last], true, null]);
    expect(cut(last, last + 9)).toEqual([[last, last], true, null]);
    expect(cut(first - 9, first)).toEqual([[first, first], true, null]);
    expect(cut(last + 1, last + 9)).toEqual([[0, 0], true, []]);
    expect(cut(first - 9, first - 1)).toEqual([[0, 0], true, []]);
  });

  it("listed values stand once each, numbers sorted and texts as they come", () => {
    expect(finiteDomain("number", [10, 9, -0, 0, 10])).toEqual({
      type: "number",
      values: [0, 9, 10],
      bounds: [0, 10],
      integer: true,
      nullable: false,
    });
    expect(finiteDomain("number", [0.5, null])).toMatchObject({ integer: false, nullable: true });
    expect(finiteDomain("number", [most])).toMatchObject({ integer: true });
    expect(finiteDomain("number", [most + 2])).toMatchObject({ integer: false });
    expect(finiteDomain("text", ["b", "😀😀", "b", "a"])).toEqual({
      type: "text",
      values: ["b", "😀😀", "a"],
      maxLength: 2,
      nullable: false,
    });
    expect(finiteDomain("date", [5, 3])).toEqual({
      type: "date",
      values: [3, 5],
      bounds: [3, 5],
      nullable: false,
    });
    expect(finiteDomain("boolean", [true])).toEqual({ type: "boolean", nullable: false });
    for (const none of [finiteDomain("number", []), finiteDomain("text", [null])]) {
      expect(none.nullable).toBe(true);
      expect(alwaysNull(none)).toBe(true);
    }
    expect(alwaysNull(finiteDomain("boolean", []))).toBe(false);
    expect(alwaysNull(textDomain(3, true))).toBe(false);
  });

  it("public values are counted and written as keys, NULL last", () => {
    expect(scalarsOf(booleanDomain(true))).toEqual([false, true, null]);
    expect(scalarsOf(numberDomain([0, 1], true, false))).toBe(null);
    expect(publicKeys(finiteDomain("number", [2, 1, null]))).toEqual([1n, 2n, null]);
    expect(publicKeys(finiteDomain("number", [0.5, 1]))).toEqual([0.5, 1]);
    expect(publicKeys(finiteDomain("timestamp", [7]))).toEqual([7n]);
    expect(publicKeys(textDomain(3, true))).toBe(null);
    expect(
      [booleanDomain(true), finiteDomain("text", ["a", null]), textDomain(3, false)].map(valuesAtMost),
    ).toEqual([2, 1, Number.POSITIVE_INFINITY]);
    expect(
      [finiteDomain("date", [1]), finiteDomain("number", [0.5]), textDomain(1, false)].map(isIntegral),
    ).toEqual([true, false, false]);
  });

  describe("joined hold the values of all", () => {
    const interval = (lo: number, hi: number, nullable = false): Domain =>
      numberDomain([lo, hi], true, nullable);
    it.each<[string, readonly Domain[], unknown]>([
      ["intervals", [interval(0, 2), interval(5, 9)], interval(0, 9)],
      ["one that may be NULL", [interval(0, 2), interval(5, 9, true)], interval(0, 9, true)],
      ["nothing but NULL", [finiteDomain("number", []), interval(5, 9)], interval(5, 9, true)],
      ["only NULL", [finiteDomain("text", []), finiteDomain("text", [])], finiteDomain("text", [])],
      ["fractions", [interval(0, 2), numberDomain([0, 1], false, false)], numberDomain([0, 2], false, false)],
      [
        "what is unbounded",
        [interval(0, 2), numberDomain(null, false, false)],
        numberDomain(null, false, true),
      ],
      [
        "lists",
        [finiteDomain("number", [3, 1]), finiteDomain("number", [2])],
        finiteDomain("number", [1, 2, 3]),
      ],
      ["a list and an interval", [finiteDomain("number", [3]), interval(0, 2)], interval(0, 3)],
      ["texts", [finiteDomain("text", ["abc"]), textDomain(2, true)], textDomain(3, true)],
      [
        "times",
        [timeDomain("date", [0, 2], false), timeDomain("date", [7, 9], true)],
        timeDomain("date", [0, 9], true),
      ],
      ["booleans", [booleanDomain(false), booleanDomain(true)], booleanDomain(true)],
    ])("%s", (_, domains, expected) => {
      expect(joinDomains(domains)).toEqual(expected);
      expect(joinDomains([...domains].reverse())).toEqual(expected);
    });

    it("and list up to 10,000 of them", () => {
      const list = (count: number, from: number): Domain =>
        finiteDomain(
          "number",
          Array.from({ length: count }, (_, at) => from + at),
        );
      expect(valuesAtMost(joinDomains([list(5_000, 0), list(5_000, 5_000)]))).toBe(10_000);
      expect(joinDomains([list(5_000, 0), list(5_001, 5_000)])).toMatchObject({
        values: null,
        bounds: [0, 10_000],
      });
    });
  });
});

describe("columns of a policy", () => {
  const { columns } = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 1 }
tables: { t: { file: a.csv, unit: row, columns: {
  hundred: { type: integer, bounds: [-9, 90], default: 0 }, more: { type: integer, bounds: [-9, 91], default: 0 },
  free: { type: integer }, grade: { type: integer, categories: [7, 3] }, days: { type: date, bounds: [2020-01-01, 2021-02-03] },
  later: { type: date, bounds: [2020-01-01, 2021-02-04] }, wage: { type: number, bounds: [0, 5] }, free_wage: { type: number, default: 0 },
  yes: { type: boolean, default: false }, word: { type: text, max_length: 5 }, kind: { type: text, categories: [b, a], default: a } } } }`)
    .tables.t!;
  it.each<[string, unknown]>([
    ["hundred", { values: Array.from({ length: 100 }, (_, at) => at - 9), nullable: false, integer: true }],
    ["more", { values: null, bounds: [-9, 91], nullable: false, integer: true }],
    ["free", { values: null, bounds: null, nullable: true, integer: true }],
    ["grade", { values: [3, 7], nullable: true, bounds: [3, 7] }],
    ["days", { values: { length: 400 }, nullable: true, type: "date" }],
    ["later", { values: null, nullable: true, type: "date" }],
    ["wage", { bounds: [0, 5], integer: false, nullable: true }],
    ["free_wage", { bounds: null, integer: false, nullable: false }],
    ["yes", { type: "boolean", nullable: false }],
    ["word", { values: null, maxLength: 5, nullable: true }],
    ["kind", { values: ["b", "a"], nullable: false }],
  ])("%s", (name, domain) => expect(columnDomain(columns[name]!)).toMatchObject(domain as object));

  it("made columns keep what their domain says, fractions without a list", () => {
    for (const name of Object.keys(columns).filter((each) => !["grade", "hundred", "days"].includes(each))) {
      const domain = columnDomain(columns[name]!);
      expect(columnDomain(policyOfDomain(domain))).toEqual(domain);
    }
    expect(policyOfDomain(finiteDomain("number", [0.5, 1]))).toMatchObject({
      type: "number",
      bounds: [0.5, 1],
    });
    expect(storedDomain(finiteDomain("number", [0.5, 1]))).toMatchObject({ values: null, bounds: [0.5, 1] });
    expect(storedDomain(finiteDomain("number", [1, 2]))).toMatchObject({ values: [1, 2] });
    expect(storedDomain(finiteDomain("text", ["a"]))).toMatchObject({ values: ["a"] });
  });

  it("are found by their very name, else but for case, and new ones by a name that is free", () => {
    expect(resolveName("wage", ["Wage", "wage"])).toBe("wage");
    expect(resolveName("WAGE", ["age", "Wage"])).toBe("Wage");
    expect(resolveName("wages", ["wage"])).toBe(null);
    expect(freeName("x", { y: 1 })).toBe("x");
    expect(freeName("x", { x: 1, x_2: 1 })).toBe("x_3");
    expect(freeName("toString", {})).toBe("toString_2");
  });
});

const build = expressionBuilder();
const literal = (value: Scalar): Expression => build.literal(value);
const domainOf = (operator: Operator, ...args: readonly (Expression | Scalar)[]): Domain =>
  build.call(
    operator,
    args.map((arg) => (typeof arg === "object" && arg !== null ? arg : literal(arg))),
  ).domain;
const text = (maxLength: number, nullable = false): Expression => ({
  kind: "column",
  name: "t",
  domain: textDomain(maxLength, nullable),
});

describe("texts", () => {
  test.each<[string, Domain, number, boolean]>([
    ["lower may give three letters for one", domainOf("lower", text(5)), 15, false],
    ["upper may too", domainOf("upper", text(5, true)), 15, true],
    ["trim gives no more than it takes", domainOf("trim", text(5, true)), 5, true],
    ["left gives no more than is asked", domainOf("left", text(5), 3), 3, false],
    ["left gives no more than it takes", domainOf("left", text(5, true), 9), 5, true],
    ["right gives no more than is asked", domainOf("right", text(5), 3), 3, false],
    ["substr gives no more than is asked", domainOf("substr", text(9), 4, 2), 2, false],
    ["replacing with as much adds nothing", domainOf("replace", text(5), "ab", "cd"), 5, false],
    ["replacing with less adds nothing", domainOf("replace", text(5), "ab", ""), 5, false],
    [
      "replacing with more adds it as often as it fits",
      domainOf("replace", text(5, true), "ab", "cdefg"),
      11,
      true,
    ],
    ["texts are joined", domainOf("concat", text(5), text(7), "abc"), 15, false],
    ["texts are joined where none is NULL", domainOf("concat", text(5), text(7, true)), 12, true],
    ["dates are written in ten characters", domainOf("to-text", column("everyday")), 10, true],
    [
      "booleans are written in five",
      domainOf("to-text", { ...column("member"), domain: booleanDomain(true) }),
      5,
      true,
    ],
    ["whole numbers are written in seventeen", domainOf("to-text", column("born")), 17, false],
  ])("%s", (_, domain, maxLength, nullable) => {
    expect(domain).toMatchObject({ type: "text", maxLength, nullable });
  });

  test("their lengths and places are whole numbers", () => {
    expect(domainOf("length", text(5, true))).toEqual(numberDomain([0, 5], true, true));
    expect(domainOf("strpos", text(5), "ab")).toEqual(numberDomain([0, 6], true, false));
    expect(domainOf("like", text(5), "a%")).toEqual(booleanDomain(false));
    expect(domainOf("like", text(5, true), "a%")).toEqual(booleanDomain(true));
  });

  test.each<[Operator, Scalar[], Scalar]>([
    ["lower", ["ÀB"], "àb"],
    ["upper", ["àb"], "ÀB"],
    ["left", ["abc", 0], ""],
    ["right", ["abc", 1], "c"],
    ["substr", ["abcdef", 1, 2], "ab"],
    ["substr", ["abcdef", 3, 0], ""],
    ["strpos", ["abcabc", "c"], 3],
    ["strpos", ["😀b", "b"], 2],
    ["concat", ["a", "b", "c"], "abc"],
    ["to-text", [false], "false"],
    ["to-text", [-12], "-12"],
    ["like", ["abc", "%c"], true],
    ["like", ["abc", "a%c"], true],
    ["like", ["ac", "a%c"], true],
    ["like", ["abc", "%b"], false],
    ["like", ["abc", "___"], true],
    ["like", ["abc", "____"], false],
    ["like", ["", ""], true],
    ["like", ["a", ""], false],
    ["like", ["a\\b", "a\\\\b"], true],
    ["like", ["ab", "a\\b"], true],
    ["like", ["aab", "a%ab"], true],
  ])("%s %j is %j", (operator, args, expected) => {
    expect(applyOperator(operator, args)).toBe(expected);
  });
});

describe("casts", () => {
  const fraction = (lo: number, hi: number, nullable = false): Expression => ({
    kind: "column",
    name: "x",
    domain: numberDomain([lo, hi], false, nullable),
  });
  test.each<[string, Domain, Domain]>([
    [
      "round to the nearest on both sides",
      domainOf("to-integer", fraction(-1.4, 2.6)),
      numberDomain([-1, 3], true, false),
    ],
    [
      "may round halves to either side",
      domainOf("to-integer", fraction(0.5, 2.5, true)),
      numberDomain([0, 3], true, true),
    ],
    [
      "have no whole number beyond 2^53",
      domainOf("to-integer", fraction(-1e300, 5)),
      numberDomain([-most, 5], true, true),
    ],
    [
      "have one up to 2^53",
      domainOf("to-integer", fraction(-most, most)),
      numberDomain([-most, most], true, false),
    ],
    [
      "make 0 and 1 of booleans",
      domainOf("to-number", column("married")),
      finiteDomain("number", [0, 1, null]),
    ],
    [
      "make whole numbers of booleans",
      domainOf("to-integer", column("member")),
      finiteDomain("number", [0, 1]),
    ],
    ["read texts as any number", domainOf("to-number", text(3)), numberDomain(null, false, true)],
    ["tell 0 from the rest", domainOf("to-boolean", column("wage")), booleanDomain(true)],
    ["tell it always where there is a number", domainOf("to-boolean", column("born")), booleanDomain(false)],
  ])("%s", (_, domain, expected) => expect(domain).toEqual(expected));

  test("read texts as whole numbers, and find none in some", () => {
    expect(domainOf("to-integer", text(3))).toEqual({
      type: "number",
      bounds: null,
      integer: true,
      nullable: true,
      values: null,
    });
    expect(domainOf("to-integer", fraction(1e17, 1e18))).toMatchObject({ values: [], nullable: true });
  });

  test.each<[Operator, Scalar[], Scalar]>([
    ["to-integer", [0.5], 0],
    ["to-integer", [1.5], 2],
    ["to-integer", [-0.5], 0],
    ["to-integer", [-1.5], -2],
    ["to-integer", [2.4], 2],
    ["to-integer", [2.6], 3],
    ["to-integer", [most], most],
    ["to-integer", [-most], -most],
    ["to-integer", [most + 2], null],
    ["to-integer", [false], 0],
    ["to-integer", ["x"], null],
    ["to-integer", [null], null],
    ["to-number", ["-1.5e2"], -150],
    ["to-number", ["+7."], 7],
    ["to-number", ["-0"], 0],
    ["to-number", ["0x1F"], null],
    ["to-number", [""], null],
    ["to-number", ["."], null],
    ["to-number", ["1e1000"], null],
    ["to-number", [false], 0],
    ["to-boolean", [-0.5], true],
  ])("%s %j is %j", (operator, args, expected) => {
    expect(applyOperator(operator, args)).toBe(expected);
  });
});

describe("logic", () => {
  test("values are compared as numbers, and texts by code point", () => {
    const order = (a: Scalar, b: Scalar): number => Math.sign(compareValues(a, b));
    expect([order(9, 10), order(false, true), order("9", "10"), order("a", "B"), order("b", "ab")]).toEqual([
      -1, -1, 1, 1, 1,
    ]);
    expect([order("", "a"), order("ab", "a"), order("a", "a"), order("\uffff", "\u{10000}")]).toEqual([
      -1, 1, 0, -1,
    ]);
  });

  test.each<[Operator, Scalar[], Scalar]>([
    ["<", [1, 1], false],
    ["<=", [1, 1], true],
    [">", [1, 1], false],
    [">=", [1, 1], true],
    ["<", [0, 1], true],
    ["<=", [2, 1], false],
    [">", [2, 1], true],
    [">=", [0, 1], false],
    ["<>", ["a", "b"], true],
    ["<>", ["a", null], null],
    ["is-distinct", [1, null], true],
    ["is-distinct", [1, 1], false],
    ["is-not-distinct", [null, null], true],
    ["is-true", [null], false],
    ["is-true", [true], true],
    ["is-true", [false], false],
    ["is-false", [null], false],
    ["is-false", [false], true],
    ["is-null", [null], true],
    ["is-not-null", [null], false],
    ["and", [true, true], true],
    ["or", [false, false], false],
    ["not", [false], true],
    ["in", [1, 2, 3], false],
    ["coalesce", [null, 2, 3], 2],
    ["nullif", [1, 2], 1],
    ["nullif", [1, null], 1],
  ])("%s %j is %j", (operator, args, expected) => {
    expect(applyOperator(operator, args)).toBe(expected);
  });

  test.each<[string, Domain, boolean]>([
    ["is NULL where a side may be", domainOf("=", column("wage"), 3), true],
    ["is never NULL where none may be", domainOf("<", column("born"), 1950), false],
    ["is never asked of in vain whether it is NULL", domainOf("is-null", column("wage")), false],
    ["is told from NULL", domainOf("is-distinct", column("wage"), 3), false],
    ["is true or not", domainOf("is-true", column("married")), false],
    ["may be unknown where a part is", domainOf("and", column("married"), column("member")), true],
    ["is known where all parts are", domainOf("or", column("member"), column("member")), false],
    ["stays unknown behind NOT", domainOf("not", column("married")), true],
    ["is unknown in a list with NULL", domainOf("in", column("born"), 3, null), true],
  ])("a condition %s", (_, domain, nullable) => expect(domain).toEqual(booleanDomain(nullable)));

  test("COALESCE ends at what is never NULL, and NULLIF takes a constant away", () => {
    expect(domainOf("coalesce", column("wage"), column("balance"), column("born"))).toEqual(
      numberDomain([-5, 60], false, false),
    );
    expect(domainOf("coalesce", column("wage"), column("anything"))).toEqual(numberDomain(null, false, true));
    expect(domainOf("coalesce", column("wage"), column("age"))).toEqual(numberDomain([0, 90], false, true));
    expect(domainOf("nullif", column("grade"), 2)).toMatchObject({ values: [1, 3], nullable: true });
    expect(domainOf("nullif", column("born"), 1950)).toEqual(numberDomain([1900, 2020], true, true));
    expect(domainOf("nullif", column("born"), column("born"))).toEqual(
      numberDomain([1900, 2020], true, true),
    );
  });
});

describe("times", () => {
  const day = (text: string): number => Date.parse(text) / 86_400_000;
  const date = (from: string, to: string, nullable = false): Expression => ({
    kind: "column",
    name: "d",
    domain: timeDomain("date", [day(from), day(to)], nullable),
  });
  const moment = (from: string, to: string): Expression => ({
    kind: "column",
    name: "t",
    domain: timeDomain("timestamp", [Date.parse(from) * 1000, Date.parse(to) * 1000], false),
  });

  test("are cut to the first of each unit between their bounds", () => {
    expect(domainOf("date-trunc", date("2020-01-15", "2020-03-02"), "month")).toMatchObject({
      values: ["2020-01-01", "2020-02-01", "2020-03-01"].map(day),
      nullable: false,
    });
    expect(domainOf("date-trunc", date("2020-01-15", "2020-03-02", true), "year")).toMatchObject({
      values: [day("2020-01-01")],
      nullable: true,
    });
    // 400 weeks are listed, 401 are not.
    expect(valuesAtMost(domainOf("date-trunc", date("2020-01-06", "2027-09-05"), "week"))).toBe(400);
    expect(domainOf("date-trunc", date("2020-01-06", "2027-09-06"), "week")).toMatchObject({
      values: null,
      bounds: [day("2020-01-06"), day("2027-09-06")],
    });
    expect(domainOf("date-trunc", moment("2020-01-01T10:30Z", "2020-01-01T12:00Z"), "hour")).toMatchObject({
      values: ["2020-01-01T10:00Z", "2020-01-01T11:00Z", "2020-01-01T12:00Z"].map(
        (at) => Date.parse(at) * 1000,
      ),
    });
  });

  test("have fields within their ranges", () => {
    const d = date("2019-05-05", "2021-05-05", true);
    expect(domainOf("extract", d, "month")).toMatchObject({
      values: Array.from({ length: 12 }, (_, at) => at + 1),
      nullable: true,
    });
    expect(domainOf("extract", d, "year")).toMatchObject({ values: [2019, 2020, 2021], nullable: true });
    expect(domainOf("extract", date("1700-05-05", "2099-05-05"), "year")).toMatchObject({
      values: { length: 400 },
    });
    expect(domainOf("extract", date("1700-05-05", "2100-05-05"), "year")).toEqual(
      numberDomain([1700, 2100], true, false),
    );
    expect(domainOf("extract", d, "epoch")).toEqual(
      numberDomain([Date.parse("2019-05-05") / 1000, Date.parse("2021-05-05") / 1000], true, true),
    );
    expect(domainOf("extract", moment("1970-01-01T00:00Z", "1970-01-01T00:01Z"), "epoch")).toEqual(
      numberDomain([0, 60], false, false),
    );
  });

  test("move by intervals, months before days before the clock", () => {
    const moved = (x: Expression, ...parts: number[]): Domain => domainOf("add-interval", x, ...parts);
    expect(moved(date("2019-12-31", "2022-01-31"), 2, 1, 0)).toMatchObject({
      bounds: [day("2020-03-01"), day("2022-04-01")],
    });
    expect(moved(moment("2020-01-31T10:00Z", "2024-01-31T23:00Z"), 1, -1, 3_600_000_000)).toMatchObject({
      bounds: [Date.parse("2020-02-28T11:00Z") * 1000, Date.parse("2024-02-29T00:00Z") * 1000],
    });
    expect(moved(date("2020-01-01", "2024-01-01", true), 0, -5, 0)).toMatchObject({
      bounds: [day("2019-12-27"), day("2023-12-27")],
      nullable: true,
    });
  });

  test("are days apart, and turn into each other", () => {
    expect(
      domainOf("days-between", date("2020-01-10", "2021-01-20"), date("2020-01-01", "2020-01-05")),
    ).toEqual(numberDomain([5, 385], true, false));
    expect(
      domainOf("days-between", date("2020-01-10", "2021-01-20"), date("2020-01-01", "2020-01-05", true))
        .nullable,
    ).toBe(true);
    expect(applyOperator("days-between", [7, 3])).toBe(4);
    expect(applyOperator("days-between", [7, null])).toBe(null);
    expect(domainOf("to-timestamp", date("2020-01-10", "2022-01-20", true))).toEqual(
      timeDomain(
        "timestamp",
        [day("2020-01-10") * microsecondsPerDay, day("2022-01-20") * microsecondsPerDay],
        true,
      ),
    );
    expect(domainOf("to-date", moment("2010-01-10T23:59Z", "2022-01-20T00:00Z"))).toMatchObject({
      bounds: [day("2010-01-10"), day("2022-01-20")],
    });
    expect(domainOf("to-date", text(10))).toEqual(timeDomain("date", timeLimits.date, true));
    expect(applyOperator("to-date", [-1])).toBe(-1);
    expect(applyOperator("to-date", [microsecondsPerDay + 5])).toBe(1);
    expect(applyOperator("to-timestamp", [timeLimits.date[1]])).toBe(null);
    expect(applyOperator("to-timestamp", [2])).toBe(2 * microsecondsPerDay);
    expect(applyOperator("to-date", ["1970-01-03"])).toBe(2);
    expect(applyOperator("to-date", [null])).toBe(null);
  });
});
