import { LetheError } from "@lethe/core";
import type { ExactGroup } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import { openExact } from "@lethe/core/tape";
import {
  type CompiledQuery,
  compilePlan,
  compileTrees,
  dialects,
  type Engine,
  fillReleased,
  type Plan,
  questionsOf,
  releasedIn,
  type TableStorage,
  tablesRead,
  valueWithin,
} from "@lethe/query";
import { refutedClaims, refutedTrees } from "./refuted-claims.ts";

/** A database that holds one of the neighbours. */
export interface Database {
  readonly engine: Engine;
  /** Returns the storage of a table; the engine's own unless stated. */
  readonly lies?: (table: string) => TableStorage;
}

/** The exact rows of every statement of a plan; null where the engine failed. */
export type Measured = readonly (readonly ExactGroup[])[] | null;

/** Constants that stand for what is released before a question is asked: its price may depend on none. */
const released: readonly (string | number | boolean | null)[] = [null, 0, 1, true, "a"];

/**
 * Runs one plan, and those of all other questions of its text, over neighbouring databases, the first against each other one, and says what moved farther than the plan's price
 * assumes: measurements, trees of cells, unit counts, the number of groups. A database on which the plan fails is a finding too, since
 * whether it fails would depend on the data.
 * Errors: those of `Engine.storage`: a source that does not follow the policy is no finding.
 */
export async function replayPlan(plan: Plan, [first, ...others]: readonly Database[]): Promise<string[]> {
  if (first === undefined) return [];
  const found = new Set<string>();
  for (const question of questionsOf(plan).flatMap(asAsked)) {
    const base = await measure(question, first);
    if (base === null) found.add("the first database could not answer");
    for (const [at, database] of others.entries()) {
      const neighbour = await measure(question, database);
      for (const what of movedBeyondPrice(question, base, neighbour))
        found.add(`neighbour ${at + 1}: ${what}`);
    }
  }
  return [...found];
}

/** Returns a question as it may be asked: with each constant in the place of values that are released before it; with none where it reads none. */
function asAsked({ others: _, over: __, ...question }: Plan): readonly Plan[] {
  if (releasedIn(question).length === 0) return [question];
  return released.map((value) => fillReleased(question, ({ domain }) => valueWithin(domain, value)));
}

/** Returns the parts of a plan's price that two neighbours' exact rows refute. */
export function movedBeyondPrice(plan: Plan, base: Measured, neighbour: Measured): string[] {
  if (neighbour === null) return ["could not answer"];
  if (base === null) return [];
  const [left, right] = [elementAt(base, 0), elementAt(neighbour, 0)];
  return [...refutedClaims(plan, left, right), ...refutedTrees(plan, base.slice(1), neighbour.slice(1))];
}

/** Runs every statement of a plan on a database. Errors: those of `Engine.storage`. */
export async function measure(plan: Plan, { engine, lies }: Database): Promise<Measured> {
  const all: (readonly ExactGroup[])[] = [];
  for (const query of await compiled(plan, engine, lies)) {
    try {
      all.push(openExact(await engine.run(query)).groups);
    } catch (error) {
      if (error instanceof LetheError && error.code === "engine.failed") return null;
      throw error;
    }
  }
  return all;
}

async function compiled(
  plan: Plan,
  engine: Engine,
  lies: Database["lies"],
): Promise<readonly CompiledQuery[]> {
  const dialect = dialects[engine.dialect];
  if (!dialect) {
    throw new LetheError("internal.invariant", `there is no dialect ${engine.dialect}`, {
      fix: "register the engine's dialect in query/dialects",
    });
  }
  const storages = new Map<string, TableStorage>();
  for (const table of lies ? [] : tablesRead(plan)) storages.set(table, await engine.storage(table));
  const place = lies ?? ((table: string): TableStorage => storageIn(storages, table));
  return [compilePlan(plan, place, dialect), ...compileTrees(plan, place, dialect)];
}

function storageIn(storages: ReadonlyMap<string, TableStorage>, table: string): TableStorage {
  const storage = storages.get(table);
  if (storage === undefined) {
    throw new LetheError("internal.invariant", `a plan reads ${table}, which is not among its tables`, {
      fix: "report this as a defect",
    });
  }
  return storage;
}
