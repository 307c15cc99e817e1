import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { LetheError } from "@lethe/core";
import type { Policy } from "@lethe/query";
import type { EngineSettings, WorkerSettings } from "@lethe/server";
import { readsCopies } from "../../copies/copies.ts";
import { databaseUrl, requiredUrl } from "../../database/database-url.ts";
import { readSeed } from "../../seed.ts";
import { readText, type Workspace } from "../../workspace.ts";

/** Returns what each worker thread opens; `askers` of them read rows, and share the machine's cores. */
export function workersOf(
  workspace: Workspace,
  policy: Policy,
  { publicKey, askers }: { readonly publicKey: string; readonly askers: number },
): WorkerSettings {
  return {
    policyText: readText(workspace.policyPath, "the policy"),
    publicKey,
    logFile: workspace.log,
    engine: engineOf(workspace, policy, askers),
  };
}

function engineOf(workspace: Workspace, policy: Policy, askers: number): EngineSettings {
  const seed = readSeed(workspace.seed);
  const { database } = policy;
  if (database !== null && !readsCopies(workspace, policy)) {
    if (database.kind === "trino")
      return { kind: "trino", seed, url: requiredUrl(database), stateDirectory: workspace.state };
    return { kind: "postgres", seed, url: databaseUrl(database) };
  }
  const limits = { threads: Math.max(1, Math.floor(availableParallelism() / askers)) };
  return { kind: "duckdb", seed, baseDirectory: workspace.base, stateDirectory: workspace.state, limits };
}

/** The program of the worker threads: beside the built program, or in its folder where this runs from source. */
export function workerEntry(): URL {
  const places = ["./ask-worker.mjs", "../../../dist/ask-worker.mjs"].map(
    (path) => new URL(path, import.meta.url),
  );
  const entry = places.find((place) => existsSync(fileURLToPath(place)));
  if (entry) return entry;
  throw new LetheError("internal.invariant", "the program of the worker threads is not beside lethe", {
    fix: "npm run build",
  });
}
