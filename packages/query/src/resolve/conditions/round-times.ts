import type { ExpressionBuilder } from "../../expressions/build/build-expression.ts";
import { lengthWords, roundedDown } from "../../expressions/calendar/rounding.ts";
import { microsecondsPerDay, type TimeType } from "../../expressions/calendar/times.ts";
import { type ColumnExpression, columnId, type Expression } from "../../expressions/expression.ts";
import type { Operator } from "../../expressions/operator.ts";
import { writeLiteral, writeSql } from "../../expressions/write-sql.ts";
import type { TimeColumn } from "../../policy/policy.ts";
import { refuse } from "../../refusals/refuse.ts";
import { allSources, type Relation } from "../../relations/relation.ts";

/** The columns whose filters are rounded, by their names in a question. */
type Rounded = ReadonlyMap<string, TimeColumn & { readonly rounding: number }>;

/** A comparison by order of a column with a constant time. */
interface Bound {
  readonly column: ColumnExpression;
  readonly type: TimeType;
  readonly value: number;
  /** What the constant is rounded to. */
  readonly rounded: number;
  /** The length of the policy's buckets in words. */
  readonly length: string;
  readonly isLower: boolean;
  readonly isLeft: boolean;
}

const orders: ReadonlySet<Operator> = new Set(["<", "<=", ">", ">="]);
const connectives: ReadonlySet<Operator> = new Set(["and", "or", "not"]);

/**
 * Rounds the times that a condition compares, by <, <=, >, >= or BETWEEN, with a column whose policy says so: each down to the begin of its bucket. One monotone rule for every end leaves conditions that
 * parted the rows parting them: WHERE t < x and WHERE t >= x count no row twice and leave none out.
 * Errors: query.impossible where both ends of a span fall on one time.
 */
export function roundTimes(
  condition: Expression,
  relations: readonly Relation[],
  build: ExpressionBuilder,
  offset?: number,
): Expression {
  const columns = roundedColumns(relations);
  if (columns.size === 0) return condition;
  const rounded = (expression: Expression): Expression => {
    if (expression.kind !== "call") return expression;
    const { operator, args } = expression;
    const bound = boundIn(expression, columns);
    if (bound && bound.rounded !== bound.value) {
      const time = build.time(bound.type, bound.rounded);
      return build.call(
        operator,
        args.map((arg, at) => ((at === 0) === bound.isLeft ? arg : time)),
        offset,
      );
    }
    if (!connectives.has(operator)) return expression;
    if (operator === "and") demandSpans(args, columns, offset);
    const inner = args.map(rounded);
    return inner.some((arg, at) => arg !== args[at]) ? build.call(operator, inner, offset) : expression;
  };
  return rounded(condition);
}

function roundedColumns(relations: readonly Relation[]): Rounded {
  return new Map(
    relations
      .flatMap(allSources)
      .flatMap(({ source, columns }) =>
        Object.entries(columns).flatMap(([name, column]) =>
          (column.type === "date" || column.type === "timestamp") && column.rounding !== undefined
            ? [
                [
                  columnId({ name, ...(source === null ? {} : { source }) }),
                  { ...column, rounding: column.rounding },
                ] as const,
              ]
            : [],
        ),
      ),
  );
}

function boundIn({ operator, args }: Extract<Expression, { kind: "call" }>, columns: Rounded): Bound | null {
  const [left, right] = args;
  if (!orders.has(operator) || !left || !right) return null;
  const isLeft = right.kind === "literal";
  const [side, constant] = isLeft ? [left, right] : [right, left];
  // A date that is compared with a timestamp is its first moment.
  const column = side.kind === "call" && side.operator === "to-timestamp" ? side.args[0] : side;
  if (column?.kind !== "column" || constant.kind !== "literal" || typeof constant.value !== "number")
    return null;
  const found = columns.get(columnId(column));
  const { type } = constant.domain;
  if (!found || (type !== "date" && type !== "timestamp")) return null;
  const { value } = constant;
  const length = found.rounding * (found.type === type ? 1 : microsecondsPerDay);
  return {
    ...{ column, type, value, isLeft },
    rounded: roundedDown(type, value, length),
    length: lengthWords(found.type, found.rounding),
    isLower: isLeft === operator.startsWith(">"),
  };
}

/** Refuses a span that is shorter than the policy's buckets, before it is paid for. */
function demandSpans(args: readonly Expression[], columns: Rounded, offset: number | undefined): void {
  const bounds = args.flatMap((arg) => (arg.kind === "call" ? (boundIn(arg, columns) ?? []) : []));
  for (const lower of bounds.filter(({ isLower }) => isLower))
    for (const upper of bounds) {
      const isSpan = !upper.isLower && columnId(upper.column) === columnId(lower.column);
      if (!isSpan || lower.value === upper.value || lower.rounded !== upper.rounded) continue;
      const time = writeLiteral(lower.rounded, {
        type: lower.type,
        bounds: [0, 0],
        nullable: false,
        values: null,
      });
      refuse(
        "query.impossible",
        `the policy rounds times that ${writeSql(lower.column)} is compared with down to ${lower.length}, and both ends of the span are then ${time}`,
        `ask for a span of at least ${lower.length}`,
        offset,
      );
    }
}
