import type { Arity } from "../expressions/arity.ts";
import { bucketOf, type TimeField, type TimeUnit, unitLength } from "../expressions/calendar/parts.ts";
import { microsecondsPerDay, type TimeType, timeLimits } from "../expressions/calendar/times.ts";
import { isTime, type TimeDomain } from "../expressions/domain.ts";
import type { Expression } from "../expressions/expression.ts";
import type { TimeOperator } from "../expressions/operator.ts";
import { applyOperator } from "../expressions/operators/apply-operator.ts";
import { constant } from "./constant.ts";
import type { CallOf, OperatorTexts } from "./dialect.ts";

/** The texts that a dialect supplies for its operators on times. Times are doubles: days, or microseconds, since 1970. */
export interface TimeText {
  readonly double: (value: number) => string;
  /** Writes a body that names its operand several times. */
  readonly once: (operand: string, body: (name: string) => string) => string;
  /** Writes the date that is so many days after 1970-01-01. */
  readonly date: (days: string) => string;
  /** Writes the days, a double, of a date or of a timestamp. */
  readonly days: (date: string) => string;
  readonly truncated: (unit: TimeUnit, date: string) => string;
  /** Writes a field, as a double. */
  readonly field: (field: TimeField, date: string) => string;
  readonly addedMonths: (months: number, date: string) => string;
  /** Reads the time that a text writes as the calendar's timePattern says, as a double; NULL where it writes none. */
  readonly parsed: (type: TimeType, text: string) => string;
}

/**
 * Writes the operators on times, where engines differ in few words. Quotients of whole numbers below 2^53 are exact enough for
 * floor: x/d of an x that d does not divide is at least 1/d away from every integer, and more than half a unit in its last place.
 */
export function timeOperators(text: TimeText): OperatorTexts<TimeOperator> {
  const { double } = text;
  const perDay = double(microsecondsPerDay);
  const dayOf = (x: string): string => `floor(${x} / ${perDay})`;
  const floorTo = (x: string, length: number): string =>
    `(floor(${x} / ${double(length)}) * ${double(length)})`;

  /** Returns NULL beyond the limits, where an end of the operand's bounds leads there: all of these operators grow with it. */
  const kept = (type: TimeType, { operator, args }: CallOf<Arity>, result: string): string => {
    const [time, ...others] = args;
    const { bounds } = timeOf(time);
    const constants = others.map(constant);
    const stays = (bound: number): boolean => applyOperator(operator, [bound, ...constants], args) !== null;
    if (bounds.every(stays)) return result;
    const [lo, hi] = timeLimits[type];
    return text.once(result, (v) => `CASE WHEN ${v} BETWEEN ${double(lo)} AND ${double(hi)} THEN ${v} END`);
  };

  return {
    "to-date": ([x], { args: [from] }) => (from.domain.type === "text" ? text.parsed("date", x) : dayOf(x)),
    "to-timestamp": ([x], call) =>
      call.args[0].domain.type === "text"
        ? text.parsed("timestamp", x)
        : kept("timestamp", call, `(${x} * ${perDay})`),
    "date-trunc": ([x], call) => {
      const [time, part] = call.args;
      const { type } = timeOf(time);
      const unit = constant(part) as TimeUnit;
      const length = unitLength[unit];
      if (type === "timestamp" && length !== null) return floorTo(x, length);
      if (unit === "day") return type === "date" ? x : floorTo(x, microsecondsPerDay);
      const day = type === "date" ? x : dayOf(x);
      const first = text.days(text.truncated(unit, text.date(day)));
      return kept(type, call, type === "date" ? first : `(${first} * ${perDay})`);
    },
    "time-bucket": ([x], call) => {
      const [time, days, microseconds] = call.args;
      const { type } = timeOf(time);
      const [length, origin] = bucketOf(type, Number(constant(days)), Number(constant(microseconds)));
      const since = origin === 0 ? x : `(${x} - ${double(origin)})`;
      const start = origin === 0 ? floorTo(since, length) : `(${floorTo(since, length)} + ${double(origin)})`;
      return kept(type, call, start);
    },
    extract: ([x], { args: [time, part] }) => {
      const { type } = timeOf(time);
      const field = constant(part) as TimeField;
      if (field === "epoch")
        return type === "date" ? `(${x} * ${double(86_400)})` : `(${x} / ${double(1e6)})`;
      if (field === "hour" || field === "minute") {
        const length = field === "hour" ? 3.6e9 : 6e7;
        const within = field === "hour" ? microsecondsPerDay : 3.6e9;
        return text.once(x, (v) => `floor((${v} - ${floorTo(v, within)}) / ${double(length)})`);
      }
      return text.field(field, text.date(type === "date" ? x : dayOf(x)));
    },
    "add-interval": ([x], call) => {
      const [time, ...interval] = call.args;
      const { type } = timeOf(time);
      const [months, days, microseconds] = interval;
      const moved = (day: string): string => {
        const added = Number(constant(months));
        const shifted = added === 0 ? day : text.days(text.addedMonths(added, text.date(day)));
        return `(${shifted} + ${double(Number(constant(days)))})`;
      };
      if (type === "date") return kept(type, call, moved(x));
      const sum = text.once(
        x,
        (v) =>
          `(${moved(dayOf(v))} * ${perDay} + (${v} - ${floorTo(v, microsecondsPerDay)}) + ${double(Number(constant(microseconds)))})`,
      );
      return kept(type, call, sum);
    },
    "days-between": ([a, b]) => `(${a} - ${b})`,
  };
}

function timeOf({ domain }: Expression): TimeDomain {
  if (!isTime(domain)) throw new TypeError(`a time is due, not a ${domain.type}`);
  return domain;
}
