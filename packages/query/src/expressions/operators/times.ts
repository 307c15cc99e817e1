import { LetheError } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import type { Operands } from "../arity.ts";
import { addMonths } from "../calendar/days.ts";
import {
  bucketOf,
  fieldOf,
  fieldRanges,
  nextUnit,
  type TimeField,
  type TimeUnit,
  truncateTime,
} from "../calendar/parts.ts";
import { isWithin, microsecondsPerDay, readTime, type TimeType, timeLimits } from "../calendar/times.ts";
import type { Domain, NumberDomain, TimeDomain } from "../domain.ts";
import type { TimeOperator } from "../operator.ts";
import { alwaysNull, finiteDomain, numberDomain, timeDomain } from "./domains.ts";
import type { Interval } from "./interval.ts";
import { constantOperand, textOperand, timeOperand } from "./operand-domain.ts";
import type { OperatorRule, Rules, Typed } from "./operator-rule.ts";

/** Bounded times, and what is made of them, have public values where there are no more than these. */
export const maxTimeValues: number = 400;

const within = (type: TimeType, value: number): number | null => (isWithin(type, value) ? value : null);
const alwaysNullOf = (type: TimeType): Domain => finiteDomain(type, []);

/** The value of an argument that the resolver saw to be a literal. */
const literalText = (domain: Domain): string => elementAt(textOperand(domain).values ?? [], 0);

/** The type of the first argument, which a value does not tell. */
function timeType(written: Operands<"two" | "three" | "four", Typed> | undefined): TimeType {
  if (written) return timeOperand(written[0].domain).type;
  throw new LetheError(
    "internal.invariant",
    "an operator on times was applied to values without their types",
    {
      fix: "report this: Lethe lost the type of a time",
    },
  );
}

/** A part of a time: the second argument is a literal that names it. */
function partOfTime<Part extends TimeUnit | TimeField>(rule: {
  readonly gives: "same" | "number";
  readonly apply: (type: TimeType, time: number, part: Part) => number | null;
  readonly domain: (time: TimeDomain, part: Part) => Domain;
}): OperatorRule<"two"> {
  return {
    takes: "time",
    gives: rule.gives,
    exact: true,
    apply: ([time, part], written) =>
      time === null ? null : rule.apply(timeType(written), Number(time), part as Part),
    domain: ([domain, part]) => {
      const time = timeOperand(domain);
      if (alwaysNull(time)) return rule.gives === "number" ? finiteDomain("number", []) : time;
      return rule.domain(time, literalText(part) as Part);
    },
  };
}

function truncatedBounds({ type, bounds: [lo, hi] }: TimeDomain, unit: TimeUnit): Interval {
  return [truncateTime(type, unit, lo), truncateTime(type, unit, hi)];
}

/** Every first moment between the bounds, where there are few. */
function unitStarts(time: TimeDomain, unit: TimeUnit): readonly number[] | null {
  const [first, last] = truncatedBounds(time, unit);
  const starts: number[] = [];
  for (let start = first; start <= last; start = nextUnit(time.type, unit, start)) {
    if (starts.push(start) > maxTimeValues) return null;
  }
  return starts;
}

function truncated(time: TimeDomain, unit: TimeUnit): Domain {
  const starts = unitStarts(time, unit);
  const whole = timeDomain(time.type, truncatedBounds(time, unit), time.nullable);
  const kept = starts?.filter((start) => isWithin(time.type, start));
  return kept ? ({ ...finiteDomain(time.type, kept), nullable: whole.nullable } as Domain) : whole;
}

const bucketStart = (time: number, [length, origin]: readonly [number, number]): number =>
  Math.floor((time - origin) / length) * length + origin;

function bucketed(time: TimeDomain, bucket: readonly [number, number]): Domain {
  const [first, last] = time.bounds.map((bound) => bucketStart(bound, bucket)) as [number, number];
  const whole = timeDomain(time.type, [first, last], time.nullable);
  const [length] = bucket;
  const count = (last - first) / length + 1;
  if (count > maxTimeValues) return whole;
  const starts = Array.from({ length: count }, (_, at) => first + at * length);
  const kept = starts.filter((start) => isWithin(time.type, start));
  return { ...finiteDomain(time.type, kept), nullable: whole.nullable } as Domain;
}

function read(time: TimeDomain, field: TimeField): Domain {
  const [first, last] = time.bounds;
  const [lo, hi] = fieldRanges[field] ?? [fieldOf(time.type, field, first), fieldOf(time.type, field, last)];
  const isWhole = field !== "epoch" || time.type === "date";
  if (field === "epoch" || hi - lo >= maxTimeValues) return numberDomain([lo, hi], isWhole, time.nullable);
  const values = Array.from({ length: hi - lo + 1 }, (_, at) => lo + at);
  return { ...(finiteDomain("number", values) as NumberDomain), nullable: time.nullable };
}

/** Months first, then days, then microseconds, as PostgreSQL adds an interval. */
function later(type: TimeType, value: number, months: number, days: number, microseconds: number): number {
  if (type === "date") return addMonths(value, months) + days;
  const day = Math.floor(value / microsecondsPerDay);
  const clock = value - day * microsecondsPerDay;
  return (addMonths(day, months) + days) * microsecondsPerDay + clock + microseconds;
}

/** A text, or a time of the other type; beyond the limits NULL. */
function conversion(to: TimeType, convert: (value: number) => number): OperatorRule<"one"> {
  return {
    takes: "any",
    gives: to,
    exact: true,
    apply: ([value]) =>
      typeof value === "string"
        ? readTime(to, value)
        : value === null
          ? null
          : within(to, convert(Number(value))),
    domain: ([from]) => {
      if (from.type === "text") return timeDomain(to, timeLimits[to], true);
      const time = timeOperand(from);
      if (alwaysNull(time)) return alwaysNullOf(to);
      return timeDomain(to, [convert(time.bounds[0]), convert(time.bounds[1])], time.nullable);
    },
  };
}

/** In UTC, whatever a session says. The resolver leaves out casts to the type that is there. */
export const times: Rules<TimeOperator> = {
  "to-date": conversion("date", (value) => Math.floor(value / microsecondsPerDay)),
  "to-timestamp": conversion("timestamp", (value) => value * microsecondsPerDay),
  /** The second argument is a literal unit. */
  "date-trunc": partOfTime<TimeUnit>({
    gives: "same",
    apply: (type, time, unit) => within(type, truncateTime(type, unit, time)),
    domain: truncated,
  }),
  /** The others are literals: days, and microseconds, which are 0 for a date. */
  "time-bucket": {
    takes: "time",
    gives: "same",
    exact: true,
    apply: ([time, days, microseconds], written) => {
      if (time === null) return null;
      const type = timeType(written);
      return within(type, bucketStart(Number(time), bucketOf(type, Number(days), Number(microseconds))));
    },
    domain: ([domain, days, microseconds]) => {
      const time = timeOperand(domain);
      if (alwaysNull(time)) return time;
      return bucketed(time, bucketOf(time.type, constantOperand(days), constantOperand(microseconds)));
    },
  },
  /** The second argument is a literal field. */
  extract: partOfTime<TimeField>({
    gives: "number",
    apply: (type, time, field) => fieldOf(type, field, time),
    domain: read,
  }),
  /** Adds literal months, days and microseconds; a date takes no microseconds. */
  "add-interval": {
    takes: "time",
    gives: "same",
    exact: true,
    apply: ([time, months, days, microseconds], written) => {
      if (time === null) return null;
      const type = timeType(written);
      return within(type, later(type, Number(time), Number(months), Number(days), Number(microseconds)));
    },
    domain: ([domain, ...parts]) => {
      const time = timeOperand(domain);
      if (alwaysNull(time)) return time;
      const [months, days, microseconds] = parts;
      const moved = (bound: number): number =>
        later(
          time.type,
          bound,
          constantOperand(months),
          constantOperand(days),
          constantOperand(microseconds),
        );
      const [lo, hi] = time.bounds;
      return timeDomain(time.type, [moved(lo), moved(hi)], time.nullable);
    },
  },
  "days-between": {
    takes: "date",
    gives: "number",
    exact: true,
    apply: ([a, b]) => (a === null || b === null ? null : Number(a) - Number(b)),
    domain: ([first, second]) => {
      const [a, b] = [timeOperand(first), timeOperand(second)];
      const nullable = a.nullable || b.nullable;
      return numberDomain([a.bounds[0] - b.bounds[1], a.bounds[1] - b.bounds[0]], true, nullable);
    },
  },
};
