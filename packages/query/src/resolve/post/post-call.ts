import { typeNames } from "../../expressions/build/build-expression.ts";
import type { Domain } from "../../expressions/domain.ts";
import type { PostOperator } from "../../expressions/operator.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { PostExpression } from "../names/resolved-query.ts";
import { readTimes } from "./post-times.ts";

type PostType = Domain["type"] | "null";

/** An expression over one released row. */
export interface TypedPost {
  readonly expression: PostExpression;
  readonly type: PostType;
  /** Nodes as they are written out: BETWEEN repeats its operand. */
  readonly size: number;
}

const maxSize = 5_000;

/** The type that arguments share, NULL being of every type. Errors: query.type. */
export function sharedType(
  operator: string,
  args: readonly TypedPost[],
  offset: number | undefined,
): PostType {
  const due = args.find((arg) => arg.type !== "null")?.type ?? "null";
  demandTypes(operator, due, args, offset);
  return due;
}

/** Errors: query.type where an argument is not of the type that is due. */
export function demandTypes(
  operator: string,
  due: PostType,
  args: readonly TypedPost[],
  offset: number | undefined,
): void {
  for (const { type } of args)
    if (due !== "null" && type !== "null" && type !== due)
      refuse(
        "query.type",
        `${operator} takes ${typeNames[due]} here, not ${typeNames[type]}`,
        type === "text" ? "write numbers without quotes" : "compare values of one type",
        offset,
      );
}

/** Errors: query.too-large. */
export function sizeOf(parts: readonly TypedPost[], offset: number | undefined): number {
  const size = parts.reduce((total, part) => total + part.size, 1);
  if (size > maxSize)
    refuse(
      "query.too-large",
      "an expression over released rows grows too large",
      "split the question",
      offset,
    );
  return size;
}

/** An operator over parts of released rows: of types that it takes, constants written as times where the others are. Errors: query.type, query.too-large. */
export function postCall(
  operator: PostOperator,
  takes: Domain["type"] | "same" | "any",
  gives: Domain["type"] | "same",
  given: readonly TypedPost[],
  offset: number | undefined,
): TypedPost {
  const args = takes === "same" ? readTimes(given, offset) : given;
  if (takes !== "same" && takes !== "any") demandTypes(operator, takes, args, offset);
  const shared = takes === "same" ? sharedType(operator, args, offset) : "null";
  return {
    expression: { kind: "call", operator, args: args.map((arg) => arg.expression) },
    type: gives === "same" ? shared : gives,
    size: sizeOf(args, offset),
  };
}
