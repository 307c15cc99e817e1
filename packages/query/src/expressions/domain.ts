import type { KeyValue } from "@lethe/core/mechanisms";
import type { TimeType } from "./calendar/times.ts";

/** The possible values of an expression, as the policy and the expression alone imply them. */
export type Domain = NumberDomain | TextDomain | BooleanDomain | TimeDomain;

export interface NumberDomain {
  readonly type: "number";
  /** Both finite, lo ≤ hi; null when nothing bounds the values. */
  readonly bounds: readonly [number, number] | null;
  /** Every value is an integer of magnitude ≤ 2^53. */
  readonly integer: boolean;
  readonly nullable: boolean;
  /** The finite set of non-null values, where it is public. */
  readonly values: readonly number[] | null;
}
export interface TextDomain {
  readonly type: "text";
  readonly nullable: boolean;
  readonly values: readonly string[] | null;
  /** In characters. */
  readonly maxLength: number;
}
export interface BooleanDomain {
  readonly type: "boolean";
  readonly nullable: boolean;
}

/** Days or microseconds since 1970, in UTC: integers of at most 2^53. */
export interface TimeDomain {
  readonly type: TimeType;
  /** Within the limits of the calendar that every engine shares, lo ≤ hi. */
  readonly bounds: readonly [number, number];
  readonly nullable: boolean;
  readonly values: readonly number[] | null;
}

export function isTime(domain: Domain): domain is TimeDomain {
  return domain.type === "date" || domain.type === "timestamp";
}

/** Whether an expression of this domain leaves as an integer where it is a key: integers, and times by their number. */
export function isIntegral(domain: Domain): boolean {
  return isTime(domain) || (domain.type === "number" && domain.integer);
}

/** How many values other than NULL there can be; Infinity where that is not public. */
export function valuesAtMost(domain: Domain): number {
  if (domain.type === "boolean") return 2;
  return domain.values === null ? Number.POSITIVE_INFINITY : domain.values.length;
}

/** The public keys of a domain (NULL last where it may occur), or null where keys are data. */
export function publicKeys(domain: Domain): readonly KeyValue[] | null {
  const known: readonly KeyValue[] | null = domain.type === "boolean" ? [false, true] : domain.values;
  const values = known && isIntegral(domain) ? known.map((value) => BigInt(value as number)) : known;
  if (!values) return null;
  return domain.nullable ? [...values, null] : values;
}
