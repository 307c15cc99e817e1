import type { ExpressionBuilder } from "../../expressions/build/build-expression.ts";
import type { TimeUnit } from "../../expressions/calendar/parts.ts";
import type { Expression } from "../../expressions/expression.ts";
import { castToTime, extract, truncate } from "./resolve-time.ts";

// The parts that a format of times is made of. Each is a text that every engine writes alike: fields of a time, digits and constants.

/** Makes the text of one part of a time. */
export type TimePart = (time: Expression, build: ExpressionBuilder, offset: number | undefined) => Expression;

const dayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const monthNames = [
  ...["January", "February", "March", "April", "May", "June", "July"],
  ...["August", "September", "October", "November", "December"],
];

/** The name that belongs to a field of a time, the first one to `first`. */
function named(field: "dow" | "month", first: number, names: readonly string[]): TimePart {
  return (time, build, offset) => {
    const number = extract([build.literal(field), time], build, offset);
    const branches = names.map((name, at) => ({
      when: build.call("=", [number, build.literal(first + at)], offset),
      // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
      then: build.literal(name),
    }));
    return build.case(branches, build.literal(null), offset);
  };
}

/** The day's name, or what is made of it. */
export const dayName = (as: (name: string) => string = (name) => name): TimePart =>
  named("dow", 0, dayNames.map(as));
export const monthName = (as: (name: string) => string = (name) => name): TimePart =>
  named("month", 1, monthNames.map(as));

/** Some characters of the first day of a unit, as YYYY-MM-DD. */
export const ofDay =
  (unit: TimeUnit, from: number, characters: number): TimePart =>
  (time, build, offset) => {
    const day = castToTime("date", time, build, offset);
    const whole = build.call("to-text", [truncate([build.literal(unit), day], build, offset)], offset);
    if (characters === 10) return whole;
    return build.call("substr", [whole, build.literal(from), build.literal(characters)], offset);
  };

/** A whole number as a text, with noughts before it up to `digits`. */
export const written =
  (number: TimePart, digits: 1 | 2 | 3): TimePart =>
  (time, build, offset) => {
    const value = number(time, build, offset);
    const text = (x: Expression): Expression => build.call("to-text", [x], offset);
    if (digits === 1) return text(value);
    const raised = build.call("+", [value, build.literal(10 ** digits)], offset);
    return build.call("substr", [text(raised), build.literal(2), build.literal(digits)], offset);
  };

export const field =
  (name: string): TimePart =>
  (time, build, offset) =>
    extract([build.literal(name), time], build, offset);

/** A field of the clock: 0 of a date, which has none. */
const ofClock =
  (name: "hour" | "minute"): TimePart =>
  (time, build, offset) => {
    const moment = time.domain.type === "date" ? castToTime("timestamp", time, build, offset) : time;
    return extract([build.literal(name), moment], build, offset);
  };
export const hour: TimePart = ofClock("hour");
export const minute: TimePart = ofClock("minute");

/** 12, 1 … 11. */
export const hourOfTwelve: TimePart = (time, build, offset) => {
  const later = build.call("+", [hour(time, build, offset), build.literal(11)], offset);
  return build.call("+", [build.call("%", [later, build.literal(12)], offset), build.literal(1)], offset);
};

export const half =
  (morning: string, afternoon: string): TimePart =>
  (time, build, offset) => {
    const at = hour(time, build, offset);
    const before = build.call("<", [at, build.literal(12)], offset);
    const from = build.call(">=", [at, build.literal(12)], offset);
    return build.case(
      [
        // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
        { when: before, then: build.literal(morning) },
        // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
        { when: from, then: build.literal(afternoon) },
      ],
      build.literal(null),
      offset,
    );
  };

/** More seconds than the calendar has before 1970, in whole minutes. */
const secondsBefore = 60 * 2_000_000_000;

export const second: TimePart = (time, build, offset) => {
  const moment = time.domain.type === "date" ? castToTime("timestamp", time, build, offset) : time;
  const start = truncate([build.literal("second"), moment], build, offset);
  const all = extract([build.literal("epoch"), start], build, offset);
  return build.call(
    "%",
    [build.call("+", [all, build.literal(secondsBefore)], offset), build.literal(60)],
    offset,
  );
};

/** The year of ISO 8601 that a week belongs to: that of its Thursday. */
export const yearOfWeek: TimePart = (time, build, offset) => {
  const day = castToTime("date", time, build, offset);
  const monday = truncate([build.literal("week"), day], build, offset);
  const thursday = build.call("add-interval", [monday, ...[0, 3, 0].map(build.literal)], offset);
  return ofDay("year", 1, 4)(thursday, build, offset);
};

/** 1 is Sunday. */
export const dayFromSunday: TimePart = (time, build, offset) =>
  build.call("+", [field("dow")(time, build, offset), build.literal(1)], offset);
