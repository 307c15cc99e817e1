import { elementAt } from "@lethe/core/numeric";
import { nearestName } from "../../refusals/did-you-mean.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { Domain } from "../domain.ts";
import type { Expression } from "../expression.ts";
import { listedWords, namesValues } from "../possible/listed-words.ts";
import { type NeverTrue, neverTrue } from "../possible/never-true.ts";
import { caseOf, constantTest } from "../possible/possible-values.ts";
import { writeLiteral, writeSql } from "../write-sql.ts";
import { demandType } from "./build-expression.ts";

/**
 * Questions that would be paid for and cannot say anything are refused before the charge, by one rule in two parts:
 * a condition on rows that no row can meet (its answer is known), and a word that a text is tested against, wherever that
 * stands, which the text can never be (a misspelling). A word in a list beside one that the text can be is accepted, unless it is nearly one of the
 * text's values. A condition that is always true is accepted: it changes no answer.
 */

/** Checks a condition on rows. Errors: query.type; query.impossible. */
export function demandCondition(condition: Expression, offset?: number): void {
  demandType(condition, "boolean", offset);
  demandPossible(condition, offset);
}

/** Refuses a condition that no row can meet. Errors: query.impossible. */
export function demandPossible(condition: Expression, offset?: number): void {
  const reason = neverTrue(condition);
  if (reason) refuse("query.impossible", messageOf(reason), fixOf(reason), offset);
}

/** Returns the place where a question writes a word, as a UTF-16 index. */
export type PlaceOfWord = (word: string) => number | undefined;

/**
 * Refuses a word that a text of rows is tested against and can never be. Beside words that it can be no row matches such a word, and it is refused only
 * where it is nearly one of the values, which makes it a misspelling. Errors: query.impossible.
 */
export function demandKnownWords(expression: Expression, placeOf: PlaceOfWord): void {
  for (const list of listedWords(expression)) {
    const isMisspelt = (word: string): boolean => !namesValues(list) || nearestValue(list.of, word) !== null;
    refuseWord(list.of, list.impossible.find(isMisspelt), placeOf);
  }
}

/** Refuses every word that a text is tested against and can never be. Errors: query.impossible. */
export function demandEveryWord(expression: Expression, placeOf: PlaceOfWord): void {
  for (const { of, impossible } of listedWords(expression)) refuseWord(of, impossible[0], placeOf);
}

function refuseWord(of: Expression, word: string | undefined, placeOf: PlaceOfWord): void {
  if (word !== undefined)
    refuse(
      "query.impossible",
      `${writeSql(of)} is never ${writeLiteral(word)}`,
      wordFix(of, word),
      placeOf(word),
    );
}

function nearestValue({ domain }: Expression, word: string): string | null {
  return domain.type === "text" && domain.values ? nearestName(word, domain.values) : null;
}

function wordFix(of: Expression, word: string): string {
  const { values, maxLength } = of.domain as Extract<Domain, { readonly type: "text" }>;
  if (values === null)
    return caseOf(of)
      ? `write ${writeLiteral(caseOf(of) === "lower" ? word.toLowerCase() : word.toUpperCase())}`
      : `its texts are kept to ${maxLength} characters: write ${writeLiteral([...word].slice(0, maxLength).join(""))}`;
  const nearest = nearestValue(of, word);
  return `${nearest === null ? "" : `did you mean ${writeLiteral(nearest)}? `}write one of: ${listed(values)}`;
}

const maxListed = 12;
function listed(values: readonly string[]): string {
  const rest = values.length > maxListed ? ` and ${values.length - maxListed} more` : "";
  return `${values
    .slice(0, maxListed)
    .map((value) => writeLiteral(value))
    .join(", ")}${rest}`;
}

function messageOf({ conditions }: NeverTrue): string {
  const written = conditions.map(({ condition, outcome }) =>
    outcome ? writeSql(condition) : `NOT (${writeSql(condition)})`,
  );
  return `no row can meet ${written.join(" AND ")}`;
}

function fixOf({ conditions, of }: NeverTrue): string {
  if (of === null) return "remove the condition";
  const sql = writeSql(of);
  if (conditions.length > 1) return "join them by OR; of BETWEEN the lower end comes first";
  const test = constantTest(elementAt(conditions, 0).condition);
  if (test === null) return `${rangeOf(sql, of.domain)}${of.domain.nullable ? "" : ", never NULL"}`;
  const [word] = test.constants;
  if (test.operator === "=" && typeof word === "string" && of.domain.type === "text")
    return wordFix(of, word);
  if (test.constants.includes(null)) return `nothing equals NULL: write ${sql} IS NULL, or leave NULL out`;
  return rangeOf(sql, of.domain);
}

function rangeOf(sql: string, domain: Domain): string {
  if (domain.type === "boolean") return `${sql} is TRUE or FALSE`;
  if (domain.type === "text")
    return domain.values
      ? `${sql} is one of ${listed(domain.values)}`
      : `${sql} is a text of up to ${domain.maxLength} characters`;
  if (domain.bounds === null) return `${sql} is a number`;
  const [lo, hi] = domain.bounds.map((bound) => writeLiteral(bound, domain));
  return `${sql} lies between ${lo} and ${hi}`;
}
