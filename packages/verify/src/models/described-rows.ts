import { canonicalJson } from "@lethe/core/canonical";
import {
  type Expression,
  type Policy,
  parseQuestion,
  type ResolvedQuery,
  resolveQuestion,
} from "@lethe/query";
import { isCondition, quoted } from "../procedure/stated-condition.ts";
import { shapeOf } from "./expression-shape.ts";

/** The rows that a description is about, as far as their condition and their columns have a meaning under the policy. */
export interface DescribedRows {
  /** The relation that its questions read, and the conditions on its rows: {@link rowsKey}. */
  readonly rows: string;
  /** The expression of each of its columns, by name. */
  readonly columns: ReadonlyMap<string, string>;
}

interface Described {
  readonly source: string;
  readonly where: string | null;
  /** All columns of the model; rows where one of them is NULL are left out. */
  readonly columns: readonly { readonly name: string; readonly nullable: boolean }[];
}

/** Resolves the rows of a description. Null where its condition is more than a condition. Errors: those of resolving a question. */
export async function describedRows(
  { source, where, columns }: Described,
  policy: Policy,
): Promise<DescribedRows | null> {
  if (where !== null && !(await isCondition(where, source, policy))) return null;
  const present = columns.filter(({ nullable }) => nullable).map(({ name }) => `${quoted(name)} IS NOT NULL`);
  const all = [...(where === null ? [] : [`(\n${where}\n)`]), ...present];
  const condition = all.length === 0 ? "" : ` WHERE ${all.join(" AND ")}`;
  const ask = async (what: string): Promise<ResolvedQuery> =>
    resolveQuestion(await parseQuestion(`SELECT ${what} FROM ${quoted(source)}${condition}`), policy);
  const asked = await ask("COUNT(*)");
  const resolved = new Map<string, string>();
  for (const { name } of columns) {
    if (resolved.has(name)) continue;
    const [counted] = (await ask(`COUNT(DISTINCT ${quoted(name)})`)).aggregates;
    if (counted?.kind === "count-distinct") resolved.set(name, shapeOf(counted.argument));
  }
  return { rows: rowsKey(asked), columns: resolved };
}

/** Returns a text that two questions share where they read one relation, under conjunctions of the same conditions. */
export function rowsKey({ from, where }: Pick<ResolvedQuery, "from" | "where">): string {
  return JSON.stringify([canonicalJson(from), ...[...new Set(conjuncts(where))].sort()]);
}

function conjuncts(condition: Expression | null): readonly string[] {
  if (condition === null) return [];
  if (condition.kind === "call" && condition.operator === "and") return condition.args.flatMap(conjuncts);
  return [shapeOf(condition)];
}
