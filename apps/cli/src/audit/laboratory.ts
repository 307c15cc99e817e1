import type { Account, Laboratory, Opened, OpenedNeighbours, ReplayedHouse, World } from "@lethe/audit";
import type { Unprotected } from "@lethe/engine-duckdb/unprotected";
import { type TemporaryFolder, temporaryFolder } from "../temporary-folder.ts";
import { openLethe } from "./attacked-lethe.ts";
import { auditedLedgers, clock } from "./audited-ledgers.ts";
import { openForger } from "./forger.ts";
import { naiveDatabase, type OpenedWorld, openWorld } from "./invented-world.ts";

/** Attacks on invented people, on DuckDB and a ledger in a folder of their own that goes with them. */
export const laboratory: Laboratory = {
  now: () => performance.now(),
  exact: async (world) => {
    const folder = temporaryFolder();
    return exactService(await naiveDatabase(world.tables, folder), folder);
  },
  lethe: openLethe,
  forger: openForger,
  neighbours: openNeighbours,
};

function exactService(database: Unprotected, folder: TemporaryFolder): Opened {
  return {
    async ask(question) {
      try {
        return { kind: "rows", ...(await database.ask(question)) };
      } catch (error) {
        return { kind: "refused", code: "database", message: String(error) };
      }
    },
    async close() {
      database.close();
      folder.remove();
    },
  };
}

async function openNeighbours(worlds: readonly World[], account: Account): Promise<OpenedNeighbours> {
  const opened: OpenedWorld[] = [];
  for (const world of worlds) opened.push(await openWorld(world, account));
  const [first, ...others] = opened;
  if (first === undefined) throw new TypeError("there are no neighbours without a world");
  const { policy } = first;
  const ledgers = await auditedLedgers(policy);
  const houseOf = ({ engine }: OpenedWorld): ReplayedHouse => ({
    policy,
    engine,
    clock,
    openLedger: () => ledgers.open(),
  });
  return {
    houses: [houseOf(first), ...others.map(houseOf)],
    async close() {
      for (const { engine, folder } of opened) {
        await engine.close();
        folder.remove();
      }
      ledgers.remove();
    },
  };
}
