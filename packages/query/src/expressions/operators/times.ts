import { elementAt } from "@lethe/core/numeric";
import { addMonths } from "../calendar/days.ts";
import {
  fieldOf,
  fieldRanges,
  nextUnit,
  type TimeField,
  type TimeUnit,
  truncateTime,
} from "../calendar/parts.ts";
import { isWithin, microsecondsPerDay, readTime, type TimeType, timeLimits } from "../calendar/times.ts";
import type { Domain, NumberDomain, TextDomain, TimeDomain } from "../domain.ts";
import type { TimeOperator } from "../operator.ts";
import { alwaysNull, finiteDomain, numberDomain, type Scalar, timeDomain } from "./domains.ts";
import type { OperatorRule, Rules } from "./operator-rule.ts";

/** Bounded times, and what is made of them, have public values where there are no more than these. */
export const maxTimeValues: number = 400;

const within = (type: TimeType, value: number): number | null => (isWithin(type, value) ? value : null);
const alwaysNullOf = (type: TimeType): Domain => finiteDomain(type, []);

/** The value of an argument that the resolver saw to be a literal. */
const literalText = (domain: Domain): string => elementAt((domain as TextDomain).values!, 0);
const literalNumber = (domain: Domain): number => elementAt((domain as NumberDomain).values!, 0);

/** Rules that need the type of their first argument, which a value does not tell. */
function ofTime(rule: {
  readonly takes: OperatorRule["takes"];
  readonly gives: OperatorRule["gives"];
  readonly apply: (type: TimeType, args: readonly Scalar[]) => Scalar;
  readonly domain: (time: TimeDomain, args: readonly Domain[]) => Domain;
}): OperatorRule {
  return {
    takes: rule.takes,
    gives: rule.gives,
    exact: true,
    apply: (args, written) =>
      args[0] === null ? null : rule.apply(elementAt(written!, 0).domain.type as TimeType, args),
    domain: (args) => {
      const time = args[0] as TimeDomain;
      if (alwaysNull(time)) return rule.gives === "number" ? finiteDomain("number", []) : time;
      return rule.domain(time, args);
    },
  };
}

/** Every first moment between the bounds, where there are few. */
function unitStarts(time: TimeDomain, unit: TimeUnit): readonly number[] | null {
  const [first, last] = time.bounds.map((bound) => truncateTime(time.type, unit, bound)) as [number, number];
  const starts: number[] = [];
  for (let start = first; start <= last; start = nextUnit(time.type, unit, start)) {
    if (starts.push(start) > maxTimeValues) return null;
  }
  return starts;
}

function truncated(time: TimeDomain, unit: TimeUnit): Domain {
  const starts = unitStarts(time, unit);
  const [lo, hi] = time.bounds.map((bound) => truncateTime(time.type, unit, bound)) as [number, number];
  const whole = timeDomain(time.type, [lo, hi], time.nullable);
  const kept = starts?.filter((start) => isWithin(time.type, start));
  return kept ? ({ ...finiteDomain(time.type, kept), nullable: whole.nullable } as Domain) : whole;
}

function read(time: TimeDomain, field: TimeField): Domain {
  const [lo, hi] =
    fieldRanges[field] ?? (time.bounds.map((bound) => fieldOf(time.type, field, bound)) as [number, number]);
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
function conversion(to: TimeType, convert: (value: number) => number): OperatorRule {
  return {
    takes: "any",
    gives: to,
    exact: true,
    apply: ([value = null]) =>
      typeof value === "string"
        ? readTime(to, value)
        : value === null
          ? null
          : within(to, convert(Number(value))),
    domain: ([from]) => {
      if (from!.type === "text") return timeDomain(to, timeLimits[to], true);
      const time = from as TimeDomain;
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
  "date-trunc": ofTime({
    takes: "time",
    gives: "same",
    apply: (type, [value, unit]) => within(type, truncateTime(type, unit as TimeUnit, Number(value))),
    domain: (time, [, unit]) => truncated(time, literalText(unit!) as TimeUnit),
  }),
  /** The second argument is a literal field. */
  extract: ofTime({
    takes: "time",
    gives: "number",
    apply: (type, [value, field]) => fieldOf(type, field as TimeField, Number(value)),
    domain: (time, [, field]) => read(time, literalText(field!) as TimeField),
  }),
  /** Adds literal months, days and microseconds; a date takes no microseconds. */
  "add-interval": ofTime({
    takes: "time",
    gives: "same",
    apply: (type, [value, months, days, microseconds]) =>
      within(type, later(type, Number(value), Number(months), Number(days), Number(microseconds))),
    domain: (time, args) => {
      const [months, days, microseconds] = args.slice(1).map(literalNumber) as [number, number, number];
      const ends = time.bounds.map((bound) => later(time.type, bound, months, days, microseconds));
      return timeDomain(time.type, [elementAt(ends, 0), elementAt(ends, 1)], time.nullable);
    },
  }),
  "days-between": {
    takes: "date",
    gives: "number",
    exact: true,
    apply: ([a = null, b = null]) => (a === null || b === null ? null : Number(a) - Number(b)),
    domain: (args) => {
      const [a, b] = args as readonly [TimeDomain, TimeDomain];
      const nullable = a.nullable || b.nullable;
      return numberDomain([a.bounds[0] - b.bounds[1], a.bounds[1] - b.bounds[0]], true, nullable);
    },
  },
};
