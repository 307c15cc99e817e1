import type { Node } from "@pgsql/types";
import type { ExpressionBuilder } from "../../expressions/build/build-expression.ts";
import type { Expression } from "../../expressions/expression.ts";
import { refuse } from "../../refusals/refuse.ts";
import { functionName } from "../names/nodes.ts";
import { castToTime } from "./resolve-time.ts";

const written = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;

/** Whether a node is a time of day: CAST(t AS time), t::time, TIME '07:30'. */
export function isClockTime(node: Node | undefined): boolean {
  return node !== undefined && "TypeCast" in node && functionName(node.TypeCast.typeName?.names) === "time";
}

/**
 * A side of a comparison of times of day, in seconds since midnight: the time of day of a timestamp, or one that is written out. Comparisons with whole
 * seconds are exact, for both ends of a difference are rounded alike. Errors: query.type.
 */
export function clockSeconds(
  node: Node,
  build: ExpressionBuilder,
  resolve: (node: Node) => Expression,
  offset: number | undefined,
): Expression {
  const inner = isClockTime(node) && "TypeCast" in node ? node.TypeCast.arg : node;
  const side = inner && resolve(inner);
  if (side?.kind === "literal" && typeof side.value === "string") {
    const [, hour, minute, second = "0"] = written.exec(side.value) ?? [];
    if (hour !== undefined) return build.literal(Number(hour) * 3600 + Number(minute) * 60 + Number(second));
  } else if (side?.domain.type === "timestamp" && isClockTime(node)) return secondsOfDay(side, build, offset);
  return refuse(
    "query.type",
    "a time of day is compared with one that is written out in whole seconds",
    "write t::time BETWEEN TIME '07:00' AND TIME '09:30', of a timestamp t",
    offset,
  );
}

/** The seconds of a timestamp since its midnight, with their fraction. */
export function secondsOfDay(
  time: Expression,
  build: ExpressionBuilder,
  offset: number | undefined,
): Expression {
  const midnight = build.call(
    "date-trunc",
    [castToTime("timestamp", time, build, offset), build.literal("day")],
    offset,
  );
  const [at, start] = [time, midnight].map((each) =>
    build.call("extract", [each, build.literal("epoch")], offset),
  );
  return build.call("-", [at!, start!], offset);
}
