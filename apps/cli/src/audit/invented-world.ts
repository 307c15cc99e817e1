import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Account, InventedTable, World } from "@lethe/audit";
import { defaultLimits, openDuckDb } from "@lethe/engine-duckdb";
import { openUnprotected, type Unprotected } from "@lethe/engine-duckdb/unprotected";
import { type Engine, type Policy, readPolicy } from "@lethe/query";
import { removedAtEnd } from "./removed-at-end.ts";

/** A folder that goes with what is in it. */
export interface Folder {
  readonly path: string;
  remove(): void;
}

export function newFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), "lethe-audit-"));
  return { path, remove: removedAtEnd(() => rmSync(path, { recursive: true, force: true })) };
}

/** The tables in a database that answers everything. */
export function naiveDatabase(tables: readonly InventedTable[], folder: Folder): Promise<Unprotected> {
  return openUnprotected(tables, { ...defaultLimits(folder.path), threads: 1, memory: 256 << 20 });
}

export interface OpenedWorld {
  readonly folder: Folder;
  readonly policy: Policy;
  readonly engine: Engine;
}

/** Invented people as files, their policy with a budget, and an engine over them. */
export async function openWorld(world: World, { epsilon, delta }: Account): Promise<OpenedWorld> {
  const folder = newFolder();
  const database = await naiveDatabase(world.tables, folder);
  for (const { name } of world.tables)
    await database.writeParquet(name, join(folder.path, `${name}.parquet`));
  database.close();

  const measure = delta === "0" ? "pure" : "approximate";
  const stated = delta === "0" ? "" : `, delta: "${delta}"`;
  const policy = readPolicy(
    `${world.policy}budget: { measure: ${measure}, epsilon: "${epsilon}"${stated} }\n`,
  );
  const engine = await openDuckDb({
    policy,
    baseDirectory: folder.path,
    stateDirectory: join(folder.path, "state"),
    seed: "0".repeat(64),
    limits: { threads: 1, memory: 256 << 20 },
    log: () => {},
  });
  return { folder, policy, engine };
}
