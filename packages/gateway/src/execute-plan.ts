import { LetheError } from "@lethe/core";
import type { Exact, ExactRows } from "@lethe/core/mechanisms";
import {
  type CompiledQuery,
  compilePlan,
  compileTrees,
  type Dialect,
  dialects,
  type Engine,
  fillReleased,
  type Plan,
  type StorageOf,
  stagePlan,
  type TableStorage,
  tablesRead,
} from "@lethe/query";

/** Runs a plan, or another over the same rows: the rows of its sums, then those of each of its trees, all sealed. */
export type Execute = (part: Plan) => Promise<readonly Exact<ExactRows>[]>;

/**
 * Compiles a plan for an engine, and returns what runs it. All that can be refused is refused here, before a charge: drift of the schema, and what
 * the stages that learn bounds need. Errors: engine.*; running raises engine.failed alone.
 */
export async function executor(plan: Plan, engine: Engine): Promise<Execute> {
  const compile = await compiler(plan, engine);
  return (part) => run(engine, compile(part));
}

/** Returns a function that makes statements of plans over this one's rows: the plan's sums, then the cells of each of its trees. */
async function compiler(plan: Plan, engine: Engine): Promise<(part: Plan) => readonly CompiledQuery[]> {
  const dialect = dialectOf(engine);
  const storageOf = await storagesOf(tablesRead(plan), engine);
  const compile = (part: Plan): readonly CompiledQuery[] => [
    compilePlan(part, storageOf, dialect),
    ...compileTrees(part, storageOf, dialect),
  ];
  // Values of earlier answers are not there yet. Whatever they are, the statement has the same form.
  const asked = fillReleased(plan, () => null);
  const ofPlan = compile(asked);
  if (plan.learned) compile(stagePlan(plan));
  return (part) => (part === asked ? ofPlan : compile(part));
}

/** Returns the dialect that an engine speaks. */
export function dialectOf(engine: Engine): Dialect {
  const dialect = dialects[engine.dialect];
  if (dialect) return dialect;
  throw new LetheError("internal.invariant", `there is no dialect ${engine.dialect}`, {
    fix: "register the engine's dialect in query/dialects",
  });
}

/** Finds how tables lie in the database. Errors: engine.source, engine.schema, engine.not-imported. */
export async function storagesOf(tables: readonly string[], engine: Engine): Promise<StorageOf> {
  const storages = new Map<string, TableStorage>();
  for (const table of tables) storages.set(table, await engine.storage(table));
  return (table) => storages.get(table)!;
}

/** Whatever an engine raises becomes one constant: its own words may hold data. */
async function run(engine: Engine, queries: readonly CompiledQuery[]): Promise<readonly Exact<ExactRows>[]> {
  try {
    const all: Exact<ExactRows>[] = [];
    for (const query of queries) all.push(await engine.run(query));
    return all;
  } catch {
    throw new LetheError("engine.failed", "the database could not answer; details are in the owner's log", {
      fix: "ask the owner of the data",
    });
  }
}
