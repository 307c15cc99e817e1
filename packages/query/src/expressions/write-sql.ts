import { elementAt } from "@lethe/core/numeric";
import { writeTime } from "./calendar/times.ts";
import { type Domain, isTime } from "./domain.ts";
import type { Expression } from "./expression.ts";
import { writeInterval } from "./interval-text.ts";
import { type Operator, symbols } from "./operator.ts";

const infix: Partial<Record<Operator, string>> = {
  ...Object.fromEntries(symbols.map((symbol) => [symbol, symbol])),
  "is-distinct": "IS DISTINCT FROM",
  "is-not-distinct": "IS NOT DISTINCT FROM",
  and: "AND",
  or: "OR",
  concat: "||",
  matches: "~",
  "days-between": "-",
};

const postfix: Partial<Record<Operator, string>> = {
  "is-null": "IS NULL",
  "is-not-null": "IS NOT NULL",
  "is-true": "IS TRUE",
  "is-false": "IS FALSE",
};

const castTypes: Partial<Record<Operator, string>> = {
  "to-number": "double precision",
  "to-integer": "bigint",
  "to-text": "text",
  "to-boolean": "boolean",
  "to-date": "date",
  "to-timestamp": "timestamp",
};

const reserved =
  /^(all|analyse|analyze|and|any|array|as|asc|asymmetric|authorization|between|bigint|binary|bit|boolean|both|case|cast|char|character|check|coalesce|collate|collation|column|concurrently|constraint|create|cross|current_\w+|dec|decimal|default|deferrable|desc|distinct|do|else|end|except|exists|extract|false|fetch|float|for|foreign|freeze|from|full|grant|greatest|group|grouping|having|ilike|in|initially|inner|inout|int|integer|intersect|interval|into|is|isnull|join|json\w*|lateral|leading|least|left|like|limit|localtime|localtimestamp|merge_action|national|natural|nchar|none|normalize|not|notnull|null|nullif|numeric|offset|on|only|or|order|out|outer|overlaps|overlay|placing|position|precision|primary|real|references|returning|right|row|select|session_user|setof|similar|smallint|some|substring|symmetric|system_user|table|tablesample|then|time|timestamp|to|trailing|treat|trim|true|union|unique|user|using|values|varchar|variadic|verbose|when|where|window|with|xml\w*)$/;

/** A name as PostgreSQL reads it back: bare where that is safe, else in double quotes. */
export function writeName(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !reserved.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** A column behind its source, where it has one. */
export function writeColumn({ source, name }: { readonly source?: string; readonly name: string }): string {
  return source === undefined ? writeName(name) : `${writeName(source)}.${writeName(name)}`;
}

export function writeLiteral(value: string | number | boolean | null, domain?: Domain): string {
  if (domain && isTime(domain) && typeof value === "number")
    return `${domain.type.toUpperCase()} '${writeTime(domain.type, value)}'`;
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  return value === null ? "NULL" : String(value);
}

/** An expression as SQL that this package reads back as the same expression: for refusals and their rewrites. */
export function writeSql(expression: Expression): string {
  switch (expression.kind) {
    case "literal":
      return writeLiteral(expression.value, expression.domain);
    case "column":
      return writeColumn(expression);
    case "released":
      return expression.sql;
    case "case": {
      const branches = expression.branches.map(
        ({ when, then }) => `WHEN ${writeSql(when)} THEN ${writeSql(then)}`,
      );
      return `CASE ${branches.join(" ")} ELSE ${writeSql(expression.otherwise)} END`;
    }
    case "call":
      return writeCall(expression.operator, expression.args);
  }
}

/** In brackets unless it holds together by itself: a name, a constant, a function, a CASE. */
function part(expression: Expression): string {
  const sql = writeSql(expression);
  const whole =
    expression.kind === "call"
      ? !isSplit(expression.operator)
      : expression.kind !== "literal" || !sql.startsWith("-");
  return whole ? sql : `(${sql})`;
}

function isSplit(operator: Operator): boolean {
  return (
    operator in infix ||
    operator in postfix ||
    ["negate", "not", "in", "like", "add-interval"].includes(operator)
  );
}

function writeCall(operator: Operator, args: readonly Expression[]): string {
  const between = infix[operator];
  if (between !== undefined) return args.map(part).join(` ${between} `);
  const behind = postfix[operator];
  if (behind !== undefined) return `${part(elementAt(args, 0))} ${behind}`;
  const type = castTypes[operator];
  if (type !== undefined) return `CAST(${writeSql(elementAt(args, 0))} AS ${type})`;
  // Each argument is written once: twice a level would be 2^depth in a deep tree.
  switch (operator) {
    case "negate":
      return `- ${part(elementAt(args, 0))}`;
    case "not":
      return `NOT ${part(elementAt(args, 0))}`;
    case "in":
      return `${part(elementAt(args, 0))} IN (${args.slice(1).map(writeSql).join(", ")})`;
    case "add-interval":
      return `${part(elementAt(args, 0))} + ${writeInterval(args.slice(1))}`;
    case "extract":
      return `EXTRACT(${constantText(elementAt(args, 1))} FROM ${writeSql(elementAt(args, 0))})`;
    case "date-trunc":
      return `DATE_TRUNC('${constantText(elementAt(args, 1))}', ${writeSql(elementAt(args, 0))})`;
    case "time-bucket":
      return `TIME_BUCKET(${writeInterval([{ ...elementAt(args, 1), value: 0 } as Expression, ...args.slice(1)])}, ${writeSql(elementAt(args, 0))})`;
    case "like":
      return `${part(elementAt(args, 0))} LIKE ${writeSql(elementAt(args, 1))}`;
    default:
      return `${operator.toUpperCase()}(${args.map(writeSql).join(", ")})`;
  }
}

const constantText = (argument: Expression): string =>
  argument.kind === "literal" ? String(argument.value) : writeSql(argument);
