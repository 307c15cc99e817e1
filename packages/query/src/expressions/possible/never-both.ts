import type { Expression } from "../expression.ts";
import type { LogicOperator } from "../operator.ts";
import { applyOperator } from "../operators/apply-operator.ts";
import type { Scalar } from "../operators/domains.ts";
import { writeSql } from "../write-sql.ts";
import { constantTest } from "./possible-values.ts";
import { type RequiredTest, requiredTests } from "./required-tests.ts";
import type { SupportTest } from "./support.ts";

/** A test that a row must meet: `outcome` is what its condition comes to there, or "not-true". */
interface Demand {
  readonly condition: Expression;
  readonly outcome: boolean | "not-true";
}

/**
 * Whether no row can meet two lists of tests, each of which must hold as a whole. It follows from the tests alone, whatever the policy says of a
 * column's values: a condition beside its negation, one column equal to other constants, or numbers and times in ranges that do not overlap. What it cannot
 * judge counts as possible.
 */
export function neverBoth(some: readonly SupportTest[], others: readonly SupportTest[]): boolean {
  const theirs = others.flatMap(demandsOf);
  return some.flatMap(demandsOf).some((one) => theirs.some((other) => clash(one, other)));
}

function demandsOf({ condition, isTrue }: SupportTest): readonly Demand[] {
  return isTrue ? requiredTests({ condition, outcome: true }) : [{ condition, outcome: "not-true" }];
}

function clash(one: Demand, other: Demand): boolean {
  if (writeSql(one.condition) === writeSql(other.condition))
    return one.outcome !== other.outcome && [one.outcome, other.outcome].includes(true);
  const [mine, theirs] = [alternativesOf(one), alternativesOf(other)];
  if (mine) return mine.every((tests) => tests.some((test) => clash(test, other)));
  if (theirs) return theirs.every((tests) => tests.some((test) => clash(one, test)));
  const [a, b] = [constantDemand(one), constantDemand(other)];
  if (!a || !b || a.of !== b.of) return false;
  const [some, all] = [onlyValues(a), onlyValues(b)];
  if (some) return some.every((value) => !meets(value, b));
  if (all) return all.every((value) => !meets(value, a));
  return isBelow(rangeOf(a), rangeOf(b)) || isBelow(rangeOf(b), rangeOf(a));
}

/** Returns lists of tests of which one must hold: where an OR is true, or an AND false. Null for any other demand. */
function alternativesOf({ condition, outcome }: Demand): readonly (readonly RequiredTest[])[] | null {
  if (outcome === "not-true" || condition.kind !== "call") return null;
  if (condition.operator !== (outcome ? "or" : "and")) return null;
  return condition.args.map((arg) => requiredTests({ condition: arg, outcome }));
}

/** A comparison with constants, or with NULL, and what it comes to. */
interface ConstantDemand {
  /** The SQL of what is compared. */
  readonly of: string;
  readonly operator: LogicOperator;
  readonly constants: readonly Scalar[];
  readonly outcome: boolean;
}

const ordered: ReadonlySet<LogicOperator> = new Set(["<", "<=", ">", ">="]);
const isNull: Partial<Record<string, LogicOperator>> = {
  "is-null": "is-not-distinct",
  "is-not-null": "is-distinct",
};

function constantDemand({ condition, outcome }: Demand): ConstantDemand | null {
  if (outcome === "not-true" || condition.kind !== "call") return null;
  const operator = isNull[condition.operator];
  const [first] = condition.args;
  if (operator && first) return { of: writeSql(first), operator, constants: [null], outcome };
  const test = constantTest(condition);
  if (test === null || test.operator === "like") return null;
  // The order of texts is the engine's.
  if (ordered.has(test.operator) && test.constants.some((constant) => typeof constant !== "number"))
    return null;
  return { of: writeSql(test.of), operator: test.operator, constants: test.constants, outcome };
}

/** Returns the only values that meet a demand, where it lists them. */
function onlyValues({ operator, constants, outcome }: ConstantDemand): readonly Scalar[] | null {
  if (operator === "is-not-distinct" && outcome) return constants;
  if (operator === "is-distinct" && !outcome) return constants;
  const lists = outcome ? operator === "=" || operator === "in" : operator === "<>";
  return lists ? constants.filter((constant) => constant !== null) : null;
}

function meets(value: Scalar, { operator, constants, outcome }: ConstantDemand): boolean {
  return applyOperator(operator, [value, ...constants]) === outcome;
}

interface Range {
  readonly from: number;
  readonly to: number;
  /** Whether its ends belong to it. */
  readonly closed: boolean;
}

const everything: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, closed: true };

/** Returns the numbers that may meet a demand: a half-line, or all. */
function rangeOf({ operator, constants: [end], outcome }: ConstantDemand): Range {
  if (!ordered.has(operator) || typeof end !== "number") return everything;
  const closed = operator.endsWith("=") === outcome;
  return operator.startsWith(">") === outcome
    ? { ...everything, from: end, closed }
    : { ...everything, to: end, closed };
}

/** Whether all of one range lies below all of another. False for NaN. */
function isBelow(low: Range, high: Range): boolean {
  return low.to < high.from || (low.to === high.from && !(low.closed && high.closed));
}
