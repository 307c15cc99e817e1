import { LetheError } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import type { ParameterValue } from "./parameters.ts";
import { scanTokens, type Token } from "./scan-tokens.ts";

const operatorCharacter = /[-+*/<>=~!@#%^&|?]/;

/** Returns the places in a list of tokens where BigQuery's @name stands: the sign alone, and a word right behind it. */
export function namedPlaces(text: string, tokens: readonly Token[]): readonly number[] {
  return [...tokens.keys()].filter((index) => {
    const [sign, name] = [elementAt(tokens, index), tokens[index + 1]];
    if (text.slice(sign.start, sign.end) !== "@" || name?.kind !== "word" || name.start !== sign.end)
      return false;
    return !operatorCharacter.test(text.charAt(sign.start - 1));
  });
}

/**
 * Returns the names behind @, in lower case and in the order in which a text first writes them: a list of values is read in this order. Empty where the text has $1, beside
 * which @x is PostgreSQL's absolute value.
 * @example parameterNames("SELECT COUNT(*) FROM t WHERE x > @low AND y < @high AND z > @low", tokens) // => ["low", "high"]
 */
export function parameterNames(text: string, tokens: readonly Token[]): readonly string[] {
  if (tokens.some((_, index) => isNumbered(text, tokens, index))) return [];
  const names = namedPlaces(text, tokens).map((index) => nameAt(text, tokens, index));
  return [...new Set(names)];
}

export function nameAt(text: string, tokens: readonly Token[], index: number): string {
  const { start, end } = elementAt(tokens, index + 1);
  return text.slice(start, end).toLowerCase();
}

/** Whether $1 or the like stands at a token. */
export function isNumbered(text: string, tokens: readonly Token[], index: number): boolean {
  const [sign, number] = [elementAt(tokens, index), tokens[index + 1]];
  return text.slice(sign.start, sign.end) === "$" && number?.kind === "number" && number.start === sign.end;
}

/**
 * Returns the values of BigQuery's @name as the list that parseQuestion takes. Names are told apart whatever their case. Errors: query.parameter for a name that
 * has no value, and for a value whose name the text does not write.
 * @example listParameters("SELECT COUNT(*) FROM t WHERE x > @low", { low: 3 }) // => [3]
 */
export function listParameters(
  text: string,
  given: Readonly<Record<string, ParameterValue>>,
): readonly ParameterValue[] {
  const values = new Map<string, ParameterValue>();
  for (const [name, value] of Object.entries(given)) {
    if (values.has(name.toLowerCase()))
      throw refusal(`@${name} has two values`, "give one value for each name, whatever its case");
    values.set(name.toLowerCase(), value);
  }
  const names = parameterNames(text, [...scanTokens(text)]);
  const extra = [...values.keys()].find((name) => !names.includes(name));
  if (extra !== undefined)
    throw refusal(
      `the question has no @${extra}, but a value for it is given`,
      "leave the value out, or write @name where it belongs; beside $1 there are no names",
    );
  return names.map((name) => {
    const value = values.get(name);
    if (value === undefined)
      throw refusal(`@${name} has no value`, `give a value for each name, as params: { ${name}: 42 }`);
    return value;
  });
}

function refusal(message: string, fix: string): LetheError {
  return new LetheError("query.parameter", message, { fix });
}
