import { LetheError } from "@lethe/core";
import type { ModelColumn, RowTask } from "@lethe/learn";
import {
  type Expression,
  gridFor,
  type Plan,
  type PlanOptions,
  type Policy,
  parseQuestion,
  planQuestion,
  policyHash,
  type QuestionOptions,
  type ResolvedQuery,
  type RowColumn,
  type RowsRequest,
  resolveQuestion,
} from "@lethe/query";

/** The rows of a training, and what a question about them would be asked with. */
export interface TrainingRows extends RowsRequest {
  readonly plan: Plan;
  readonly options: QuestionOptions;
}

/**
 * Plans the reading of a training's rows: the rows that a count with its condition is about, the features first and then the target. Nothing of
 * the count is asked or paid. Errors: those of planning a question.
 */
export async function trainingRows(
  { source, where, target, features }: RowTask,
  policy: Policy,
  { epsilon, delta }: PlanOptions,
): Promise<TrainingRows> {
  const from = `FROM ${quoted(source)}${where === null ? "" : ` WHERE ${where}`}`;
  const wanted = [...features, target];
  const values = wanted.map(({ name }) => `COUNT(DISTINCT ${quoted(name)})`).join(", ");
  const counted = resolveQuestion(await parseQuestion(`SELECT COUNT(*) ${from}`), policy);
  const read = resolveQuestion(await parseQuestion(`SELECT ${values} ${from}`), policy);
  const plan = planQuestion(
    counted,
    policy,
    { epsilon: epsilon ?? null, delta: delta ?? null },
    policyHash(policy),
  );
  return {
    // A plan names the columns alone that its own question reads.
    plan: { ...plan, from: read.from },
    columns: wanted.map((column, at) => rowColumn(column, argumentOf(read, at))),
    options: { ...counted.options, epsilon: epsilon ?? null, delta: delta ?? null },
  };
}

function rowColumn(column: ModelColumn, expression: Expression): RowColumn {
  if (column.kind === "category") return { kind: "category", expression, categories: column.categories };
  const { domain } = expression;
  const integer = domain.type === "number" && domain.integer;
  return { kind: "number", expression, grid: gridFor(column.bounds, integer) };
}

/** What is counted in a place: its name is its SQL, and different columns have different names. */
function argumentOf({ aggregates }: ResolvedQuery, at: number): Expression {
  const counted = aggregates[at];
  if (counted?.kind === "count-distinct") return counted.argument;
  throw new LetheError("internal.invariant", "a count of values was resolved to something else", {
    fix: "report this: Lethe could not read a column of a training",
  });
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
