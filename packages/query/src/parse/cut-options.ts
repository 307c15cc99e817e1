import { LetheError } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import type { StatedOption } from "./parsed-question.ts";
import type { Token } from "./scan-tokens.ts";

export interface CutQuestion {
  /** The text with the clause blanked out, so that every index still points at the same thing. */
  readonly text: string;
  readonly options: readonly StatedOption[];
}

const form = "write SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 0.5, max_groups_contributed = 1) …";

function syntax(message: string, offset: number, fix: string = form): LetheError {
  return new LetheError("query.syntax", message, { fix, offset });
}

/** BigQuery's other privacy clauses, and where they lead. */
const otherClauses: Readonly<Record<string, string>> = {
  anonymization: "write SELECT WITH DIFFERENTIAL_PRIVACY: the clause has been renamed",
  aggregation_threshold: "write SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(min_privacy_units_per_group = …)",
};

/**
 * Cuts BigQuery's WITH DIFFERENTIAL_PRIVACY [OPTIONS(name = value, …)] out from behind the question's own SELECT, the
 * first outside every bracket, as the PostgreSQL grammar does not know it. Reads tokens, so texts, comments and quoted names are left alone.
 * Errors: query.syntax, query.unsupported.
 */
export function cutOptions(text: string, tokens: readonly Token[]): CutQuestion {
  const spell = (index: number): string => {
    const token = tokens[index];
    return token ? text.slice(token.start, token.end).toLowerCase() : "";
  };
  const select = ownSelect(tokens, spell);
  const clause = tokens[select + 2];
  if (spell(select) !== "select" || spell(select + 1) !== "with" || clause?.kind !== "word")
    return { text, options: [] };
  const name = spell(select + 2);
  if (name !== "differential_privacy") {
    const lead = otherClauses[name];
    if (lead === undefined) return { text, options: [] };
    throw new LetheError("query.unsupported", `SELECT WITH ${name.toUpperCase()} is not answered`, {
      fix: lead,
      offset: clause.start,
    });
  }
  const stated = spell(select + 3) === "options";
  const { options, next } = stated
    ? readOptions(text, tokens, select + 4)
    : { options: [], next: select + 3 };
  const [from, to] = [elementAt(tokens, select + 1).start, elementAt(tokens, next - 1).end];
  return { text: text.slice(0, from) + text.slice(from, to).replace(/./gs, " ") + text.slice(to), options };
}

/** The place of the first SELECT, or of that behind WITH name AS (…), …. */
function ownSelect(tokens: readonly Token[], spell: (index: number) => string): number {
  if (spell(0) !== "with") return 0;
  let depth = 0;
  for (let index = 1; index < tokens.length; index += 1) {
    const written = spell(index);
    if (written === "(") depth += 1;
    if (written === ")") depth -= 1;
    if (depth === 0 && written === "select" && elementAt(tokens, index).kind === "word") return index;
  }
  return 0;
}

function readOptions(
  text: string,
  tokens: readonly Token[],
  open: number,
): { readonly options: readonly StatedOption[]; readonly next: number } {
  const at = (index: number): number => tokens[index]?.start ?? text.length;
  const spell = (index: number): string => text.slice(at(index), tokens[index]?.end ?? text.length);
  const expect = (index: number, what: string): void => {
    if (spell(index) !== what) throw syntax(`OPTIONS: ${what} is missing`, at(index));
  };
  const options: StatedOption[] = [];
  expect(open, "(");
  let index = open + 1;
  while (spell(index) !== ")") {
    if (options.length > 0) {
      expect(index, ",");
      index += 1;
    }
    const name = spell(index).toLowerCase();
    if (tokens[index]?.kind !== "word") throw syntax("OPTIONS: the name of an option is missing", at(index));
    if (options.some((option) => option.name === name))
      throw syntax(`OPTIONS: ${name} is stated twice`, at(index), "state each option once");
    expect(index + 1, "=");
    const value = readValue(text, tokens, index + 2);
    options.push({ name, ...value.stated, offset: at(index) });
    index = value.next;
  }
  return { options, next: index + 1 };
}

function readValue(
  text: string,
  tokens: readonly Token[],
  index: number,
): { readonly stated: Pick<StatedOption, "value" | "kind">; readonly next: number } {
  const token = tokens[index];
  const written = token ? text.slice(token.start, token.end) : "";
  if ((written === "-" || written === "+") && tokens[index + 1]?.kind === "number") {
    const digits = elementAt(tokens, index + 1);
    return {
      stated: { kind: "number", value: written + text.slice(digits.start, digits.end) },
      next: index + 2,
    };
  }
  if (token?.kind === "number") return { stated: { kind: "number", value: written }, next: index + 1 };
  if (token?.kind === "word")
    return { stated: { kind: "word", value: written.toLowerCase() }, next: index + 1 };
  if ((token?.kind === "text" && written.startsWith("'")) || token?.kind === "quoted") {
    const quote = elementAt(written, 0);
    return {
      stated: { kind: "text", value: written.slice(1, -1).replaceAll(quote + quote, quote) },
      next: index + 1,
    };
  }
  throw syntax("OPTIONS: a value is a number, a text or a word", token?.start ?? text.length);
}
