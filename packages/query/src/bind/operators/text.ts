import type { Domain, TextDomain } from "../domain.ts";
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

export const textual: Rules<"lower" | "upper" | "trim" | "length" | "left" | "concat"> = {
  lower: cased((text) => text.toLowerCase()),
  upper: cased((text) => text.toUpperCase()),
  /** Blanks (U+0020) alone, at both ends. */
  trim: {
    takes: "text",
    gives: "text",
    exact: true,
    apply: strict((text) => text.replace(/^ +/, "").replace(/ +$/, "")),
    domain: ([text]) => textDomain((text as TextDomain).maxLength, text!.nullable),
  },
  /** In code points. */
  length: {
    takes: "text",
    gives: "number",
    exact: true,
    apply: strict(characters),
    domain: ([text]) => numberDomain([0, (text as TextDomain).maxLength], true, text!.nullable),
  },
  /** The second argument is a constant ≥ 0. */
  left: {
    takes: "any",
    gives: "text",
    exact: true,
    apply: ([text = null, count]) =>
      text === null ? null : [...String(text)].slice(0, Number(count)).join(""),
    domain: ([text, count]) =>
      textDomain(
        Math.min((text as TextDomain).maxLength, count!.type === "number" ? count!.bounds![1] : 0),
        text!.nullable,
      ),
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
