import fc from "fast-check";
import { expressionBuilder } from "../../expressions/build/build-expression.ts";
import { fieldRanges, type TimeField, timeUnits, unitLength } from "../../expressions/calendar/parts.ts";
import { type TimeType, timeLimits } from "../../expressions/calendar/times.ts";
import { type Domain, isTime, type NumberDomain, type TimeDomain } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import type { Operator } from "../../expressions/operator.ts";
import type { Scalar } from "../../expressions/operators/domains.ts";
import { gridOf } from "../../grid/grid.ts";
import { entryOf } from "../../policy/entry-of.ts";
import type { ColumnPolicy } from "../../policy/policy.ts";
import { columnDomain } from "../names/scope.ts";
import { testPolicy } from "./test-policy.ts";

// For tests: random rows of the test policy and random expressions over them.

/** The columns of the test policy's people. */
export const columns: Readonly<Record<string, ColumnPolicy>> = entryOf(testPolicy.tables, "people").columns;
export const column = (name: string): Expression => ({
  kind: "column",
  name,
  domain: columnDomain(entryOf(columns, name)),
});

/** A value of a domain, its ends and the awkward ones first. */
function scalarIn(domain: Domain): fc.Arbitrary<Scalar> {
  const present: fc.Arbitrary<Scalar> =
    domain.type === "boolean"
      ? fc.boolean()
      : domain.values
        ? fc.constantFrom<Scalar>(...domain.values)
        : domain.type === "text"
          ? fc
              .string({ unit: "grapheme", maxLength: 4 })
              .map((text) => [...text].slice(0, domain.maxLength).join(""))
          : isTime(domain)
            ? timeIn(domain)
            : numberIn(domain);
  return domain.nullable ? fc.oneof({ weight: 4, arbitrary: present }, fc.constant(null)) : present;
}
function timeIn({ bounds: [lo, hi] }: TimeDomain): fc.Arbitrary<number> {
  return fc.oneof(
    fc.constantFrom(lo, hi),
    fc.maxSafeInteger().map((n) => Math.min(hi, Math.max(lo, n))),
    fc.integer({ min: lo, max: hi }),
  );
}
function numberIn(domain: NumberDomain): fc.Arbitrary<number> {
  const [lo, hi] = domain.bounds ?? [-(2 ** 53), 2 ** 53];
  const ends = fc.constantFrom(
    lo,
    hi,
    ...[0, 1, -1, 0.5, -2.5].filter((x) => x >= lo && x <= hi && (!domain.integer || Number.isInteger(x))),
  );
  if (domain.integer)
    return fc.oneof(ends, fc.integer({ min: Math.max(lo, -(2 ** 31)), max: Math.min(hi, 2 ** 31 - 1) }));
  if (domain.bounds) return fc.oneof(ends, fc.double({ min: lo, max: hi, noNaN: true }));
  return fc.oneof(ends, fc.double({ noNaN: true, noDefaultInfinity: true }));
}
export const row: fc.Arbitrary<Record<string, Scalar>> = fc.record(
  Object.fromEntries(Object.entries(columns).map(([name, policy]) => [name, scalarIn(columnDomain(policy))])),
);

/** Rounds a row to the values that a snapshot has: numbers that the policy bounds lie on their grid. */
export function onGrids(row: Readonly<Record<string, Scalar>>): Readonly<Record<string, Scalar>> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const grid = gridOf(entryOf(columns, name));
      if (typeof value !== "number" || !grid) return [name, value];
      const i = Math.min(Number(grid.hi), Math.max(Number(grid.lo), Math.round(value * 2 ** -grid.exponent)));
      return [name, i * 2 ** grid.exponent];
    }),
  );
}

const byType = {
  number: ["wage", "age", "born", "grade", "balance", "anything", "whole", "Größe"],
  text: ["sector", "name", "letter"],
  boolean: ["married", "member"],
  date: ["hired", "quarter", "everyday"],
  timestamp: ["seen", "moment"],
} as const;

const unaryNumber = [
  "negate",
  "abs",
  "sign",
  "floor",
  "ceil",
  "trunc",
  "round",
  "sqrt",
  "ln",
  "log10",
  "exp",
] as const;
const binaryNumber = ["+", "-", "*", "/", "%", "least", "greatest", "coalesce", "nullif"] as const;
const comparisons = ["=", "<>", "<", "<=", ">", ">=", "is-distinct", "is-not-distinct", "in"] as const;

const groups = [
  ["[0-9]+", 0],
  ["^[a-z]*", 0],
  ["o(.)", 1],
] as const;

const fields = Object.keys(fieldRanges) as readonly TimeField[];

export type Kind = Domain["type"];
/** Random well-typed expressions; `build` refuses only what grows too large. */
export const expressions: { readonly [kind in Kind]: fc.Arbitrary<Expression> } = fc.letrec<
  Record<Kind, Expression>
>((tie) => {
  const build = expressionBuilder;
  const call = (operator: Operator, ...args: Expression[]): Expression => build().call(operator, args);
  const leaf = (kind: Kind, literal: fc.Arbitrary<Scalar>): fc.Arbitrary<Expression> =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...byType[kind]).map(column) },
      literal.map((value) => build().literal(value)),
    );
  const choose = (kind: Kind): fc.Arbitrary<Expression> =>
    fc
      .tuple(tie("boolean"), tie(kind), tie(kind))
      .map(([when, then, otherwise]) => build().case([{ when, then }], otherwise));
  const constants = fc.oneof(fc.integer({ min: -7, max: 7 }), fc.constantFrom(0.5, 0.1, -2.5, 1e3, 3.14));
  const intervals = fc.tuple(
    fc.constantFrom(0, 0, 1, -1, 3, 12, -1200, 3000),
    fc.constantFrom(0, 0, 1, -30, 366, 91_000),
    fc.constantFrom(0, 1, -1, 3_600_000_000, -86_400_000_000),
  );
  const ofTime = (kind: TimeType): fc.Arbitrary<Expression> => {
    const [other, units] =
      kind === "date"
        ? (["timestamp", timeUnits.filter((unit) => unitLength[unit] === null)] as const)
        : (["date", timeUnits] as const);
    return fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...byType[kind]).map(column) },
        timeIn({ type: kind, bounds: timeLimits[kind], nullable: false, values: null }).map((value) =>
          build().time(kind, value),
        ),
      ),
      fc
        .tuple(tie(kind), fc.constantFrom(...units))
        .map(([x, unit]) => call("date-trunc", x, build().literal(unit))),
      fc
        .tuple(tie(kind), fc.constantFrom([10, 0], [1000, 0], [0, 900_000_000], [9, 30_000_000]))
        .filter(([, [, microseconds]]) => kind === "timestamp" || microseconds === 0)
        .map(([x, length]) => call("time-bucket", x, ...length.map((each) => build().literal(each)))),
      fc.tuple(tie(kind), intervals).map(([x, [months, days, microseconds]]) => {
        const parts = [months, days, kind === "date" ? 0 : microseconds];
        return call("add-interval", x, ...parts.map((part) => build().literal(part)));
      }),
      // A text that is written out is read when the question is resolved.
      fc
        .oneof(tie(other), tie("text"))
        .filter((x) => x.kind !== "literal" || x.domain.type !== "text")
        .map((x) => call(`to-${kind}`, x)),
      fc
        .tuple(
          fc.constantFrom("least" as const, "greatest" as const, "coalesce" as const, "nullif" as const),
          tie(kind),
          tie(kind),
        )
        .map(([op, x, y]) => call(op, x, y)),
      choose(kind),
    );
  };
  return {
    number: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf("number", constants),
      fc.tuple(fc.constantFrom(...unaryNumber), tie("number")).map(([op, x]) => call(op, x)),
      fc
        .tuple(fc.constantFrom(...binaryNumber), tie("number"), tie("number"))
        .map(([op, x, y]) => call(op, x, y)),
      fc
        .tuple(tie("number"), fc.integer({ min: -4, max: 4 }))
        .map(([x, d]) => call("round", x, build().literal(d))),
      fc
        .tuple(tie("number"), fc.constantFrom(-2, -1, -0.5, 0, 0.5, 1, 2, 3, 4))
        .map(([x, y]) => call("power", x, build().literal(y))),
      fc
        .tuple(
          fc.constantFrom("to-integer" as const, "to-number" as const),
          fc.oneof(tie("number"), tie("boolean"), tie("text")),
        )
        .map(([op, x]) => call(op, x)),
      tie("text").map((x) => call("length", x)),
      fc
        .tuple(tie("text"), fc.constantFrom("o", "é", "the", "a_b%", " "))
        .map(([x, part]) => call("strpos", x, build().literal(part))),
      fc
        .tuple(tie("number"), fc.constantFrom([0, 60, 6], [-2.5, 3.14, 7], [1900, 2020, 12], [0, 1e-3, 3]))
        .map(([x, constants]) => call("width_bucket", x, ...constants.map((each) => build().literal(each)))),
      fc
        .tuple(fc.constantFrom(...fields), fc.oneof(tie("date"), tie("timestamp")))
        .filter(([field, { domain }]) => domain.type === "timestamp" || !/hour|minute/.test(field))
        .map(([field, x]) => call("extract", x, build().literal(field))),
      fc.tuple(tie("date"), tie("date")).map(([x, y]) => call("days-between", x, y)),
      choose("number"),
    ),
    text: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf(
        "text",
        fc.constantFrom(
          "",
          "other",
          "é",
          " pad ",
          "ß",
          "12",
          "a_b%c\\",
          "2020-02-29",
          "2020-02-30",
          "1850-07-01T03:04:05.6Z",
        ),
      ),
      fc
        .tuple(
          fc.constantFrom(
            "lower" as const,
            "upper" as const,
            "trim" as const,
            "ltrim" as const,
            "rtrim" as const,
          ),
          tie("text"),
        )
        .map(([op, x]) => call(op, x)),
      fc
        .tuple(
          fc.constantFrom("left" as const, "right" as const),
          tie("text"),
          fc.integer({ min: 0, max: 5 }),
        )
        .map(([op, x, n]) => call(op, x, build().literal(n))),
      fc
        .tuple(tie("text"), fc.integer({ min: 1, max: 7 }), fc.integer({ min: 0, max: 5 }))
        .map(([x, from, count]) => call("substr", x, build().literal(from), build().literal(count))),
      fc
        .tuple(
          tie("text"),
          fc.constantFrom("o", "e", "aa", "é ", "😀"),
          fc.constantFrom("", "o", "%é%", "aaa"),
        )
        .map(([x, from, to]) => call("replace", x, build().literal(from), build().literal(to))),
      fc
        .tuple(
          fc.constantFrom("concat" as const, "coalesce" as const, "nullif" as const),
          tie("text"),
          tie("text"),
        )
        .map(([op, x, y]) => call(op, x, y)),
      fc.oneof(tie("boolean"), tie("date")).map((x) => call("to-text", x)),
      fc
        .tuple(tie("text"), fc.constantFrom("e", "-", "é", "th"), fc.constantFrom(1, 2, -1))
        .map(([x, separator, at]) => call("split_part", x, build().literal(separator), build().literal(at))),
      fc
        .tuple(tie("text"), fc.constantFrom(...groups))
        .map(([x, [pattern, group]]) =>
          call("regexp_extract", x, build().literal(pattern), build().literal(group)),
        ),
      fc
        .tuple(
          tie("text"),
          fc.constantFrom("o", "[^a-z]+"),
          fc.constantFrom("", "é%"),
          fc.constantFrom("", "g"),
        )
        .map(([x, ...constants]) =>
          call("regexp_replace", x, ...constants.map((each) => build().literal(each))),
        ),
      choose("text"),
    ),
    boolean: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf("boolean", fc.boolean()),
      fc
        .tuple(fc.constantFrom(...comparisons), tie("number"), tie("number"))
        .map(([op, x, y]) => call(op, x, y)),
      fc.tuple(fc.constantFrom(...comparisons), tie("text"), tie("text")).map(([op, x, y]) => call(op, x, y)),
      fc
        .tuple(fc.constantFrom(...comparisons), tie("date"), fc.oneof(tie("date"), tie("timestamp")))
        .map(([op, x, y]) => call(op, x, y)),
      fc
        .tuple(fc.constantFrom(...comparisons), tie("timestamp"), tie("timestamp"))
        .map(([op, x, y]) => call(op, x, y)),
      fc
        .tuple(fc.constantFrom("and" as const, "or" as const), tie("boolean"), tie("boolean"))
        .map(([op, x, y]) => call(op, x, y)),
      fc
        .tuple(fc.constantFrom("not" as const, "is-true" as const, "is-false" as const), tie("boolean"))
        .map(([op, x]) => call(op, x)),
      fc
        .tuple(
          fc.constantFrom("is-null" as const, "is-not-null" as const),
          fc.oneof(tie("number"), tie("text"), tie("boolean"), tie("date"), tie("timestamp")),
        )
        .map(([op, x]) => call(op, x)),
      tie("text").map((x) => call("like", x, build().literal("%o_h\\%%"))),
      fc
        .tuple(tie("text"), fc.constantFrom("o", "^[a-z]+$", "[^a-z]", "^.{2,3}$"))
        .map(([x, pattern]) => call("matches", x, build().literal(pattern))),
      tie("number").map((x) => call("to-boolean", x)),
    ),
    date: ofTime("date"),
    timestamp: ofTime("timestamp"),
  };
});
export const anyExpression: fc.Arbitrary<Expression> = fc.oneof(
  expressions.number,
  expressions.text,
  expressions.boolean,
  expressions.date,
  expressions.timestamp,
);
