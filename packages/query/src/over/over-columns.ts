import { elementAt } from "@lethe/core/numeric";
import type { PostExpression } from "../aggregates/post-expression.ts";
import type { Domain } from "../expressions/domain.ts";
import type { PostOperator } from "../expressions/operator.ts";
import type { OverRelation, OverValue, OverWindow } from "./over-relation.ts";

/** The most pairs of rows that a join over an answer may look at. */
export const mostOverRows = 250_000;

/** A column of an answer, or of rows that are made of it. */
export interface OverColumnKind {
  readonly name: string;
  readonly type: Domain["type"];
  /** What its cells are: those of releases. */
  readonly kind: "key" | "aggregate" | "computed" | "label";
  /** Whether it is a key whose numbers are all whole. */
  readonly isWhole?: true;
  /** Whether its cells are cells of the answer as they stand there. */
  readonly isCopy: boolean;
}

/** What is known of a column in expressions. */
export type TypedColumn = Pick<OverColumnKind, "name" | "type">;

/** The columns of the answer that has a name; of the plan's own, which has none. */
export type AnswerColumns = (name: string | undefined) => readonly Omit<OverColumnKind, "isCopy">[];

/** Returns the columns of a relation over answers that have these columns. */
export function overColumns(relation: OverRelation, answer: AnswerColumns): readonly OverColumnKind[] {
  const of = (inner: OverRelation): readonly OverColumnKind[] => {
    switch (inner.kind) {
      case "answer":
        return answer(inner.name).map((column) => ({ ...column, isCopy: true }));
      case "values":
        return inner.columns.map((column) => ({ ...column, kind: "key", isCopy: true }));
      case "filtered":
      case "ordered":
      case "distinct":
        return of(inner.of);
      case "shown": {
        const columns = of(inner.of);
        return inner.columns.map(({ name, type, expression }) => {
          const column = expression.kind === "key" ? named(columns, expression.key) : undefined;
          return column ? { ...column, name } : made(name, type);
        });
      }
      case "grouped": {
        const columns = of(inner.of);
        return [
          ...inner.by.flatMap((name) => {
            const column = named(columns, name);
            if (!column) return [];
            const isKept = column.isCopy && (column.kind === "key" || column.kind === "label");
            return [isKept ? column : made(name, column.type)];
          }),
          ...inner.values.map((value) => made(value.name, groupType(value, columns))),
        ];
      }
      case "windowed": {
        const columns = of(inner.of);
        return [...columns, ...inner.windows.map((window) => made(window.name, windowType(window, columns)))];
      }
      case "joined":
        return [...of(inner.left), ...of(inner.right)];
      case "union": {
        const [first = [], ...others] = inner.parts.map(of);
        return first.map((column, at) => {
          const same = others.every((part) => part[at]?.isCopy && part[at]?.kind === column.kind);
          if (!same || !column.isCopy) return made(column.name, column.type);
          const { isWhole, ...rest } = column;
          return isWhole && others.every((part) => part[at]?.isWhole) ? column : rest;
        });
      }
    }
  };
  return of(relation);
}

function made(name: string, type: Domain["type"]): OverColumnKind {
  return { name, type, kind: type === "number" ? "computed" : "label", isCopy: false };
}

function named<Column extends TypedColumn>(columns: readonly Column[], name: string): Column | undefined {
  return columns.find((column) => column.name === name);
}

const ofArgument: ReadonlySet<string> = new Set([
  "min",
  "max",
  "lag",
  "lead",
  "first_value",
  "last_value",
  "nth_value",
]);

/** Returns the type of a value of groups of rows with these columns. */
export function groupType({ value }: OverValue, columns: readonly TypedColumn[]): Domain["type"] {
  return resultType(value.function, value.expression, columns);
}

/** Returns the type of a window over rows with these columns. */
export function windowType(window: OverWindow, columns: readonly TypedColumn[]): Domain["type"] {
  return resultType(window.function, window.arguments[0] ?? null, columns);
}

function resultType(
  name: string,
  argument: PostExpression | null,
  columns: readonly TypedColumn[],
): Domain["type"] {
  if (name === "bool_and" || name === "bool_or") return "boolean";
  return argument !== null && ofArgument.has(name) ? (typeOver(argument, columns) ?? "text") : "number";
}

const conditions: ReadonlySet<PostOperator> = new Set<PostOperator>([
  "=",
  "<>",
  "<",
  "<=",
  ">",
  ">=",
  "and",
  "or",
  "not",
  "is-null",
  "is-not-null",
  "in",
  "like",
]);

const ofTexts: ReadonlySet<PostOperator> = new Set<PostOperator>([
  ...(["lower", "upper", "initcap", "trim", "ltrim", "rtrim", "left", "right", "substr"] as const),
  ...(["replace", "split_part", "concat", "to-text"] as const),
]);

/** Returns the type of an expression over columns; null of NULL. */
function typeOver(expression: PostExpression, columns: readonly TypedColumn[]): Domain["type"] | null {
  switch (expression.kind) {
    case "literal":
      return literalType(expression.value);
    case "key":
      return named(columns, expression.key)?.type ?? null;
    case "call": {
      if (conditions.has(expression.operator)) return "boolean";
      if (ofTexts.has(expression.operator)) return "text";
      if (expression.operator === "date-trunc") return typeOver(elementAt(expression.args, 1), columns);
      if (expression.operator !== "coalesce" && expression.operator !== "nullif") return "number";
      return expression.args.map((part) => typeOver(part, columns)).find((type) => type !== null) ?? null;
    }
    case "case":
      return (
        expression.branches.map(({ then }) => typeOver(then, columns)).find((type) => type !== null) ??
        typeOver(expression.otherwise, columns)
      );
    default:
      return null;
  }
}

function literalType(value: string | number | boolean | null): Domain["type"] | null {
  if (value === null) return null;
  if (typeof value === "string") return "text";
  return typeof value === "number" ? "number" : "boolean";
}
