import type { Node } from "@pgsql/types";
import { readTime, type TimeType, writeTime } from "../../expressions/calendar/times.ts";
import { type Domain, isTime } from "../../expressions/domain.ts";
import { refuse } from "../../refusals/refuse.ts";
import { resolveExpression } from "../expressions/resolve-expression.ts";
import { timeTypes } from "../expressions/resolve-time.ts";
import { functionName } from "../names/nodes.ts";
import type { PostExpression } from "../names/resolved-query.ts";
import type { Scope } from "../names/scope.ts";

/* Released rows hold times as they are written, and ISO 8601 sorts as they do. */

interface Typed {
  readonly expression: PostExpression;
  readonly type: Domain["type"] | "null";
  readonly size: number;
}

/** Reads a written time, such as DATE '2020-02-29'; null for any other node. */
export function constantTime(node: Node, scope: Scope): Typed | null {
  if (!("TypeCast" in node) || !node.TypeCast.arg || !("A_Const" in node.TypeCast.arg)) return null;
  if (!timeTypes[functionName(node.TypeCast.typeName?.names)]) return null;
  const constant = resolveExpression(node, scope);
  if (constant.kind !== "literal" || !isTime(constant.domain)) return null;
  return writtenTime(constant.domain.type, Number(constant.value));
}

function writtenTime(type: TimeType, value: number): Typed {
  return { expression: { kind: "literal", value: writeTime(type, value) }, type, size: 1 };
}

/** Reads written texts as times where an argument beside them is a time. Errors: query.type for a text that is not a date or a timestamp. */
export function readTimes(args: readonly Typed[], offset: number | undefined): readonly Typed[] {
  const due = args.find(({ type }) => type === "date" || type === "timestamp")?.type as TimeType | undefined;
  if (due === undefined) return args;
  return args.map((arg) => {
    const { expression } = arg;
    if (arg.type !== "text" || expression.kind !== "literal") return arg;
    const value = readTime(due, String(expression.value));
    if (value === null)
      refuse("query.type", `a ${due} is written as year-month-day`, "write DATE '2020-02-29'", offset);
    return writtenTime(due, value);
  });
}
