import type { Domain, Expression, Operator, TimeDomain } from "@lethe/query";
import { overRelation } from "./over-shape.ts";
import { operatorName } from "./post-expression-shape.ts";
import {
  boolean,
  integer,
  list,
  literal,
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

export const expression: Read<Expression> = (value, path) => expressions(value, path);
const expressions: Read<Expression> = tagged("kind", {
  literal: object({ kind: literal("literal"), value: scalar, domain }),
  column: (value, path) =>
    typeof value === "object" && value !== null && Object.hasOwn(value, "source")
      ? object({ kind: literal("column"), source: text, name: text, domain })(value, path)
      : object({ kind: literal("column"), name: text, domain })(value, path),
  released: object({ kind: literal("released"), sql: text, of: overRelation, domain }),
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
