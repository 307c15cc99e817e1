import fc from "fast-check";
import type { ColumnPolicy } from "../../policy/policy.ts";
import { expressionBuilder } from "../build-expression.ts";
import type { Domain, NumberDomain } from "../domain.ts";
import type { Expression, Operator } from "../expression.ts";
import type { Scalar } from "../operators/domains.ts";
import { columnDomain } from "../scope.ts";
import { testPolicy } from "./test-policy.ts";

// For tests: random rows of the test policy and random expressions over them.

/** The columns of the test policy's people. */
export const columns: Readonly<Record<string, ColumnPolicy>> = testPolicy.tables.people!.columns;
export const column = (name: string): Expression => ({
  kind: "column",
  name,
  domain: columnDomain(columns[name]!),
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
          : numberIn(domain);
  return domain.nullable ? fc.oneof({ weight: 4, arbitrary: present }, fc.constant(null)) : present;
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

const byType = {
  number: ["wage", "age", "born", "grade", "balance", "anything", "whole", "Größe"],
  text: ["sector", "name", "letter"],
  boolean: ["married", "member"],
} as const;

const unaryNumber = [
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
] as const;
const binaryNumber = ["+", "-", "*", "/", "%", "least", "greatest", "coalesce", "nullif"] as const;
const comparisons = ["=", "<>", "<", "<=", ">", ">=", "is-distinct", "is-not-distinct", "in"] as const;

export type Kind = "number" | "text" | "boolean";
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
      choose("number"),
    ),
    text: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf("text", fc.constantFrom("", "other", "é", " pad ", "ß", "12", "a_b%c\\")),
      fc
        .tuple(fc.constantFrom("lower" as const, "upper" as const, "trim" as const), tie("text"))
        .map(([op, x]) => call(op, x)),
      fc
        .tuple(tie("text"), fc.integer({ min: 0, max: 5 }))
        .map(([x, n]) => call("left", x, build().literal(n))),
      fc
        .tuple(
          fc.constantFrom("concat" as const, "coalesce" as const, "nullif" as const),
          tie("text"),
          tie("text"),
        )
        .map(([op, x, y]) => call(op, x, y)),
      tie("boolean").map((x) => call("to-text", x)),
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
        .tuple(fc.constantFrom("and" as const, "or" as const), tie("boolean"), tie("boolean"))
        .map(([op, x, y]) => call(op, x, y)),
      fc
        .tuple(fc.constantFrom("not" as const, "is-true" as const, "is-false" as const), tie("boolean"))
        .map(([op, x]) => call(op, x)),
      fc
        .tuple(
          fc.constantFrom("is-null" as const, "is-not-null" as const),
          fc.oneof(tie("number"), tie("text"), tie("boolean")),
        )
        .map(([op, x]) => call(op, x)),
      tie("text").map((x) => call("like", x, build().literal("%o_h\\%%"))),
      tie("number").map((x) => call("to-boolean", x)),
    ),
  };
});
export const anyExpression: fc.Arbitrary<Expression> = fc.oneof(
  expressions.number,
  expressions.text,
  expressions.boolean,
);
