import { elementAt } from "@lethe/core/numeric";
import { nearestName } from "../../refusals/did-you-mean.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { Domain } from "../domain.ts";
import { children, type Expression } from "../expression.ts";
import { type NeverTrue, neverTrue } from "../possible/never-true.ts";
import { type ConstantTest, caseOf, constantTest, mayBe, valuesOf } from "../possible/possible-values.ts";
import { writeLiteral, writeSql } from "../write-sql.ts";
import { demandType } from "./build-expression.ts";

/**
 * Questions that would be paid for and cannot say anything are refused before the charge, by one rule in two parts:
 * a condition on rows that no row can meet (its answer is known), and a word that a text is tested against, wherever that
 * stands, which the text can never be (a misspelling). A condition that is always true is accepted: it changes no answer.
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

/**
 * Refuses a word that a text of the expression is tested against and can never be; `placeOf` returns the place where the question
 * writes the word. Errors: query.impossible.
 */
export function demandKnownWords(
  expression: Expression,
  placeOf: (word: string) => number | undefined,
): void {
  const test = constantTest(expression);
  if (test && equalities.has(test.operator)) checkWords(test, placeOf);
  for (const child of children(expression)) demandKnownWords(child, placeOf);
}

const equalities: ReadonlySet<string> = new Set(["=", "<>", "in", "is-distinct", "is-not-distinct"]);

function checkWords({ of, constants }: ConstantTest, placeOf: (word: string) => number | undefined): void {
  if (of.domain.type !== "text" || !readsColumn(of)) return;
  const possible = valuesOf(of.domain);
  for (const word of constants)
    if (typeof word === "string" && !mayBe(possible, of, word))
      refuse(
        "query.impossible",
        `${writeSql(of)} is never ${writeLiteral(word)}`,
        wordFix(of, word),
        placeOf(word),
      );
}

function readsColumn(expression: Expression): boolean {
  return expression.kind === "column" || children(expression).some(readsColumn);
}

function wordFix(of: Expression, word: string): string {
  const { values, maxLength } = of.domain as Extract<Domain, { readonly type: "text" }>;
  if (values === null)
    return caseOf(of)
      ? `write ${writeLiteral(caseOf(of) === "lower" ? word.toLowerCase() : word.toUpperCase())}`
      : `its texts are kept to ${maxLength} characters: write ${writeLiteral([...word].slice(0, maxLength).join(""))}`;
  const nearest = nearestName(word, values);
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
