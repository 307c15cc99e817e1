import { elementAt, lastElement } from "@lethe/core/numeric";
import { refuse } from "../../refusals/refuse.ts";
import type { TimeType } from "../calendar/times.ts";
import { type Domain, isTime } from "../domain.ts";
import type { Expression } from "../expression.ts";
import type { Operator } from "../operator.ts";
import { applyOperator, resultDomain } from "../operators/apply-operator.ts";
import {
  alwaysNull,
  characters,
  finiteDomain,
  joinDomains,
  maxValues,
  type Scalar,
  scalarsOf,
} from "../operators/domains.ts";
import { operatorRules } from "../operators/index.ts";
import { plain } from "../operators/interval.ts";
import { isExactCall } from "../operators/is-exact-call.ts";
import { writeSql } from "../write-sql.ts";
import { alignTimes } from "./align-times.ts";

/** Nodes of one expression, shared parts counted as often as they are written: what an engine would have to read. */
const maxSize = 20_000;
/** Values computed to keep keys public, over one question. */
const maxWork = 2_000_000;
/** In characters: what one row may make of its texts. */
const maxResultLength = 100_000;

/** Makes typed expressions, their domains derived; one a question, as it bounds the question's whole cost. */
export interface ExpressionBuilder {
  /** Nodes and public values of an expression as a plan would spell them out. */
  cost(expression: Expression): number;
  literal(value: Scalar): Expression;
  /** A constant time, by its number. */
  time(type: TimeType, value: number): Expression;
  call(operator: Operator, args: readonly Expression[], offset?: number): Expression;
  case(
    branches: readonly { readonly when: Expression; readonly then: Expression }[],
    otherwise: Expression,
    offset?: number,
  ): Expression;
}

export const typeNames: Readonly<Record<Domain["type"], string>> = {
  number: "a number",
  text: "a text",
  boolean: "a boolean",
  date: "a date",
  timestamp: "a timestamp",
};

const conversions: Readonly<Record<Domain["type"], (sql: string, from: Domain["type"]) => string>> = {
  number: (sql, from) => {
    if (from === "date") return `${sql} - DATE '2000-01-01', a number of days`;
    if (from === "timestamp") return `EXTRACT(epoch FROM ${sql}), a number of seconds`;
    return from === "text" ? `CAST(${sql} AS double precision)` : `CAST(${sql} AS integer)`;
  },
  text: (sql, from) => `CAST(${from === "timestamp" ? `CAST(${sql} AS date)` : sql} AS text)`,
  boolean: (sql, from) => {
    if (from === "date" || from === "timestamp") return `${sql} >= ${from.toUpperCase()} '2000-01-01'`;
    return from === "text" ? `${sql} = '…'` : `${sql} <> 0`;
  },
  date: (sql, from) =>
    from === "text" ? `CAST(${sql} AS date)` : "DATE '2020-02-29', or compare EXTRACT(year FROM …)",
  timestamp: (sql, from) =>
    from === "text" ? `CAST(${sql} AS timestamp)` : "TIMESTAMP '2020-02-29 12:30:00'",
};

/** Errors: query.type, naming the expression and a conversion. */
export function demandType(expression: Expression, type: Domain["type"], offset?: number): void {
  const actual = expression.domain.type;
  if (actual === type) return;
  const sql = writeSql(expression);
  refuse(
    "query.type",
    `${sql} is ${typeNames[actual]}, but ${typeNames[type]} is needed here`,
    `write ${constantAs(expression, type, sql) ?? conversions[type](sql, actual)}`,
    offset,
  );
}

/** A constant that was written as another type's, as it is written as this one's. */
function constantAs(expression: Expression, type: Domain["type"], sql: string): string | null {
  if (expression.kind !== "literal") return null;
  const { value } = expression;
  if (type === "number" && typeof value === "string") return "a number without quotes";
  if (type === "text" && typeof value === "number") return `'${sql}'`;
  if (type === "boolean" && (value === 1 || value === 0)) return value === 1 ? "TRUE" : "FALSE";
  return null;
}

const isNull = (expression: Expression): boolean =>
  expression.kind === "literal" && expression.value === null;

/** Errors: query.type for what is neither a date nor a timestamp. */
function demandTime(expression: Expression, offset?: number): void {
  if (!isTime(expression.domain)) demandType(expression, "timestamp", offset);
}

/** NULL takes the type of its company. */
function adopt(args: readonly Expression[], type: Domain["type"]): Expression[] {
  return args.map((arg) =>
    isNull(arg) && arg.domain.type !== type
      ? { kind: "literal", value: null, domain: finiteDomain(type, []) }
      : arg,
  );
}

/** Results of one type, which NULL takes over. Errors: query.type. */
export function ofOneType(results: readonly Expression[], offset?: number): Expression[] {
  const { type } = (results.find((result) => !isNull(result)) ?? elementAt(results, 0)).domain;
  const adopted = adopt(results, type);
  for (const result of adopted) demandType(result, type, offset);
  return adopted;
}

const associative: ReadonlySet<Operator> = new Set(["and", "or", "concat"]);

/** (a AND b) AND c is a AND b AND c; the grammar itself flattens some of them. */
function flattened(operator: Operator, args: Expression[]): Expression[] {
  if (!associative.has(operator)) return args;
  return args.flatMap((arg) => (arg.kind === "call" && arg.operator === operator ? arg.args : [arg]));
}

function ownCost({ domain }: Expression): number {
  return 1 + (domain.type === "boolean" ? 0 : (domain.values?.length ?? 0));
}

/** A cast to the type that is there. */
function changesNothing(operator: Operator, { type, ...domain }: Domain): boolean {
  if (operator === "to-integer") return type === "number" && "integer" in domain && domain.integer;
  return operator === `to-${type}`;
}

export function expressionBuilder(): ExpressionBuilder {
  const sizes = new WeakMap<Expression, number>();
  const costs = new WeakMap<Expression, number>();
  let work = 0;
  const cost = (expression: Expression): number => costs.get(expression) ?? ownCost(expression);

  function sized(expression: Expression, parts: readonly Expression[], offset?: number): Expression {
    const size = parts.reduce((total, part) => total + (sizes.get(part) ?? 1), 1);
    if (size > maxSize)
      refuse(
        "query.too-large",
        "an expression grows too large",
        "split the question, or shorten its CASEs and lists",
        offset,
      );
    if (expression.domain.type === "text" && expression.domain.maxLength > maxResultLength)
      refuse(
        "query.too-large",
        `a text grows beyond ${maxResultLength} characters`,
        "cut it: LEFT(x, 100)",
        offset,
      );
    sizes.set(expression, size);
    costs.set(
      expression,
      parts.reduce((total, part) => total + cost(part), ownCost(expression)),
    );
    return expression;
  }

  function typed(operator: Operator, args: readonly Expression[], offset?: number): Expression[] {
    const { takes } = operatorRules[operator];
    if (takes === "any") return [...args];
    if (takes === "time") {
      demandTime(elementAt(args, 0), offset);
      return [...args];
    }
    const aligned = alignTimes(args, builder, offset);
    const shared = (aligned.find((arg) => !isNull(arg)) ?? elementAt(aligned, 0)).domain;
    const type =
      takes === "same" || (takes === "ordered" && isTime(shared))
        ? shared.type
        : takes === "ordered"
          ? "number"
          : takes;
    const adopted = adopt(aligned, type);
    for (const arg of adopted) demandType(arg, type, offset);
    return adopted;
  }

  /** Value by value, where all arguments have few and every engine agrees on the results. */
  function enumerated(
    operator: Operator,
    args: readonly Expression[],
    type: Domain["type"],
    offset?: number,
  ): Domain | null {
    if (type === "boolean" || !isExactCall(operator, args)) return null;
    const lists: (readonly Scalar[])[] = [];
    let count = 1;
    for (const arg of args) {
      const scalars = scalarsOf(arg.domain);
      if (!scalars) return null;
      lists.push(scalars);
      count *= scalars.length;
    }
    if (count > maxValues) return null;
    work += count * args.length;
    if (work > maxWork)
      refuse(
        "query.too-large",
        "the question computes with too many public values",
        "split the question",
        offset,
      );
    const rows = lists.reduce<Scalar[][]>(
      (all, list) => all.flatMap((row) => list.map((value) => [...row, value])),
      [[]],
    );
    return finiteDomain(
      type,
      rows.map((row) => applyOperator(operator, row, args)),
    );
  }

  function literal(value: Scalar): Expression {
    const type =
      typeof value === "number" || typeof value === "boolean"
        ? (typeof value as "number" | "boolean")
        : "text";
    if (typeof value === "string" && characters(value) > maxResultLength)
      refuse("query.too-large", "a text is too long", "shorten it");
    const kept = typeof value === "number" ? plain(value) : value;
    return sized({ kind: "literal", value: kept, domain: finiteDomain(type, [kept]) }, []);
  }

  const builder: ExpressionBuilder = {
    cost,
    literal,
    time(type, value) {
      return sized({ kind: "literal", value, domain: finiteDomain(type, [value]) }, []);
    },
    call(operator, given, offset) {
      if (changesNothing(operator, elementAt(given, 0).domain)) return elementAt(given, 0);
      const args = flattened(operator, typed(operator, given, offset));
      const [first] = args;
      // The grammar reads -2 as one number.
      if (operator === "negate" && first?.kind === "literal" && typeof first.value === "number")
        return literal(plain(-first.value));
      const rule = operatorRules[operator];
      const domains = args.map((arg) => arg.domain);
      const type = rule.gives === "same" ? elementAt(domains, 0).type : rule.gives;
      const domain = enumerated(operator, args, type, offset) ?? resultDomain(operator, domains);
      // A constant moved by an interval is a constant: what is stored can be compared with it.
      if (operator === "add-interval" && first?.kind === "literal" && isTime(domain) && !domain.nullable)
        return builder.time(domain.type, domain.bounds[0]);
      return sized({ kind: "call", operator, args, domain }, args, offset);
    },
    case(branches, otherwise, offset) {
      for (const { when } of branches) demandType(when, "boolean", offset);
      const results = alignTimes([...branches.map(({ then }) => then), otherwise], builder, offset);
      const adopted = ofOneType(results, offset);
      const domain = joinDomains(adopted.map((result) => result.domain));
      const expression: Expression = {
        kind: "case",
        // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
        branches: branches.map(({ when }, i) => ({ when, then: elementAt(adopted, i) })),
        otherwise: lastElement(adopted),
        domain: alwaysNull(domain) ? { ...domain, nullable: true } : domain,
      };
      return sized(expression, [...branches.map(({ when }) => when), ...adopted], offset);
    },
  };
  return builder;
}
