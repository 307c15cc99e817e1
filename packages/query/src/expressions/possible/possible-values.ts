import { elementAt } from "@lethe/core/numeric";
import { type Domain, isIntegral } from "../domain.ts";
import { children, type Expression } from "../expression.ts";
import type { LogicOperator } from "../operator.ts";
import { applyOperator } from "../operators/apply-operator.ts";
import { characters, type Scalar, scalarsOf } from "../operators/domains.ts";

/** A test of one expression against constants, with the expression first. */
export interface ConstantTest {
  readonly of: Expression;
  readonly operator: LogicOperator;
  readonly constants: readonly Scalar[];
}

/** The values of an expression that tests leave: those of a public list, or an interval whose ends belong to it or not. */
export interface PossibleValues {
  readonly values: readonly Scalar[] | null;
  readonly from: End;
  readonly to: End;
  readonly orNull: boolean;
}
interface End {
  readonly at: number;
  readonly within: boolean;
}

const mirrored: Partial<Record<string, LogicOperator>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };
const tests: ReadonlySet<string> = new Set([
  ...["=", "<>", "<", "<=", ">", ">=", "is-distinct", "is-not-distinct", "in", "like"],
]);
const opposites: Readonly<Record<string, LogicOperator>> = {
  "=": "<>",
  "<>": "=",
  "<": ">=",
  ">=": "<",
  ">": "<=",
  "<=": ">",
  "is-distinct": "is-not-distinct",
  "is-not-distinct": "is-distinct",
};

/** Returns the test that a comparison with constants makes; null for any other condition. */
export function constantTest(condition: Expression): ConstantTest | null {
  if (condition.kind !== "call" || !tests.has(condition.operator)) return null;
  const operator = condition.operator as LogicOperator;
  const [first, ...others] = condition.args as readonly [Expression, ...Expression[]];
  const constants = others.flatMap(constantOf);
  if (constants.length === others.length) return { of: first, operator, constants };
  const [constant] = constantOf(first);
  if (constant === undefined || operator === "in" || operator === "like") return null;
  return { of: elementAt(others, 0), operator: mirrored[operator] ?? operator, constants: [constant] };
}

/** The value of a literal, or of what is computed of literals alone and cannot be but one: DATE '2024-12-31' - INTERVAL '30 days'. None for others. */
function constantOf(expression: Expression): readonly Scalar[] {
  if (expression.kind === "literal") return [expression.value];
  const { domain } = expression;
  if (expression.kind !== "call" || domain.type === "boolean" || domain.nullable) return [];
  if (domain.values?.length !== 1 || readsColumn(expression)) return [];
  return domain.values;
}

function readsColumn(expression: Expression): boolean {
  const isOpen = expression.kind === "column" || expression.kind === "released";
  return isOpen || children(expression).some(readsColumn);
}

/** Returns all values that a domain allows. */
export function valuesOf(domain: Domain): PossibleValues {
  const scalars = scalarsOf(domain);
  const [lo, hi] = ("bounds" in domain ? domain.bounds : null) ?? [
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ];
  return {
    values: scalars?.filter((value) => value !== null) ?? null,
    from: { at: lo, within: true },
    to: { at: hi, within: true },
    orNull: domain.nullable,
  };
}

/** Returns the values that remain where the test is true, or where it is false. */
export function valuesWhere(left: PossibleValues, test: ConstantTest, outcome: boolean): PossibleValues {
  const { operator, constants, of } = test;
  const apply = (value: Scalar): Scalar => applyOperator(operator, [value, ...constants]);
  const orNull = left.orNull && apply(null) === outcome;
  if (left.values)
    return { ...left, values: left.values.filter((value) => apply(value) === outcome), orNull };
  const none = { ...left, values: [], orNull };
  if (operator === "like") return { ...left, orNull };
  if (operator === "in") {
    if (outcome)
      return { ...none, values: constants.filter((value) => value !== null && mayBe(left, of, value)) };
    return constants.includes(null) ? none : { ...left, orNull };
  }
  const [constant = null] = constants;
  const effective = outcome ? operator : opposites[operator]!;
  if (constant === null) return effective === "is-distinct" ? { ...left, orNull } : none;
  if (effective === "=" || effective === "is-not-distinct")
    return { ...none, values: mayBe(left, of, constant) ? [constant] : [] };
  if (typeof constant !== "number" || effective === "<>" || effective === "is-distinct")
    return { ...left, orNull };
  const whole = isIntegral(of.domain);
  return { ...left, orNull, ...cut(left, effective, constant, whole) };
}

/** Cuts an interval at a constant. Whole numbers above 3 begin with 4. */
function cut(
  { from, to }: PossibleValues,
  operator: LogicOperator,
  at: number,
  whole: boolean,
): Pick<PossibleValues, "from" | "to"> {
  const within = operator.endsWith("=");
  if (operator.startsWith(">")) {
    const end = whole ? { at: within ? Math.ceil(at) : Math.floor(at) + 1, within: true } : { at, within };
    const isHigher = end.at > from.at || (end.at === from.at && !end.within);
    return { from: isHigher ? end : from, to };
  }
  const end = whole ? { at: within ? Math.floor(at) : Math.ceil(at) - 1, within: true } : { at, within };
  const isLower = end.at < to.at || (end.at === to.at && !end.within);
  return { from, to: isLower ? end : to };
}

export function isNone({ values, from, to, orNull }: PossibleValues): boolean {
  if (orNull) return false;
  if (values) return values.length === 0;
  return !(from.at < to.at || (from.at === to.at && from.within && to.within));
}

/** Whether an expression can have one certain value, as far as its domain tells. */
export function mayBe({ values, from, to }: PossibleValues, of: Expression, value: Scalar): boolean {
  if (values) return values.includes(value);
  if (typeof value === "string") return mayBeText(of, value);
  if (typeof value !== "number") return true;
  if (isIntegral(of.domain) && !Number.isInteger(value)) return false;
  const isAbove = from.within ? value >= from.at : value > from.at;
  return isAbove && (to.within ? value <= to.at : value < to.at);
}

const otherCase = { lower: /[A-Z]/, upper: /[a-z]/ } as const;

/**
 * Whether an expression can be this text: no text is longer than its column keeps it, and changed case leaves no ASCII letter of
 * the other.
 */
function mayBeText(of: Expression, text: string): boolean {
  if (of.domain.type === "text" && characters(text) > of.domain.maxLength) return false;
  const changed = caseOf(of);
  return changed === null || !otherCase[changed].test(text);
}

/** The case that an expression changes its text to. */
export function caseOf(expression: Expression): "lower" | "upper" | null {
  if (expression.kind !== "call") return null;
  return expression.operator === "lower" || expression.operator === "upper" ? expression.operator : null;
}
