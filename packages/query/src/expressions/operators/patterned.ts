import { elementAt } from "@lethe/core/numeric";
import type { Domain, TextDomain } from "../domain.ts";
import type { TextOperator } from "../operator.ts";
import {
  type Automaton,
  automatonOf,
  firstMatch,
  groupWithin,
  matchesSomewhere,
} from "../patterns/automaton.ts";
import { knownPattern } from "../patterns/known-pattern.ts";
import { leastLength } from "../patterns/pattern.ts";
import { alwaysNull, booleanDomain, type Scalar, textDomain } from "./domains.ts";
import { textOperand } from "./operand-domain.ts";
import type { Rules } from "./operator-rule.ts";

const automata = new Map<string, Automaton>();

/** The automaton of a pattern in its canonical spelling; that of the pattern used last is kept. */
function automaton(pattern: Scalar, group = 0): Automaton {
  const name = `${group}${pattern}`;
  const known = automata.get(name);
  if (known) return known;
  const built = automatonOf(knownPattern(String(pattern), group));
  automata.clear();
  automata.set(name, built);
  return built;
}

/** The text that a domain holds alone; the resolver writes it out. */
const literalText = (domain: Domain): string => elementAt(textOperand(domain).values ?? [], 0);

function replaced(text: string, pattern: Scalar, put: string, all: boolean): string {
  const letters = [...text];
  const parts: string[] = [];
  let from = 0;
  for (
    let found = firstMatch(automaton(pattern), letters, 0);
    found;
    found = all ? firstMatch(automaton(pattern), letters, from) : null
  ) {
    parts.push(letters.slice(from, found[0]).join(""), put);
    from = found[1];
  }
  return parts.join("") + letters.slice(from).join("");
}

function replacedDomain(text: TextDomain, pattern: Domain, put: Domain, options: Domain): TextDomain {
  const shortest = Math.max(1, leastLength(knownPattern(literalText(pattern))));
  const most = literalText(options) === "g" ? Math.floor(text.maxLength / shortest) : 1;
  const growth = Math.max(0, textOperand(put).maxLength - shortest);
  return textDomain(text.maxLength + most * growth, text.nullable);
}

/** The pattern is a literal in its canonical spelling, and matches at least one character where it is replaced. */
export const patterned: Rules<Extract<TextOperator, "matches" | "regexp_extract" | "regexp_replace">> = {
  matches: {
    takes: "text",
    gives: "boolean",
    exact: true,
    apply: ([text, pattern]) =>
      text === null ? null : matchesSomewhere(automaton(pattern), [...String(text)]),
    domain: ([text]) => booleanDomain(text.nullable || alwaysNull(text)),
  },
  /** The first part that matches, and the longest; or its group, where the third argument is 1. NULL where nothing matches. */
  regexp_extract: {
    takes: "any",
    gives: "text",
    exact: true,
    apply: ([text, pattern, group]) => {
      if (text === null) return null;
      const letters = [...String(text)];
      const known = automaton(pattern, Number(group));
      const found = firstMatch(known, letters, 0);
      if (found === null) return null;
      const [from, to] = Number(group) === 0 ? found : groupWithin(known, letters, found);
      return letters.slice(from, to).join("");
    },
    domain: ([text]) => textDomain(textOperand(text).maxLength, true),
  },
  /** Puts the third argument, a constant, in the place of the first match, or of all where the fourth is 'g'. */
  regexp_replace: {
    takes: "text",
    gives: "text",
    exact: true,
    apply: ([text, pattern, put, options]) =>
      text === null ? null : replaced(String(text), pattern, String(put), options === "g"),
    domain: ([text, pattern, put, options]) => replacedDomain(textOperand(text), pattern, put, options),
  },
};
