import type { Domain, Expression, Operator, PostExpression, PostOperator, TimeDomain } from "@lethe/query";
import {
  boolean,
  integer,
  list,
  literal,
  matching,
  nullable,
  number,
  object,
  pair,
  type Read,
  scalar,
  tagged,
  text,
} from "./shape.ts";

const time = <T extends TimeDomain["type"]>(type: T): Read<TimeDomain & { readonly type: T }> =>
  object({
    type: literal(type),
    bounds: pair(integer()),
    nullable: boolean,
    values: nullable(list(integer())),
  });

const domain: Read<Domain> = tagged("type", {
  number: object({
    type: literal("number"),
    bounds: nullable(pair(number)),
    integer: boolean,
    nullable: boolean,
    values: nullable(list(number)),
  }),
  text: object({
    type: literal("text"),
    nullable: boolean,
    values: nullable(list(text)),
    maxLength: integer(0),
  }),
  boolean: object({ type: literal("boolean"), nullable: boolean }),
  date: time("date"),
  timestamp: time("timestamp"),
});

/** The verifier gives operators no meaning of its own: it compares them with those of the question planned again. */
const operatorName = matching(/^[\w<>=+*/%-]{1,24}$/, "the name of an operator");

export const expression: Read<Expression> = (value, path) => expressions(value, path);
const expressions: Read<Expression> = tagged("kind", {
  literal: object({ kind: literal("literal"), value: scalar, domain }),
  column: (value, path) =>
    typeof value === "object" && value !== null && Object.hasOwn(value, "source")
      ? object({ kind: literal("column"), source: text, name: text, domain })(value, path)
      : object({ kind: literal("column"), name: text, domain })(value, path),
  released: object({ kind: literal("released"), sql: text, domain }),
  call: object({
    kind: literal("call"),
    operator: operatorName as Read<Operator>,
    args: list(expression),
    domain,
  }),
  case: object({
    kind: literal("case"),
    // biome-ignore lint/suspicious/noThenProperty: the plan's own name for a branch; it is a reader, never awaited
    branches: list(object({ when: expression, then: expression })),
    otherwise: expression,
    domain,
  }),
});

export const postExpression: Read<PostExpression> = (value, path) => postExpressions(value, path);
const postExpressions: Read<PostExpression> = tagged("kind", {
  literal: object({ kind: literal("literal"), value: scalar }),
  key: object({ kind: literal("key"), key: text }),
  "grouped-away": object({ kind: literal("grouped-away"), key: text }),
  other: object({ kind: literal("other"), key: text }),
  aggregate: object({ kind: literal("aggregate"), aggregate: text }),
  call: object({
    kind: literal("call"),
    operator: operatorName as Read<PostOperator>,
    args: list(postExpression),
  }),
  case: object({
    kind: literal("case"),
    // biome-ignore lint/suspicious/noThenProperty: the plan's own name for a branch; it is a reader, never awaited
    branches: list(object({ when: postExpression, then: postExpression })),
    otherwise: postExpression,
  }),
});
