import type { Domain, TextDomain } from "../domain.ts";
import type { TextOperator } from "../operator.ts";
import { characters, numberDomain, textDomain } from "./domains.ts";
import { constantOperand, textOperand } from "./operand-domain.ts";
import type { OperatorRule, Rules } from "./operator-rule.ts";
import { patterned } from "./patterned.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is the question
const ascii = /^[\x00-\x7f]*$/;

/** Letters beyond ASCII change with the engine's locale and may change their number (ß, ŉ, ΐ give up to three). */
function cased(change: (text: string) => string): OperatorRule<"one"> {
  return changed(change, (most) => most * 3);
}

/** Whether a case change of these values is the same in every engine. */
export function caseIsExact(domain: Domain): boolean {
  return domain.type === "text" && (domain.values?.every((value) => ascii.test(value)) ?? false);
}

/** Blanks (U+0020) alone. */
function trimmed(change: (text: string) => string): OperatorRule<"one"> {
  return changed(change, (most) => most);
}

/** Another text made of one text, with the length that it has at most. */
function changed(change: (text: string) => string, longest: (most: number) => number): OperatorRule<"one"> {
  return {
    takes: "text",
    gives: "text",
    exact: true,
    apply: ([text]) => (text === null ? null : change(String(text))),
    domain: ([text]) => textDomain(longest(lengthOf(text)), text.nullable),
  };
}

const lengthOf = (text: Domain): number => textOperand(text).maxLength;

/** The domain of a part of a text: never longer than it, nor than the constant which says how much of it. */
const partOf = (text: Domain, count: Domain): TextDomain =>
  textDomain(Math.min(lengthOf(text), constantOperand(count)), text.nullable);

/** As many characters of a text as the second argument says. */
function end(cut: (letters: readonly string[], count: number) => readonly string[]): OperatorRule<"two"> {
  return {
    takes: "any",
    gives: "text",
    exact: true,
    apply: ([text, count]) => (text === null ? null : cut([...String(text)], Number(count)).join("")),
    domain: ([text, count]) => partOf(text, count),
  };
}

/** Words are runs of letters and digits, and of every character beyond ASCII. */
const word: RegExp = /[0-9A-Za-z\u0080-\u{10ffff}]+/gu;

function withCapitals(text: string): string {
  return text.replace(word, (each) => {
    const [first = "", ...others] = each;
    return first.toUpperCase() + others.join("").toLowerCase();
  });
}

/** The part of a text with this number, from 1 on, or from the end where it is negative; empty where there are not so many. */
function partAt(text: string, separator: string, number: number): string {
  const parts = text.split(separator);
  return parts[number > 0 ? number - 1 : parts.length + number] ?? "";
}

export const textual: Rules<TextOperator> = {
  ...patterned,
  initcap: cased(withCapitals),
  /** The second argument, a constant that is not empty, separates the parts; the third, a constant other than 0, is the number of one. */
  split_part: {
    takes: "any",
    gives: "text",
    exact: true,
    apply: ([text, separator, number]) =>
      text === null ? null : partAt(String(text), String(separator), Number(number)),
    domain: ([text]) => textDomain(lengthOf(text), text.nullable),
  },
  lower: cased((text) => text.toLowerCase()),
  upper: cased((text) => text.toUpperCase()),
  trim: trimmed((text) => text.replace(/^ +/, "").replace(/ +$/, "")),
  ltrim: trimmed((text) => text.replace(/^ +/, "")),
  rtrim: trimmed((text) => text.replace(/ +$/, "")),
  /** In code points. */
  length: {
    takes: "text",
    gives: "number",
    exact: true,
    apply: ([text]) => (text === null ? null : characters(String(text))),
    domain: ([text]) => numberDomain([0, lengthOf(text)], true, text.nullable),
  },
  /** The first code points; the second argument is their number, a constant ≥ 0. */
  left: end((letters, count) => letters.slice(0, count)),
  right: end((letters, count) => (count === 0 ? [] : letters.slice(-count))),
  /** A part of so many code points from a place ≥ 1 on; both are constant. */
  substr: {
    takes: "any",
    gives: "text",
    exact: true,
    apply: ([text, from, count]) => {
      if (text === null) return null;
      const before = Number(from) - 1;
      return [...String(text)].slice(before, before + Number(count)).join("");
    },
    domain: ([text, , count]) => partOf(text, count),
  },
  /** Replaces every occurrence of the second argument, from the left. The second and third are constant, the second not empty. */
  replace: {
    takes: "text",
    gives: "text",
    exact: true,
    apply: ([text, from, to]) => (text === null ? null : String(text).split(String(from)).join(String(to))),
    domain: ([text, from, to]) => {
      const most = lengthOf(text);
      const replaced = Math.floor(most / Math.max(1, lengthOf(from)));
      const growth = Math.max(0, lengthOf(to) - lengthOf(from));
      return textDomain(most + replaced * growth, text.nullable);
    },
  },
  /** The place, in code points from 1, where the second argument, a constant, first occurs; 0 where it does not occur. */
  strpos: {
    takes: "text",
    gives: "number",
    exact: true,
    apply: ([text, part]) => {
      if (text === null) return null;
      const at = String(text).indexOf(String(part));
      return at < 0 ? 0 : characters(String(text).slice(0, at)) + 1;
    },
    domain: ([text]) => numberDomain([0, lengthOf(text) + 1], true, text.nullable),
  },
  /** SQL's ||: NULL where one argument is. */
  concat: {
    takes: "text",
    gives: "text",
    exact: true,
    apply: (args) => (args.includes(null) ? null : args.join("")),
    domain: (args) =>
      textDomain(
        args.map(lengthOf).reduce((a, b) => a + b),
        args.some((arg) => arg.nullable),
      ),
  },
};
