import { LetheError, parseRational, type Rational } from "@lethe/core";
import { add, divide, elementAt, multiply, negate, subtract, toText } from "@lethe/core/numeric";
import { isNumbered, nameAt, namedPlaces } from "./named-parameters.ts";
import type { ParameterValue } from "./parameters.ts";
import type { StatedOption } from "./parsed-question.ts";
import type { Token } from "./scan-tokens.ts";

type OptionValue = Pick<StatedOption, "value" | "kind">;

/** The text whose options are read, with the values of its parameters. */
export interface OptionText {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly names: readonly string[];
  readonly parameters: readonly ParameterValue[];
  /** Gets the number of each parameter that is read. */
  readonly used: Set<number>;
}

/** An expression of more operations than this states no price that anyone would read. */
const maxOperations = 20;

/**
 * Reads the value of an option from a token on: a constant, a parameter, a name that may be qualified, NULL, or arithmetic of numbers, which is computed exactly. Returns the
 * place behind it. Errors: query.syntax, query.parameter.
 */
export function readOptionValue(
  from: OptionText,
  start: number,
): { readonly stated: OptionValue; readonly next: number } {
  const reader = new ValueReader(from, start);
  const stated = reader.sum();
  return { stated, next: reader.next };
}

class ValueReader {
  readonly #from: OptionText;
  next: number;
  #operations = 0;

  constructor(from: OptionText, start: number) {
    this.#from = from;
    this.next = start;
  }

  #spell(index: number = this.next): string {
    const token = this.#from.tokens[index];
    return token ? this.#from.text.slice(token.start, token.end) : "";
  }

  #fail(index: number = this.next): never {
    throw new LetheError("query.syntax", "OPTIONS: a value is a number, a text or a word", {
      fix: "write SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 0.5, max_groups_contributed = 1) …",
      offset: this.#from.tokens[index]?.start ?? this.#from.text.length,
    });
  }

  sum(): OptionValue {
    return this.#chain(["+", "-"], () => this.#chain(["*", "/"], () => this.#signed()));
  }

  #chain(operators: readonly string[], part: () => OptionValue): OptionValue {
    const first = this.next;
    let left = part();
    while (operators.includes(this.#spell())) {
      const [operator, second] = [this.#spell(), this.next + 1];
      this.next = second;
      const right = this.#number(part(), second);
      left = this.#computed(operator, this.#number(left, first), right);
    }
    return left;
  }

  #computed(operator: string, a: Rational, b: Rational): OptionValue {
    this.#operations += 1;
    if (this.#operations > maxOperations || (operator === "/" && b.num === 0n)) this.#fail(this.next - 1);
    const compute = { "+": add, "-": subtract, "*": multiply, "/": divide }[operator];
    return { kind: "number", value: compute ? toText(compute(a, b)) : this.#fail() };
  }

  #number({ kind, value }: OptionValue, at: number): Rational {
    if (kind !== "number") this.#fail(at);
    try {
      return parseRational(value);
    } catch {
      return this.#fail(at);
    }
  }

  #signed(): OptionValue {
    const [sign, start] = [this.#spell(), this.next];
    if (sign !== "-" && sign !== "+") return this.#single();
    this.next += 1;
    const isLiteral = this.#from.tokens[this.next]?.kind === "number";
    const value = this.#single(start);
    if (isLiteral) return { kind: "number", value: sign + value.value };
    const number = this.#number(value, start);
    return { kind: "number", value: toText(sign === "-" ? negate(number) : number) };
  }

  /** A value without a sign. `blamed` is the place that a refusal points at. */
  #single(blamed: number = this.next): OptionValue {
    const { text, tokens } = this.#from;
    const [token, written] = [tokens[this.next], this.#spell()];
    if (token === undefined) this.#fail(blamed);
    if (token.kind === "number") {
      this.next += 1;
      return { kind: "number", value: written };
    }
    if (written === "(") {
      this.next += 1;
      const value = this.sum();
      if (this.#spell() !== ")") this.#fail();
      this.next += 1;
      return value;
    }
    if (isNumbered(text, tokens, this.next)) return this.#parameter(Number(this.#spell(this.next + 1)));
    if (this.#from.names.length > 0 && namedPlaces(text, tokens).includes(this.next))
      return this.#parameter(this.#from.names.indexOf(nameAt(text, tokens, this.next)) + 1);
    if (token.kind === "word" && written.toLowerCase() === "null") {
      this.next += 1;
      return { kind: "null", value: "null" };
    }
    if (token.kind === "text" && written.startsWith("'")) {
      this.next += 1;
      return { kind: "text", value: unquoted(written) };
    }
    if (token.kind === "quoted" || token.kind === "word") return this.#name();
    return this.#fail(blamed);
  }

  /** A name in parts: cards.card_id, or `cards`.`card_id`. */
  #name(): OptionValue {
    const [first, isWord] = [this.next, elementAt(this.#from.tokens, this.next).kind === "word"];
    const parts = [this.#part()];
    while (this.#spell() === ".") {
      this.next += 1;
      parts.push(this.#part());
    }
    if (parts.length > 1) return { kind: "name", value: parts.join(".") };
    return isWord
      ? { kind: "word", value: this.#spell(first).toLowerCase() }
      : { kind: "text", value: elementAt(parts, 0) };
  }

  #part(): string {
    const [token, written] = [this.#from.tokens[this.next], this.#spell()];
    if (token?.kind !== "word" && token?.kind !== "quoted") this.#fail();
    this.next += 1;
    return token.kind === "word" ? written.toLowerCase() : unquoted(written);
  }

  #parameter(number: number): OptionValue {
    const { parameters, used, tokens } = this.#from;
    const value = parameters[number - 1];
    if (value === undefined)
      throw new LetheError("query.parameter", "a parameter of OPTIONS has no value", {
        fix: "give a value for each of $1, $2 …, as params: [42] or --param 1=42",
        offset: elementAt(tokens, this.next).start,
      });
    this.next += 2;
    used.add(number);
    if (value === null) return { kind: "null", value: "null" };
    if (typeof value === "string") return { kind: "text", value };
    return { kind: typeof value === "number" ? "number" : "word", value: String(value) };
  }
}

function unquoted(written: string): string {
  const quote = written.charAt(0);
  return written.slice(1, -1).replaceAll(quote + quote, quote);
}
