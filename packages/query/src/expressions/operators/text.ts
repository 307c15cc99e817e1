import type { Domain, NumberDomain, TextDomain } from "../domain.ts";
import type { TextOperator } from "../operator.ts";
import { characters, numberDomain, type Scalar, textDomain } from "./domains.ts";
import type { OperatorRule, Rules } from "./operator-rule.ts";

const anyNullable = (args: readonly Domain[]): boolean => args.some((arg) => arg.nullable);

function strict(compute: (text: string, second: string) => Scalar): (args: readonly Scalar[]) => Scalar {
  return (args) => (args.includes(null) ? null : compute(String(args[0]), String(args[1])));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is the question
const ascii = /^[\x00-\x7f]*$/;

/** Letters beyond ASCII change with the engine's locale and may change their number (ß, ŉ, ΐ give up to three). */
function cased(change: (text: string) => string): OperatorRule {
  return {
    takes: "text",
    gives: "text",
    exact: true,
    apply: strict(change),
    domain: ([text]) => textDomain((text as TextDomain).maxLength * 3, text!.nullable),
  };
}

/** Whether a case change of these values is the same in every engine. */
export function caseIsExact(domain: Domain): boolean {
  return domain.type === "text" && (domain.values?.every((value) => ascii.test(value)) ?? false);
}

/** Blanks (U+0020) alone. */
function trimmed(change: (text: string) => string): OperatorRule {
  return {
    takes: "text",
    gives: "text",
    exact: true,
    apply: strict(change),
    domain: ([text]) => textDomain((text as TextDomain).maxLength, text!.nullable),
  };
}

const lengthOf = (text: Domain | undefined): number => (text as TextDomain).maxLength;
/** Returns the number that an argument is on every row; the resolver has checked that it is one. */
const constant = (number: Domain | undefined): number => (number as NumberDomain).bounds![0];

/** A part of the first argument: never longer than it, nor than the constant which says how much of it. */
function part(
  cut: (letters: readonly string[], ...counts: readonly number[]) => readonly string[],
): OperatorRule {
  return {
    takes: "any",
    gives: "text",
    exact: true,
    apply: ([text = null, ...counts]) =>
      text === null ? null : cut([...String(text)], ...counts.map(Number)).join(""),
    domain: ([text, ...counts]) =>
      textDomain(Math.min(lengthOf(text), constant(counts.at(-1))), text!.nullable),
  };
}

export const textual: Rules<TextOperator> = {
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
    apply: strict(characters),
    domain: ([text]) => numberDomain([0, (text as TextDomain).maxLength], true, text!.nullable),
  },
  /** The first code points; the second argument is their number, a constant ≥ 0. */
  left: part((letters, count) => letters.slice(0, count)),
  right: part((letters, count) => (count === 0 ? [] : letters.slice(-count!))),
  /** A part of so many code points from a place ≥ 1 on; both are constant. */
  substr: part((letters, from, count) => letters.slice(from! - 1, from! - 1 + count!)),
  /** Replaces every occurrence of the second argument, from the left. The second and third are constant, the second not empty. */
  replace: {
    takes: "text",
    gives: "text",
    exact: true,
    apply: ([text = null, from, to]) =>
      text === null ? null : String(text).split(String(from)).join(String(to)),
    domain: ([text, from, to]) => {
      const most = lengthOf(text);
      const replaced = Math.floor(most / Math.max(1, lengthOf(from)));
      const growth = Math.max(0, lengthOf(to) - lengthOf(from));
      return textDomain(most + replaced * growth, text!.nullable);
    },
  },
  /** The place, in code points from 1, where the second argument, a constant, first occurs; 0 where it does not occur. */
  strpos: {
    takes: "text",
    gives: "number",
    exact: true,
    apply: ([text = null, part]) => {
      if (text === null) return null;
      const at = String(text).indexOf(String(part));
      return at < 0 ? 0 : characters(String(text).slice(0, at)) + 1;
    },
    domain: ([text]) => numberDomain([0, lengthOf(text) + 1], true, text!.nullable),
  },
  /** SQL's ||: NULL where one argument is. */
  concat: {
    takes: "text",
    gives: "text",
    exact: true,
    apply: (args) => (args.includes(null) ? null : args.join("")),
    domain: (args) =>
      textDomain(
        args.map((arg) => (arg as TextDomain).maxLength).reduce((a, b) => a + b),
        anyNullable(args),
      ),
  },
};
