import type { Dialect } from "../../dialects/dialect.ts";
import type { Expression } from "../../expressions/expression.ts";
import { isIntegerKey } from "../../plan/release-program.ts";

/**
 * The keyed hash by which a unit's rows, and its values in a group, are ordered: md5 of seed | unit | key …, each part as <length>:<text> and a
 * NULL as n, so that different parts never give one text. Integers, texts and booleans every engine spells alike; of a
 * double it takes the bits. So all engines keep the same.
 */
export function unitHash(unit: string, keys: readonly HashedKey[], dialect: Dialect): string {
  const { write, text, seed } = dialect;
  const part = (value: string): readonly string[] => [dialect.lengthText(value), text(":"), value];
  const key = ({ value, isDouble }: HashedKey): string => {
    const spelled = isDouble ? dialect.doubleBits(value) : write.cast(value, "text");
    return write.caseOf([[write.isMissing(value), text("n")]], dialect.joined(part(spelled)));
  };
  const parts = [...part(write.cast(seed, "text")), text("|"), ...part(unit)];
  return dialect.hash(dialect.joined([...parts, ...keys.flatMap((value) => [text("|"), key(value)])]));
}

export interface HashedKey {
  readonly value: string;
  readonly isDouble: boolean;
}

/** The text of an expression's value as a part of the hash. */
export function hashedKey(value: string, expression: Expression): HashedKey {
  return { value, isDouble: expression.domain.type === "number" && !isIntegerKey(expression) };
}
