import { refuse } from "../../refusals/refuse.ts";
import { readTime, type TimeType } from "../calendar/times.ts";
import { isTime } from "../domain.ts";
import type { Expression } from "../expression.ts";
import type { Operator } from "../operator.ts";

/** The parts of an expression builder that make times and calls. */
interface TimeBuilder {
  time(type: TimeType, value: number): Expression;
  call(operator: Operator, args: readonly Expression[], offset?: number): Expression;
}

/**
 * Makes arguments of one type alike where some are times: reads a written text as a time, and turns a date among timestamps into
 * its first moment. Errors: query.type for a written text that is not a date or a timestamp.
 */
export function alignTimes(
  args: readonly Expression[],
  build: TimeBuilder,
  offset: number | undefined,
): readonly Expression[] {
  const types = args.flatMap(({ domain }) => (isTime(domain) ? [domain.type] : []));
  if (types.length === 0) return args;
  const due: TimeType = types.includes("timestamp") ? "timestamp" : "date";
  return args.map((arg) => {
    if (arg.kind === "literal" && typeof arg.value === "string")
      return timeLiteral(due, arg.value, build, offset);
    return arg.domain.type === "date" && due === "timestamp"
      ? build.call("to-timestamp", [arg], offset)
      : arg;
  });
}

const examples: Readonly<Record<TimeType, string>> = {
  date: "DATE '2020-02-29'",
  timestamp: "TIMESTAMP '2020-02-29 12:30:00', in UTC",
};

/** Reads a written text as a time. Errors: query.type. */
export function timeLiteral(
  type: TimeType,
  text: string,
  build: TimeBuilder,
  offset: number | undefined,
): Expression {
  const value = readTime(type, text);
  if (value === null)
    refuse("query.type", `a ${type} is written as year-month-day`, `write ${examples[type]}`, offset);
  return build.time(type, value);
}
