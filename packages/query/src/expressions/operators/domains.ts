import { elementAt } from "@lethe/core/numeric";
import { type TimeType, timeLimits } from "../calendar/times.ts";
import type { BooleanDomain, Domain, NumberDomain, TextDomain, TimeDomain } from "../domain.ts";
import { hull, type Interval, maxExact, plain } from "./interval.ts";

export type Scalar = string | number | boolean | null;

/** More values than this are not carried along: keys then count as data. */
export const maxValues: number = 10_000;

export const characters = (text: string): number => [...text].length;

export function booleanDomain(nullable: boolean): BooleanDomain {
  return { type: "boolean", nullable };
}

/** Integers only where the bounds prove that doubles hold them; no bounds: overflow may have made a NULL. */
export function numberDomain(bounds: Interval | null, integer: boolean, nullable: boolean): NumberDomain {
  const exact = integer && bounds !== null && Math.max(-bounds[0], bounds[1]) <= maxExact;
  return { type: "number", bounds, integer: exact, nullable: nullable || bounds === null, values: null };
}

export function textDomain(maxLength: number, nullable: boolean): TextDomain {
  return { type: "text", nullable, values: null, maxLength };
}

/** Times beyond the calendar's limits are NULL; null where all are. */
export function timeDomain(type: TimeType, [lo, hi]: Interval, nullable: boolean): TimeDomain {
  const [first, last] = timeLimits[type];
  if (lo > last || hi < first) return { type, bounds: [0, 0], nullable: true, values: [] };
  const cut = lo < first || hi > last;
  return { type, bounds: [Math.max(lo, first), Math.min(hi, last)], nullable: nullable || cut, values: null };
}

/** The domain of finitely many values, each once: numbers and times sorted, texts in the order given (the policy's). NULL among them makes it nullable. No value at all: always NULL. */
export function finiteDomain(type: Domain["type"], scalars: Iterable<Scalar>): Domain {
  const distinct = new Set<Scalar>();
  for (const scalar of scalars) distinct.add(typeof scalar === "number" ? plain(scalar) : scalar);
  const nullable = distinct.delete(null) || distinct.size === 0;
  if (type === "boolean") return booleanDomain(nullable);
  if (type === "text") {
    const values = [...distinct] as string[];
    return { type, nullable, values, maxLength: Math.max(0, ...values.map(characters)) };
  }
  const values = ([...distinct] as number[]).sort((a, b) => a - b);
  const bounds: Interval = [values[0] ?? 0, values.at(-1) ?? 0];
  if (type !== "number") return { type, nullable, values, bounds };
  return {
    type,
    nullable,
    values,
    bounds,
    integer: values.every((value) => Number.isInteger(value) && Math.abs(value) <= maxExact),
  };
}

/** The values of a domain with NULL where it may occur; null where they are not public. */
export function scalarsOf(domain: Domain): readonly Scalar[] | null {
  const values = domain.type === "boolean" ? [false, true] : domain.values;
  if (!values) return null;
  return domain.nullable ? [...values, null] : values;
}

/** Whether the domain holds no value but NULL. */
export function alwaysNull(domain: Domain): boolean {
  return domain.type !== "boolean" && domain.values?.length === 0;
}

/** The smallest domain around some of one type. NULL may occur where it may in one of them, unless the caller knows better. */
export function joinDomains(
  domains: readonly Domain[],
  nullable: boolean = domains.some((domain) => domain.nullable),
): Domain {
  const type = elementAt(domains, 0).type;
  if (type === "boolean") return booleanDomain(nullable);
  const inhabited = (domains as readonly (NumberDomain | TextDomain | TimeDomain)[]).filter(
    (domain) => !alwaysNull(domain),
  );
  if (inhabited.length === 0) return finiteDomain(type, []);
  if (inhabited.every((domain) => domain.values !== null)) {
    const values = inhabited.flatMap((domain): readonly Scalar[] => domain.values!);
    if (values.length <= maxValues) return { ...finiteDomain(type, values), nullable };
  }
  if (type === "text")
    return textDomain(Math.max(...(inhabited as TextDomain[]).map((domain) => domain.maxLength)), nullable);
  if (type !== "number") {
    const bounds = (inhabited as TimeDomain[]).map((domain) => domain.bounds).reduce(hull);
    return { type, bounds, nullable, values: null };
  }
  const numbers = inhabited as NumberDomain[];
  const bounds = numbers.map((domain) => domain.bounds).reduce((a, b) => (a && b ? hull(a, b) : null));
  return {
    type: "number",
    bounds,
    integer: numbers.every((domain) => domain.integer),
    nullable,
    values: null,
  };
}
