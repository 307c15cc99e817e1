import { LetheError } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { type OptionText, readOptionValue } from "./option-value.ts";
import type { StatedOption } from "./parsed-question.ts";
import type { Token } from "./scan-tokens.ts";

export interface CutQuestion {
  /** The text with the clause blanked out, so that every index still points at the same thing. */
  readonly text: string;
  readonly options: readonly StatedOption[];
  /** The place of the clause (UTF-16 index) where it stands behind a SELECT within the question; null where that is the question's own, or there is none. */
  readonly within: number | null;
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
 * Cuts BigQuery's WITH DIFFERENTIAL_PRIVACY [OPTIONS(name = value, …)] out from behind a SELECT, as the PostgreSQL grammar does not know it: the question's own, or one
 * in WITH, in FROM or in an expression. Reads tokens, so texts, comments and quoted names are left alone. Errors: query.syntax, query.parameter,
 * query.unsupported for two such clauses.
 */
export function cutOptions(from: OptionText): CutQuestion {
  const { text, tokens } = from;
  const spell = (index: number): string => {
    const token = tokens[index];
    return token ? text.slice(token.start, token.end).toLowerCase() : "";
  };
  const places = [...tokens.keys()].filter(
    (index) =>
      tokens[index]?.kind === "word" &&
      spell(index) === "select" &&
      spell(index + 1) === "with" &&
      tokens[index + 2]?.kind === "word" &&
      isClause(spell(index + 2)),
  );
  const [select, second] = places;
  if (select === undefined) return { text, options: [], within: null };
  const name = spell(select + 2);
  if (name !== "differential_privacy")
    throw new LetheError("query.unsupported", `SELECT WITH ${name.toUpperCase()} is not answered`, {
      fix: otherClauses[name] ?? form,
      offset: elementAt(tokens, select + 2).start,
    });
  if (second !== undefined)
    throw new LetheError("query.unsupported", "WITH DIFFERENTIAL_PRIVACY stands behind two SELECTs", {
      fix: "write it once, behind the SELECT of private tables: one question has one price",
      offset: elementAt(tokens, second + 1).start,
    });
  const stated = spell(select + 3) === "options";
  const { options, next } = stated ? readOptions(from, select + 4) : { options: [], next: select + 3 };
  const [start, end] = [elementAt(tokens, select + 1).start, elementAt(tokens, next - 1).end];
  return {
    text: text.slice(0, start) + text.slice(start, end).replace(/./gs, " ") + text.slice(end),
    options,
    within: select === ownSelect(tokens, spell) ? null : start,
  };
}

const isClause = (name: string): boolean =>
  name === "differential_privacy" || Object.hasOwn(otherClauses, name);

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
  from: OptionText,
  open: number,
): { readonly options: readonly StatedOption[]; readonly next: number } {
  const { text, tokens } = from;
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
    const value = readOptionValue(from, index + 2);
    options.push({ name, ...value.stated, offset: at(index) });
    index = value.next;
  }
  return { options, next: index + 1 };
}
