import type { Expression } from "../../expressions/expression.ts";
import { refuse } from "../../refusals/refuse.ts";
import { dateFormat, strftime, timeOf, toChar } from "./format-times.ts";
import { castToTime, extract, truncate } from "./resolve-time.ts";
import { type BuildCall, type RowFunction, rowFunction } from "./row-function.ts";
import { dayName, monthName, type TimePart } from "./time-formats.ts";

// Functions of times that are made of DATE_TRUNC, EXTRACT and casts.

/** 1 is Monday and 7 Sunday. */
const isoDay: BuildCall<"one"> = ([time], build, offset) => {
  const day = extract([build.literal("dow"), time], build, offset);
  const isSunday = build.call("=", [day, build.literal(0)], offset);
  // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
  return build.case([{ when: isSunday, then: build.literal(7) }], day, offset);
};

const lastDay: BuildCall<"one"> = ([time], build, offset) => {
  const first = truncate([build.literal("month"), castToTime("date", time, build, offset)], build, offset);
  const later = (at: Expression, months: number, days: number): Expression =>
    build.call("add-interval", [at, ...[months, days, 0].map(build.literal)], offset);
  return later(later(first, 1, 0), 0, -1);
};

/** How many of a unit go into the next, and the field that counts them from the year 0 on. */
const monthsOf: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };
const secondsOf: Readonly<Record<string, number>> = { hour: 3600, minute: 60, second: 1 };
const daysOf: Readonly<Record<string, number>> = { day: 1, week: 7 };

/** DATE_DIFF('month', a, b): how often a unit begins after a and until b; of weeks, as DuckDB has it, how often seven days go by. */
const dateDiff: BuildCall<"three"> = ([unit, from, to], build, offset) => {
  const written = unit.kind === "literal" && typeof unit.value === "string" ? unit.value.toLowerCase() : "";
  const name = written.replace(/s$/, "");
  const call = (operator: "-" | "+" | "*" | "/" | "trunc", ...args: Expression[]): Expression =>
    build.call(operator, args, offset);
  const whole = (difference: Expression, size: number): Expression =>
    size === 1 ? difference : call("trunc", call("/", difference, build.literal(size)));
  const isKnown = [daysOf, monthsOf, secondsOf].some((units) => Object.hasOwn(units, name));
  if (!isKnown)
    return refuse(
      "query.type",
      "DATE_DIFF takes its unit first, as a constant",
      "write DATE_DIFF('day', a, b), or week, month, quarter, year, hour, minute or second",
      offset,
    );
  const ends = [from, to].map((time) => timeOf(time, build, offset)) as [Expression, Expression];
  const cut = (time: Expression): Expression => truncate([build.literal(name), time], build, offset);
  if (daysOf[name]) {
    const [a, b] = ends.map((time) => castToTime("date", time, build, offset)) as typeof ends;
    return whole(build.call("days-between", [b, a], offset), daysOf[name]);
  }
  if (monthsOf[name]) {
    const months = (time: Expression): Expression => {
      const [year, month] = ["year", "month"].map((field) =>
        extract([build.literal(field), cut(time)], build, offset),
      ) as typeof ends;
      return call("+", call("*", year, build.literal(12)), month);
    };
    return whole(call("-", months(ends[1]), months(ends[0])), monthsOf[name]);
  }
  const [a, b] = ends.map((time) =>
    extract([build.literal("epoch"), cut(time)], build, offset),
  ) as typeof ends;
  return whole(call("-", b, a), secondsOf[name] ?? 1);
};

/** The formats in which tools write a moment into a question, and the texts that fit each of them. */
const writtenFormats: Readonly<Record<string, RegExp>> = {
  "YYYY-MM-DD": /^\d{4}-\d{2}-\d{2}$/,
  "YYYY-MM-DD HH24:MI:SS": /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/,
  "YYYY-MM-DD HH24:MI:SS.MS": /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{3}$/,
  "YYYY-MM-DD HH24:MI:SS.US": /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{6}$/,
};

/** TO_DATE('2026-05-17', 'YYYY-MM-DD') and TO_TIMESTAMP: a time that is written out, as Superset's filters have it. */
const writtenTime =
  (type: "date" | "timestamp"): BuildCall<"two"> =>
  ([text, format], build, offset) => {
    const [written, pattern] = [text, format].map((part) =>
      part.kind === "literal" && typeof part.value === "string" ? part.value : "",
    ) as [string, string];
    const fits = Object.hasOwn(writtenFormats, pattern) && writtenFormats[pattern]?.test(written);
    if (!fits)
      return refuse(
        "query.unsupported",
        `TO_${type.toUpperCase()} takes a time that is written out, and one of a few formats`,
        `write ${type.toUpperCase()} '2026-05-17', or CAST(x AS ${type}) of a text in that form; the formats are ${Object.keys(writtenFormats).join(", ")}`,
        offset,
      );
    return castToTime(type, type === "date" ? build.literal(written.slice(0, 10)) : text, build, offset);
  };

/** The name of a day or a month. */
const name =
  (part: TimePart): BuildCall<"one"> =>
  ([time], build, offset) =>
    part(time, build, offset);

export const timeFunctions: readonly (readonly [string, RowFunction])[] = [
  ["dayname", rowFunction("one", name(dayName()))],
  ["monthname", rowFunction("one", name(monthName()))],
  ["isodow", rowFunction("one", isoDay)],
  ["last_day", rowFunction("one", lastDay)],
  ["date_diff", rowFunction("three", dateDiff)],
  ["datediff", rowFunction("three", dateDiff)],
  ["to_date", rowFunction("two", writtenTime("date"))],
  ["to_timestamp", rowFunction("two", writtenTime("timestamp"))],
  ["to_char", rowFunction("two", toChar)],
  ["strftime", rowFunction("two", strftime)],
  ["format_date", rowFunction("two", strftime)],
  ["date_format", rowFunction("two", dateFormat)],
];
