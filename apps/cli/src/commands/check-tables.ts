import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LetheError } from "@lethe/core";
import type { Engine, Policy, PolicyWarning, TablePolicy } from "@lethe/query";
import { readsCopies } from "../copies/copies.ts";
import { openDatabase, openEngine } from "../open.ts";
import { say } from "../render/say.ts";
import { readSeed } from "../seed.ts";
import type { Workspace } from "../workspace.ts";

/**
 * Makes the checks that precede a charge on each table's file or database, and reads no row: whether it is there, its columns and their types, what
 * the database computes of it, and what the role may do. Needs no ledger. Says which tables lie in partitions by their units, and all that is wrong, and throws the first of it; returns advice. Errors:
 * engine.*, policy.changed.
 */
export async function checkTables(workspace: Workspace, policy: Policy): Promise<PolicyWarning[]> {
  const advice: PolicyWarning[] = [];
  const faults: { readonly table: string; readonly error: LetheError }[] = [];
  await withState(workspace, async (place) => {
    const seed = existsSync(workspace.seed) ? readSeed(workspace.seed) : randomBytes(32).toString("hex");
    const check = async (engine: Engine, isAsked = false): Promise<void> => {
      for (const [table, tablePolicy] of Object.entries(policy.tables)) {
        try {
          const { partitions } = await engine.storage(table);
          if (
            isAsked &&
            partitions &&
            "column" in tablePolicy.unit &&
            partitions.column === tablePolicy.unit.column
          )
            say(
              `${table}: ${partitions.relations.length} partitions by ${partitions.column}, computed one by one`,
            );
        } catch (error) {
          const found =
            error instanceof LetheError ? await beforeImport(error, table, tablePolicy, workspace) : error;
          if (!(found instanceof LetheError)) throw found;
          if (found.code === "engine.not-imported") advice.push(adviceOf(table, found));
          // A fault that several tables share, or two make together, is said once.
          else if (!faults.some(({ error }) => error.message === found.message))
            faults.push({ table, error: found });
        }
      }
    };
    const { database } = policy;
    // Where copies are read, the next import reads the database all the same.
    if (database !== null && readsCopies(place, policy))
      await closing(await openDatabase(place, policy, database, seed), check);
    await closing(await openEngine(place, policy, undefined, seed), (engine) => check(engine, true));
  });
  const [first] = faults;
  if (first === undefined) return advice;
  if (faults.length > 1)
    for (const { table, error } of faults)
      say(`wrong: tables.${table}: ${error.message} [${error.code}]\n  ${error.fix}`);
  throw first.error;
}

async function closing(engine: Engine, use: (engine: Engine) => Promise<void>): Promise<void> {
  try {
    await use(engine);
  } finally {
    await engine.close();
  }
}

/** Returns the fault of a CSV that was not imported, else the error that it was not. */
async function beforeImport(
  error: LetheError,
  table: string,
  policy: TablePolicy,
  { base }: Workspace,
): Promise<unknown> {
  if (error.code !== "engine.not-imported" || policy.file === null) return error;
  const { checkCsvSource } = await import("@lethe/engine-duckdb");
  try {
    checkCsvSource(table, policy, base);
    return error;
  } catch (wrong) {
    return wrong;
  }
}

const adviceOf = (table: string, { message, fix }: LetheError): PolicyWarning => ({
  path: `tables.${table}`,
  message,
  fix,
});

/**
 * Runs work with a place for an engine's spills. Where there is no state yet, as before `lethe init`, none is made: a temporary folder holds them.
 */
async function withState(workspace: Workspace, work: (place: Workspace) => Promise<void>): Promise<void> {
  if (existsSync(workspace.state)) return work(workspace);
  const state = mkdtempSync(join(tmpdir(), "lethe-check-"));
  try {
    await work({ ...workspace, state, log: join(state, "owner.log") });
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}
