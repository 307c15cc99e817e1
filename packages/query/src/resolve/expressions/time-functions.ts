import type { ExpressionBuilder } from "../../expressions/build/build-expression.ts";
import type { TimeUnit } from "../../expressions/calendar/parts.ts";
import { isTime } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import { refuse } from "../../refusals/refuse.ts";
import { castToTime, extract, truncate } from "./resolve-time.ts";
import { type BuildCall, type RowFunction, rowFunction } from "./row-function.ts";

// Functions of times that are made of DATE_TRUNC, EXTRACT and casts.

const dayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const monthNames = [
  ...["January", "February", "March", "April", "May", "June", "July"],
  ...["August", "September", "October", "November", "December"],
];

/** The name that belongs to a field of a time, the first one to `first`. */
function named(field: "dow" | "month", first: number, names: readonly string[]): BuildCall<"one"> {
  return ([time], build, offset) => {
    const number = extract([build.literal(field), time], build, offset);
    const branches = names.map((name, at) => ({
      when: build.call("=", [number, build.literal(first + at)], offset),
      // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
      then: build.literal(name),
    }));
    return build.case(branches, build.literal(null), offset);
  };
}
const dayName = named("dow", 0, dayNames);

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

function timeOf(expression: Expression, build: ExpressionBuilder, offset: number | undefined): Expression {
  return isTime(expression.domain) ? expression : castToTime("timestamp", expression, build, offset);
}

/** A format of TO_CHAR or STRFTIME as the unit that it shows, and the characters of that day as YYYY-MM-DD. */
interface Shown {
  readonly unit: TimeUnit;
  readonly from: number;
  readonly characters: number;
}
const shown: Readonly<Record<string, Shown>> = {
  YYYY: { unit: "year", from: 1, characters: 4 },
  "YYYY-MM": { unit: "month", from: 1, characters: 7 },
  "YYYY-MM-DD": { unit: "day", from: 1, characters: 10 },
  MM: { unit: "month", from: 6, characters: 2 },
  DD: { unit: "day", from: 9, characters: 2 },
};
const percents: Readonly<Record<string, string>> = {
  "%Y": "YYYY",
  "%m": "MM",
  "%d": "DD",
  "%F": "YYYY-MM-DD",
};

/** TO_CHAR(t, 'YYYY-MM'), STRFTIME(t, '%Y-%m'), FORMAT_DATE('%Y-%m', t): a time as a text, in formats that every engine writes alike. */
const format: BuildCall<"two"> = ([first, second], build, offset) => {
  const isText = (x: Expression): boolean => x.kind === "literal" && typeof x.value === "string";
  const [time, text] = isText(first) ? [second, first] : [first, second];
  const written = text.kind === "literal" ? String(text.value) : "";
  if (written === "%A") return dayName([time], build, offset);
  const known = written.replace(/%[YmdF]/g, (percent) => percents[percent] ?? percent);
  const found = Object.hasOwn(shown, known) ? shown[known] : undefined;
  if (!found)
    return refuse(
      "query.unsupported",
      "engines write most formats of times in different ways",
      "write the format YYYY-MM-DD, YYYY-MM, YYYY, MM or DD (%Y-%m-%d, …), DAYNAME(t), or EXTRACT(year FROM t)",
      offset,
    );
  const day = castToTime("date", timeOf(time, build, offset), build, offset);
  const start = truncate([build.literal(found.unit), day], build, offset);
  const whole = build.call("to-text", [start], offset);
  if (found.characters === 10) return whole;
  return build.call("substr", [whole, build.literal(found.from), build.literal(found.characters)], offset);
};

export const timeFunctions: readonly (readonly [string, RowFunction])[] = [
  ["dayname", rowFunction("one", dayName)],
  ["monthname", rowFunction("one", named("month", 1, monthNames))],
  ["isodow", rowFunction("one", isoDay)],
  ["last_day", rowFunction("one", lastDay)],
  ["date_diff", rowFunction("three", dateDiff)],
  ["datediff", rowFunction("three", dateDiff)],
  ["to_char", rowFunction("two", format)],
  ["strftime", rowFunction("two", format)],
  ["format_date", rowFunction("two", format)],
  ["date_format", rowFunction("two", format)],
];
