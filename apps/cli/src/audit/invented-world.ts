import { join } from "node:path";
import type { Account, InventedTable, World } from "@lethe/audit";
import { defaultLimits, openDuckDb } from "@lethe/engine-duckdb";
import { openUnprotected, type Unprotected } from "@lethe/engine-duckdb/unprotected";
import { type Engine, type Policy, readPolicy } from "@lethe/query";
import { type TemporaryFolder, temporaryFolder } from "../temporary-folder.ts";

/** The tables in a database that answers everything. */
export function naiveDatabase(
  tables: readonly InventedTable[],
  folder: TemporaryFolder,
): Promise<Unprotected> {
  return openUnprotected(tables, { ...defaultLimits(folder.path), threads: 1, memory: 256 << 20 });
}

export interface OpenedWorld {
  readonly folder: TemporaryFolder;
  readonly policy: Policy;
  readonly policyText: string;
  readonly engine: Engine;
}

/** Invented people as files, their policy with a budget, and an engine over them. */
export async function openWorld(world: World, { epsilon, delta }: Account): Promise<OpenedWorld> {
  const folder = temporaryFolder();
  const database = await naiveDatabase(world.tables, folder);
  for (const { name } of world.tables)
    await database.writeParquet(name, join(folder.path, `${name}.parquet`));
  database.close();

  const measure = delta === "0" ? "pure" : "approximate";
  const stated = delta === "0" ? "" : `, delta: "${delta}"`;
  const policyText = `${world.policy}budget: { measure: ${measure}, epsilon: "${epsilon}"${stated} }\n`;
  const policy = readPolicy(policyText);
  const engine = await openDuckDb({
    policy,
    baseDirectory: folder.path,
    stateDirectory: join(folder.path, "state"),
    seed: "0".repeat(64),
    limits: { threads: 1, memory: 256 << 20 },
    log: () => {},
  });
  return { folder, policy, policyText, engine };
}
