import { basename, dirname, join } from "node:path";
import { buildIndex, importTable, openDuckDb, readManifest } from "@lethe/engine-duckdb";
import { compilePlan, dialects, tablesRead } from "@lethe/query";
import { timed } from "./in-turns.mjs";

const seed = "bench";

/**
 * An engine over a file of a policy, its tables imported, or read as they lie where `layout` is raw, and kept so beside the
 * file under `name`. `indexed` names the table that gets an index; `built` hears how many seconds that took.
 */
export async function openLayout({ policy, file, name, layout, indexed, limits, built }) {
  const options = {
    policy,
    baseDirectory: dirname(file),
    stateDirectory: join(dirname(file), `${basename(file, ".duckdb")}-${name}`),
    seed,
    clock: Date.now,
    log: (detail) => console.error(detail),
    limits,
  };
  const isReady = async (engine) => {
    for (const table of Object.keys(policy.tables)) {
      const storage = await engine.storage(table);
      if (storage.layout !== layout || (table === indexed && !storage.hasPlaces)) return false;
    }
    return true;
  };
  let engine = await openDuckDb(options);
  if (!(await isReady(engine).catch(() => false))) {
    await engine.close();
    if (layout === "snapshot")
      for (const table of Object.keys(policy.tables)) await importTable({ ...options, table });
    if (indexed !== undefined) built((await timed(() => buildIndex({ ...options, table: indexed }))) / 1000);
    engine = await openDuckDb(options);
  }
  const storages = new Map();
  for (const table of Object.keys(policy.tables)) storages.set(table, await engine.storage(table));
  const storageOf = (table) => storages.get(table);
  return {
    policy,
    engine,
    compiled: (plan, changed = storageOf) => compilePlan(plan, changed, dialects[engine.dialect]),
    storageOf,
    /** Returns the exact rows of the engine's query, run on the plain side, whose rows can be read. */
    rowsOf: async (plan, query, plain) => {
      for (const table of tablesRead(plan)) {
        const manifest = readManifest(options.stateDirectory, table);
        if (manifest === null || manifest === undefined) continue;
        const path = join(options.stateDirectory, "snapshots", manifest.file);
        await plain.attachOnce(path, storageOf(table).relation[0]);
      }
      return plain.rows(query.sql, query.needsSeed ? [seed] : undefined);
    },
  };
}
