import { LetheError } from "@lethe/core";
import {
  compilePublicValues,
  type Engine,
  type Policy,
  type PublicValues,
  publicValues,
  type ResolvedQuery,
  withPublicRows,
} from "@lethe/query";
import { dialectOf, storagesOf } from "../execute-plan.ts";

/** The most values of public tables that stand beside an answer: its release keeps them. */
const mostValues = 100_000;

/**
 * Returns a question whose SELECT over answers has the rows of its public tables: they are read before anything is charged, and stand in the plan, so that whoever has the release
 * can make its rows again. Any other question is returned as it is. Errors: engine.*, query.too-large.
 */
export async function withPublicValues(
  query: ResolvedQuery,
  policy: Policy,
  engine: Engine,
): Promise<ResolvedQuery> {
  const { over } = query;
  const wanted = over === undefined ? [] : publicValues(over);
  if (over === undefined || wanted.length === 0) return query;
  const storageOf = await storagesOf(
    wanted.map(({ table }) => table),
    engine,
  );
  const read = new Map<string, PublicValues["rows"]>();
  for (const values of wanted) {
    const compiled = compilePublicValues(values, policy, storageOf, dialectOf(engine));
    read.set(keyOf(values), (await engine.published(compiled)).rows);
  }
  const rowsOf = (values: PublicValues): PublicValues["rows"] => read.get(keyOf(values)) ?? [];
  const all = wanted.reduce((sum, values) => sum + rowsOf(values).length * values.columns.length, 0);
  if (all > mostValues)
    throw new LetheError(
      "query.too-large",
      `the public tables beside the answer have ${all} values, and a release keeps at most ${mostValues}`,
      { fix: "read fewer of their columns, or join them inside the question whose answer it is" },
    );
  return { ...query, over: withPublicRows(over, rowsOf) };
}

function keyOf({ table, columns }: PublicValues): string {
  return JSON.stringify([table, columns.map(({ name }) => name)]);
}
