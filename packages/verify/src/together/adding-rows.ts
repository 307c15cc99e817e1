import type { Expression } from "@lethe/query";
import { anything, intersection, isEmpty, type Region, type Scalar } from "./value-region.ts";

/**
 * Rows, as regions of what is computed of them, by its text: those where each lies in its region. A condition is computed of a row, too, and is true,
 * false or NULL there.
 */
export type RowSet = ReadonlyMap<string, Region>;

/** More sets than these are taken for all rows. */
const mostSets = 64;
const allRows: readonly RowSet[] = [new Map()];

/**
 * Returns sets of rows that hold every row where an expression is not NULL or, with `zeroAddsNothing`, neither NULL nor 0: those on which CASE reaches
 * a result that is something else.
 */
export function addingRows(expression: Expression, zeroAddsNothing: boolean): readonly RowSet[] {
  if (expression.kind === "literal") {
    const { value } = expression;
    return value === null || (zeroAddsNothing && value === 0) ? [] : allRows;
  }
  if (expression.kind !== "case") return allRows;
  let passed: readonly RowSet[] = allRows;
  const found: RowSet[] = [];
  for (const { when, then: result } of expression.branches) {
    const reached = both(passed, rowsWhere(when, true));
    found.push(...both(reached, addingRows(result, zeroAddsNothing)));
    passed = both(passed, [rowsOf(when, [false, null])]);
  }
  found.push(...both(passed, addingRows(expression.otherwise, zeroAddsNothing)));
  return found.length > mostSets ? allRows : found;
}

/** Whether no row lies in a set of one list and in one of the other. */
export function areApart(some: readonly RowSet[], others: readonly RowSet[]): boolean {
  return both(some, others, Number.POSITIVE_INFINITY).length === 0;
}

/** Returns the rows in a set of each list, without sets that hold none; the first list where that would be too many sets. */
function both(some: readonly RowSet[], others: readonly RowSet[], most = mostSets): readonly RowSet[] {
  const met: RowSet[] = [];
  for (const one of some) {
    for (const other of others) {
      const joined = new Map(one);
      for (const [text, region] of other)
        joined.set(text, intersection(joined.get(text) ?? anything, region));
      if (![...joined.values()].some(isEmpty)) met.push(joined);
    }
  }
  return met.length > most ? some : met;
}

/** Returns sets that hold the rows where a condition is true, or where it is false. */
function rowsWhere(condition: Expression, truth: boolean): readonly RowSet[] {
  const itself = [rowsOf(condition, [truth])];
  if (condition.kind === "literal") return condition.value === truth ? allRows : [];
  if (condition.kind !== "call") return itself;
  const { operator, args } = condition;
  const inside = (part: Expression, outcome: boolean): readonly RowSet[] =>
    both(itself, rowsWhere(part, outcome));
  const [first] = args;
  if (first && operator === "not") return inside(first, !truth);
  if (first && operator === "is-true" && truth) return inside(first, true);
  if (first && operator === "is-false" && truth) return inside(first, false);
  if (operator === "and" || operator === "or") {
    if (truth === (operator === "and"))
      return args.reduce<readonly RowSet[]>((sets, part) => both(sets, rowsWhere(part, truth)), itself);
    const each = args.flatMap((part) => inside(part, truth));
    return each.length > mostSets ? itself : each;
  }
  return both(itself, comparedRows(condition, truth));
}

/** Returns the rows where a comparison with constants has an outcome; all rows for any other condition. */
function comparedRows(
  { operator, args }: Extract<Expression, { kind: "call" }>,
  truth: boolean,
): readonly RowSet[] {
  const [first, second] = args;
  if (!first) return allRows;
  if (operator === "is-null" || operator === "is-not-null")
    return [rowsIn(first, (operator === "is-null") === truth ? listed([null]) : excepted([null]))];
  const constants = args.slice(1).flatMap((each) => (each.kind === "literal" ? [each.value] : []));
  if (constants.length === args.length - 1) {
    const region = regionWhere(operator, constants, truth);
    return region ? [rowsIn(first, region)] : allRows;
  }
  if (first.kind !== "literal" || !second || args.length > 2) return allRows;
  const region = regionWhere(turned[operator] ?? operator, [first.value], truth);
  return region ? [rowsIn(second, region)] : allRows;
}

const turned: Readonly<Record<string, string>> = { "<": ">", ">": "<", "<=": ">=", ">=": "<=" };

/** Returns the values for which a comparison with constants has an outcome; null where that is not known. */
function regionWhere(operator: string, constants: readonly Scalar[], truth: boolean): Region | null {
  const [constant = null] = constants;
  switch (operator) {
    case "is-not-distinct":
      return truth ? listed([constant]) : excepted([constant]);
    case "is-distinct":
      return truth ? excepted([constant]) : listed([constant]);
    case "in":
      if (truth) return listed(constants.filter((each) => each !== null));
      // No value is certainly none of a list that holds NULL.
      return constants.includes(null) ? listed([]) : excepted([null, ...constants]);
    case "=":
    case "<>":
      if (constant === null) return listed([]);
      return (operator === "=") === truth ? listed([constant]) : excepted([null, constant]);
    case "<":
    case "<=":
    case ">":
    case ">=": {
      if (constant === null) return listed([]);
      if (typeof constant !== "number") return null;
      const end = { at: constant, within: operator.endsWith("=") === truth };
      return { ...excepted([null]), ...(operator.startsWith("<") === truth ? { to: end } : { from: end }) };
    }
    default:
      return null;
  }
}

function listed(only: readonly Scalar[]): Region {
  return { ...anything, only };
}

function excepted(except: readonly Scalar[]): Region {
  return { ...anything, except };
}

function rowsOf(condition: Expression, truths: readonly Scalar[]): RowSet {
  return rowsIn(condition, listed(truths));
}

function rowsIn(computed: Expression, region: Region): RowSet {
  return new Map([[textOf(computed), region]]);
}

/** Returns a text by which an expression is known: whatever domain it has, what it computes of a row is the same. */
export function textOf(expression: Expression): string {
  return JSON.stringify(expression, (name, value) => (name === "domain" ? undefined : value));
}
