import type { KeyValue } from "@lethe/core";

/** The possible values of an expression, as the policy and the expression alone imply them. */
export type Domain = NumberDomain | TextDomain | BooleanDomain;

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

/** The public keys of a domain (NULL last where it may occur), or null where keys are data. */
export function publicKeys(domain: Domain): readonly KeyValue[] | null {
  const values: readonly KeyValue[] | null =
    domain.type === "boolean"
      ? [false, true]
      : domain.type === "number"
        ? domain.values && domain.integer
          ? domain.values.map((value) => BigInt(value))
          : domain.values
        : domain.values;
  if (!values) return null;
  return domain.nullable ? [...values, null] : values;
}
