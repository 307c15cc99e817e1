import { demandEveryWord, demandPossible } from "../../expressions/build/demand-possible.ts";
import { readTime, type TimeType } from "../../expressions/calendar/times.ts";
import { isTime } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import type { Operator } from "../../expressions/operator.ts";
import { finiteDomain } from "../../expressions/operators/domains.ts";
import type { NamedKey, PostExpression } from "../names/resolved-query.ts";
import { postParts } from "./post-parts.ts";

/** The keys of released rows: NULL where they are grouped away. */
interface ReleasedKeys {
  readonly keys: readonly NamedKey[];
  readonly isTotalled: boolean;
}

/** Errors: query.impossible where the keys can be nothing that HAVING keeps. */
export function demandPossibleHaving(
  having: PostExpression,
  released: ReleasedKeys,
  offset: number | undefined,
): void {
  const parts = having.kind === "call" && having.operator === "and" ? having.args : [having];
  for (const part of parts) {
    const ofKeys = overKeys(part, released);
    if (ofKeys) demandPossible(ofKeys, offset);
  }
}

/** Errors: query.impossible for a word that a key is tested against and can never be. */
export function demandReleasedWords(
  expression: PostExpression,
  released: ReleasedKeys,
  placeOf: (word: string) => number | undefined,
): void {
  const ofKeys = overKeys(expression, released);
  if (ofKeys) demandEveryWord(ofKeys, placeOf);
  else for (const part of postParts(expression)) demandReleasedWords(part, released, placeOf);
}

const tested: ReadonlySet<string> = new Set([
  ...["=", "<>", "<", "<=", ">", ">=", "in", "and", "or", "not", "is-null", "is-not-null"],
]);

/** A condition on released keys as one on the rows that have them; null where it speaks of anything else. */
function overKeys(expression: PostExpression, released: ReleasedKeys): Expression | null {
  if (expression.kind === "key") {
    const key = released.keys.find(({ name }) => name === expression.key)?.expression;
    return key
      ? { ...key, domain: { ...key.domain, nullable: key.domain.nullable || released.isTotalled } }
      : null;
  }
  if (expression.kind === "literal") {
    const { value } = expression;
    const type =
      typeof value === "number" || typeof value === "boolean"
        ? (typeof value as "number" | "boolean")
        : "text";
    return { kind: "literal", value, domain: finiteDomain(type, [value]) };
  }
  if (expression.kind !== "call" || !tested.has(expression.operator)) return null;
  const args = expression.args.map((arg) => overKeys(arg, released));
  if (!args.every((arg) => arg !== null)) return null;
  const due = args.map(({ domain }) => domain).find(isTime)?.type;
  const typed = due ? args.map((arg) => asTime(arg, due)) : args;
  if (!typed.every((arg) => arg !== null)) return null;
  return {
    kind: "call",
    operator: expression.operator as Operator,
    args: typed,
    domain: { type: "boolean", nullable: true },
  };
}

/** Released rows hold times as they are written. */
function asTime(expression: Expression, due: TimeType): Expression | null {
  if (expression.kind !== "literal" || typeof expression.value !== "string") return expression;
  const value = readTime(due, expression.value);
  return value === null ? null : { ...expression, value, domain: finiteDomain(due, [value]) };
}
