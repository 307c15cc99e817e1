import type { Budget } from "../evaluate/budget.ts";
import { refused } from "../refuse.ts";
import { lowerCase } from "../types/letters.ts";

/** Whether a text matches a pattern of LIKE, in steps of at most the product of their lengths. Errors: query.type for a pattern that ends with its escape; query.too-large. */
export function matchesLike(
  text: string,
  pattern: string,
  ignoresCase: boolean,
  budget: Budget,
  escapeSign = "\\",
): boolean {
  const [subject, parts] = ignoresCase
    ? [[...lowerCase(text)], read(lowerCase(pattern), escapeSign)]
    : [[...text], read(pattern, escapeSign)];
  let [at, part, star, mark] = [0, 0, -1, 0];
  let steps = 1;
  while (at < subject.length) {
    steps += 1;
    const next = parts[part];
    if (next === any) {
      star = part;
      mark = at;
      part += 1;
    } else if (next === one || (next !== undefined && next === subject[at])) {
      at += 1;
      part += 1;
    } else if (star >= 0) {
      part = star + 1;
      mark += 1;
      at = mark;
    } else {
      budget.step(steps >> 2);
      return false;
    }
  }
  budget.step(steps >> 2);
  while (parts[part] === any) part += 1;
  return part === parts.length;
}

const any = Symbol("%");
const one = Symbol("_");

function read(pattern: string, escapeSign: string): readonly (string | symbol)[] {
  const parts: (string | symbol)[] = [];
  const characters = [...pattern];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] as string;
    if (character === escapeSign && escapeSign !== "") {
      at += 1;
      if (at >= characters.length)
        return refused("query.type", "LIKE pattern must not end with escape character");
      parts.push(characters[at] as string);
    } else if (character === "%") {
      if (parts.at(-1) !== any) parts.push(any);
    } else parts.push(character === "_" ? one : character);
  }
  return parts;
}
